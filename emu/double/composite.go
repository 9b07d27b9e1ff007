package double

import (
	"fmt"
	"slices"

	"clankie/emu"
)

// walkTo walks the shortest way, as far as the limits allow.
func (act *acting) walkTo(to emu.Point) (map[string]any, *emu.Error) {
	m := act.machine
	switch {
	case m.mode != modeOverworld || m.menu != nil:
		return nil, refuse(emu.CodeWalkNeedsOverworld, fmt.Sprintf("the scene is %s", m.scene().Mode))
	case !m.scenario.Map.has(to):
		return nil, &emu.Error{
			Code: emu.CodeWalkOutside, Message: "the target is not on the map",
			Detail: fmt.Sprintf("x is 0 to %d, y is 0 to %d", m.scenario.Map.Width-1, m.scenario.Map.Height-1),
		}
	case !m.open(to) && to != m.at:
		return nil, &emu.Error{Code: emu.CodeWalkImpassable, Message: "the target cannot be walked on", Detail: m.nearest(to)}
	}
	way, found := m.route(to)
	if !found {
		return nil, &emu.Error{Code: emu.CodeNoPath, Message: "no way leads to the target", Detail: m.nearest(to)}
	}
	steps, stopped := 0, ""
	for _, d := range way {
		if stopped = act.bound(stepHold); stopped != "" || act.ctx.Err() != nil {
			break
		}
		act.press(d.Button(), stepHold)
		steps++
	}
	out := act.outcome()
	out["target"], out["plannedSteps"], out["steps"] = to, len(way), steps
	out["arrived"], out["blockedAt"], out["warped"] = m.at == to, nil, false
	out["inputReady"] = act.observed().State.Overworld.InputReady
	if stopped != "" {
		out["endedBecause"] = stopped
	}
	act.addSurroundings(out)
	delete(out, "dialogLines")
	delete(out, "menu")
	return out, nil
}

// reach returns the tiles that can be walked to, nearest first, and the step
// that leads to each.
func (m *machine) reach() (order []emu.Point, by map[emu.Point]emu.Direction) {
	order, by = []emu.Point{m.at}, map[emu.Point]emu.Direction{m.at: ""}
	for i := 0; i < len(order); i++ {
		for _, d := range emu.Directions {
			dx, dy := d.Delta()
			next := emu.Point{X: order[i].X + dx, Y: order[i].Y + dy}
			if _, seen := by[next]; seen || !m.open(next) {
				continue
			}
			by[next] = d
			order = append(order, next)
		}
	}
	return order, by
}

func (m *machine) route(to emu.Point) (way []emu.Direction, found bool) {
	_, by := m.reach()
	if _, found = by[to]; !found {
		return nil, false
	}
	for p := to; p != m.at; {
		d := by[p]
		way = append(way, d)
		dx, dy := d.Delta()
		p = emu.Point{X: p.X - dx, Y: p.Y - dy}
	}
	slices.Reverse(way)
	return way, true
}

// nearest says which tile nearest to a target can be walked to.
func (m *machine) nearest(to emu.Point) string {
	order, _ := m.reach()
	best := m.at
	for _, p := range order {
		if distance(p, to) < distance(best, to) {
			best = p
		}
	}
	if best == m.at {
		return "nothing nearer than here can be reached"
	}
	return fmt.Sprintf("the nearest tile that can be reached is (%d, %d)", best.X, best.Y)
}

// advanceDialog reads until the battle begins.
func (act *acting) advanceDialog() (map[string]any, *emu.Error) {
	if act.machine.mode != modeDialog {
		return nil, refuse(emu.CodeDialogNotOpen, "no message box is open")
	}
	var transcript []string
	ended := ""
	for act.machine.mode == modeDialog && ended == "" && act.ctx.Err() == nil {
		if line := act.machine.lines[act.machine.line]; len(transcript) == 0 || transcript[len(transcript)-1] != line {
			transcript = append(transcript, line)
		}
		if ended = act.bound(textHold); ended == "" {
			act.press(emu.ButtonA, textHold)
		}
	}
	if ended == "" {
		ended = "battle_started"
	}
	out := act.outcome()
	out["transcript"], out["presses"], out["framesSpent"], out["endedBecause"] = transcript, act.inputs, act.frames, ended
	return out, nil
}

// selectEntry moves the cursor to an entry and presses A.
func (act *acting) selectEntry(id string) (map[string]any, *emu.Error) {
	m := act.machine
	if m.menu == nil {
		return nil, refuse(emu.CodeMenuNotOpen, "no menu is open")
	}
	index := slices.IndexFunc(m.menu.Entries, func(e emu.MenuEntry) bool { return e.ID == id })
	if index < 0 {
		return nil, refuse(emu.CodeMenuEntryNotFound, fmt.Sprintf("the menu has no entry %q", emu.Clean(id)))
	}
	menuID, label := m.menu.MenuID, m.menu.Entries[index].Label
	ended := ""
	for ended == "" && act.ctx.Err() == nil {
		switch bound := act.bound(menuHold); {
		case bound != "":
			ended = bound
		case m.menu.Cursor == index:
			act.press(emu.ButtonA, menuHold)
			ended = "selected"
		case act.inputs == act.limits.MaxInputs-1: // one is kept for A
			ended = endedByInputs
		default:
			before := m.menu.Cursor
			act.press(toward(m.menu, index), menuHold)
			if m.menu.Cursor == before {
				ended = "cursor_stalled"
			}
		}
	}
	out := act.outcome()
	out["menuId"], out["entryId"], out["label"], out["confirmed"] = menuID, id, label, ended == "selected"
	out["presses"], out["framesSpent"], out["endedBecause"] = act.inputs, act.frames, ended
	return out, nil
}

// toward is the press that brings the cursor nearer to an entry. The moves of
// a battle stand in a square, everything else in a list.
func toward(m *menu, index int) emu.Button {
	switch {
	case m.MenuID != battleMenuID && index < m.Cursor:
		return emu.ButtonUp
	case m.MenuID != battleMenuID:
		return emu.ButtonDown
	case (index^m.Cursor)&1 != 0 && index&1 == 0:
		return emu.ButtonLeft
	case (index^m.Cursor)&1 != 0 && m.Cursor^1 < len(m.Entries):
		return emu.ButtonRight
	case index&2 == 0:
		return emu.ButtonUp
	}
	return emu.ButtonDown
}
