package mcp

import (
	"context"
	"sync"
)

// queue lets calls through one at a time, in the order in which they came.
type queue struct {
	mu   sync.Mutex
	line []*turn // the first one is being served
}

// turn is a call's place in the line.
type turn struct {
	queue *queue
	come  chan struct{} // closed when it is this call's turn
}

// enter takes the last place in the line. Whoever enters must leave.
func (q *queue) enter() *turn {
	q.mu.Lock()
	defer q.mu.Unlock()
	t := &turn{queue: q, come: make(chan struct{})}
	q.line = append(q.line, t)
	if len(q.line) == 1 {
		close(t.come)
	}
	return t
}

// wait returns when it is the call's turn, or with ctx's error when it ends
// before.
func (t *turn) wait(ctx context.Context) error {
	select {
	case <-t.come:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// leave gives up the place, wherever in the line it is.
func (t *turn) leave() {
	q := t.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, other := range q.line {
		if other != t {
			continue
		}
		q.line = append(q.line[:i], q.line[i+1:]...)
		if i == 0 && len(q.line) > 0 {
			close(q.line[0].come)
		}
		return
	}
}
