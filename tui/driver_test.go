package tui

import (
	"context"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"clankie/play"
)

// driver plays the program without a terminal: it gives the model messages
// and carries out its commands at once.
type driver struct {
	t       testing.TB
	m       *model
	sitting *fakeSitting
	quit    bool
}

// quietFeed has nothing to say; the driver brings the news itself.
type quietFeed struct{}

func (quietFeed) Next(context.Context) (play.Update, error) { return play.Update{}, nil }
func (quietFeed) Close()                                    {}

func newDriver(t testing.TB, o Options) *driver {
	f := newFakeSitting()
	d := &driver{t: t, sitting: f, m: newModel(context.Background(), f, quietFeed{}, o)}
	d.send(tea.WindowSizeMsg{Width: 120, Height: 40})
	d.show(fakeSnapshot(3))
	return d
}

func (d *driver) send(msg tea.Msg) {
	d.t.Helper()
	_, cmd := d.m.Update(msg)
	d.run(cmd)
}

func (d *driver) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			d.run(c)
		}
	case tea.QuitMsg:
		d.quit = true
	case newsMsg:
		if msg.err != nil || msg.update.Snapshot != nil {
			d.send(msg)
		}
	default:
		d.send(msg)
	}
}

func (d *driver) show(s *play.Snapshot, events ...play.Event) {
	d.t.Helper()
	d.send(newsMsg{update: play.Update{Snapshot: s, Events: events}})
}

var namedKeys = map[string]tea.Key{
	"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab},
	"shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown},
	"left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight}, "pgup": {Code: tea.KeyPgUp}, "pgdown": {Code: tea.KeyPgDown},
	"home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd}, "delete": {Code: tea.KeyDelete}, "backspace": {Code: tea.KeyBackspace},
	"space": {Code: tea.KeySpace, Text: " "}, "ctrl+c": {Code: 'c', Mod: tea.ModCtrl}, "ctrl+u": {Code: 'u', Mod: tea.ModCtrl},
	"ctrl+d": {Code: 'd', Mod: tea.ModCtrl}, "ctrl+r": {Code: 'r', Mod: tea.ModCtrl}, "ctrl+w": {Code: 'w', Mod: tea.ModCtrl},
	"ctrl+z": {Code: 'z', Mod: tea.ModCtrl}, "ctrl+l": {Code: 'l', Mod: tea.ModCtrl}, "f1": {Code: tea.KeyF1},
}

func keyNamed(name string) tea.Key {
	if k, ok := namedKeys[name]; ok {
		return k
	}
	return tea.Key{Code: []rune(name)[0], Text: name}
}

// press presses keys by name.
func (d *driver) press(names ...string) {
	d.t.Helper()
	for _, n := range names {
		d.send(tea.KeyPressMsg(keyNamed(n)))
	}
}

// typed types text, letter by letter.
func (d *driver) typed(text string) {
	d.t.Helper()
	for _, r := range text {
		if r == ' ' {
			d.press("space")
			continue
		}
		d.press(string(r))
	}
}

// typedLine types a whole line.
func (d *driver) typedLine(line string) {
	d.t.Helper()
	d.press("/", "ctrl+u")
	d.typed(line)
	d.press("enter")
}

// rows is the screen without styles.
func (d *driver) rows() []string {
	return strings.Split(ansi.Strip(d.m.View().Content), "\n")
}

func (d *driver) text() string { return strings.Join(d.rows(), "\n") }

func (d *driver) expect(parts ...string) {
	d.t.Helper()
	for _, p := range parts {
		if !strings.Contains(d.text(), p) {
			d.t.Fatalf("the screen does not show %q:\n%s", p, d.text())
		}
	}
}

func (d *driver) expectNot(part string) {
	d.t.Helper()
	if strings.Contains(d.text(), part) {
		d.t.Fatalf("the screen shows %q:\n%s", part, d.text())
	}
}

// expectSent checks the kinds of the commands so far.
func (d *driver) expectSent(kinds ...play.CommandKind) {
	d.t.Helper()
	var got []play.CommandKind
	for _, c := range d.sitting.sent() {
		got = append(got, c.Kind)
	}
	if len(got) != len(kinds) {
		d.t.Fatalf("sent %v, want %v", got, kinds)
	}
	for i := range got {
		if got[i] != kinds[i] {
			d.t.Fatalf("sent %v, want %v", got, kinds)
		}
	}
}
