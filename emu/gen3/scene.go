package gen3

import "clankie/emu"

// Offsets in gMain (struct Main) and gTasks (struct Task, 16 × 0x28).
const (
	mainCallback1 = 0x0
	mainCallback2 = 0x4

	taskCount  = 16
	taskStride = 0x28
	taskFunc   = 0x0
	taskActive = 0x4
	taskData   = 0x8
)

// Values of sGlobalScriptContextStatus and of ScriptContext.mode.
const (
	scriptShutDown   = 2
	scriptModeNative = 2
)

// questLogPlayback is the first value of gQuestLogState at which the field shows
// what happened before the game was saved (FireRed, LeafGreen).
const questLogPlayback = 2

// moment is what the game itself says it is doing this frame: which screen's
// callback runs, which tasks are active. Everything else in memory may be left
// over from earlier.
type moment struct {
	role     role
	screen   emu.Screen
	inBattle bool
	help     bool

	tasks [taskCount]role // of the active tasks
}

func (d *decoder) readMoment() moment {
	ram := &d.p.RAM
	entry := d.p.codeAt(d.u32(ram.Main + mainCallback2))
	m := moment{role: entry.role, screen: entry.screen}
	if m.role == roleField && d.u8(ram.QuestLog) >= questLogPlayback {
		m.role, m.screen = roleScene, "quest_log"
	}
	if d.u32(ram.Main+mainCallback2) == 0 {
		// Before the first callback is set nothing is running.
		m.role, m.screen = roleOpening, "unknown"
	}
	m.inBattle = d.u8(ram.Main+d.p.Layout.InBattle)&2 != 0
	m.help = d.u8(ram.HelpOpen) != 0
	if tasks := d.bytes(ram.Tasks, taskCount*taskStride); tasks != nil {
		for i := range m.tasks {
			t := tasks[i*taskStride:]
			if t[taskActive] != 0 {
				m.tasks[i] = d.p.codeAt(le32(t, taskFunc)).role
			}
		}
	}
	return m
}

// task returns the address of the data of the first active task with role r.
func (m *moment) task(d *decoder, r role) (data uint32, ok bool) {
	for i, t := range m.tasks {
		if t == r {
			return d.p.RAM.Tasks + uint32(i)*taskStride + taskData, true
		}
	}
	return 0, false
}

// hasTask reports whether a task with role r is active.
func (m *moment) hasTask(r role) bool {
	for _, t := range m.tasks {
		if t == r {
			return true
		}
	}
	return false
}

// battleLive reports whether a battle is on and its data is this battle's.
// gMain.inBattle stays set through the evolutions after it, and the battle's
// own variables stay for ever.
func (d *decoder) battleLive() bool {
	if !d.now.inBattle {
		return false
	}
	switch d.now.role {
	case roleBattle, roleBattleLoading:
		return true
	case roleNaming, roleNamingLoading:
		return true
	}
	return d.now.role.wholeScreen() // opened from the battle
}

// fieldLive reports whether the field is on screen.
func (d *decoder) fieldLive() bool { return d.now.role == roleField && !d.now.inBattle }

// scriptParked reports whether the field's script waits for A or B. The
// context's native pointer is stale unless its mode says so.
func (d *decoder) scriptParked() bool {
	ctx := d.p.RAM.ScriptContext
	return d.u8(ctx+1) == scriptModeNative &&
		d.u8(d.p.RAM.ScriptStatus) != scriptShutDown &&
		d.p.codeAt(d.u32(ctx+4)).role == roleWaitButton
}

// controlsFree reports whether the field's controls are not held: the field's
// callback runs, nothing locks it and no help screen lies over it.
func (d *decoder) controlsFree() bool {
	return d.now.role == roleField && !d.now.help && d.u8(d.p.RAM.LockFieldControls) == 0
}

// fading reports whether a palette fade runs: bit 7 of byte 7 of gPaletteFade.
func (d *decoder) fading() bool { return d.u8(d.p.RAM.PaletteFade+7)&0x80 != 0 }

// fieldReady reports whether a directional press would walk now.
func (d *decoder) fieldReady() bool {
	ram := &d.p.RAM
	return d.fieldLive() && d.controlsFree() &&
		d.p.codeAt(d.u32(ram.Main+mainCallback1)).role == roleFieldInput &&
		d.u8(ram.ScriptStatus) == scriptShutDown &&
		!d.fading() && !d.playerMoving() &&
		!d.now.hasTask(roleScriptMovement)
}

// decodeScene says what kind of moment the frame is, from the parts decoded
// before.
func (d *decoder) decodeScene() {
	s := &d.st.Scene
	s.Mode, s.Screen = d.sceneMode()
	s.WaitingForDialogAdvance = d.st.Dialog != nil && d.st.Dialog.Waiting
	s.InputReady = d.inputReady()
}

// inputReady: while the picture fades no screen takes a press.
func (d *decoder) inputReady() bool {
	if d.fading() {
		return false
	}
	if d.st.Naming != nil {
		return !d.st.Naming.Loading
	}
	if d.st.Menu != nil {
		return true
	}
	if d.st.Battle != nil {
		return d.st.Battle.Prompt != emu.PromptNone
	}
	return d.st.Overworld != nil && d.st.Overworld.InputReady
}

func (d *decoder) sceneMode() (emu.Mode, emu.Screen) {
	switch {
	case d.now.help:
		return emu.ModeMenu, "help"
	case d.now.role == roleNaming, d.now.role == roleNamingLoading:
		return emu.ModeNaming, d.now.screen
	case d.now.role.wholeScreen() && d.st.Menu == nil && d.st.Dialog != nil:
		return emu.ModeDialog, d.now.screen
	case d.now.role.wholeScreen():
		return emu.ModeMenu, d.now.screen
	case d.st.Battle != nil:
		return d.battleMode(), d.battleScreen()
	}
	switch d.now.role {
	case roleMainMenu:
		return d.mainMenuMode()
	case roleField:
		return d.fieldMode()
	case roleBattle:
		return emu.ModeCutscene, d.now.screen
	case roleLoading, roleBattleLoading:
		return emu.ModeCutscene, "transition"
	case roleScene:
		if d.st.Dialog != nil {
			return emu.ModeDialog, d.now.screen
		}
		return emu.ModeCutscene, d.now.screen
	}
	return emu.ModeUnknown, "unknown"
}

// mainMenuMode: in Emerald, Ruby and Sapphire the speech before a new game runs
// under the main menu's callback.
func (d *decoder) mainMenuMode() (emu.Mode, emu.Screen) {
	switch {
	case d.now.hasTask(roleNewGame):
		return emu.ModeUnknown, "new_game"
	case d.st.Menu != nil:
		return emu.ModeMenu, d.now.screen
	}
	return emu.ModeUnknown, d.now.screen
}

// battleMode is won or lost from the moment the game says so.
func (d *decoder) battleMode() emu.Mode {
	switch d.st.Battle.Outcome {
	case 1:
		return emu.ModeBattleWon
	case 2, 9: // lost, forfeited
		return emu.ModeBattleLost
	}
	return emu.ModeBattle
}

func (d *decoder) battleScreen() emu.Screen {
	if d.st.Menu != nil && d.st.Menu.ID == menuYesNo {
		return "yes_no"
	}
	return "battle"
}

// menuScreens names the screens of the menus that lie over the field.
var menuScreens = map[string]emu.Screen{
	menuYesNo:       "yes_no",
	menuMultichoice: "multichoice",
	menuStart:       "start_menu",
	menuShop:        "shop",
	menuList:        "list",
	menuStoragePC:   "pc",
	menuPlayerPC:    "pc",
	menuItemStorage: "pc",
	menuMailOptions: "pc",
}

// fieldMode: what plays by itself on the field is shown there, so the mode alone
// says that nobody can walk.
func (d *decoder) fieldMode() (emu.Mode, emu.Screen) {
	if d.st.Menu != nil {
		if screen, ok := menuScreens[d.st.Menu.ID]; ok {
			return emu.ModeMenu, screen
		}
		return emu.ModeMenu, "menu"
	}
	if d.st.Dialog != nil {
		return emu.ModeDialog, "dialog"
	}
	if !d.controlsFree() || d.u8(d.p.RAM.ScriptStatus) != scriptShutDown {
		return emu.ModeCutscene, d.now.screen
	}
	return emu.ModeOverworld, d.now.screen
}
