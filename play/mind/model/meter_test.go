package model

import (
	"errors"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestAmounts(t *testing.T) {
	for v, want := range map[float64]Money{3.0 / 1e6: 3000, 0.25 / 1e6: 250, 0.0001 / 1e6: 1, 5: 5e9, 0: 0} {
		if got := Amount(v); got != want {
			t.Errorf("Amount(%g) = %d, want %d", v, got, want)
		}
	}
	if got := Amount(1.5).String(); got != "1.5000" {
		t.Errorf("1.5 is written %s", got)
	}
}

func TestMeterCountsAndRefuses(t *testing.T) {
	m := NewMeter(Caps{Tokens: 1000}, Prices{Input: 2, CacheRead: 1, CacheWrite: 3, Output: 10})
	h, err := m.reserve(Usage{Input: 500, Output: 100})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.reserve(Usage{Input: 500}); err == nil {
		t.Error("two calls at once may pass the cap together")
	}
	h.settle(counted, Usage{Input: 100, CacheRead: 200, CacheWrite: 10, Output: 40}, true)
	want := Spent{Calls: 1, Usage: Usage{100, 200, 10, 40}, Cost: 2*100 + 200 + 3*10 + 10*40}
	if diff := cmp.Diff(want, m.Spent()); diff != "" {
		t.Errorf("spent (-want +got):\n%s", diff)
	}
	_, err = m.reserve(Usage{Input: 651})
	var capped *CapError
	if !errors.As(err, &capped) || capped.Cap != "tokens" {
		t.Fatalf("got %v, want the cap on tokens", err)
	}
	if !errors.Is(m.Exhausted(), err) {
		t.Errorf("exhausted: %v", m.Exhausted())
	}
	if _, pauses := capped.PausesPlay(); !pauses {
		t.Error("a cap must pause play")
	}
}

func TestMeterOfMoney(t *testing.T) {
	m := Settings{CapMoney: 0.01, Price: Price{Input: 3, Output: 15}}.Meter()
	if m.Exhausted() != nil {
		t.Error("exhausted before the first call")
	}
	// 2,000 tokens in at the dearest (3.75 a million) and 100 out: 0.009.
	h, err := m.reserve(Usage{Input: 2000, Output: 100})
	if err != nil {
		t.Fatal(err)
	}
	h.settle(unknown, Usage{}, false)
	if got := m.Spent(); got.Cost != Amount(0.009) || !got.Estimated || got.Failed != 1 {
		t.Errorf("spent %+v", got)
	}
	if _, err := m.reserve(Usage{Input: 300}); err == nil || !strings.Contains(err.Error(), "money") {
		t.Errorf("got %v, want the cap on money", err)
	}
	if got := m.String(); got != "1 call, 2100 tokens, cost 0.0090 at most" {
		t.Errorf("it says %q", got)
	}
}

func TestMeterDoesNotBelieveNonsense(t *testing.T) {
	m := NewMeter(Caps{Tokens: 1000, Money: unit}, Prices{Input: unit, Output: unit})
	h, err := NewMeter(Caps{}, Prices{}).reserve(Usage{})
	if err != nil {
		t.Fatal(err)
	}
	h.meter = m
	h.settle(counted, Usage{Input: math.MaxInt64, Output: math.MinInt64}, true)
	if got := m.Spent(); got.Usage.Total() != maxReported || got.Cost <= 0 || m.Exhausted() == nil {
		t.Errorf("spent %+v, exhausted %v", got, m.Exhausted())
	}
}

// TestCapsCannotBePassed plays random calls, several at a time: as long as
// none uses more than was set aside for it, no cap is passed.
func TestCapsCannotBePassed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		caps := Caps{Tokens: rapid.Int64Range(1, 5000).Draw(t, "tokens"), Money: Money(rapid.Int64Range(1, 50_000).Draw(t, "money"))}
		m := NewMeter(caps, Prices{Input: 3, CacheRead: 1, CacheWrite: 4, Output: 15})
		var open []*hold
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			if len(open) > 0 && rapid.Bool().Draw(t, "settle") {
				h := open[0]
				open = open[1:]
				used := Usage{Input: rapid.Int64Range(0, h.most.Input).Draw(t, "in"), Output: rapid.Int64Range(0, h.most.Output).Draw(t, "out")}
				h.settle(rapid.SampledFrom([]outcome{notBilled, unknown, counted}).Draw(t, "how"), used, true)
			} else if h, err := m.reserve(Usage{Input: rapid.Int64Range(0, 900).Draw(t, "most in"), Output: rapid.Int64Range(0, 400).Draw(t, "most out")}); err == nil {
				open = append(open, h)
			}
			if s := m.Spent(); s.Usage.Total() > caps.Tokens || s.Cost > caps.Money {
				t.Fatalf("spent %+v of %+v", s, caps)
			}
		}
	})
}

// TestACapStopsCallsRetriesIncluded counts what reaches the endpoint.
func TestACapStopsCallsRetriesIncluded(t *testing.T) {
	both(t, func(t *testing.T, p Provider) {
		s := newStub(t, p, breaksOff("", false))
		retries := 5
		mind := s.mind(t, func(o *Options) { o.Settings.Retries = &retries })
		one := mind.most(mind.question(sampleView())).Total()
		mind.meter = NewMeter(Caps{Tokens: 2*one + one/2}, Prices{})
		_, err := mind.Decide(t.Context(), sampleView())
		var capped *CapError
		if !errors.As(err, &capped) {
			t.Fatalf("got %v, want the cap", err)
		}
		if s.asked() != 2 {
			t.Errorf("asked %d times, the cap has room for 2", s.asked())
		}
		if _, err := mind.Decide(t.Context(), sampleView()); !errors.As(err, &capped) || s.asked() != 2 {
			t.Errorf("asked again after the cap: %d, %v", s.asked(), err)
		}
	})
}

// TestWhatIsSetAsideCoversTheRequest compares the most a call is taken to use
// with all the bytes that go over the wire beside the picture.
func TestWhatIsSetAsideCoversTheRequest(t *testing.T) {
	both(t, func(t *testing.T, p Provider) {
		s := newStub(t, p, says(good))
		no := false
		mind := s.mind(t, func(o *Options) { o.Settings.Picture = &no })
		if _, err := mind.Decide(t.Context(), fullView(1)); err != nil {
			t.Fatal(err)
		}
		if most := mind.most(mind.question(fullView(1))); most.Input < int64(len(s.body(0))) {
			t.Errorf("%d tokens set aside for a request of %d bytes", most.Input, len(s.body(0)))
		}
	})
}

func TestMeterIsSafeForConcurrentUse(t *testing.T) {
	m := NewMeter(Caps{Tokens: 100}, Prices{})
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			if h, err := m.reserve(Usage{Output: 10}); err == nil {
				h.settle(counted, Usage{Output: 10}, true)
			}
			_ = m.Exhausted()
		})
	}
	wg.Wait()
	if got := m.Spent().Usage.Total(); got > 100 {
		t.Errorf("spent %d of 100", got)
	}
}
