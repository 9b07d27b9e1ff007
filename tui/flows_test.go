package tui

import (
	"errors"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"clankie/emu"
	"clankie/play"
)

func TestShowsTheField(t *testing.T) {
	d := newDriver(t, Options{})
	d.show(fakeSnapshot(142), fakeTurn(142), fakeTurn(143))
	d.expect("Clankie", "Bramble Lane", "BRAMBLE TOWN", "turn 142/500", "autopilot", "60 fps",
		"goal Bring the parcel", "@↑", "@ you D exit o other", "west map-3-1", "MOSSLING", "31/38", "Leaf Cut", "12/25",
		"poison", "fainted", "Egg", "#142 walk to", "✓ done", "✗ refused", "! try the tile before the door", "nobody is speaking")
	d.expectNot("30/35  \x1b")
}

func TestShowsTheBattle(t *testing.T) {
	d := newDriver(t, Options{})
	d.show(battleSnapshot(9))
	d.expect("Battle · wild", "choose a move", "Thistlet", "4/22", "sleep", "Root Hold", "0/10", "Party")
	d.expectNot("Field")
	d.expectNot("Atk+")
	raised := battleSnapshot(9)
	b := raised.State.Battle
	b.Battlers[1].Ailment = ""
	b.Battlers[1].StatStages[1], b.Battlers[1].Transformed, b.Battlers[1].OriginName = 8, true, "PUDDLIN"
	b.Battlers[0].Moves[1].Power = 55
	b.Battlers[0].Matchups = []emu.Matchup{{Target: 1, Moves: [4]float64{1, 0.5, 1, 1}}}
	d.show(raised)
	d.expect("really PUDDLIN", "Atk+2", "×½ on Thistlet")
	s := battleSnapshot(10)
	s.State.Battle, s.State.Undecoded["battle"] = nil, "not decoded on this ROM"
	d.show(s)
	d.expect("not decoded on this ROM")
	d.expectNot("Thistlet")
}

func TestSaysWhyAPaneIsEmpty(t *testing.T) {
	d := newDriver(t, Options{})
	s := fakeSnapshot(1)
	s.State = emu.State{Scene: emu.Scene{Mode: emu.ModeUnknown}, Undecoded: map[string]string{
		"overworld": "not in the field", "party": "not decoded on this ROM",
	}}
	d.show(s)
	d.expect("not in the field", "not decoded on this ROM")
	d.expectNot("MOSSLING")
}

func TestShowsDialogueMenuAndNaming(t *testing.T) {
	d := newDriver(t, Options{})
	d.show(dialogSnapshot(1))
	d.expect("Dialogue", "waits for A", "Come back with a lantern!")
	s := fakeSnapshot(2)
	s.State.Menu = &emu.Menu{Cursor: 1, Prompt: []string{"Save the game?"}, Entries: []emu.MenuEntry{{ID: "yes", Label: "YES"}, {ID: "no", Label: "NO"}}}
	d.show(s)
	d.expect("Menu", "Save the game?", "▸ NO")
	s = fakeSnapshot(3)
	s.State.Naming = &emu.Naming{Text: "CLANK", Page: "upper"}
	d.show(s)
	d.expect("Naming", "CLANK▏", "keyboard: upper")
}

// TestTheDialoguePaneNamesTheScreen: what is no field and no talk has a name,
// and a text says how much of it is shown.
func TestTheDialoguePaneNamesTheScreen(t *testing.T) {
	d := newDriver(t, Options{})
	for screen, want := range map[emu.Screen]string{
		"title": "Scene · title screen", "intro": "Scene · opening", "pokedex": "Scene · Pokédex", "overworld": "Dialogue", "cutscene": "Dialogue",
	} {
		s := fakeSnapshot(1)
		s.State.Scene.Screen = screen
		d.show(s)
		d.expect("─ " + want + " ─")
	}
	for screen, want := range map[emu.Screen]string{"shop": "Menu · shop", "tm_case": "Menu · TM case", "berry_pouch": "Menu · berry pouch", "overworld": "Menu"} {
		s := fakeSnapshot(1)
		s.State.Scene.Screen, s.State.Menu = screen, &emu.Menu{Entries: []emu.MenuEntry{{Label: "one"}}}
		d.show(s)
		d.expect("─ "+want+" ─", "▸ one")
	}
	s := dialogSnapshot(1)
	s.State.Dialog.Waiting, s.State.Dialog.Printing = false, true
	d.show(s)
	d.expect("Dialogue", "letters still appear")
}

func TestKeysSteer(t *testing.T) {
	d := newDriver(t, Options{})
	d.press("space")
	d.expect("✓ pause done")
	d.press("s", "2")
	d.expectSent(play.CommandPause, play.CommandSave, play.CommandSpeed)
	s := fakeSnapshot(4)
	s.Paused, s.PauseReason = true, "asked by the operator"
	d.show(s)
	d.expect("PAUSED")
	d.press("n", "space")
	d.expectSent(play.CommandPause, play.CommandSave, play.CommandSpeed, play.CommandStep, play.CommandResume)
	d.press("esc")
	d.expect("paused: asked by the operator")
}

func TestADisabledKeySaysWhy(t *testing.T) {
	d := newDriver(t, Options{})
	d.press("n")
	d.expect("n: step works while paused")
	d.send(newsMsg{err: play.ErrWatchClosed})
	d.press("s")
	d.expect("s: the sitting has ended", "ENDED")
	d.expectSent()
	d.press("q")
	if !d.quit {
		t.Error("q does not leave after the end")
	}
}

func TestCommandsAreTyped(t *testing.T) {
	d := newDriver(t, Options{Pins: []string{"bramble-lab"}})
	for _, line := range []string{"/save By the gate!", "/restart bramble-lab", "/pin By -the gate", "/pause", "/speed max", "/say well done", "hello there", "/mind model", "/load cp-1"} {
		d.press("/", "ctrl+u")
		d.typed(line)
		d.press("enter")
	}
	want := []play.Command{
		{Kind: play.CommandSave, Label: "by-the-gate"},
		{Kind: play.CommandRestart, Pin: "bramble-lab"},
		{Kind: play.CommandPin, Pin: "by-the-gate"},
		{Kind: play.CommandPause},
		{Kind: play.CommandSpeed, Speed: play.SpeedMax},
		{Kind: play.CommandSay, Text: "well done"},
		{Kind: play.CommandSay, Text: "hello there"},
		{Kind: play.CommandMind, Mind: "model"},
		{Kind: play.CommandLoad, ID: "cp-1"},
	}
	if diff := cmp.Diff(want, d.sitting.sent()); diff != "" {
		t.Errorf("commands differ (-want +got):\n%s", diff)
	}
	for line, says := range map[string]string{
		"/frobnicate": "/frobnicate is no command", "/speed 3": "must be 1, 2, 4 or max", "/step": "step works while paused",
		"/pause now": "takes nothing after it", "/fps 99": "/fps 30 or /fps 60", "/mind": "which mind?",
		"/pin": "under which name?", "/save 日本": "a name is made of a to z",
	} {
		d.press("/", "ctrl+u")
		d.typed(line)
		d.press("enter")
		d.expect(says)
	}
}

// TestAMindThatCannotDecide: its name is offered with what it lacks, and a
// refusal that is longer than the line is shown whole.
func TestAMindThatCannotDecide(t *testing.T) {
	why := errors.New("no model is configured: set name under [model] in the configuration file, or a variable, or a flag, and put its key where key_env or key_file say, which ends-here")
	d := newDriver(t, Options{Minds: []string{"autopilot"}, Absent: map[string]error{"model": why}})
	d.press("m")
	d.expect("/mind model", "cannot decide: no model")
	d.typed("model")
	d.sitting.fail[play.CommandMind] = why
	d.press("enter")
	d.expect("─ /mind ─", "ends-here")
	d.press("esc")
	d.expectNot("─ /mind ─")
	d.press("?")
	d.expect("Keys and commands")
	d.press("end")
	d.expect("/mind model says what it lacks")
	d.press("esc", "t") // whoever types is not interrupted
	d.typed("half a sen")
	d.send(ackMsg{req: request{cmd: play.Command{Kind: play.CommandMind}}, err: why})
	d.expect("/say half a sen")
	d.press("esc") // and finds it among the decisions
	d.expect("✗ mind: no model is configured", "ends-here")
}

// TestARefusalIsReadWhole: also one of the program's own, where the window is
// narrow.
func TestARefusalIsReadWhole(t *testing.T) {
	d := newDriver(t, Options{})
	d.send(tea.WindowSizeMsg{Width: 40, Height: 12})
	for line, says := range map[string]string{
		"/goto nowhere at all": "journey", "/branch": "sitting", "/fps 99": "/fps 60", "/frobnicate": "lists them",
	} {
		d.typedLine(line)
		d.expect(says, "╰")
		d.press("esc")
		d.expectNot(says)
	}
	d.send(tea.WindowSizeMsg{Width: 120, Height: 40})
	d.typedLine("/fps 99") // the line is wide enough
	d.expect("✗ how many pictures a second? /fps 30 or /fps 60")
	d.expectNot("─ /fps ─")
}

func TestANewPinCanBeRestartedFrom(t *testing.T) {
	d := newDriver(t, Options{Pins: []string{"bedroom"}})
	d.sitting.fail[play.CommandPin] = errOnPurpose
	for range 2 {
		d.press("/", "ctrl+u")
		d.typed("/pin by-the-gate")
		d.press("enter")
		delete(d.sitting.fail, play.CommandPin)
		if !slices.Contains(d.m.opts.Pins, "by-the-gate") {
			d.expect("disk_full")
		}
	}
	d.press("/", "ctrl+u")
	d.typed("/restart by")
	d.press("tab")
	if got := d.m.prompt.line.value(); got != "/restart by-the-gate" {
		t.Fatalf("Tab made %q", got)
	}
}

func TestCompletionAndHistory(t *testing.T) {
	d := newDriver(t, Options{})
	d.press("/")
	d.typed("sp")
	d.press("tab")
	if got := d.m.prompt.line.value(); got != "/speed " {
		t.Fatalf("Tab made %q", got)
	}
	d.press("tab", "tab")
	if got := d.m.prompt.line.value(); got != "/speed 2" {
		t.Fatalf("Tab made %q", got)
	}
	d.press("enter", "/")
	d.typed("load ")
	d.expect("cp-20260304T201500-00a0", "“before the rival”", "1–8 of 30")
	d.typed("rival")
	d.press("tab")
	if got := d.m.prompt.line.value(); got != "/load cp-20260304T201502-00a2" {
		t.Fatalf("Tab made %q", got)
	}
	d.press("esc", "/", "up")
	if got := d.m.prompt.line.value(); got != "/speed 2" {
		t.Fatalf("up recalled %q", got)
	}
	d.press("down")
	if got := d.m.prompt.line.value(); got != "/" {
		t.Fatalf("down went back to %q", got)
	}
}

func TestResumeIsAskedAndPreselected(t *testing.T) {
	e := fakeSaves(3)[2]
	d := newDriver(t, Options{Resume: &e})
	d.expect("Resume?", "before the rival", "▸ Resume")
	d.press("enter")
	want := []play.Command{{Kind: play.CommandResume}}
	if diff := cmp.Diff(want, d.sitting.sent()); diff != "" {
		t.Errorf("commands differ (-want +got):\n%s", diff)
	}

	fresh := newDriver(t, Options{Resume: &e})
	fresh.press("right", "enter")
	fresh.expectSent(play.CommandRestart, play.CommandResume)

	waved := newDriver(t, Options{Resume: &e})
	waved.press("esc")
	waved.expectSent(play.CommandResume)

	broken := newDriver(t, Options{Resume: &e})
	broken.sitting.fail[play.CommandRestart] = errors.New("disk_full: the present could not be kept")
	broken.press("right", "enter")
	broken.expectSent(play.CommandRestart)
	broken.expect("disk_full")
}

// TestNoticesAreSeen: what the operator should know is in the feed, and what
// concerns the question is asked with it.
func TestNoticesAreSeen(t *testing.T) {
	e := fakeSaves(3)[2]
	o := Options{Resume: &e, Notices: []string{
		"the model \x1b[2Jhas no key", PassedOver + "cp-9: cut off", PassedOver + "cp-8: cut off", PassedOver + "cp-7: cut off", PassedOver + "cp-6: cut off",
	}}
	d := newDriver(t, o)
	d.expect("Resume?", "Newer, but passed over cp-9: cut off", "cp-8", "and 2 more; the decisions list them", "▸ Resume")
	d.press("enter")
	d.expect("the model has no key", "passed over cp-9: cut off", "passed over cp-6: cut off")
	d.expectNot("Newer, but")
	if o.Notices = o.Notices[:1]; strings.Contains(newDriver(t, o).text(), "passed over") {
		t.Error("a save was passed over that was not")
	}
}

func TestAFailureIsNoSuccess(t *testing.T) {
	for outcome, says := range map[string]string{
		play.OutcomeFailed: "✗ the sitting has ended: it failed", play.OutcomeStopped: "✓ the sitting has ended: stopped",
	} {
		d := newDriver(t, Options{})
		s := fakeSnapshot(4)
		s.Phase, s.Outcome = play.PhaseStopped, outcome
		d.show(s)
		d.send(newsMsg{err: play.ErrWatchClosed})
		d.expect(says)
	}
}

// TestRestingMachineHasNoPace: a rate that was measured before is not shown as
// if frames still ran.
func TestRestingMachineHasNoPace(t *testing.T) {
	d := newDriver(t, Options{})
	d.expect("60 fps")
	d.m.Update(newsMsg{quiet: true})
	d.expect("– fps")
	d.show(fakeSnapshot(4))
	d.expect("60 fps")
	s := fakeSnapshot(5)
	s.Paused = true
	d.show(s)
	d.expect("– fps")
	d.show(fakeSnapshot(6))
	d.send(newsMsg{err: play.ErrWatchClosed})
	d.expect("– fps")
}

// TestTheBankedSaveIsNamed: the line of the outcome shows the whole id of the
// save that keeps the present, in the narrower windows too.
func TestTheBankedSaveIsNamed(t *testing.T) {
	const id = "cp-20260304T201502123Z-before-rewind-0a1b2c3d4e5f"
	ack := play.Ack{
		Text:     "went back to " + id[:20] + " (BRAMBLE TOWN (13,14)); the present is kept as " + id,
		BankedID: id, CheckpointID: "cp-20260301T101502123Z-by-the-gate-ffffffffffff",
	}
	for _, w := range []int{80, 120} {
		d := newDriver(t, Options{})
		d.send(tea.WindowSizeMsg{Width: w, Height: 40})
		d.send(ackMsg{req: request{cmd: play.Command{Kind: play.CommandLoad}}, ack: ack})
		d.expect("✓ the present is kept as " + id + ";")
		d.send(ackMsg{req: request{cmd: play.Command{Kind: play.CommandRestart, Pin: "lab"}}, ack: play.Ack{BankedID: "cp-1"}})
		d.expect("kept as cp-1; went back to the pin lab")
		d.send(ackMsg{req: request{cmd: play.Command{Kind: play.CommandRestart}}, ack: play.Ack{BankedID: "cp-1"}})
		d.expect("kept as cp-1; went back to the beginning")
	}
}

// TestOnlyMindsThatAreThere: help and completion promise no other.
func TestOnlyMindsThatAreThere(t *testing.T) {
	d := newDriver(t, Options{Minds: []string{"autopilot", "operator"}})
	d.send(tea.WindowSizeMsg{Width: 100, Height: 80})
	d.press("?")
	d.expect("who decides: autopilot, operator")
	d.press("esc", "/")
	d.typed("mind ")
	if got := d.m.prompt.offers; len(got) != 2 || got[0].text != "/mind autopilot" || got[1].text != "/mind operator" {
		t.Errorf("completed to %v", got)
	}
	none := newDriver(t, Options{})
	none.press("/")
	none.typed("mind ")
	if got := none.m.prompt.offers; len(got) != 0 {
		t.Errorf("without minds it completes to %v", got)
	}
}

func TestDeletingASave(t *testing.T) {
	d := newDriver(t, Options{})
	d.press("l", "down", "down")
	victim := d.sitting.saves[2]
	d.press("delete")
	d.expect("no trash and no undo", "▸ Keep it")
	d.press("right", "enter")
	d.expect("Delete “before the rival”", victim.ID, "This is final.", "▸ Cancel")
	d.press("enter")
	d.expectSent()
	d.press("delete", "right", "enter", "right")
	d.sitting.fail[play.CommandDeleteSave] = errOnPurpose
	d.press("enter")
	d.expect("✗ delete: disk_full")
	delete(d.sitting.fail, play.CommandDeleteSave)
	d.press("delete", "right", "enter", "right", "enter")
	want := play.Command{Kind: play.CommandDeleteSave, ID: victim.ID, Confirm: victim.ID}
	if diff := cmp.Diff(want, d.sitting.sent()[1]); diff != "" {
		t.Errorf("command differs (-want +got):\n%s", diff)
	}
	d.expect("✓ delete-save done", "of 29")
	d.press("down")
	d.expectNot("✓ delete-save done")
}

// TestADeletionThatWaits: the sitting answers when the turn is over. Until then
// the browser says so, whatever is pressed, and then what it came to, whole.
func TestADeletionThatWaits(t *testing.T) {
	d := newDriver(t, Options{})
	d.press("l", "delete", "right", "enter", "right")
	victim := d.sitting.saves[0]
	_, held := d.m.Update(tea.KeyPressMsg(keyNamed("enter")))
	d.expect("─ Saves ─", "… delete: waiting for the turn to end…")
	d.m.Update(tea.KeyPressMsg(keyNamed("down")))
	d.expect("… delete: waiting for the turn to end…")
	d.sitting.fail[play.CommandDeleteSave] = errors.New("checkpoint_delete_failed: " + victim.ID + " " + strings.Repeat("is being looked at by somebody else ", 3) + "so-try-again")
	d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.run(held)
	d.expect("✗ delete: checkpoint_delete_failed", "so-try-again")
	d.expectNot("waiting for the turn")
	d.press("down")
	d.expect("enter load")
	d.send(tea.WindowSizeMsg{Width: 120, Height: 40})
	d.press("esc") // and among the decisions it can still be read
	d.expect("✗ delete: checkpoint_delete_failed", "so-try-again")
}

// TestHelpIsReadWhole in windows of every width.
func TestHelpIsReadWhole(t *testing.T) {
	for _, w := range []int{16, 40, 60, 80} {
		words := strings.Join(strings.Fields(ansi.Strip(strings.Join(helpRows(newPalette(true), w, mindNames{there: []string{"autopilot", "operator"}, absent: map[string]error{"model": errOnPurpose}}), " "))), " ")
		for _, b := range bindings {
			if !strings.Contains(words, b.help) {
				t.Errorf("%d cells: %q is not told whole", w, b.help)
			}
		}
		if !strings.Contains(words, "who decides: autopilot, operator; /mind model says what it lacks") || strings.Contains(words, "…") {
			t.Errorf("%d cells: something is cut: %s", w, words)
		}
	}
}

// TestTheDecisionsAreRead beside the picture: in the window that terminals open
// with there is room for a whole turn, in smaller ones for three rows of it.
func TestTheDecisionsAreRead(t *testing.T) {
	d := newDriver(t, Options{})
	d.show(fakeSnapshot(142), fakeTurn(142))
	d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.expect("#142 walk to", "✓ done", "→ ", "▒▒· ") // and for a map beside it
	for _, size := range [][2]int{{38, 12}, {44, 14}, {50, 16}, {60, 20}, {70, 22}, {80, 24}, {100, 28}, {120, 40}} {
		l := newLayout(size[0], size[1], false, false)
		if _, h := inside(l.feed); h < 2 || size[1] >= 14 && h < 3 {
			t.Errorf("%v: %d rows of decisions", size, h)
		}
	}
}

func TestLabelsAreMadeOfWhatIsTyped(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "lab": "lab", "By the  gate!": "by-the-gate", "--x--": "x", "Ärger 2": "rger-2",
		strings.Repeat("ab ", 30): strings.TrimSuffix(strings.Repeat("ab-", 14)[:40], "-"),
	} {
		got, err := labelOf(text)
		if err != nil || got != want || got != "" && !emu.ValidLabel(got) {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
}

// TestSavesAreToldApart in a window of any width: by when they were made.
func TestSavesAreToldApart(t *testing.T) {
	at := capturedAt(fakeSaves(1)[0], listTime)
	for _, w := range []int{24, 30, 40, 60, 80, 120} {
		d := newDriver(t, Options{})
		d.send(tea.WindowSizeMsg{Width: w, Height: 14})
		d.press("l")
		d.expect("▸", at)
	}
}

// TestEscSaysWhatItDoes: it clears the filter first.
func TestEscSaysWhatItDoes(t *testing.T) {
	d := newDriver(t, Options{})
	d.press("l")
	d.expect("esc back")
	d.typed("rival")
	d.expect("esc clear the filter")
	d.expectNot("esc back")
	d.press("esc")
	d.expect("─ Saves ─", "esc back")
	d.press("esc")
	d.expectNot("─ Saves ─")
}

// TestWhatIsNoSave: its time is not known, and it is not deleted here.
func TestWhatIsNoSave(t *testing.T) {
	d := newDriver(t, Options{})
	d.sitting.saves = []play.SaveEntry{{ID: "cp-x", Place: "unknown", Health: play.SaveDamaged, HealthNote: "the receipt of cp-x is damaged", Stray: true}}
	d.press("l")
	d.expect("cp-x", "captured  -")
	d.expectNot("0001")
	d.expectNot("01-01")
	d.press("delete")
	d.expect("not taken for a save, so only you can remove it, by hand: the receipt of cp-x is damaged")
	d.expectNot("no trash and no undo")
	d.press("enter")
	d.expectSent()
}

func TestBrowsingSaves(t *testing.T) {
	d := newDriver(t, Options{})
	d.sitting.saves[0].HealthNote = "its lineage is damaged"
	d.press("l")
	d.expect("It loads, but its lineage is damaged")
	d.expect("1–30 of 30", "damaged", "foreign", "digests", "state 6e340b9cffb3")
	d.press("down", "down", "down", "down", "enter")
	d.expect("cannot be loaded here: savestate.ss1 is 12 bytes short")
	d.expectSent()
	d.typed("rival")
	d.expect("filter: rival", "(30 in all)")
	d.press("enter")
	d.expect("Load this save?", "The present is banked")
	d.press("enter")
	d.expectSent(play.CommandLoad)
	d.expectNot("Saves ─")
	d.press("l", "up")
	if b := d.m.browser(); b.at != 29 {
		t.Errorf("up from the first row goes to %d", b.at)
	}
	d.press("down", "end", "pgdown")
	if b := d.m.browser(); b.at != 0 {
		t.Errorf("a page down from the last row goes to %d", b.at)
	}
	d.typed("zzz")
	d.expect("no save matches")
	d.press("ctrl+u", "esc")
	if len(d.m.dialogs) != 0 {
		t.Error("Esc does not close the list")
	}
}

func TestAThousandSaves(t *testing.T) {
	d := newDriver(t, Options{})
	d.sitting.saves = fakeSaves(1000)
	d.press("l", "end")
	d.expect("of 1000")
	d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.press("pgup", "home")
	rows := 0
	for _, r := range d.rows() {
		if strings.Contains(r, " · ") && (strings.Contains(r, " ok ") || strings.Contains(r, " damaged ") || strings.Contains(r, " foreign ")) {
			rows++
		}
	}
	if rows < 12 {
		t.Errorf("a window of 80×24 lists %d saves:\n%s", rows, d.text())
	}
}

func TestPlayingByHand(t *testing.T) {
	d := newDriver(t, Options{})
	d.press("p")
	d.expect("BY HAND")
	d.press("up", "z", "x")
	want := []play.Command{
		{Kind: play.CommandTakePad}, {Kind: play.CommandPress, Button: emu.ButtonUp}, {Kind: play.CommandPress, Button: emu.ButtonA},
	}
	if diff := cmp.Diff(want, d.sitting.sent()); diff != "" {
		t.Fatalf("a third press did not wait (-want +got):\n%s", diff)
	}
	s := fakeSnapshot(5) // two turns settled
	s.PadTaken, s.Mind = true, "operator"
	d.show(s)
	d.press("enter", "esc")
	if got := d.sitting.sent()[3:]; got[0].Button != emu.ButtonStart || got[1].Kind != play.CommandGivePad {
		t.Fatalf("sent %v", got)
	}
	d.expectNot("BY HAND")
}

func TestHeldButtons(t *testing.T) {
	d := newDriver(t, Options{})
	d.press("p")
	if !d.m.View().KeyboardEnhancements.ReportEventTypes {
		t.Error("key releases are not asked for")
	}
	d.send(tea.KeyboardEnhancementsMsg{Flags: ansi.KittyReportEventTypes})
	d.press("right")
	turn := 3
	settle := func() int {
		turn++
		s := fakeSnapshot(turn)
		s.PadTaken = true
		d.show(s)
		return len(d.sitting.sent())
	}
	if n := settle(); n != 3 {
		t.Fatalf("a held button was pressed %d times", n-1)
	}
	d.send(tea.BlurMsg{})
	if n := settle(); n != 3 {
		t.Fatalf("a button was pressed without focus")
	}
	d.press("left")
	d.send(tea.KeyReleaseMsg(keyNamed("left")))
	if n := settle(); n != 4 {
		t.Fatalf("a released button was pressed again")
	}
	s := fakeSnapshot(turn)
	s.PadTaken = false
	d.show(s)
	d.expect("the pad went back to autopilot")
}

func TestCommandsGoOutInOrder(t *testing.T) {
	d := newDriver(t, Options{})
	first := d.m.send(play.Command{Kind: play.CommandSave})
	if d.m.send(play.Command{Kind: play.CommandPause}) != nil {
		t.Fatal("a second command went out before the first was acknowledged")
	}
	d.expect("save: waiting for the turn to end")
	d.run(first)
	d.expectSent(play.CommandSave, play.CommandPause)
}

func TestAPanicBecomesAMessage(t *testing.T) {
	d := newDriver(t, Options{})
	d.sitting.panics[play.CommandSave] = true
	d.press("s")
	d.expect("a command to the sitting broke: the fake broke on purpose")
	d.press("space")
	d.expectSent(play.CommandSave, play.CommandPause)
}

func TestForeignTextIsHarmless(t *testing.T) {
	d := newDriver(t, Options{})
	s := fakeSnapshot(1)
	s.Objective = "\x1b]0;owned\x07\x1b[2J"
	s.State.Party.Members[0].Nickname = "A\x1b[31mB"
	e := fakeTurn(1)
	e.Turn.Thought = "one\x1b[?1049l two\nthree"
	d.show(s, e)
	d.expect("AB", "one two three")
	for _, bad := range []string{"\x1b]0;", "\x1b[2J", "\x1b[?1049l", "\x07"} {
		if strings.Contains(d.m.View().Content, bad) {
			t.Errorf("%q reaches the terminal", bad)
		}
	}
}

func TestHelpListsEverything(t *testing.T) {
	d := newDriver(t, Options{})
	d.send(tea.WindowSizeMsg{Width: 100, Height: 100})
	d.press("?")
	for _, c := range slashes {
		d.expect("/" + c.names[0])
	}
	for _, b := range bindings {
		d.expect(b.help)
	}
	d.press("esc")
	d.expectNot("Keys and commands")
}

func TestQuitAsksFirst(t *testing.T) {
	d := newDriver(t, Options{})
	d.press("q", "esc")
	if d.quit || len(d.m.dialogs) > 0 {
		t.Fatal("Esc does not stay")
	}
	d.press("ctrl+c", "ctrl+c")
	if !d.quit {
		t.Error("Ctrl+C twice does not leave")
	}
}

// TestNothingHappensUnseen: in a window too small to show a question, or the
// name of the save it is about, no key deletes.
func TestNothingHappensUnseen(t *testing.T) {
	d := newDriver(t, Options{})
	d.sitting.saves[0].ID = "2026-03-04T20-15-00-146Z-autosave-f9a8d46260f1"
	d.press("l", "delete", "right", "enter", "right")
	d.send(tea.WindowSizeMsg{Width: 19, Height: 5})
	d.press("enter")
	d.expectSent()
	d.send(tea.WindowSizeMsg{Width: minWidth, Height: minHeight})
	d.expect("window too small", "▸ Delete")
	d.press("enter")
	d.expectSent()
	d.send(tea.WindowSizeMsg{Width: 60, Height: 12})
	d.expect(d.sitting.saves[0].ID)
	d.send(tea.WindowSizeMsg{Width: 10, Height: 3})
	d.press("ctrl+c")
	if !d.quit {
		t.Error("Ctrl+C does not leave a window that is too small")
	}
}

func TestTooSmall(t *testing.T) {
	d := newDriver(t, Options{})
	for _, size := range [][2]int{{0, 0}, {1, 1}, {19, 40}, {200, 5}, {-1, -1}} {
		d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		if got := d.text(); size[0] > 18 && !strings.Contains(got, "window too small") {
			t.Errorf("%v shows %q", size, got)
		}
	}
}
