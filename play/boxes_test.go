package play_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"clankie/emu"
	"clankie/play"
	"clankie/play/playtest"
)

// TestBoxesAreReadBetweenTurns on the real cartridge, while he plays.
func TestBoxesAreReadBetweenTurns(t *testing.T) {
	r := start(t, playtest.Options(t, "bramble-cupboard"))
	got, err := r.Boxes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n := len(got.Storage.Boxes); n != 14 || got.LoadEpoch == 0 {
		t.Errorf("%d boxes, load epoch %d: %+v", n, got.LoadEpoch, got)
	}
	count := 0
	for _, b := range got.Storage.Boxes {
		count += len(b.Members)
	}
	if count != got.Storage.Count {
		t.Errorf("%d creatures in boxes that count %d", count, got.Storage.Count)
	}
	r.stop()
	if _, err := r.Boxes(context.Background()); !errors.Is(err, play.ErrEnded) {
		t.Errorf("after the end: %v", err)
	}
}

// TestBoxesOfNobody: before a game runs, memory is no storage; nor has every
// body one.
func TestBoxesOfNobody(t *testing.T) {
	o := playtest.Options(t, "bramble-title")
	o.StartPaused = true
	r := start(t, o)
	if _, err := r.Boxes(t.Context()); err == nil || !strings.Contains(err.Error(), "no game is running") {
		t.Errorf("at the title: %v", err)
	}
	o = playtest.Options(t, "bramble-cupboard")
	o.Body = struct{ emu.Body }{o.Body}
	bare := start(t, o)
	if _, err := bare.Boxes(t.Context()); err == nil || !strings.Contains(err.Error(), "no storage") {
		t.Errorf("a body without storage: %v", err)
	}
}
