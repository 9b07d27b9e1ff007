package mcp

import (
	"context"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// progressEvery is how often a client that asked for it hears of progress.
const progressEvery = 200 * time.Millisecond

// progress tells a client how far its call has come. The numbers only grow. It
// is told from a goroutine of its own, so that a client that reads slowly does
// not hold up the machine. A nil progress tells nobody.
type progress struct {
	request *sdk.CallToolRequest
	token   any

	mu    sync.Mutex
	done  float64
	total float64       // 0: not known
	words func() string // what is being done, or nil

	begun chan struct{} // receives when the first frame ran
	stop  context.CancelFunc
	over  chan struct{}
}

// newProgress begins to tell, when the client gave a token to tell it under.
func newProgress(ctx context.Context, q *sdk.CallToolRequest) *progress {
	token := q.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	ctx, stop := context.WithCancel(ctx)
	p := &progress{request: q, token: token, begun: make(chan struct{}, 1), stop: stop, over: make(chan struct{})}
	go p.run(ctx)
	return p
}

func (p *progress) run(ctx context.Context) {
	defer close(p.over)
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	told := float64(-1)
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.begun:
		case <-tick.C:
		}
		note := p.note(told)
		if note == nil {
			continue
		}
		told = note.Progress
		// A client that is gone ends the call by other ways.
		_ = p.request.Session.NotifyProgress(ctx, note)
	}
}

// note is what there is to tell since told, or nil.
func (p *progress) note(told float64) *sdk.ProgressNotificationParams {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := &sdk.ProgressNotificationParams{ProgressToken: p.token, Total: p.total}
	if p.words != nil {
		// A client that waits for minutes wants to hear that somebody is there.
		n.Message = p.words()
		p.done++
	}
	if n.Progress = p.done; n.Progress <= told {
		return nil
	}
	return n
}

// say tells what is being done while no frames run; nil ends that.
func (p *progress) say(words func() string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.words = words
}

// expect says how many frames will run at most; 0 when that is not known.
func (p *progress) expect(frames int) {
	if p == nil || frames == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total = p.done + float64(frames)
}

// frame counts a frame that ran.
func (p *progress) frame() {
	p.mu.Lock()
	p.done++
	p.mu.Unlock()
	select {
	case p.begun <- struct{}{}:
	default:
	}
}

// end returns when nothing will be told any more.
func (p *progress) end() {
	if p == nil {
		return
	}
	p.stop()
	<-p.over
}
