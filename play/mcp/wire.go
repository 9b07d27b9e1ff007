package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// lastAnswers is how long requests under way may go on once the input has
// ended: whoever pipes a few of them in wants to read what comes of them.
const lastAnswers = 250 * time.Millisecond

// maxLine bounds a message from the client. No call of these tools comes near.
const maxLine = 1 << 20

// wire carries messages, one a line, between the client and the protocol's
// library. It is here, and not the library's own, for three things: a line that
// is no message is answered and does not end the connection; calls enter the
// line in the order in which they came; and whoever serves can hang up.
type wire struct {
	lines chan line
	out   io.Writer
	write sync.Mutex

	down    chan struct{} // closed when somebody hung up
	hanging sync.Once

	mu      sync.Mutex
	open    map[jsonrpc.ID]struct{} // requests without an answer so far
	writing int                     // answers being written
	idle    chan struct{}           // receives when all requests are answered
	pending jsonrpc.ID              // of the call that has not entered the line yet
	entered chan struct{}           // closed when it has
}

var (
	_ sdk.Transport  = (*wire)(nil)
	_ sdk.Connection = (*wire)(nil)
)

// line is one line of input, or why there are no more.
type line struct {
	text []byte
	long bool // longer than maxLine; the text was dropped
	err  error
}

// newWire begins to read. The goroutine that reads ends with its input: a
// blocked read of standard input cannot be ended from here.
func newWire(in io.Reader, out io.Writer) *wire {
	w := &wire{
		lines: make(chan line), out: out, down: make(chan struct{}),
		open: map[jsonrpc.ID]struct{}{}, idle: make(chan struct{}, 1),
	}
	go w.read(in)
	return w
}

func (w *wire) read(in io.Reader) {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		l := readLine(r)
		select {
		case w.lines <- l:
		case <-w.down:
			return
		}
		if l.err != nil {
			return
		}
	}
}

func readLine(r *bufio.Reader) (l line) {
	for {
		part, err := r.ReadSlice('\n')
		if len(l.text)+len(part) > maxLine {
			l.long, l.text = true, nil
		}
		if !l.long {
			l.text = append(l.text, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil {
			return line{err: err} // a line that was not finished is none
		}
		return l
	}
}

// Connect implements the library's Transport.
func (w *wire) Connect(context.Context) (sdk.Connection, error) { return w, nil }

// SessionID implements the library's Connection.
func (w *wire) SessionID() string { return "" }

// Close implements the library's Connection.
func (w *wire) Close() error {
	w.hanging.Do(func() { close(w.down) })
	return nil
}

// Read implements the library's Connection: the next message.
func (w *wire) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if err := w.untilEntered(ctx); err != nil {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-w.down:
			return nil, io.EOF
		case l := <-w.lines:
			if l.err != nil {
				w.untilAnswered(ctx)
				_ = w.Close()
				return nil, l.err
			}
			msg, problem := parse(l)
			if problem == nil && msg != nil {
				problem = w.expect(msg)
			}
			if problem != nil {
				w.complain(*problem)
			} else if msg != nil {
				return msg, nil
			}
		}
	}
}

// parse reads a message. An empty line is none and no problem.
func parse(l line) (jsonrpc.Message, *complaint) {
	text := bytes.TrimSpace(l.text)
	switch {
	case l.long:
		return nil, &complaint{jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message may have at most %d bytes", maxLine)}
	case len(text) == 0:
		return nil, nil
	case !json.Valid(text):
		return nil, &complaint{jsonrpc.CodeParseError, "a line must be one JSON document"}
	case text[0] == '[':
		return nil, &complaint{jsonrpc.CodeInvalidRequest, "batches are not served; send one message a line"}
	}
	msg, err := jsonrpc.DecodeMessage(text)
	if err != nil {
		return nil, &complaint{jsonrpc.CodeInvalidRequest, clipped(err.Error())}
	}
	return msg, nil
}

// complaint answers a line that is no message.
type complaint struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (w *wire) complain(c complaint) {
	data, err := json.Marshal(struct {
		Version string    `json:"jsonrpc"`
		ID      *int      `json:"id"` // null: the line did not say
		Error   complaint `json:"error"`
	}{"2.0", nil, c})
	if err == nil {
		// A client that cannot be written to is noticed at the next message.
		_ = w.put(data)
	}
}

// Write implements the library's Connection.
func (w *wire) Write(ctx context.Context, msg jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	answer, ok := msg.(*jsonrpc.Response)
	if ok {
		w.answers(answer.ID)
	}
	if err := w.put(data); err != nil {
		// Nobody listens any more.
		_ = w.Close()
		return err
	}
	if ok {
		w.answered()
	}
	return nil
}

func (w *wire) put(data []byte) error {
	w.write.Lock()
	defer w.write.Unlock()
	_, err := w.out.Write(append(data, '\n'))
	return err
}

// expect remembers a request, and of a call to a tool that it is on its way
// into the line. The library runs each call in a goroutine of its own; no
// further message is read until this one has its place. A request under an id
// that is in use would never be answered, so it is no message.
func (w *wire) expect(msg jsonrpc.Message) *complaint {
	call, ok := msg.(*jsonrpc.Request)
	if !ok || !call.IsCall() {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, used := w.open[call.ID]; used {
		return &complaint{jsonrpc.CodeInvalidRequest, "the id of the request is in use"}
	}
	w.open[call.ID] = struct{}{}
	if call.Method == "tools/call" {
		w.pending, w.entered = call.ID, make(chan struct{})
	}
	return nil
}

func (w *wire) untilEntered(ctx context.Context) error {
	w.mu.Lock()
	entered := w.entered
	w.mu.Unlock()
	if entered == nil {
		return nil
	}
	select {
	case <-entered:
		return nil
	case <-w.down:
		return io.EOF
	case <-ctx.Done():
		return ctx.Err()
	}
}

// enters says that the call on its way has its place.
func (w *wire) enters() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.settle()
}

// answers forgets a request whose answer is written next: as soon as the
// client has it, it may use the id again. One that was refused before it came
// to a tool will not enter the line any more.
func (w *wire) answers(id jsonrpc.ID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.open, id)
	w.writing++
	if id == w.pending {
		w.settle()
	}
}

// answered says that an answer was written.
func (w *wire) answered() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writing--
	if w.busy() {
		return
	}
	select {
	case w.idle <- struct{}{}:
	default:
	}
}

func (w *wire) busy() bool { return len(w.open) > 0 || w.writing > 0 }

// untilAnswered waits, not for long, until no request is under way.
func (w *wire) untilAnswered(ctx context.Context) {
	late := time.NewTimer(lastAnswers)
	defer late.Stop()
	for w.waiting() {
		select {
		case <-w.idle:
		case <-late.C:
			return
		case <-w.down:
			return
		case <-ctx.Done():
			return
		}
	}
}

func (w *wire) waiting() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.busy()
}

func (w *wire) settle() {
	if w.entered != nil {
		close(w.entered)
		w.entered, w.pending = nil, jsonrpc.ID{}
	}
}
