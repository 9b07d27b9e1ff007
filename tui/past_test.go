package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
	"clankie/journal"
	"clankie/play"
)

// fakePast is a turn that is over.
func fakePast(turn int) play.PastTurn {
	thought, effect, objective := fmt.Sprintf("what turn %d thought\x1b[31m", turn), "moved 2 tiles", "Bring the parcel"
	return play.PastTurn{
		RunID: "run-1", Turn: turn, From: "cp-before",
		Line: &journal.TurnLine{Turn: journal.TurnRecord{
			Turn: turn, Monologue: &thought, Effect: &effect, Objective: &objective, Outcome: journal.OutcomeAccepted,
			Action: &emu.Action{Kind: emu.ActionFrameAdvance, Frames: 30 + turn},
		}},
		Observed: emu.Observed{
			Frame: uint64(turn * 40), Picture: emu.Picture{Pix: fakePicture(turn, 1)}, State: fakeSnapshot(turn).State,
			RAM: func() emu.Digest { return emu.DigestOf([]byte{byte(turn)}) },
		},
	}
}

// goTo opens a turn in a program whose sitting is at turn 20.
func goTo(t *testing.T, line string) *driver {
	t.Helper()
	d := newDriver(t, Options{})
	d.show(fakeSnapshot(20), fakeTurn(18), fakeTurn(19))
	d.press("/", "ctrl+u")
	d.typed(line)
	d.press("enter")
	return d
}

func TestGotoShowsATurn(t *testing.T) {
	d := goTo(t, "/goto 7")
	d.expect("Turn 7", "of 0–19", "#7 wait 37 frames", "✓ done", "what turn 7 thought", "→ moved 2 tiles",
		"Bring the parcel", "BRAMBLE TOWN (13,14)", "MOSSLING Lv12 31/38", "an egg", "cp-before", "▀")
	d.press("right")
	d.expect("Turn 8", "wait 38 frames")
	d.press("home", "left")
	d.expect("Turn 0 ", "wait 30 frames")
	d.press("end", "right")
	d.expect("Turn 19", "wait 49 frames")
	if want := []int{7, 8, 0, 19}; !slices.Equal(d.sitting.visits, want) {
		t.Errorf("went to %v, want %v", d.sitting.visits, want)
	}
	d.press("esc")
	d.expectNot("wait 49 frames")
	d.expectSent()
}

func TestGotoNeedsATurn(t *testing.T) {
	for _, line := range []string{"/goto 20", "/goto -1", "/goto here"} {
		goTo(t, line).expect("which turn? /goto 0 to 19")
	}
	goTo(t, "/goto").expect("Turn 19")
	d := newDriver(t, Options{})
	d.show(fakeSnapshot(0))
	d.press("/", "ctrl+u")
	d.typed("/goto 0")
	d.press("enter")
	d.expect("/goto: no turn is over yet")
}

func TestGotoSaysWhyNot(t *testing.T) {
	d := newDriver(t, Options{})
	d.show(fakeSnapshot(20))
	d.sitting.noPast = errors.New("the tape is\x1b[31m torn")
	d.press("/", "ctrl+u")
	d.typed("/goto 3")
	d.press("enter")
	d.expect("This turn cannot be shown: the tape is torn")
	d.press("b")
	d.expectNot("Go on from this turn?")
	d.sitting.noPast = nil
	d.press("right")
	d.expect("wait 34 frames")
}

func TestGotoFitsEveryWindow(t *testing.T) {
	d := goTo(t, "/goto 7")
	for _, size := range [][2]int{{20, 6}, {40, 12}, {80, 24}, {120, 40}, {220, 60}} {
		rows := (&past{turn: 7, last: 19, shown: newPastTurn(fakePast(7))}).draw(d.m.pal, size[0], size[1])
		if len(rows) > size[1] {
			t.Errorf("%v: %d rows", size, len(rows))
		}
		for _, row := range rows {
			if width(row) > size[0] {
				t.Errorf("%v: a row of %d cells", size, width(row))
			}
		}
	}
}

func TestBranchAsksFirst(t *testing.T) {
	d := goTo(t, "/goto 7")
	d.press("b")
	d.expect("Go on from this turn?", "Turn 7: wait 37 frames", "The present is kept", "▸ Cancel")
	d.press("enter")
	d.expect("wait 37 frames")
	d.expectSent()
	d.press("b", "right", "enter")
	d.expectNot("wait 37 frames")
	d.expect("✓ branch done")
	if diff := cmp.Diff([]play.Command{{Kind: play.CommandBranch, Turn: 7}}, d.sitting.sent()); diff != "" {
		t.Error(diff)
	}
}

func TestBranchIsTyped(t *testing.T) {
	goTo(t, "/branch 4").expectSent(play.CommandBranch)
	goTo(t, "/branch").expect("from which turn?")
}

func TestGotoCompletes(t *testing.T) {
	d := goTo(t, "/help")
	got := d.m.suggestionsFor("/goto 1")
	if len(got) != 2 || got[0].text != "/goto 19" || !strings.HasPrefix(got[0].note, "walk to") {
		t.Errorf("suggested %+v", got)
	}
}

// fakeStories tells of one journey.
type fakeStories struct{ asked *[]string }

func (f fakeStories) card() journal.Card {
	at, objective, toward := "2026-01-02T10:20:00.000Z", "Bring the parcel", "the far gate"
	c := journal.Card{
		EnvironmentID: "bramble-lane", StartedAt: "2026-01-01T09:00:00.000Z", TurnsTaken: 321, LastTurnAt: &at, Objective: &objective,
		Maps: []string{"bramble-map-4-1", "bramble-map-3-0"},
	}
	for i := range journal.MaxStoryMoments {
		c.Moments = append(c.Moments, journal.StoryMoment{At: at, Effect: fmt.Sprintf("moment %d\x07 came", i), Toward: &toward})
	}
	return c
}

func (f fakeStories) Story(journey string) (journal.Card, []journal.Problem, error) {
	*f.asked = append(*f.asked, "story "+journey)
	if journey == "elsewhere" {
		return journal.Card{}, nil, errors.New("no run belongs to elsewhere")
	}
	return f.card(), make([]journal.Problem, 2), nil
}

func (f fakeStories) Recall(live string) (journal.Recalled, []journal.Problem, error) {
	*f.asked = append(*f.asked, "recall "+live)
	if live == "nobody's" {
		return journal.Recalled{Outcome: journal.RecallPending}, nil, nil
	}
	c := f.card()
	return journal.Recalled{Outcome: journal.RecallCard, Active: true, Card: &c}, nil, nil
}

func TestStoryAndRecall(t *testing.T) {
	var asked []string
	d := newDriver(t, Options{Stories: fakeStories{&asked}})
	tell := func(line string) {
		d.press("esc", "/", "ctrl+u")
		d.typed(line)
		d.press("enter")
	}
	tell("/story")
	d.expect("The story so far", "bramble-lane since", "321 turns", "Bring the parcel", "bramble-map-3-0", "moment 0 came", "toward: the far gate")
	d.press("end")
	d.expect("2 journals could not be read")
	tell("/recall")
	d.expect("being played", "moment 0 came")
	tell("/story elsewhere")
	d.expect("The story cannot be told: no run belongs to elsewhere")
	d.press("esc")
	s := fakeSnapshot(3)
	s.Journey = "nobody's"
	d.show(s)
	tell("/recall")
	d.expect("Nothing of this journey is on the disk yet.")
	want := []string{"story bramble-lane", "recall bramble-lane", "story elsewhere", "recall nobody's"}
	if !slices.Equal(asked, want) {
		t.Errorf("asked %q, want %q", asked, want)
	}
	alone := newDriver(t, Options{})
	alone.press("/", "ctrl+u")
	alone.typed("/story")
	alone.press("enter")
	alone.expect("/story: there is no record of play here")
}

func TestPlainTellsOfThePast(t *testing.T) {
	var asked []string
	f := newFakeSitting()
	text := plainRun(t, f, PlainOptions{
		Stories: fakeStories{&asked},
		Input:   strings.NewReader("/goto 7\n/goto\n/branch 7\n/recall\n/story elsewhere\n/help\n/quit\n"),
	}, play.Update{Snapshot: fakeSnapshot(20)})
	wantLines(t, text, "turn 7: wait 37 frames: done", "  thought: what turn 7 thought", "  objective: Bring the parcel",
		"/branch 7 goes on from there", "! which turn? /goto and its number", "= branch: branch done",
		"Objective: Bring the parcel", "  bramble-map-3-0", "! the story cannot be told: no run belongs to elsewhere")
}
