package replay_test

import (
	"bytes"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"

	"clankie/emu"
	"clankie/journal"
	"clankie/play/replay"
)

// toyTape records three turns on a toy, with a save loaded from elsewhere in
// the second, and returns the tape's path.
func toyTape(t *testing.T) string {
	t.Helper()
	c := &toy{}
	r, path := record(t, c)
	for turn := range 3 {
		_, err := r.Run(t.Context(), 10, emu.KeyA)
		must(t, err)
		if turn == 1 {
			r.Loading("", "town")
			must(t, r.Load(t.Context(), townState))
			_, err := r.Run(t.Context(), 1, emu.KeyB)
			must(t, err)
		}
		must(t, r.Border(turn, c.observed()))
	}
	must(t, r.Close())
	return path
}

var townState = []byte{1, 2, 3, 4, 5, 6, 7, 8}

// strange is a toy with another identity.
type strange struct {
	toy
	id emu.CoreIdentity
}

func (c *strange) Identity() emu.CoreIdentity { return c.id }

// slipping is a toy that comes out differently from a frame on.
type slipping struct {
	toy
	at uint64
}

func (c *slipping) Memory() emu.Memory {
	if c.frame >= c.at {
		return emu.Memory{EWRAM: []byte("slipped")}
	}
	return c.toy.Memory()
}

// TestReplayStopsWhereItDoesNotHold names what differs, with turn and frame.
func TestReplayStopsWhereItDoesNotHold(t *testing.T) {
	path := toyTape(t)
	id := (&toy{}).Identity()
	otherROM, otherModule, otherCore, proven := id, id, id, id
	otherROM.ROMSHA256 = emu.DigestOf([]byte("another"))
	otherModule.ModuleSHA256 = emu.DigestOf([]byte("another"))
	otherCore.CoreID = "toy/2"
	proven.ModuleSHA256 = emu.DigestOf([]byte("another"))
	proven.Equivalents = []emu.Digest{toyModule}
	all := [][]byte{bootState, townState}
	for name, c := range map[string]struct {
		core  emu.Core
		pins  [][]byte
		code  string // "" when all holds
		turn  int
		frame uint64
	}{
		"all as it was":       {&toy{}, all, "", 0, 0},
		"a proven module":     {&strange{id: proven}, all, "", 0, 0},
		"another cartridge":   {&strange{id: otherROM}, all, replay.CodeROMMismatch, 0, 0},
		"another module":      {&strange{id: otherModule}, all, replay.CodeCoreMismatch, 0, 0},
		"another core":        {&strange{id: otherCore}, all, replay.CodeCoreMismatch, 0, 0},
		"no boot savestate":   {&toy{}, [][]byte{townState}, replay.CodeStateMissing, 0, 0},
		"a pin is missing":    {&toy{}, [][]byte{bootState}, replay.CodeStateMissing, 1, 20},
		"it slips in turn 2":  {&slipping{at: 21}, all, replay.CodeMismatch, 1, 21},
		"it slips at the end": {&slipping{at: 31}, all, replay.CodeMismatch, 2, 31},
	} {
		lib := replay.NewLibrary(nil, c.core.Identity(), c.pins...)
		report, err := replay.Run(t.Context(), c.core, lib, journal.ReadTape(path))
		if emu.CodeOf(err) != c.code {
			t.Errorf("%s: %v", name, err)
			continue
		}
		switch stop := report.Stop; {
		case c.code == "" && (stop != nil || report.Turns != 3 || !report.Complete):
			t.Errorf("%s: %+v", name, report)
		case c.code != "" && (stop == nil || stop.Turn != c.turn || stop.Frame != c.frame || stop.Code != c.code):
			t.Errorf("%s: stopped at %+v", name, stop)
		}
	}
}

// TestChangedByteStopsReplay changes every byte of a tape: whatever was
// recorded, the replay is refused or stops.
func TestChangedByteStopsReplay(t *testing.T) {
	path := toyTape(t)
	whole, err := os.ReadFile(path)
	must(t, err)
	lib := replay.NewLibrary(nil, (&toy{}).Identity(), bootState, townState)
	for at := range whole {
		changed := bytes.Clone(whole)
		changed[at] ^= 1
		report, err := replay.Run(t.Context(), &toy{}, lib, journal.ScanTape(bytes.NewReader(changed)))
		if err == nil || report.Stop == nil || report.Complete && at < len(whole)-1 {
			t.Fatalf("byte %d: %+v, %v", at, report, err)
		}
		if !strings.Contains(err.Error(), "turn ") || !strings.Contains(err.Error(), "frame ") {
			t.Fatalf("byte %d: %v", at, err)
		}
	}
}

// TestTornTapeReplays cuts a tape at every byte: it replays up to its last
// whole line.
func TestTornTapeReplays(t *testing.T) {
	whole, err := os.ReadFile(toyTape(t))
	must(t, err)
	lib := replay.NewLibrary(nil, (&toy{}).Identity(), bootState, townState)
	for cut := bytes.IndexByte(whole, '\n') + 1; cut < len(whole); cut++ {
		report, err := replay.Run(t.Context(), &toy{}, lib, journal.ScanTape(bytes.NewReader(whole[:cut])))
		borders := strings.Count(string(whole[:bytes.LastIndexByte(whole[:cut], '\n')+1]), `"kind":"border"`)
		if err != nil || report.Complete || report.Turns != borders || (report.Torn != nil) != (whole[cut-1] != '\n') {
			t.Fatalf("cut at %d: %+v, %v", cut, report, err)
		}
	}
}

func TestGoToRefuses(t *testing.T) {
	path := toyTape(t)
	whole, err := os.ReadFile(path)
	must(t, err)
	lines := bytes.SplitAfter(whole, []byte{'\n'})
	broken := bytes.Join(slices.Concat(lines[:3], lines[4:]), nil)
	for name, c := range map[string]struct {
		tape []byte
		turn int
		core emu.Core
		pins [][]byte
		code string
	}{
		"fine":               {whole, 2, &toy{}, [][]byte{bootState, townState}, ""},
		"from a later load":  {whole, 2, &toy{}, [][]byte{townState}, ""},
		"no such turn":       {whole, 3, &toy{}, [][]byte{bootState, townState}, replay.CodeTurnMissing},
		"nowhere to begin":   {whole, 2, &toy{}, nil, replay.CodeStateMissing},
		"damaged before":     {broken, 2, &toy{}, [][]byte{bootState, townState}, journal.CodeTapeDamaged},
		"damaged behind":     {whole[:len(whole)-9], 2, &toy{}, [][]byte{bootState, townState}, ""},
		"it slips":           {whole, 1, &slipping{at: 1}, [][]byte{bootState, townState}, replay.CodeMismatch},
		"it slips later":     {whole, 1, &slipping{at: 2}, [][]byte{bootState, townState}, ""},
		"another cartridge":  {whole, 1, &strange{}, [][]byte{bootState, townState}, replay.CodeROMMismatch},
		"what is not a tape": {[]byte("{}\n"), 1, &toy{}, nil, journal.CodeNotATape},
	} {
		place, err := replay.GoTo(t.Context(), replay.Visit{
			Tape: func() iter.Seq2[journal.TapeLine, error] { return journal.ScanTape(bytes.NewReader(c.tape)) },
			Turn: c.turn, Core: c.core, Library: replay.NewLibrary(nil, c.core.Identity(), c.pins...),
			Decode: func(emu.Memory) emu.State { return emu.State{} },
		})
		if emu.CodeOf(err) != c.code || err == nil && place.Turn != c.turn {
			t.Errorf("%s: %v", name, err)
		}
	}
}
