package replay_test

import (
	"bytes"
	"iter"
	"os"
	"path/filepath"
	"testing"

	"clankie/emu"
	"clankie/emu/gen3"
	"clankie/journal"
	"clankie/play/replay"
)

// visit goes to a turn of the rig's tape on a fresh core.
func (r *rig) visit(t testing.TB, turn int, library *replay.Library) (replay.Place, error) {
	t.Helper()
	core := r.core(t)
	return replay.GoTo(t.Context(), replay.Visit{
		Tape: func() iter.Seq2[journal.TapeLine, error] { return journal.ReadTape(r.tape) },
		Turn: turn, Core: core, Library: library, Decode: decode(gen3.ProfileOf(core.Identity())),
	})
}

// borders are the marks of a tape by turn.
func borders(t *testing.T, path string) map[int]journal.TapeMark {
	t.Helper()
	marks := map[int]journal.TapeMark{}
	for line, err := range journal.ReadTape(path) {
		must(t, err)
		if line.Mark != nil && line.Mark.Turn != nil {
			marks[*line.Mark.Turn] = *line.Mark
		}
	}
	return marks
}

// TestGoToAnyTurn goes to turns of a sitting with rewinds: the machine is as
// it was, whether the way there began at a save or at the beginning.
func TestGoToAnyTurn(t *testing.T) {
	r := newRig(t)
	r.play(t, 45, 2, 1)
	marks := borders(t, r.tape)
	alone := replay.NewLibrary(nil, r.info.Identity, r.boot)
	saved := 0
	for turn := 0; turn < 45; turn += 4 {
		mark := marks[turn]
		place, err := r.visit(t, turn, r.library(t))
		must(t, err)
		if got := place.Observed; got.RAM() != mark.RAMSHA256 || got.Frame != mark.Frame ||
			mark.PictureSHA256 != nil && got.PictureSHA256() != *mark.PictureSHA256 {
			t.Errorf("turn %d shows another machine: %v", turn, got.Frame)
		}
		if place.From != "" {
			saved++
		}
		if turn > 12 {
			continue // turns before the first rewind need no save
		}
		far, err := r.visit(t, turn, alone)
		must(t, err)
		if far.From != "" || far.Observed.RAM() != place.Observed.RAM() || far.Ran < place.Ran {
			t.Errorf("turn %d from the start: %+v", turn, far.Ran)
		}
	}
	if saved < 6 {
		t.Errorf("only %d ways began at a save", saved)
	}
}

// TestGoToARewind ends at the border right behind a load: no frame ran since,
// so the picture is the one kept with the save.
func TestGoToARewind(t *testing.T) {
	r := newRig(t)
	r.play(t, 30, 1, 0)
	place, err := r.visit(t, 15, r.library(t))
	must(t, err)
	if p := place.Observed.Picture; !p.Restored || p.Stale || place.Ran != 0 || place.From == "" {
		t.Errorf("restored %v, stale %v, %d frames, from %q", p.Restored, p.Stale, place.Ran, place.From)
	}
	if place.Observed.State.Overworld == nil {
		t.Error("nothing decodes there")
	}
}

// swap gives a save another state, and a receipt that says so.
func (r *rig) swap(t *testing.T, id string, state []byte) {
	t.Helper()
	dir := filepath.Join(r.store.Root(), id)
	old := r.entry(t, id).Receipt.SavestateSHA256
	receipt, err := os.ReadFile(filepath.Join(dir, "checkpoint.json"))
	must(t, err)
	receipt = bytes.ReplaceAll(receipt, []byte(old), []byte(emu.DigestOf(state)))
	must(t, os.WriteFile(filepath.Join(dir, "checkpoint.json"), receipt, 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "savestate.ss1"), state, 0o600))
	r.entry(t, id)
}

// TestMissingSaveStopsReplay puts another sound save in the place of the one that
// was loaded, and then deletes it.
func TestMissingSaveStopsReplay(t *testing.T) {
	r := newRig(t)
	r.play(t, 30, 1, 0)
	var load *journal.TapeLoad
	for line, err := range journal.ReadTape(r.tape) {
		must(t, err)
		if line.Load != nil {
			load = line.Load
		}
	}
	r.swap(t, load.Name, r.boot)
	report, err := r.replay(t)
	if emu.CodeOf(err) != replay.CodeStateMismatch || report.Stop == nil || report.Stop.Turn != 15 || report.Turns != 15 {
		t.Errorf("%+v, %v", report.Stop, err)
	}
	must(t, r.store.Delete(t.Context(), load.Name, load.Name))
	report, err = r.replay(t)
	if emu.CodeOf(err) != replay.CodeStateMissing || report.Stop == nil || report.Stop.Turn != 15 || report.Turns != 15 {
		t.Errorf("%+v, %v", report.Stop, err)
	}
	if _, err := r.visit(t, 14, r.library(t)); err != nil {
		t.Errorf("the turn before: %v", err)
	}
	// Behind the next save the lost one is not needed any more.
	if _, err := r.visit(t, 29, r.library(t)); err != nil {
		t.Errorf("the last turn: %v", err)
	}
}
