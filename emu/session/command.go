package session

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"clankie/emu"
)

// rawJSON is a value kept as it was written.
type rawJSON = jsontext.Value

// Kinds in a start_action command.
const (
	commandStartAction = "start_action"
	requestKind        = "gba_emulator_action"
)

// Lane is where a command comes from.
type Lane string

// The lanes.
const (
	LaneTUI      Lane = "tui"
	LaneVoice    Lane = "discord_voice"
	LanePresence Lane = "discord_presence"
	LaneGameplay Lane = "gameplay"
)

// laneTiers says which tier a command of each lane carries.
var laneTiers = map[Lane]string{
	LaneTUI: "authenticated", LaneVoice: "ambient", LanePresence: "ambient", LaneGameplay: "autonomous",
}

// Context is on whose behalf a command is given. Members it does not know are
// kept and ignored.
type Context struct {
	SourceLane          Lane      `json:"sourceLane"`
	Authority           Requester `json:"authority"`
	CorrelationID       string    `json:"correlationId"`
	CausationID         string    `json:"causationId,omitzero"`
	ExpectedGoalVersion int       `json:"expectedGoalVersion"`
	More                rawJSON   `json:",embed"`
}

// UnmarshalJSON keeps the members it does not know, unlike everything around
// it.
func (c *Context) UnmarshalJSON(data []byte) error {
	type plain Context
	return json.Unmarshal(data, (*plain)(c))
}

// Validate checks that the tier is the lane's; the system may use any lane.
func (c Context) Validate() error {
	tier, ok := laneTiers[c.SourceLane]
	if !ok {
		return fmt.Errorf("sourceLane: %q is no lane", c.SourceLane)
	}
	if err := c.Authority.validate(); err != nil {
		return fmt.Errorf("authority: %w", err)
	}
	system := c.Authority.Tier == "system" && c.Authority.Principal.Kind == "system"
	if c.Authority.Tier != tier && !system {
		return fmt.Errorf("authority.tier: %q does not come by lane %s", c.Authority.Tier, c.SourceLane)
	}
	if c.CorrelationID == "" {
		return fmt.Errorf("correlationId: must not be empty")
	}
	if c.ExpectedGoalVersion < 0 {
		return fmt.Errorf("expectedGoalVersion: %d must not be negative", c.ExpectedGoalVersion)
	}
	return nil
}

// Request is an action with its limits.
type Request struct {
	Kind   string     `json:"kind"` // gba_emulator_action
	Action emu.Action `json:"action"`
	Limits emu.Limits `json:"limits"`
}

// Command asks for one action.
type Command struct {
	SchemaVersion int     `json:"schemaVersion"` // 1
	CommandID     string  `json:"commandId"`
	Context       Context `json:"context"`
	RequestedAt   Instant `json:"requestedAt"`
	Type          string  `json:"type"` // start_action
	SessionID     string  `json:"sessionId"`
	ActionID      string  `json:"actionId"`
	Action        Request `json:"action"`
}

// Validate checks the command against its strict schema. What does not fit is
// refused with invalid_emulator_command.
func (c Command) Validate() error {
	if err := c.validate(); err != nil {
		return &emu.Error{Code: emu.CodeInvalidCommand, Message: err.Error()}
	}
	return nil
}

func (c Command) validate() error {
	switch {
	case c.SchemaVersion != 1:
		return fmt.Errorf("schemaVersion: %d is not 1", c.SchemaVersion)
	case !validID(c.CommandID):
		return fmt.Errorf("commandId: must have 1 to %d characters", maxID)
	case !c.RequestedAt.Valid():
		return fmt.Errorf("requestedAt: %q is no UTC time", c.RequestedAt)
	case c.Type != commandStartAction:
		return fmt.Errorf("type: %q is not %s", c.Type, commandStartAction)
	case c.SessionID == "":
		return fmt.Errorf("sessionId: must not be empty")
	case !validID(c.ActionID):
		return fmt.Errorf("actionId: must have 1 to %d characters", maxID)
	case c.Action.Kind != requestKind:
		return fmt.Errorf("action.kind: %q is not %s", c.Action.Kind, requestKind)
	case c.Action.Action.IsBodyAction():
		return fmt.Errorf("action.action: %s goes to the checkpoint port, not to a body", c.Action.Action.Kind)
	}
	if err := c.Context.Validate(); err != nil {
		return fmt.Errorf("context: %w", err)
	}
	if err := c.Action.Action.Validate(); err != nil {
		return fmt.Errorf("action.action: %w", err)
	}
	return validLimits(c.Action.Limits)
}

func validLimits(l emu.Limits) error {
	switch {
	case l.MaxInputs < 1 || l.MaxInputs > emu.MaxInputsLimit:
		return fmt.Errorf("action.limits.maxInputs: %d must be 1 to %d", l.MaxInputs, emu.MaxInputsLimit)
	case l.MaxFrames < 1 || l.MaxFrames > emu.MaxFramesLimit:
		return fmt.Errorf("action.limits.maxFrames: %d must be 1 to %d", l.MaxFrames, emu.MaxFramesLimit)
	case l.TimeoutMS < 1:
		return fmt.Errorf("action.limits.timeoutMs: %d must be at least 1", l.TimeoutMS)
	}
	return nil
}

// ParseCommand reads a start_action command strictly.
func ParseCommand(data []byte) (Command, error) {
	var c Command
	if err := emu.UnmarshalStrict(data, &c); err != nil {
		return Command{}, &emu.Error{Code: emu.CodeInvalidCommand, Message: emu.Clip(emu.Clean(err.Error()), maxReason), Err: err}
	}
	return c, c.Validate()
}
