package play_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
	"clankie/journal"
	"clankie/play"
	"clankie/play/playtest"
)

func TestSaveWalkLoadRestartDelete(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.StartPaused = true
	r := start(t, o)
	home := r.awaitPaused().State.Overworld.Position
	r.turns(2)
	there := r.awaitPaused().State.Overworld.Position
	saved := r.do(play.Command{Kind: play.CommandSave, Label: "before-gym"})
	r.turns(12)
	if at := r.awaitPaused().State.Overworld.Position; at == there {
		t.Fatal("twelve turns led nowhere")
	}

	loaded := r.do(play.Command{Kind: play.CommandLoad, ID: saved.CheckpointID})
	if loaded.RAMSHA256 != saved.RAMSHA256 {
		t.Error("the RAM after the load is not the RAM that was saved")
	}
	back := r.awaitPaused()
	if diff := cmp.Diff(there, back.State.Overworld.Position); diff != "" {
		t.Errorf("the load came out elsewhere (-want +got):\n%s", diff)
	}
	if !back.Picture.Restored || back.Picture.Stale {
		t.Errorf("the picture after the load: restored %t, stale %t", back.Picture.Restored, back.Picture.Stale)
	}
	saves := r.saves()
	if saves[0].ID != loaded.BankedID || saves[0].Label != play.LabelBeforeRewind || saves[0].Reason != string(play.ReasonBeforeRewind) {
		t.Errorf("the present is not banked on top: %+v", saves[0])
	}

	restarted := r.do(play.Command{Kind: play.CommandRestart})
	if at := r.awaitPaused().State.Overworld.Position; at != home {
		t.Errorf("the restart came out at %v, not %v", at, home)
	}
	if restarted.BankedID == "" {
		t.Error("the restart banked nothing")
	}

	before := r.saves()
	if _, err := r.Do(t.Context(), play.Command{Kind: play.CommandDeleteSave, ID: saved.CheckpointID, Confirm: "yes"}); err == nil {
		t.Error("a deletion without the id's confirmation went through")
	}
	r.do(play.Command{Kind: play.CommandDeleteSave, ID: saved.CheckpointID, Confirm: saved.CheckpointID})
	want := slices.DeleteFunc(ids(before), func(id string) bool { return id == saved.CheckpointID })
	if diff := cmp.Diff(want, ids(r.saves())); diff != "" {
		t.Errorf("saves after the deletion (-want +got):\n%s", diff)
	}
}

func (r *running) saves() []play.SaveEntry {
	r.t.Helper()
	saves, err := r.Saves(r.t.Context())
	if err != nil {
		r.t.Fatal(err)
	}
	return saves
}

func ids(saves []play.SaveEntry) (list []string) {
	for _, s := range saves {
		list = append(list, s.ID)
	}
	return list
}

func TestARefusedLoadBanksNothing(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.StartPaused = true
	r := start(t, o)
	saved := r.do(play.Command{Kind: play.CommandSave})
	before := r.awaitPaused()
	store := o.Port.(*play.Checkpoints).Store
	damage(t, store.Root(), saved.CheckpointID)
	for id, code := range map[string]string{
		"no-such-save":     "checkpoint_not_found",
		"../escape":        "checkpoint_id_invalid",
		saved.CheckpointID: "checkpoint_savestate_corrupt",
	} {
		_, err := r.Do(t.Context(), play.Command{Kind: play.CommandLoad, ID: id})
		if emu.CodeOf(err) != code {
			t.Errorf("load %s: %v, want %s", id, err, code)
		}
	}
	if got := ids(r.saves()); len(got) != 1 {
		t.Errorf("there are %d saves, a refused load banked something", len(got))
	}
	if now := r.awaitPaused(); now.Frame != before.Frame || now.LoadEpoch != before.LoadEpoch {
		t.Errorf("a refused load moved the machine from %d/%d to %d/%d", before.Frame, before.LoadEpoch, now.Frame, now.LoadEpoch)
	}
}

// damage flips one byte of a save's state.
func damage(t *testing.T, root, id string) {
	t.Helper()
	path := root + "/" + id + "/savestate.ss1"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[1000] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestWithoutAPortTheBodyActionsAreRefusedTruthfully(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.Port, o.MaxTurns = nil, 3
	kinds := []emu.ActionKind{emu.ActionSaveCheckpoint, emu.ActionLoadCheckpoint, emu.ActionRestartGame}
	o = withMind(o, func(_ context.Context, v play.View) (play.Decision, error) {
		if v.Checkpoints {
			t.Error("the view promises checkpoints")
		}
		return play.Decision{Monologue: "m", Intent: "i", Action: emu.Action{Kind: kinds[v.Turn]}}, nil
	})
	s, err := play.New(o)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := s.Run(t.Context()); err != nil || r.Accepted != 0 {
		t.Errorf("%d accepted, %v", r.Accepted, err)
	}
	got := playtest.Recorded(t, o)
	for _, line := range got.Turns {
		r := line.Turn
		if r.Outcome != journal.OutcomeRejected || !strings.HasPrefix(*r.Detail, emu.CodeCheckpointsUnavailable) {
			t.Errorf("turn %d: %s %v", r.Turn, r.Outcome, *r.Detail)
		}
		if *r.Effect != "refused: "+emu.CodeCheckpointsUnavailable || !strings.Contains(*r.EffectAdvice, "cannot save or load") {
			t.Errorf("turn %d: told %q; %q", r.Turn, *r.Effect, *r.EffectAdvice)
		}
	}
}

// The machine stands elsewhere, so whoever looks must see it there.
func TestARewindThatMovedTheMachineIsBookedWhateverFailsAfterwards(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.StartPaused = true
	port := &movedThenFailed{FreePlayCheckpointPort: o.Port}
	o.Port = port
	r := start(t, o)
	saved := r.do(play.Command{Kind: play.CommandSave})
	r.turns(6)
	before := r.awaitPaused()
	_, err := r.Do(t.Context(), play.Command{Kind: play.CommandLoad, ID: saved.CheckpointID})
	if err == nil {
		t.Error("the failure was not told")
	}
	after := r.awaitPaused()
	if after.LoadEpoch == before.LoadEpoch || after.State.Overworld.Position == before.State.Overworld.Position {
		t.Error("the operator is shown the machine as it was before")
	}
	if after.LastSave == nil || after.LastSave.ID != saved.CheckpointID {
		t.Errorf("the last save is %+v", after.LastSave)
	}
}

type movedThenFailed struct{ play.FreePlayCheckpointPort }

func (p *movedThenFailed) Load(ctx context.Context, id string, bank play.SaveRequest) (play.Rewound, error) {
	r, err := p.FreePlayCheckpointPort.Load(ctx, id, bank)
	return r, errors.Join(err, errors.New("the disk is full"))
}

// TestASaveContinuesWhatThisSittingPlayed lets another program save on the
// same store and journey in between.
func TestASaveContinuesWhatThisSittingPlayed(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.StartPaused = true
	r := start(t, o)
	first := r.do(play.Command{Kind: play.CommandSave})
	other := *o.Port.(*play.Checkpoints)
	if _, err := other.Save(t.Context(), play.SaveRequest{Reason: play.ReasonOperator}); err != nil {
		t.Fatal(err)
	}
	r.turns(1)
	second := r.do(play.Command{Kind: play.CommandSave})
	for _, e := range r.saves() {
		if e.ID == second.CheckpointID && e.Parent != first.CheckpointID {
			t.Errorf("the parent is %q, not %q", e.Parent, first.CheckpointID)
		}
	}
}

// TestTheSaveGoneOnFromMayBeDeleted: whoever deletes it, by hand or from
// elsewhere, the sitting saves and goes back all the same.
func TestTheSaveGoneOnFromMayBeDeleted(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.StartPaused = true
	port := o.Port.(*play.Checkpoints)
	earlier := *port
	first := minted(t, &earlier)
	second := minted(t, &earlier)
	port.ResumedFrom = second
	r := start(t, o)
	r.do(play.Command{Kind: play.CommandDeleteSave, ID: second, Confirm: second})
	saved := r.do(play.Command{Kind: play.CommandSave})
	if got := r.parents()[saved.CheckpointID]; got != first {
		t.Errorf("the parent is %q, not %q", got, first)
	}
	r.do(play.Command{Kind: play.CommandRestart})
}

func minted(t *testing.T, c *play.Checkpoints) string {
	t.Helper()
	saved, err := c.Save(t.Context(), play.SaveRequest{Reason: play.ReasonOperator})
	if err != nil {
		t.Fatal(err)
	}
	return saved.Entry.ID
}

func (r *running) parents() map[string]string {
	r.t.Helper()
	parents := map[string]string{}
	for _, e := range r.saves() {
		parents[e.ID] = e.Parent
	}
	return parents
}

// TestADeletedSaveHasNoChildren: those that are made later get its parent too.
func TestADeletedSaveHasNoChildren(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.StartPaused = true
	r := start(t, o)
	first := r.do(play.Command{Kind: play.CommandSave})
	second := r.do(play.Command{Kind: play.CommandSave})
	r.do(play.Command{Kind: play.CommandDeleteSave, ID: second.CheckpointID, Confirm: second.CheckpointID})
	third := r.do(play.Command{Kind: play.CommandSave})
	if got := r.parents()[third.CheckpointID]; got != first.CheckpointID {
		t.Errorf("the parent is %q, not %q", got, first.CheckpointID)
	}
}

// TestADeletedSaveIsNoFinalSave: the present was kept in it, and is not any
// more.
func TestADeletedSaveIsNoFinalSave(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.StartPaused, o.AutosaveTurns = true, 0
	r := start(t, o)
	r.turns(1)
	saved := r.do(play.Command{Kind: play.CommandSave})
	r.do(play.Command{Kind: play.CommandDeleteSave, ID: saved.CheckpointID, Confirm: saved.CheckpointID})
	r.stop()
	entries, err := o.Port.List(t.Context())
	if err != nil || len(entries) != 1 {
		t.Fatalf("there are %d saves, %v", len(entries), err)
	}
	if diff := cmp.Diff(ids(entries), r.result.Checkpoints); diff != "" {
		t.Errorf("saves told (-there +told):\n%s", diff)
	}
	if last := r.result.Summary.CheckpointID; last == nil || *last != entries[0].ID {
		t.Errorf("the summary names %v", last)
	}
}

// TestAFailedFinalSaveIsNotNamed: an earlier save is no save of the end. That the
// journal fails too is told as well.
func TestAFailedFinalSaveIsNotNamed(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.StartPaused = true
	port := &fullAtTheEnd{FreePlayCheckpointPort: o.Port}
	o.Port = port
	r := start(t, o)
	r.do(play.Command{Kind: play.CommandSave})
	r.turns(2)
	if err := o.Journal.Close(); err != nil {
		t.Fatal(err)
	}
	r.stop()
	for _, failed := range []string{"final save: the disk is full", "the journal: "} {
		if r.err == nil || !strings.Contains(r.err.Error(), failed) {
			t.Errorf("%q is not told: %v", failed, r.err)
		}
	}
	if last := r.result.Summary.CheckpointID; last != nil {
		t.Errorf("the summary names %s", *last)
	}
}

type fullAtTheEnd struct{ play.FreePlayCheckpointPort }

func (p *fullAtTheEnd) Save(ctx context.Context, r play.SaveRequest) (play.Saved, error) {
	if r.Reason == play.ReasonStop {
		return play.Saved{}, errors.New("the disk is full")
	}
	return p.FreePlayCheckpointPort.Save(ctx, r)
}

// TestSavesAreReadAtAnyTime: reading waits for no turn. Here none is ever
// played, so that waiting for one would never end.
func TestSavesAreReadAtAnyTime(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	kept, err := o.Port.Save(t.Context(), play.SaveRequest{Label: "first", Reason: play.ReasonExplicit, Picture: emu.Picture{Pix: make([]byte, emu.PictureBytes)}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := play.New(o)
	if err != nil {
		t.Fatal(err)
	}
	saves, err := s.Saves(t.Context())
	if err != nil || len(saves) != 1 || saves[0].ID != kept.Entry.ID {
		t.Errorf("%+v, %v", saves, err)
	}
	if pic, err := s.SavePicture(t.Context(), kept.Entry.ID); err != nil || len(pic.Pix) == 0 {
		t.Errorf("picture of %d bytes, %v", len(pic.Pix), err)
	}
	o.Port = nil
	if s, err = play.New(o); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Saves(t.Context()); emu.CodeOf(err) != emu.CodeCheckpointsUnavailable {
		t.Errorf("without a port: %v", err)
	}
}

// TestAListingNamesWholeSaves has a mind save six times and ask what it could
// load: it reads every id to the end.
func TestAListingNamesWholeSaves(t *testing.T) {
	const saves = 6
	o := playtest.Options(t, "bramble-bedroom")
	o.MaxTurns, o.AutosaveTurns = saves+1, 0
	o = withMind(o, func(_ context.Context, v play.View) (play.Decision, error) {
		kind := emu.ActionSaveCheckpoint
		if v.Turn == saves {
			kind = emu.ActionLoadCheckpoint
		}
		return play.Decision{Monologue: "m", Intent: "i", Action: emu.Action{Kind: kind}}, nil
	})
	r := playtest.Play(t, o)
	turn := playtest.Recorded(t, o).Turns[saves].Turn
	told := *turn.Effect
	if turn.EffectAdvice != nil {
		told += "; " + *turn.EffectAdvice
	}
	for _, id := range r.Checkpoints[:saves] {
		if !strings.Contains(told, id+" (") {
			t.Errorf("%s is not in %q", id, told)
		}
	}
}

// TestABranchThatIsNotSavedKeepsThePresent: the refusal of the new save alone
// would say that nothing was saved.
func TestABranchThatIsNotSavedKeepsThePresent(t *testing.T) {
	port := playtest.Options(t, "bramble-bedroom").Port
	r, err := port.Branch(t.Context(), play.PastTurn{}, play.SaveRequest{Reason: play.ReasonBeforeRewind})
	if id := r.Bank.Entry.ID; id == "" || err == nil || !strings.Contains(err.Error(), "kept as "+id) {
		t.Errorf("kept as %q, %v", id, err)
	}
}

// TestASaveAfterARewindContinuesWhereItLed follows a load and a restart.
func TestASaveAfterARewindContinuesWhereItLed(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.StartPaused = true
	r := start(t, o)
	save := func() string { return r.do(play.Command{Kind: play.CommandSave}).CheckpointID }
	first := save()
	second := save()
	bank := r.do(play.Command{Kind: play.CommandLoad, ID: first}).BankedID
	third := save()
	r.do(play.Command{Kind: play.CommandRestart})
	fourth := save()
	parents := r.parents()
	for id, want := range map[string]string{second: first, bank: second, third: first, fourth: ""} {
		if got := parents[id]; got != want {
			t.Errorf("%s goes on from %q, not %q", id, got, want)
		}
	}
}

// TestStartingFreshKeepsThePresentOnce: where nothing has run since a save was
// gone on from, that save holds the present, unless it is damaged.
func TestStartingFreshKeepsThePresentOnce(t *testing.T) {
	for _, damaged := range []bool{false, true} {
		o := playtest.Options(t, "bramble-bedroom")
		o.StartPaused = true
		port := o.Port.(*play.Checkpoints)
		earlier := *port
		saved := minted(t, &earlier)
		port.ResumedFrom = saved
		if damaged {
			damage(t, port.Store.Root(), saved)
		}
		r := start(t, o)
		bank := r.do(play.Command{Kind: play.CommandRestart}).BankedID
		if n := len(r.saves()); (bank != saved) != damaged || (n != 1) != damaged {
			t.Errorf("damaged %t: the present is kept as %s, there are %d saves", damaged, bank, n)
		}
		r.stop()
	}
}
