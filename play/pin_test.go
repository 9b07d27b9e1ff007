package play_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"clankie/emu"
	"clankie/play"
	"clankie/play/playtest"
)

// shelf is a keeper of pins that can be made to fail.
type shelf struct {
	kept  map[string][]byte
	shown map[string]emu.Picture
	err   error
}

func (s *shelf) KeepPin(_ context.Context, name string, state []byte, picture emu.Picture) error {
	if s.err != nil {
		return s.err
	}
	s.kept[name] = state
	s.shown[name] = picture
	return nil
}

func TestThePresentIsPinnedAndGoneBackTo(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	keeper := &shelf{kept: map[string][]byte{}, shown: map[string]emu.Picture{}}
	port := o.Port.(*play.Checkpoints)
	port.Keeper = keeper
	o.StartPaused = true
	r := start(t, o)
	r.turns(4)
	pinned := r.do(play.Command{Kind: play.CommandPin, Pin: "on-the-way"})
	if pinned.RAMSHA256 == "" || len(keeper.kept["on-the-way"]) == 0 || len(keeper.shown["on-the-way"].Pix) != emu.PictureBytes {
		t.Fatalf("nothing was kept: %+v", pinned)
	}
	saves := len(r.saves())
	r.turns(8)
	back := r.do(play.Command{Kind: play.CommandRestart, Pin: "on-the-way"})
	if back.RAMSHA256 != pinned.RAMSHA256 || back.BankedID == "" {
		t.Errorf("pinned with RAM %s, went back to %s", pinned.RAMSHA256.Short(), back.RAMSHA256.Short())
	}
	if got := len(r.saves()); got != saves+1 {
		t.Errorf("%d saves became %d; a restart keeps the present, a pin makes none", saves, got)
	}

	again := r.do(play.Command{Kind: play.CommandRestart, Pin: "bramble-on-the-way"})
	if again.RAMSHA256 != pinned.RAMSHA256 || !strings.Contains(again.Text, "the pin on-the-way;") {
		t.Errorf("by its longer name the restart went to %s: %s", again.RAMSHA256.Short(), again.Text)
	}
	if _, err := r.Do(t.Context(), play.Command{Kind: play.CommandRestart, Pin: "way"}); err == nil {
		t.Error("a part of a name restarts")
	}

	keeper.err = errors.New("the disk is full")
	for name, want := range map[string]string{"more": "the disk is full", "": "under which name?"} {
		_, err := r.Do(t.Context(), play.Command{Kind: play.CommandPin, Pin: name})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", name, err, want)
		}
	}
	r.stop()
	if got := port.Pins(); !slices.Equal(got, []string{"on-the-way"}) {
		t.Errorf("pins to restart from: %v", got)
	}
}

func TestWithoutAKeeperNothingIsPinned(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.StartPaused = true
	r := start(t, o)
	r.awaitPaused()
	_, err := r.Do(t.Context(), play.Command{Kind: play.CommandPin, Pin: "here"})
	if err == nil || !strings.Contains(err.Error(), "nowhere to keep pins") {
		t.Errorf("error %v", err)
	}
}
