package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"clankie/emu"
	"clankie/play"
)

// keptPictures bounds the previews a browser holds on to.
const keptPictures = 64

// browser is the list of saves: it shows all of them, filters as one types,
// and asks before it loads or deletes. It holds no file and reads none.
type browser struct {
	all    []play.SaveEntry
	shown  []int // indices into all that pass the filter
	at     int   // index into shown
	filter editor

	loading bool
	err     string // why the list could not be read

	// outcome is what the last load or deletion came to. It stays until the
	// next key.
	outcome string
	failed  bool

	// waiting is what the sitting has been asked for and has not answered.
	waiting string

	page int // rows of the list when it was last drawn

	pictures map[string]preview
	order    []string // ids in pictures, oldest first
	picture  pictureView
	shades   bool
}

// preview is the picture kept with a save, or why there is none.
type preview struct {
	picture emu.Picture
	why     string
}

func newBrowser(shades bool) *browser {
	return &browser{loading: true, page: 12, pictures: map[string]preview{}, shades: shades}
}

// selected returns the save the cursor is on.
func (b *browser) selected() (e play.SaveEntry, ok bool) {
	if b.at < 0 || b.at >= len(b.shown) {
		return play.SaveEntry{}, false
	}
	return b.all[b.shown[b.at]], true
}

// setSaves replaces the list; the cursor stays on its save, or near it.
func (b *browser) setSaves(saves []play.SaveEntry, err error) {
	b.loading = false
	if err != nil {
		b.err = clean(err.Error())
		return
	}
	b.err = ""
	id, at := "", b.at
	if e, ok := b.selected(); ok {
		id = e.ID
	}
	b.all = saves
	b.applyFilter(id, at)
}

func (b *browser) applyFilter(id string, at int) {
	want := strings.ToLower(strings.TrimSpace(b.filter.value()))
	b.shown = b.shown[:0]
	b.at = -1
	for i := range b.all {
		if want == "" || strings.Contains(haystack(b.all[i]), want) {
			if b.all[i].ID == id {
				b.at = len(b.shown)
			}
			b.shown = append(b.shown, i)
		}
	}
	if b.at < 0 {
		b.at = min(max(at, 0), max(len(b.shown)-1, 0))
	}
}

// haystack is the text a filter looks in.
func haystack(e play.SaveEntry) string {
	return strings.ToLower(strings.Join([]string{
		clean(e.Game), clean(e.Label), savePlace(e), clean(e.MapID), clean(e.ID),
		clean(e.Reason), string(e.Health), capturedAt(e, fullTime),
	}, " "))
}

func (b *browser) key(k tea.Key) action {
	b.outcome = ""
	before, _ := b.selected()
	act := b.move(k)
	if now, ok := b.selected(); ok && now.ID != before.ID {
		act.preview = now.ID
	}
	return act
}

func (b *browser) move(k tea.Key) action {
	switch k.Keystroke() {
	case "up", "ctrl+p":
		b.step(-1)
	case "down", "ctrl+n":
		b.step(1)
	case "pgup":
		b.jump(-max(b.page, 1))
	case "pgdown":
		b.jump(max(b.page, 1))
	case "home":
		b.at = 0
	case "end":
		b.at = max(len(b.shown)-1, 0)
	case "enter", "right":
		return b.choose()
	case "delete", "ctrl+d":
		return b.remove()
	case "ctrl+r":
		b.loading = true
		return action{list: true}
	case "esc":
		if b.filter.value() == "" {
			return action{pop: 1}
		}
		b.filter.set("")
		b.refilter()
	case "ctrl+c":
		return action{pop: 1}
	case "left":
	default:
		if b.filter.key(k) {
			b.refilter()
		}
	}
	return action{}
}

func (b *browser) refilter() {
	e, _ := b.selected()
	b.applyFilter(e.ID, 0)
}

// step moves by one and goes round at the ends.
func (b *browser) step(d int) {
	if n := len(b.shown); n > 0 {
		b.at = (b.at + d + n) % n
	}
}

// jump moves by a page; from the very end it goes round, otherwise it stops
// there.
func (b *browser) jump(d int) {
	last := len(b.shown) - 1
	switch {
	case last < 0:
	case d > 0 && b.at == last:
		b.at = 0
	case d < 0 && b.at == 0:
		b.at = last
	default:
		b.at = min(max(b.at+d, 0), last)
	}
}

func (b *browser) choose() action {
	e, ok := b.selected()
	if !ok {
		return action{}
	}
	if !e.Loadable() {
		b.outcome, b.failed = "This save cannot be loaded here: "+whyNot(e), true
		return action{}
	}
	return action{push: newLoadDialog(e, 2)}
}

// remove asks before a save is deleted. What is no save is never deleted here,
// so there is nothing to ask.
func (b *browser) remove() action {
	e, ok := b.selected()
	if !ok {
		return action{}
	}
	if e.Stray {
		b.outcome, b.failed = "This is not taken for a save, so only you can remove it, by hand: "+whyNot(e), true
		return action{}
	}
	return action{push: newDeleteDialog(e)}
}

// whyNot says in words why a save cannot be loaded.
func whyNot(e play.SaveEntry) string {
	if n := clean(e.HealthNote); n != "" {
		return n
	}
	switch e.Health {
	case play.SaveDamaged:
		return "it is damaged"
	case play.SaveForeign:
		return "it belongs to another cartridge"
	case play.SaveOtherCore:
		return "it was made by another core"
	case play.SaveUnreadable:
		return "it cannot be read"
	}
	return string(e.Health)
}

// setPicture keeps a preview; the oldest goes when there are too many.
func (b *browser) setPicture(id string, p preview) {
	if _, ok := b.pictures[id]; !ok {
		b.order = append(b.order, id)
		if len(b.order) > keptPictures {
			delete(b.pictures, b.order[0])
			b.order = b.order[1:]
		}
	}
	b.pictures[id] = p
}

// wanted is the save whose preview is missing, or "".
func (b *browser) wanted() string {
	e, ok := b.selected()
	if !ok {
		return ""
	}
	if _, have := b.pictures[e.ID]; have {
		return ""
	}
	return e.ID
}
