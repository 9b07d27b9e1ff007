package body

import "clankie/emu"

// Why an action stopped before its end: its frames, or its presses, were
// spent.
const (
	endedByFrames = "frame_bound_reached"
	endedByInputs = "input_bound_reached"
)

func decodes(s emu.State) bool {
	return s.Scene.Mode != emu.ModeUnknown && s.Scene.Mode != ""
}

// addPlace adds where the player stands and looks; null is not known.
func addPlace(out map[string]any, s emu.State) {
	out["position"], out["facing"] = nil, nil
	if s.Overworld == nil {
		return
	}
	out["position"] = s.Overworld.Position
	if s.Overworld.Facing != "" {
		out["facing"] = string(s.Overworld.Facing)
	}
}

// addChange adds whether the player moved and turned; null is not known.
func addChange(out map[string]any, before, after emu.State) {
	out["moved"], out["turned"] = nil, nil
	b, a := before.Overworld, after.Overworld
	if b == nil || a == nil {
		return
	}
	out["moved"] = b.Position != a.Position
	if b.Facing != "" && a.Facing != "" {
		out["turned"] = b.Facing != a.Facing
	}
}

// addSurroundings adds the neighbouring tiles; null is not known.
func addSurroundings(out map[string]any, s emu.State) {
	out["surroundings"] = nil
	if s.Overworld != nil && s.Overworld.Surroundings != nil {
		out["surroundings"] = s.Overworld.Surroundings
	}
}

// addText adds the lines of an open box and the open menu, where there are.
func addText(out map[string]any, s emu.State) {
	if lines := textLines(s); len(lines) > 0 {
		out["dialogLines"] = lines
	}
	if s.Menu == nil {
		return
	}
	if menu, ok := s.Menu.Observation(); ok {
		out["menu"] = menu
	}
}

// textLines is the text on screen: a message box, or a battle's line.
func textLines(s emu.State) []string {
	if s.Dialog != nil {
		return s.Dialog.StrictLines()
	}
	if s.Battle != nil && s.Scene.Mode == emu.ModeBattle {
		return (&emu.Dialog{Lines: s.Battle.Text}).StrictLines()
	}
	return nil
}
