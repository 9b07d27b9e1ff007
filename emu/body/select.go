package body

import (
	"fmt"
	"slices"
	"strings"

	"clankie/emu"
)

// menuHold is how long a menu's button is held, in frames.
const menuHold = 8

// Why select_menu_entry ended, beside the limits.
const (
	choseEntry   = "selected"
	choseClosed  = "menu_closed"
	choseStalled = "cursor_stalled"
)

// menuWait is how long what an entry opens is waited for at most, in frames.
const menuWait = 120

// menuNaming and menuHelp are the menus that are no lists, and bagPrefix
// begins the ids of the bag's pockets.
const (
	menuNaming = "naming-screen"
	menuHelp   = "help-system"
	bagPrefix  = "bag-"
)

// listedMost is how many entries of a longer list are shown.
const listedMost = 16

// choice is a select_menu_entry under way.
type choice struct {
	act       *acting
	menuID    string
	entry     emu.MenuEntry
	turns     int // moves of a cursor that goes round
	confirmed bool
}

// selectMenuEntry moves the cursor of the open menu to an entry and presses A.
// When it stops before, it does not press A.
func selectMenuEntry(act *acting, a emu.Action) (map[string]any, error) {
	m := act.decoded().Menu
	if m == nil {
		return nil, refusal(emu.CodeMenuNotOpen, "no menu is open", "")
	}
	i, err := findEntry(m, a.EntryID)
	if err != nil {
		return nil, err
	}
	c := &choice{act: act, menuID: m.ID, entry: m.Entries[i]}
	ended, err := c.run()
	if err != nil {
		return nil, err
	}
	out := act.closing(map[string]any{
		"menuId": c.menuID, "entryId": c.entry.ID, "label": c.entry.Label, "confirmed": c.confirmed,
	}, ended)
	addText(out, act.observed().State)
	return out, nil
}

// findEntry is the place of an entry among those shown, or the refusal.
func findEntry(m *emu.Menu, id string) (int, error) {
	if m.ID == menuNaming {
		return 0, refusal(emu.CodeMenuNotNavigable, "the naming screen is a keyboard, not a list", "enter_text types on it")
	}
	if i := place(m, id); i >= 0 {
		return i, nil
	}
	shown := "it lists " + listing(m)
	if strings.HasPrefix(m.ID, bagPrefix) && len(m.Entries) >= listedMost {
		return 0, refusal(emu.CodeMenuWindowScrolled, fmt.Sprintf("%q is not among the entries shown of %s, which has more above or below", emu.Clean(id), m.ID), shown)
	}
	return 0, refusal(emu.CodeMenuEntryNotFound, fmt.Sprintf("%s has no entry %q", m.ID, emu.Clean(id)), shown)
}

// place is where an entry stands. Of several with one id, the one under the
// cursor is meant, else the first.
func place(m *emu.Menu, id string) int {
	if m.Cursor >= 0 && m.Cursor < len(m.Entries) && m.Entries[m.Cursor].ID == id {
		return m.Cursor
	}
	return slices.IndexFunc(m.Entries, func(e emu.MenuEntry) bool { return e.ID == id })
}

func listing(m *emu.Menu) string {
	ids := make([]string, len(m.Entries))
	for i, e := range m.Entries {
		ids[i] = emu.Clean(e.ID)
	}
	return strings.Join(ids, ", ")
}

func (c *choice) run() (ended string, err error) {
	if err := c.listen(); err != nil {
		return "", err
	}
	for ended == "" && err == nil {
		m := c.menu()
		switch {
		case m == nil:
			return choseClosed, nil
		case c.distance(m) == 0:
			return c.confirm()
		default:
			ended, err = c.move(m)
		}
	}
	return ended, err
}

// listen waits until the menu takes presses.
func (c *choice) listen() error {
	fading := func(s emu.State) bool { return s.Menu != nil && !s.Scene.InputReady }
	if err := c.act.await(awaitFrames, fading); err != nil {
		return err
	}
	return c.act.rest(opensDeaf)
}

// menu is the menu that this is about, or nil when it is gone.
func (c *choice) menu() *emu.Menu {
	m := c.act.decoded().Menu
	if m == nil || m.ID != c.menuID || place(m, c.entry.ID) < 0 {
		return nil
	}
	return m
}

// move presses once toward the entry, and once more when the press was lost.
// One press is kept back for A.
func (c *choice) move(m *emu.Menu) (ended string, err error) {
	for range 2 {
		if ended := c.act.bound(2*menuHold, 1); ended != "" {
			return ended, nil
		}
		if _, err := c.act.press(c.toward(m), menuHold); err != nil {
			return "", err
		}
		after := c.menu()
		if after == nil {
			return choseClosed, nil
		}
		if under(after) != under(m) {
			return c.moved(m, after)
		}
	}
	return choseStalled, nil
}

// stand is what a cursor is on. A long list shows a window around the cursor,
// in which it may keep its place while it moves.
type stand struct {
	at int
	id string
}

func under(m *emu.Menu) stand {
	s := stand{at: m.Cursor}
	if m.Cursor >= 0 && m.Cursor < len(m.Entries) {
		s.id = m.Entries[m.Cursor].ID
	}
	return s
}

// moved looks at a cursor that moved: one that comes no nearer does not move
// as this kind of menu does.
func (c *choice) moved(before, after *emu.Menu) (ended string, err error) {
	if isRing(after.ID) {
		c.turns++
	}
	nearer := c.distance(after) < c.distance(before)
	if nearer || isRing(after.ID) && c.turns < len(after.Entries) {
		return "", nil
	}
	return choseStalled, nil
}

// isRing reports whether a menu's cursor goes round its entries in an order of
// its own: the creatures in a battle of four.
func isRing(menuID string) bool { return menuID == "battle-target" }

// columns is how many entries of a menu stand side by side: those of a battle
// stand two by two.
func columns(m *emu.Menu) int {
	switch m.ID {
	case "battle-action-menu", "battle-move-menu", "safari-action-menu":
		return 2
	}
	return max(m.Columns, 1)
}

// apart is how far an entry lies from the cursor: to the right and down.
func apart(m *emu.Menu, to int) (right, down int) {
	n := columns(m)
	return to%n - m.Cursor%n, to/n - m.Cursor/n
}

// distance is how many presses the entry is away.
func (c *choice) distance(m *emu.Menu) int {
	right, down := apart(m, place(m, c.entry.ID))
	away := max(right, -right) + max(down, -down)
	if isRing(m.ID) {
		return min(away, 1)
	}
	return away
}

// toward is the button that brings the cursor nearer. In a grid the column
// comes first, unless an empty slot is in the way.
func (c *choice) toward(m *emu.Menu) emu.Button {
	if isRing(m.ID) {
		return emu.ButtonRight
	}
	right, down := apart(m, place(m, c.entry.ID))
	beside := m.Cursor + min(max(right, -1), 1)
	if right != 0 && !(down != 0 && emptySlot(m, beside)) {
		return either(right < 0, emu.ButtonLeft, emu.ButtonRight)
	}
	return either(down < 0, emu.ButtonUp, emu.ButtonDown)
}

func either(first bool, a, b emu.Button) emu.Button {
	if first {
		return a
	}
	return b
}

// emptySlot reports whether the cursor cannot stand on entry i: a move slot
// without a move.
func emptySlot(m *emu.Menu, i int) bool {
	return i < 0 || i >= len(m.Entries) || strings.HasPrefix(m.Entries[i].ID, "empty-")
}

// confirm presses A on the entry and waits for what it opens. The help screen
// has no entry to press A on; R closes it.
func (c *choice) confirm() (ended string, err error) {
	if ended := c.act.bound(menuHold, 0); ended != "" {
		return ended, nil
	}
	button := either(c.menuID == menuHelp, emu.ButtonR, emu.ButtonA)
	if _, err := c.act.press(button, menuHold); err != nil {
		return "", err
	}
	c.confirmed = true
	return choseEntry, c.act.await(menuWait, passing)
}
