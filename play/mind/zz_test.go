package mind_test

import (
	"testing"

	"clankie/play/playtest"
)

func TestZZ(t *testing.T) {
	o := playtest.Options(t, "bramble-title")
	o.MaxTurns = 800
	r := playtest.Play(t, o)
	t.Log(r.Turns, r.Accepted, r.Goals)
}
