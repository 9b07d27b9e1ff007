package emu

func observeMenu(in ObservationInput) (MenuData, *Error) {
	if in.State.Menu == nil {
		return MenuData{}, refuse(CodeMenuNotOpen, "no menu is open")
	}
	data, ok := in.State.Menu.Observation()
	if !ok {
		return MenuData{}, refuse(CodeMenuNotOpen, "a menu is open whose entries or cursor cannot be told")
	}
	return data, nil
}

// Observation returns the strict shape of m: the window of its entries around
// the cursor, and the cursor within it. ok is false when the menu has no
// entries or its cursor is out of bounds.
func (m *Menu) Observation() (data MenuData, ok bool) {
	entries, cursor := m.window()
	if len(entries) == 0 || !within(cursor, 0, maxMenuCursor) || !validID(m.ID) {
		return MenuData{}, false
	}
	data = MenuData{MenuID: m.ID, Cursor: cursor, Entries: make([]MenuEntry, len(entries)), Untrusted: true}
	for i, e := range entries {
		data.Entries[i] = MenuEntry{ID: Clip(e.ID, maxID), Label: Clip(e.Label, maxLabel)}
		if e.Label == "" {
			data.Entries[i].Label = data.Entries[i].ID
		}
	}
	return data, true
}

func (m *Menu) window() (entries []MenuEntry, cursor int) {
	if len(m.Entries) <= menuWindow {
		return m.Entries, m.Cursor
	}
	first := min(max(m.Cursor-menuWindowAbove, 0), len(m.Entries)-menuWindow)
	return m.Entries[first : first+menuWindow], m.Cursor - first
}

// observeDialog serves every box outside battle, one with a menu beside it
// included: the menu's question is in the box.
func observeDialog(in ObservationInput) (DialogData, *Error) {
	d := in.State.Dialog
	if d == nil || in.State.Scene.Mode.InBattle() {
		return DialogData{}, refuse(CodeDialogNotOpen, "no message box is open")
	}
	if len(d.Lines) > maxDialogLines {
		return DialogData{}, refuse(CodeDialogCorrupt, "the message box has more lines than one can show")
	}
	speaker := Clip(in.Speaker, maxID)
	if speaker == "" {
		speaker = "game"
	}
	return DialogData{Speaker: speaker, Lines: d.StrictLines(), Untrusted: true}, nil
}

// StrictLines returns the box's lines within the bounds of the wire format:
// at most 8 lines of at most 512 UTF-16 code units.
func (d *Dialog) StrictLines() []string {
	lines := make([]string, min(len(d.Lines), maxDialogLines))
	for i := range lines {
		lines[i] = Clip(d.Lines[i], maxDialogLine)
	}
	return lines
}

// InBattle reports whether m is a battle or what is left of one on screen.
func (m Mode) InBattle() bool {
	return m == ModeBattle || m == ModeBattleWon || m == ModeBattleLost
}
