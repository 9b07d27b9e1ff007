package tui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"clankie/play"
)

// plainRun gives Plain its news and input and returns what it wrote.
func plainRun(t *testing.T, f *fakeSitting, o PlainOptions, news ...play.Update) string {
	t.Helper()
	var out bytes.Buffer
	for _, u := range news {
		f.feed.updates <- u
	}
	if o.Input == nil {
		f.feed.Close() // what was put in comes before the end
	}
	if err := Plain(t.Context(), f, &out, o); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	if strings.ContainsAny(text, "\x1b\r") {
		t.Errorf("plain output moves the cursor: %q", text)
	}
	return text
}

func wantLines(t *testing.T, text string, lines ...string) {
	t.Helper()
	for _, l := range lines {
		if !strings.Contains(text, l+"\n") {
			t.Errorf("no line %q in:\n%s", l, text)
		}
	}
}

func TestPlainSaysWhatHappens(t *testing.T) {
	text := plainRun(t, newFakeSitting(), PlainOptions{},
		play.Update{Snapshot: fakeSnapshot(1), Events: []play.Event{fakeTurn(1), fakeTurn(3), {Kind: play.EventNotice, Text: "bad\x1b[2J news"}}},
		play.Update{Snapshot: dialogSnapshot(2)},
		play.Update{Snapshot: dialogSnapshot(2)},
		play.Update{Snapshot: battleSnapshot(3)})
	wantLines(t, text,
		"Clankie plays Bramble Lane; autopilot decides.", "place: BRAMBLE TOWN", "turn 1: walk to 11,13: done",
		"turn 3: walk to 13,15: refused", "  advice: try the tile before the door", "[notice] bad news",
		"text: The lane is closed after dusk. Come back with a lantern!",
		"battle: player MOSSLING level 12, 31 of 38 HP; opponent Thistlet level 7, 4 of 22 HP",
		"The sitting has ended.")
	if n := strings.Count(text, "text: "); n != 1 {
		t.Errorf("the same text is printed %d times", n)
	}
}

// TestPlainInventsNoTime: that of a damaged save is not known.
func TestPlainInventsNoTime(t *testing.T) {
	sitting := newFakeSitting()
	sitting.saves = []play.SaveEntry{{ID: "cp-x", Place: "unknown", Health: play.SaveDamaged, HealthNote: "it has no receipt", Stray: true}}
	text := plainRun(t, sitting, PlainOptions{Input: strings.NewReader("/saves\n/quit\n")})
	if !strings.Contains(text, "made -  damaged (it has no receipt)") {
		t.Errorf("the save is listed as:\n%s", text)
	}
}

func TestPlainTakesCommands(t *testing.T) {
	f := newFakeSitting()
	f.fail[play.CommandPause] = errOnPurpose
	text := plainRun(t, f, PlainOptions{Input: strings.NewReader("/save by the gate\n/pause\n/pad\n/nonsense\n\n/saves\n/speed 9\nwell done\n/help\n/quit\n")})
	wantLines(t, text, "= save: save done", "! pause: disk_full: no space left — 0 bytes free",
		"! /pad needs the full-screen program", "! /nonsense is no command; /help lists them", `! speed "9": must be 1, 2, 4 or max`, "= say: say done")
	if !strings.Contains(text, "cp-20260304T201504-00a4  Bramble Lane") || !strings.Contains(text, "damaged (savestate.ss1 is 12 bytes short)") {
		t.Errorf("the saves are not listed:\n%s", text)
	}
}

// TestPlainPages: the pages of details are told in lines, without drawings.
func TestPlainPages(t *testing.T) {
	var out bytes.Buffer
	f := newFakeSitting()
	p := &plain{ctx: t.Context(), sitting: f, w: &out}
	p.typed("/party")
	p.show(play.Update{Snapshot: doubleBattle()})
	f.boxes = fakeBoxes(3)
	for _, line := range []string{"/trainer", "/party", "/party 2", "/bag key", "/battle pebb", "/boxes meadow", "/boxes", "/map", "/scene", "/party 9", "/help"} {
		p.typed(line)
	}
	p.show(play.Update{Snapshot: fakeSnapshot(4)})
	p.typed("/map")
	text := out.String()
	wantLines(t, text, "! /party: the sitting has not started yet", "  name     WREN, a girl", "Party 1 of 4: MOSSLING", "Party 4 of 4: Egg",
		"  Pebbler, PEBBUN                           slot 2, fights", "  Parcel", "  form      transformed; really PEBBUN", "  screen   battle", "  5 Egg", "Boxes 2 of 14: Box 2 (opens first) 2", "/boxes and a number tells of one", "  exits    17,17: map-5-2", "  MEADOW"+strings.Repeat(" ", 38)+"as of turn 3",
		"! which one? /party 1 to 4, or a name", "/map               the map, its ways out, people and signs")
	if strings.ContainsAny(text, "█▒@") {
		t.Errorf("something is drawn:\n%s", text)
	}
}

func TestPlainOffersToResume(t *testing.T) {
	for answer, want := range map[string][]play.CommandKind{
		"\n/quit\n":   {play.CommandResume},
		"no\n/quit\n": {play.CommandRestart, play.CommandResume},
	} {
		f := newFakeSitting()
		plainRun(t, f, PlainOptions{Resume: &f.saves[2], Input: strings.NewReader(answer)})
		var got []play.CommandKind
		for _, c := range f.sent() {
			got = append(got, c.Kind)
		}
		if len(got) != len(want) || got[0] != want[0] {
			t.Errorf("answered %q, sent %v", answer, got)
		}
	}
}

// TestPlainCommandsComeBeforeTheAnswer: a command typed at the question is no
// yes to it.
func TestPlainCommandsComeBeforeTheAnswer(t *testing.T) {
	for input, want := range map[string][]play.CommandKind{
		"/quit\n":              nil,
		"  /exit\n":            nil,
		"/save\n/saves\nn\n":   {play.CommandSave, play.CommandRestart, play.CommandResume},
		"/nonsense\n/quit\n":   nil,
		"/load cp-1\nno\n":     {play.CommandLoad, play.CommandSay},
		"/resume\nno\n":        {play.CommandResume, play.CommandSay},
		"/speed 2\n\n/pause\n": {play.CommandSpeed, play.CommandResume, play.CommandPause},
		longLine + "\n/quit\n": nil,
	} {
		f := newFakeSitting()
		plainRun(t, f, PlainOptions{Resume: &f.saves[2], Input: strings.NewReader(input + "/quit\n")})
		var got []play.CommandKind
		for _, c := range f.sent() {
			got = append(got, c.Kind)
		}
		if !slices.Equal(got, want) {
			t.Errorf("typed %.20q, sent %v, want %v", input, got, want)
		}
	}
}

var longLine = strings.Repeat("x", maxInputLine+1)

// TestPlainTellsOfALongLine: what is too long is told, and what follows counts.
func TestPlainTellsOfALongLine(t *testing.T) {
	f := newFakeSitting()
	text := plainRun(t, f, PlainOptions{Input: strings.NewReader(longLine + longLine + "\n/save\n/quit")})
	wantLines(t, text, "! a line of more than 65536 bytes was not read", "= save: save done")
	if n := len(f.sent()); n != 1 {
		t.Errorf("%d commands were sent", n)
	}
	f = newFakeSitting()
	f.feed.Close()
	in := io.MultiReader(strings.NewReader("/save\n"), iotest.ErrReader(errOnPurpose), strings.NewReader("/quit\n"))
	p := &plain{ctx: t.Context()}
	var got []inputLine
	for line := range p.read(in) {
		got = append(got, line)
	}
	if len(got) != 2 || !strings.Contains(got[1].trouble, "can no longer be read") {
		t.Errorf("a broken input gives %q", got)
	}
}

func TestPlainHelpPromisesWhatIsThere(t *testing.T) {
	text := plainRun(t, newFakeSitting(), PlainOptions{Minds: []string{"autopilot", "operator"}, Input: strings.NewReader("/help\n/quit\n")})
	wantLines(t, text, "/mind name         who decides: autopilot, operator")
	for _, absent := range []string{"model", "delete", "choose from"} {
		if strings.Contains(text, absent) {
			t.Errorf("help promises what is not there, %s:\n%s", absent, text)
		}
	}
}

func TestPlainStopsWhenItsOutputIsGone(t *testing.T) {
	f := newFakeSitting()
	f.feed.updates <- play.Update{Snapshot: fakeSnapshot(1)}
	r, w := io.Pipe()
	_ = r.Close()
	if err := Plain(t.Context(), f, w, PlainOptions{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("Plain returned %v", err)
	}
}

// TestPumpKeepsTheBeat: news comes no faster than pictures are drawn, and at
// once after a rest. Sixty virtual seconds take no time.
func TestPumpKeepsTheBeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pump{feed: quietFeed{}}
		start := time.Now()
		for range 1801 {
			if _, err := p.next(t.Context(), time.Second/30); err != nil {
				t.Fatal(err)
			}
		}
		if got := time.Since(start); got < 59*time.Second || got > 61*time.Second {
			t.Errorf("1800 pictures took %v", got)
		}
		time.Sleep(5 * time.Second)
		rested := time.Now()
		_, _ = p.next(t.Context(), time.Second/30)
		if got := time.Since(rested); got != 0 {
			t.Errorf("after a rest the next picture waited %v", got)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := p.next(ctx, time.Second); !errors.Is(err, context.Canceled) {
			t.Errorf("a cancelled wait returned %v", err)
		}
	})
}

// TestPumpTellsOfQuiet: when nothing comes for a while the program hears of it,
// and what comes then is not lost.
func TestPumpTellsOfQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFakeFeed()
		p := &pump{feed: f}
		for range 2 {
			if _, err := p.next(t.Context(), time.Second/30); !errors.Is(err, errQuiet) {
				t.Fatalf("after a silence: %v", err)
			}
		}
		f.updates <- play.Update{Snapshot: fakeSnapshot(1)}
		if u, err := p.next(t.Context(), time.Second/30); err != nil || u.Snapshot == nil {
			t.Errorf("after the silence: %v, %v", u, err)
		}
		f.Close()
		if _, err := p.next(t.Context(), time.Second/30); !errors.Is(err, play.ErrWatchClosed) {
			t.Errorf("at the end: %v", err)
		}
	})
}
