package journal

import "clankie/emu"

// What observations say is read from the journal as it stands there: JSON
// objects of whatever the writer knew. Anything missing or of another shape
// was not seen.

// of is the data of the observation of kind, or nil.
func (o Observation) of(kind emu.ObservationKind) map[string]any {
	for _, e := range o.Observations {
		if e.Kind == kind {
			data, _ := e.Data.(map[string]any)
			return data
		}
	}
	return nil
}

// scene is what kind of moment was observed; ok is false when that was not
// seen.
func (o Observation) scene() (scene emu.SceneData, ok bool) {
	data := o.of(emu.ObserveScene)
	mode, ok := data["mode"].(string)
	if !ok {
		return emu.SceneData{}, false
	}
	scene.Mode = emu.Mode(mode)
	scene.InputReady, _ = data["inputReady"].(bool)
	scene.WaitingForDialogAdvance, _ = data["waitingForDialogAdvance"].(bool)
	return scene, true
}

// position is where the player stood; ok is false when that was not seen.
func (o Observation) position() (p emu.Position, ok bool) {
	data, _ := o.of(emu.ObserveOverworld)["position"].(map[string]any)
	mapID, named := data["mapId"].(string)
	x, hasX := data["x"].(float64)
	y, hasY := data["y"].(float64)
	return emu.Position{MapID: mapID, X: int(x), Y: int(y)}, named && hasX && hasY
}
