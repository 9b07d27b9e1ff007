package play

import (
	"fmt"
	"strconv"

	"clankie/emu"
)

// CommandKind names something an operator asks of a sitting.
type CommandKind string

// The commands.
const (
	CommandSay        CommandKind = "say"      // Text: a person talking, never an order
	CommandPause      CommandKind = "pause"    // stop before the next turn; no frames run
	CommandResume     CommandKind = "resume"   //
	CommandStep       CommandKind = "step"     // one turn, then pause again
	CommandTakePad    CommandKind = "take-pad" // the operator decides from now on
	CommandGivePad    CommandKind = "give-pad" // the mind that had the pad decides again
	CommandPress      CommandKind = "press"    // Button, Hold: one button_press turn, while the pad is taken
	CommandSave       CommandKind = "save"     // Label may be empty
	CommandLoad       CommandKind = "load"     // ID
	CommandRestart    CommandKind = "restart"  // Pin may be empty: the boot savestate
	CommandBranch     CommandKind = "branch"   // Run and Turn: go on from the end of an earlier turn of the journey
	CommandPin        CommandKind = "pin"      // Pin: the name that the present is pinned under
	CommandSpeed      CommandKind = "speed"    // Speed
	CommandMind       CommandKind = "mind"     // Mind
	CommandStop       CommandKind = "stop"     // end the sitting after the current turn
	CommandDeleteSave CommandKind = "delete-save"
)

// Command is one request to a sitting. Only the fields its kind names are
// read.
type Command struct {
	Kind   CommandKind
	Text   string
	Label  string
	ID     string // a checkpoint's id
	Pin    string
	Run    string // a run's id, "" for the one that is played
	Turn   int
	Button emu.Button
	Hold   int // frames, 1..240; 0 means emu.DefaultHold
	Speed  Speed
	Mind   string
	// Confirm must equal ID, spelt by whoever confirmed, for a deletion.
	Confirm string
}

// press is the action that CommandPress asks for.
func (c Command) press() emu.Action {
	if c.Hold == 0 {
		return emu.Press(c.Button, emu.DefaultHold)
	}
	return emu.Press(c.Button, c.Hold)
}

// Ack says that a command was applied, once, and what came of it.
type Ack struct {
	// Text is the outcome in one line for people.
	Text string
	// CheckpointID names the save that was minted, loaded or deleted.
	CheckpointID string
	// BankedID names the save that holds the present a rewind left.
	BankedID string
	// RAMSHA256 is the digest of RAM after a save, load or restart.
	RAMSHA256 emu.Digest
}

// Speed is how fast a sitting's frames run.
type Speed int

// The speeds. SpeedMax runs frames as fast as the machine can and none while
// nobody acts.
const (
	SpeedMax Speed = 0
	Speed1   Speed = 1
	Speed2   Speed = 2
	Speed4   Speed = 4
)

// ParseSpeed reads 1, 2, 4 or max.
func ParseSpeed(s string) (Speed, error) {
	if s == "max" {
		return SpeedMax, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || (n != 1 && n != 2 && n != 4) {
		return 0, fmt.Errorf("speed %q: must be 1, 2, 4 or max", s)
	}
	return Speed(n), nil
}

// String returns "1", "2", "4" or "max".
func (s Speed) String() string {
	if s == SpeedMax {
		return "max"
	}
	return strconv.Itoa(int(s))
}

// Pace returns the frames per second that s stands for.
func (s Speed) Pace() emu.Pace {
	return emu.Pace{FramesPerSecond: float64(s) * emu.FrameRate}
}
