package play

import (
	"context"
	"errors"
	"sync"
	"time"

	"clankie/emu"
)

// eventBacklog is how many events a sitting keeps for watchers that have not
// read them yet. Older ones are in the journal.
const eventBacklog = 4096

// ErrWatchClosed is what Watcher.Next returns after Close, or after the
// sitting ended and everything was delivered.
var ErrWatchClosed = errors.New("play: watch closed")

// Update is what a watcher gets: the newest snapshot when there is one it has
// not seen, and every event since the last update.
type Update struct {
	Snapshot *Snapshot
	Events   []Event
}

// board is where the sitting posts and watchers read. Posting never waits.
type board struct {
	mu       sync.Mutex
	snapshot *Snapshot
	unseen   bool    // no watcher has taken the newest picture
	events   []Event // the last eventBacklog events
	lastSeq  uint64  // of the newest event
	closed   bool
	wake     map[*Watcher]chan struct{}
}

func newBoard() *board { return &board{wake: map[*Watcher]chan struct{}{}} }

func (b *board) postSnapshot(s *Snapshot) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.snapshot = s
	b.wakeAll()
}

// postPicture posts a snapshot with a new picture, and reports whether nobody
// had taken the one that it replaces.
func (b *board) postPicture(s *Snapshot) (dropped bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	dropped, b.unseen = b.unseen, true
	b.snapshot = s
	b.wakeAll()
	return dropped
}

func (b *board) postEvent(e Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lastSeq++
	e.Seq = b.lastSeq
	if len(b.events) == eventBacklog {
		// Move rather than reslice, so that the array does not grow for days.
		copy(b.events, b.events[1:])
		b.events = b.events[:eventBacklog-1]
	}
	b.events = append(b.events, e)
	b.wakeAll()
}

func (b *board) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.wakeAll()
}

// wakeAll tells every watcher that there is news. The channels hold one token
// each, so a watcher that is busy is told once, however much happened.
func (b *board) wakeAll() {
	for _, c := range b.wake {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

// Watcher looks on. Each watcher is used by one goroutine at a time.
type Watcher struct {
	board   *board
	wake    chan struct{}
	seenSeq uint64 // newest event delivered
	seen    *Snapshot
	once    sync.Once
	done    chan struct{}
}

func (b *board) watch() *Watcher {
	w := &Watcher{board: b, wake: make(chan struct{}, 1), done: make(chan struct{})}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wake[w] = w.wake
	w.wake <- struct{}{}
	return w
}

// Next waits for news and returns it. It returns ErrWatchClosed when there
// will be no more, or ctx's error.
func (w *Watcher) Next(ctx context.Context) (Update, error) {
	for {
		u, closed := w.take()
		if u.Snapshot != nil || len(u.Events) > 0 {
			return u, nil
		}
		if closed {
			return Update{}, ErrWatchClosed
		}
		select {
		case <-w.wake:
		case <-w.done:
			return Update{}, ErrWatchClosed
		case <-ctx.Done():
			return Update{}, ctx.Err()
		}
	}
}

func (w *Watcher) take() (u Update, closed bool) {
	b := w.board
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.snapshot != w.seen {
		w.seen, u.Snapshot = b.snapshot, b.snapshot
		b.unseen = false
	}
	if missed := int(b.lastSeq-w.seenSeq) - len(b.events); missed > 0 {
		u.Events = append(u.Events, Event{
			Seq: w.seenSeq, At: time.Time{}, Kind: EventNotice,
			Text: emu.CountOf(missed, "older line was", "older lines were") + " not shown; the journal has them",
		})
	}
	for _, e := range b.events {
		if e.Seq > w.seenSeq {
			u.Events = append(u.Events, e)
		}
	}
	w.seenSeq = b.lastSeq
	return u, b.closed
}

// Close stops watching. It is safe to call more than once.
func (w *Watcher) Close() {
	w.once.Do(func() {
		w.board.mu.Lock()
		delete(w.board.wake, w)
		w.board.mu.Unlock()
		close(w.done)
	})
}
