package play_test

import (
	"context"
	"math/rand/v2"
	"runtime"
	"testing"

	"clankie/emu"
	"clankie/journal"
	"clankie/play"
	"clankie/play/mind/model"
	"clankie/play/playtest"
)

// longTurns is how long the sitting of BenchmarkLongSitting is, and flatFrom
// the turn from which on prompts may not grow any more.
const (
	longTurns = 10_000
	flatFrom  = 50
	heapSlack = 4 << 20 // bytes by which the second half may differ from the first
)

// stub is a mind that costs nothing: it does at random what a model might, and
// measures what a model would be sent.
type stub struct {
	rng     *rand.Rand
	prompts [2]int    // the longest in characters, up to flatFrom and after
	heap    [2]uint64 // bytes in use, half way and at the end
}

func (m *stub) decide(_ context.Context, v play.View) (play.Decision, error) {
	late := 0
	if v.Turn > flatFrom {
		late = 1
	}
	m.prompts[late] = max(m.prompts[late], emu.Length(model.Prompt(v)))
	switch v.Turn {
	case longTurns / 2:
		m.heap[0] = heapInUse()
	case longTurns - 1:
		m.heap[1] = heapInUse()
	}
	notes, goal, words := text(m.rng, play.MaxNotes), text(m.rng, play.MaxObjective), text(m.rng, play.MaxSpeak)
	return play.Decision{
		Monologue: text(m.rng, play.MaxMonologue), Intent: text(m.rng, play.MaxIntent),
		Notes: &notes, Objective: &goal, Speak: &words, Action: m.act(v.Observed.State),
	}, nil
}

func (m *stub) act(s emu.State) emu.Action {
	switch {
	case s.Menu != nil && len(s.Menu.Entries) > 0 && m.rng.IntN(3) > 0:
		return emu.Action{Kind: emu.ActionSelectMenuEntry, EntryID: s.Menu.Entries[m.rng.IntN(len(s.Menu.Entries))].ID}
	case s.Dialog != nil && m.rng.IntN(3) > 0:
		return emu.Action{Kind: emu.ActionAdvanceDialog}
	case s.Overworld != nil && m.rng.IntN(4) == 0:
		return emu.WalkTo(s.Overworld.Position.X+m.rng.IntN(9)-4, max(0, s.Overworld.Position.Y+m.rng.IntN(9)-4))
	}
	return emu.Press(emu.Buttons[m.rng.IntN(len(emu.Buttons))], 1+m.rng.IntN(16))
}

// text is so many characters and differs each time.
func text(rng *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = "abcdefghijklmno "[rng.IntN(16)]
	}
	b[0], b[n-1] = 'a', '.'
	return string(b)
}

func heapInUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkLongSitting plays 10,000 turns at full speed on the real machine,
// recorded, with a watcher that never reads. It prints how long the longest
// prompts were early and late, and how much memory was in use half way, when
// every bounded list is full, and at the end.
func BenchmarkLongSitting(b *testing.B) {
	var m *stub
	for b.Loop() {
		b.StopTimer()
		m = &stub{rng: rand.New(rand.NewPCG(3, 5))}
		o := withMind(playtest.Options(b, "bramble-bedroom"), m.decide)
		o.MaxTurns, o.AutosaveTurns = longTurns, play.DefaultAutosaveTurns
		if err := o.Journal.SetGroupCommit(journal.GroupCommit); err != nil {
			b.Fatal(err)
		}
		s, err := play.New(o)
		if err != nil {
			b.Fatal(err)
		}
		w := s.Watch()
		b.StartTimer()
		r, err := s.Run(b.Context())
		w.Close()
		if err != nil || r.Turns != longTurns {
			b.Fatalf("%s after %d turns, %v", r.Outcome, r.Turns, err)
		}
	}
	if m.prompts[1] >= model.MaxPrompt {
		b.Errorf("prompts grew from %d to %d characters, the bound is %d", m.prompts[0], m.prompts[1], model.MaxPrompt)
	}
	if m.heap[1] > m.heap[0]+heapSlack {
		b.Errorf("memory in use grew from %d to %d bytes", m.heap[0], m.heap[1])
	}
	b.ReportMetric(float64(m.prompts[0]), "early-prompt-chars")
	b.ReportMetric(float64(m.prompts[1]), "late-prompt-chars")
	b.ReportMetric(float64(m.heap[0])/1e6, "half-heap-MB")
	b.ReportMetric(float64(m.heap[1])/1e6, "end-heap-MB")
	b.ReportMetric(float64(longTurns)*float64(b.N)/b.Elapsed().Seconds(), "turns/s")
}
