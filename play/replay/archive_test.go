package replay_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"clankie/checkpoint"
	"clankie/emu"
	"clankie/emu/gen3"
	"clankie/journal"
	"clankie/play"
	"clankie/play/mind"
	"clankie/play/playtest"
	"clankie/play/replay"
)

// past is an archive as a sitting looks at it.
type past struct{ *replay.Archive }

func (p past) At(ctx context.Context, at play.PastPlace) (play.PastTurn, error) {
	m, err := p.Archive.At(ctx, replay.Wanted(at))
	return play.PastTurn{
		RunID: m.RunID, Live: m.Live, Turn: m.Turn, Last: m.Last,
		Line: m.Line, Observed: m.Observed, Machine: m.State, From: m.From,
	}, err
}

// muser is a mind that stops to think at one turn until it may go on.
type muser struct {
	play.Mind
	turn    int
	reached chan struct{}
	goOn    chan struct{}
}

func (m *muser) Decide(ctx context.Context, v play.View) (play.Decision, error) {
	if v.Turn == m.turn {
		select {
		case m.reached <- struct{}{}:
		default:
		}
		select {
		case <-m.goOn:
		case <-ctx.Done():
			return play.Decision{}, ctx.Err()
		}
	}
	return m.Mind.Decide(ctx, v)
}

// muse starts a sitting of so many turns that stops to think at turn at.
func (r *rig) muse(t *testing.T, at, turns int) (s *play.Sitting, goOn func() play.Result) {
	t.Helper()
	m := &muser{Mind: mind.NewAutopilot(), turn: at, reached: make(chan struct{}, 1), goOn: make(chan struct{})}
	r.options.Minds = map[string]func() play.Mind{mind.NameAutopilot: func() play.Mind { return m }}
	r.options.MaxTurns = turns
	r.options.Past = past{replay.NewArchive(replay.ArchiveOptions{
		Journal: r.options.Journal.Path(), Journey: playtest.Journey, Library: r.library(t),
		Boot:   func(context.Context) (emu.Core, error) { return r.core(t), nil },
		Decode: decode(gen3.ProfileOf(r.info.Identity)),
	})}
	s, err := play.New(r.options)
	must(t, err)
	ended := make(chan play.Result, 1)
	go func() {
		result, err := s.Run(t.Context())
		if err != nil {
			t.Error(err)
		}
		ended <- result
	}()
	<-m.reached
	return s, func() play.Result {
		close(m.goOn)
		result := <-ended
		must(t, r.body.Close())
		return result
	}
}

// entry is a save of the rig's store.
func (r *rig) entry(t *testing.T, id string) checkpoint.Entry {
	t.Helper()
	details, err := r.store.Get(t.Context(), id, r.info.Identity)
	must(t, err)
	if !details.Verified {
		t.Errorf("%s is not sound", id)
	}
	return details.Entry
}

// TestPastOfALiveRun looks at turns while the sitting goes on: each is as the
// tape says, beside what the journal says.
func TestPastOfALiveRun(t *testing.T) {
	r := newRig(t)
	s, goOn := r.muse(t, 25, 28)
	marks := borders(t, r.tape)
	for _, turn := range []int{0, 7, 24, 7} {
		p, err := s.PastTurn(t.Context(), play.PastPlace{Turn: turn})
		must(t, err)
		o, mark := p.Observed, marks[turn]
		if o.RAM() != mark.RAMSHA256 || o.Frame != mark.Frame || mark.PictureSHA256 != nil && o.PictureSHA256() != *mark.PictureSHA256 {
			t.Errorf("turn %d shows another machine", turn)
		}
		if e := p.Event(); e == nil || e.Turn != turn || p.Line.Turn.Turn != turn || e.Action == "" || e.Outcome == "" {
			t.Errorf("turn %d tells %+v", turn, e)
		}
	}
	if _, err := s.PastTurn(t.Context(), play.PastPlace{Turn: 25}); emu.CodeOf(err) != replay.CodeTurnMissing {
		t.Errorf("a turn that is not over: %v", err)
	}
	if result := goOn(); result.Turns != 28 {
		t.Errorf("%d turns were played", result.Turns)
	}
}

// TestBranch goes on from an earlier turn of a live run: a new save, child of
// the one it was reached from, that is live from then on, while the future
// that is left stays, the present among it. The tape tells of it all.
func TestBranch(t *testing.T) {
	r := newRig(t)
	s, goOn := r.muse(t, 25, 30)
	from, err := s.PastTurn(t.Context(), play.PastPlace{Turn: 17})
	must(t, err)
	before, err := s.Saves(t.Context())
	must(t, err)
	ack, err := s.Do(t.Context(), play.Command{Kind: play.CommandBranch, Turn: 17})
	must(t, err)
	if ack.RAMSHA256 != from.Observed.RAM() {
		t.Error("the machine is not where it was")
	}
	branch := r.entry(t, ack.CheckpointID)
	if l := branch.Lineage; l.Parent() != from.From || from.From == "" || *l.Turn != 17 || *l.RunID != "test" || l.Frame != from.Observed.Frame {
		t.Errorf("lineage %+v of a branch from %q", l, from.From)
	}
	then := from.Line.Turn
	if mind := branch.Receipt.Continuity; branch.Receipt.LabelText() != "turn-17" || then.Objective == nil || mind == nil ||
		mind.Objective == nil || *mind.Objective != *then.Objective || (mind.Notes == nil) != (then.Notes == nil) {
		t.Errorf("the branch %q holds the mind %+v, then it was %v", branch.Receipt.LabelText(), mind, then.Objective)
	}
	if got := r.entry(t, ack.BankedID).Lineage.Parent(); got != before[0].ID {
		t.Errorf("the present goes on from %q, the newest save was %q", got, before[0].ID)
	}
	live, err := r.store.LatestLive(t.Context(), r.info.Identity, *branch.Receipt.JourneyID)
	must(t, err)
	if live.Save == nil || live.Save.Receipt.CheckpointID != branch.ID {
		t.Errorf("the journey does not go on from the branch: %+v", live)
	}
	for _, e := range before {
		r.entry(t, e.ID)
	}
	result := goOn()
	last := r.entry(t, result.Checkpoints[len(result.Checkpoints)-1])
	for last.ID != branch.ID && last.Lineage.Parent() != "" {
		last = r.entry(t, last.Lineage.Parent())
	}
	if last.ID != branch.ID {
		t.Error("what was played afterwards does not go on from the branch")
	}
	report, err := r.replay(t)
	must(t, err)
	if report.Turns != 30 || !report.Complete {
		t.Errorf("%+v", report)
	}
}

// TestBranchFromADeletedSave goes on from a turn whose save is gone. The branch
// is no child of the future that it leaves.
func TestBranchFromADeletedSave(t *testing.T) {
	r := newRig(t)
	s, goOn := r.muse(t, 12, 13)
	from, err := s.PastTurn(t.Context(), play.PastPlace{Turn: 5})
	must(t, err)
	_, err = s.Do(t.Context(), play.Command{Kind: play.CommandDeleteSave, ID: from.From, Confirm: from.From})
	must(t, err)
	ack, err := s.Do(t.Context(), play.Command{Kind: play.CommandBranch, Turn: 5})
	must(t, err)
	if got := r.entry(t, ack.CheckpointID).Lineage.Parent(); got != "" {
		t.Errorf("the parent is %q", got)
	}
	goOn()
}

// TestPastOfEarlierRuns looks at turns of the run that was resumed, by its name
// and by walking back, and branches from one: the sitting goes on from there,
// and no save of either run is lost.
func TestPastOfEarlierRuns(t *testing.T) {
	first := newRig(t)
	first.play(t, 23, 0, 0)
	r := first.resume(t)
	s, goOn := r.muse(t, 3, 6)
	marks := borders(t, first.tape)
	for _, c := range []struct {
		at   play.PastPlace
		turn int
	}{
		{play.PastPlace{Back: 1, Turn: play.LastTurn}, 22},
		{play.PastPlace{Back: 1, Turn: 4}, 4},
		{play.PastPlace{Run: "test", Turn: 13}, 13},
		{play.PastPlace{Run: "te", Turn: play.LastTurn}, 22},
	} {
		p, err := s.PastTurn(t.Context(), c.at)
		must(t, err)
		if p.RunID != "test" || p.Live || p.Turn != c.turn || p.Last != 22 || p.Line.Turn.Turn != c.turn {
			t.Errorf("%+v leads to turn %d of %s, of %d", c.at, p.Turn, p.RunID, p.Last)
		}
		if mark := marks[c.turn]; p.Observed.RAM() != mark.RAMSHA256 || p.Observed.Frame != mark.Frame {
			t.Errorf("%+v shows another machine", c.at)
		}
	}
	if p, err := s.PastTurn(t.Context(), play.PastPlace{Run: "test", Back: -1, Turn: 1}); err != nil || !p.Live || p.RunID != "later" || p.Last != 2 {
		t.Errorf("the run behind: %+v, %v", p, err)
	}
	for _, at := range []play.PastPlace{{Run: "test", Back: 1}, {Back: -1}, {Run: "nobody's"}} {
		if p, err := s.PastTurn(t.Context(), at); emu.CodeOf(err) != journal.CodeRunNotFound || p.RunID != "" {
			t.Errorf("%+v: %+v, %v", at, p, err)
		}
	}
	if p, err := s.PastTurn(t.Context(), play.PastPlace{Run: "test", Turn: 23}); emu.CodeOf(err) != replay.CodeTurnMissing || p.RunID != "test" || p.Turn != 23 || p.Last != 22 {
		t.Errorf("a turn too many: %+v, %v", p, err)
	}

	before, err := s.Saves(t.Context())
	must(t, err)
	ack, err := s.Do(t.Context(), play.Command{Kind: play.CommandBranch, Run: "test", Turn: 13})
	must(t, err)
	if ack.RAMSHA256 != marks[13].RAMSHA256 {
		t.Error("the machine is not where it was")
	}
	branch := r.entry(t, ack.CheckpointID)
	parent := r.entry(t, branch.Lineage.Parent())
	if l := branch.Lineage; *l.Turn != 13 || *l.RunID != "test" || *parent.Lineage.RunID != "test" || *parent.Lineage.Turn > 13 {
		t.Errorf("lineage %+v, goes on from %+v", l, parent.Lineage)
	}
	for _, e := range before {
		r.entry(t, e.ID)
	}
	goOn()
	report, err := r.replay(t)
	must(t, err)
	if report.Turns != 6 || !report.Complete {
		t.Errorf("%+v", report)
	}
}

// TestUntapedRunIsNamed tells which run it is that cannot be gone back to, so
// that one can go on past it.
func TestUntapedRunIsNamed(t *testing.T) {
	first := newRig(t)
	first.play(t, 3, 0, 0)
	must(t, os.Remove(first.tape))
	r := first.resume(t)
	s, goOn := r.muse(t, 1, 2)
	p, err := s.PastTurn(t.Context(), play.PastPlace{Back: 1, Turn: play.LastTurn})
	if emu.CodeOf(err) != journal.CodeTapeMissing || p.RunID != "test" || p.Turn != 2 {
		t.Errorf("%+v, %v", p, err)
	}
	goOn()
}

// stuck is a body that takes no state.
type stuck struct{ emu.Body }

func (stuck) RestoreState(context.Context, []byte, []byte) error { return errors.New("stuck") }

// TestBranchThatFails leaves the machine and the journey where they were, with
// the present kept.
func TestBranchThatFails(t *testing.T) {
	r := newRig(t)
	r.port.Body = stuck{r.body}
	s, goOn := r.muse(t, 12, 14)
	if _, err := s.Do(t.Context(), play.Command{Kind: play.CommandBranch, Turn: 5}); err == nil || !strings.Contains(err.Error(), "stuck") {
		t.Fatalf("the branch ended with %v", err)
	}
	saves, err := s.Saves(t.Context())
	must(t, err)
	live, err := r.store.LatestLive(t.Context(), r.info.Identity, saves[0].Journey)
	must(t, err)
	if bank := saves[1]; bank.Label != play.LabelBeforeRewind || live.Save.Receipt.CheckpointID != bank.ID {
		t.Errorf("the journey goes on from %s, the present is kept as %s", live.Save.Receipt.CheckpointID, bank.ID)
	}
	result := goOn()
	last := r.entry(t, result.Checkpoints[len(result.Checkpoints)-1])
	if parent := r.entry(t, last.Lineage.Parent()); *parent.Lineage.Turn < 10 {
		t.Errorf("what was played afterwards goes on from %s", parent.ID)
	}
	report, err := r.replay(t)
	must(t, err)
	if report.Turns != 14 || report.Loads != 1 {
		t.Errorf("%+v", report)
	}
}

// TestUnrecordedSittingHasNoPast says so.
func TestUnrecordedSittingHasNoPast(t *testing.T) {
	r := newRig(t)
	s, err := play.New(r.options)
	must(t, err)
	if _, err := s.PastTurn(t.Context(), play.PastPlace{}); err == nil || !strings.Contains(err.Error(), "not recorded") {
		t.Error(err)
	}
	if _, err := s.Do(t.Context(), play.Command{Kind: play.CommandBranch}); err == nil || !strings.Contains(err.Error(), "not recorded") {
		t.Error(err)
	}
}
