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
	d.press("pgup", "home")
	d.expect("Turn 0 ", "wait 30 frames")
	d.press("end", "right", "pgdown")
	d.expect("Turn 19", "wait 49 frames")
	d.visited(play.PastPlace{Turn: 7}, play.PastPlace{Turn: 8}, play.PastPlace{}, play.PastPlace{Turn: 19})
	d.press("esc")
	d.expectNot("wait 49 frames")
	d.expectSent()
}

// visited checks where one went back to, in order.
func (d *driver) visited(want ...play.PastPlace) {
	d.t.Helper()
	if diff := cmp.Diff(want, d.sitting.visits); diff != "" {
		d.t.Errorf("visits (-want +got):\n%s", diff)
	}
}

// TestGotoAcrossSittings walks over the borders between the runs of a journey,
// from the one that is played to the first and back.
func TestGotoAcrossSittings(t *testing.T) {
	d := goTo(t, "/goto 0")
	d.expect("Turn 0 ", "of 0–19")
	d.press("left")
	d.expect("Turn 11 of another sitting", "of 0–11", "wait 41 frames", "run-b")
	d.press("pgup", "pgup", "pgup")
	d.expect("Turn 2 of another sitting", "of 0–2", "run-a")
	d.press("home", "left")
	d.expect("Turn 0 of another sitting", "there is no such run")
	d.press("end")
	d.expectNot("there is no such run")
	d.press("right")
	d.expect("Turn 0 of another sitting", "of 0–11", "run-b")
	d.press("b")
	d.expect("Turn 0: wait 30 frames")
	d.press("right", "enter")
	d.expect("✓ branch done")
	if diff := cmp.Diff([]play.Command{{Kind: play.CommandBranch, Run: "run-b"}}, d.sitting.sent()); diff != "" {
		t.Error(diff)
	}
	d = goTo(t, "/goto run-b 11")
	d.press("right")
	d.expect("Turn 0 ", "of 0–19")
	d.expectNot("another sitting")
	d.press("right")
	d.expect("Turn 1 ")
	d.visited(play.PastPlace{Run: "run-b", Turn: 11}, play.PastPlace{Run: "run-b", Back: -1}, play.PastPlace{Turn: 1})
}

// TestGotoPassesAnUnplayableRun goes on past a run that cannot be shown.
func TestGotoPassesAnUnplayableRun(t *testing.T) {
	d := goTo(t, "/goto 0")
	d.sitting.noPast = errors.New("there is no tape")
	d.press("left")
	d.expect("Turn 11 of another sitting", "This turn cannot be shown: there is no tape")
	d.press("home", "left")
	d.expect("Turn 2 of another sitting", "there is no tape")
	d.sitting.noPast = nil
	d.press("left")
	d.expect("Turn 1 of another sitting", "wait 31 frames", "run-a")
}

func TestGotoNamesARun(t *testing.T) {
	goTo(t, "/goto run-a").expect("Turn 2 of another sitting", "of 0–2", "run-a")
	goTo(t, "/goto run-b 4").expect("Turn 4 of another sitting", "wait 34 frames")
	goTo(t, "/goto nobody's").expect("This turn cannot be shown: there is no such run")
	fresh := newDriver(t, Options{})
	fresh.show(fakeSnapshot(0))
	fresh.press("/", "ctrl+u")
	fresh.typed("/goto")
	fresh.press("enter")
	fresh.expect("Turn 11 of another sitting", "run-b")
}

func TestGotoNeedsATurn(t *testing.T) {
	for _, line := range []string{"/goto 20", "/goto -1", "/goto run-a here", "/goto run-a 1 2"} {
		goTo(t, line).expect("which turn? /goto 0 to 19")
	}
	goTo(t, "/goto").expect("Turn 19")
	d := newDriver(t, Options{})
	d.show(fakeSnapshot(0))
	d.press("/", "ctrl+u")
	d.typed("/goto 0")
	d.press("enter")
	d.expect("no turn of this sitting is over yet")
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
		place := newPast(play.PastPlace{Run: "run-1", Turn: 7}, 19, false)
		place.shown = newPastTurn(fakePast(7))
		rows := place.draw(d.m.pal, size[0], size[1])
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
	for line, want := range map[string]play.Command{
		"/branch 4":       {Kind: play.CommandBranch, Turn: 4},
		"/branch run-b 9": {Kind: play.CommandBranch, Run: "run-b", Turn: 9},
	} {
		if diff := cmp.Diff([]play.Command{want}, goTo(t, line).sitting.sent()); diff != "" {
			t.Errorf("%s: %s", line, diff)
		}
	}
	for _, line := range []string{"/branch", "/branch -1", "/branch run-b", "/branch a b c"} {
		goTo(t, line).expect("from which turn?")
	}
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
	return journal.Recalled{Outcome: journal.RecallCard, Active: true, JourneyID: journal.LocalJourneyID("bramble-lane", "mine"), Card: &c}, nil, nil
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
	d.expect("bramble-lane (mine) since", "being played", "moment 0 came")
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
		Input:   strings.NewReader("/goto 7\n/goto\n/goto run-b 5\n/goto no run\n/goto nobody 3\n/branch 7\n/recall\n/story elsewhere\n/help\n/quit\n"),
	}, play.Update{Snapshot: fakeSnapshot(20)})
	wantLines(t, text, "turn 7: wait 37 frames: done", "  thought: what turn 7 thought", "  objective: Bring the parcel",
		"/branch 7 goes on from there", "turn 19: wait 49 frames: done", "! which turn? /goto and its number, behind a run's id where it is of another sitting", "! that turn cannot be shown: there is no such run", "turn 5: wait 35 frames: done", "/branch run-b 5 goes on from there", "= branch: branch done",
		"Objective: Bring the parcel", "  bramble-map-3-0", "! the story cannot be told: no run belongs to elsewhere")
}
