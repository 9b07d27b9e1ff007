package session

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"clankie/emu"
)

// checkedBody fails the test when an action reaches it that is not registered,
// or that reaches it twice.
type checkedBody struct {
	*fakeBody
	t    *testing.T
	rig  *rig
	seen map[string]bool // touched by the body's owner only
}

func (c *checkedBody) observeAction(id string) {
	if c.seen[id] {
		c.t.Errorf("%s reached the body twice", id)
	}
	c.seen[id] = true
	if c.rig.onDisk().actions.byID[id] == nil {
		c.t.Errorf("%s reached the body and is not on disk", id)
	}
}

// random is one life of a session under n random operations, one at a time or
// from several goroutines at once.
func random(t *testing.T, seed uint64, workers, n int) {
	body := newFakeBody()
	body.began = make(chan string)
	g := newRig(t, body, func(_ *rig, _ *Options, _ *Bounds, q *StartRequest) { q.Lease = 10 * time.Second })
	checked := &checkedBody{fakeBody: body, t: t, rig: g, seen: map[string]bool{}}
	quit := make(chan struct{})
	var watcher sync.WaitGroup
	watcher.Go(func() {
		for {
			select {
			case id := <-body.began:
				checked.observeAction(id)
			case <-quit:
				return
			}
		}
	})
	var ids sync.Map
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			rng := rand.New(rand.NewPCG(seed, uint64(w)))
			for i := range n {
				randomOperation(t, g, rng, fmt.Sprintf("a-%d-%d", w, i), &ids)
			}
		})
	}
	all.Wait()
	check(t, g.EmergencyStop("session", "over"))
	ids.Range(func(id, _ any) bool {
		r, err := g.Await(t.Context(), g.token, "session", id.(string))
		if err != nil || !r.Status.Terminal() {
			t.Errorf("%v is stuck: %+v, %v", id, r, err)
		}
		if r.Frames > 40 {
			t.Errorf("%v ran %d frames, it asked for 40 at most", id, r.Frames)
		}
		return true
	})
	close(quit)
	watcher.Wait()
	check(t, g.adapter.Trace().Validate())
}

func randomOperation(t *testing.T, g *rig, rng *rand.Rand, id string, ids *sync.Map) {
	var err error
	what := rng.IntN(10)
	if what == 8 { // time passes between operations, never so fast that none can end
		g.passing.Lock()
		defer g.passing.Unlock()
	} else {
		g.passing.RLock()
		defer g.passing.RUnlock()
	}
	switch what {
	case 0, 1, 2, 3:
		if _, err = g.StartAction(g.token, command(id, emu.Advance(1+rng.IntN(40)))); err == nil {
			ids.Store(id, true)
			if rng.IntN(2) == 0 {
				_, err = g.Await(t.Context(), g.token, "session", id)
			}
		}
	case 4:
		err = g.Pause(g.token, "session", "p")
	case 5:
		err = g.Resume(g.token, "session")
	case 6:
		_, err = g.CancelAction(g.token, "session", id, "c")
	case 7:
		err = g.Renew(g.token, "session")
	case 8:
		for range rng.IntN(40) {
			g.landing()
			g.clock.advance(100 * time.Millisecond)
		}
	case 9:
		err = g.Sweep()
	}
	runtime.Gosched()
	if code := emu.CodeOf(err); code == emu.CodeSessionPaused || code == emu.CodeUnknownAction {
		return
	}
	if expired := (*LeaseExpiredError)(nil); err != nil && !errors.As(err, &expired) {
		t.Errorf("%s: %v", id, err)
	}
}

// landing waits until every cancelled action has come back from the machine,
// which answers at once but not in no time: the clock must not run away from it.
func (g *rig) landing() {
	for waiting := true; waiting; runtime.Gosched() {
		waiting = false
		g.mu.Lock()
		for _, s := range g.sessions {
			for _, f := range s.flights {
				waiting = waiting || f.began && f.action.Result.Status.Terminal()
			}
		}
		g.mu.Unlock()
	}
}

func TestRandomOperations(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { random(t, seed, 1, 100) })
	}
}

func TestRandomOperationsAtOnce(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { random(t, seed, 4, 40) })
	}
}

func TestCloseLeavesNobodyWaiting(t *testing.T) {
	body := newFakeBody()
	body.hangs(t)
	g := newRig(t, body)
	for _, id := range []string{"a1", "a2"} {
		_, err := g.StartAction(g.token, command(id, emu.Advance(9)))
		check(t, err)
	}
	<-body.hanging
	s, err := g.find("session")
	check(t, err)
	queued := s.flight("a2")
	check(t, g.Close())
	<-queued.done
	on := g.onDisk()
	for _, id := range []string{"a1", "a2"} {
		if r := on.actions.byID[id].Result; r.Status != StatusCancelled || r.Reason != "the program ended" {
			t.Errorf("%s: %+v", id, r)
		}
	}
	if on.Phase != PhaseActive {
		t.Errorf("closing stopped the session: %s", on.Phase)
	}
	check(t, g.EmergencyStop("session", "late"))
}
