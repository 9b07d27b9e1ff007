package session

import (
	"fmt"

	"github.com/go-json-experiment/json"

	"clankie/emu"
)

// admit checks an action in the order that refusals take precedence. known is
// true when the action completed before and stored is how.
func (a *BodyAdapter) admit(cmd Command) (stored emu.ActionResult, known bool, refusal *emu.Error) {
	if err := cmd.validate(); err != nil {
		return stored, false, &emu.Error{Code: emu.CodeInvalidCommand, Message: err.Error()}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if cmd.SessionID != a.spec.SessionID {
		return stored, false, &emu.Error{Code: emu.CodeSessionMismatch, Message: "the action is for another session"}
	}
	if stored, known = a.memory.recall(cmd.ActionID); known {
		return stored, true, nil
	}
	return stored, false, a.refuse(cmd.Action)
}

func (a *BodyAdapter) refuse(q Request) *emu.Error {
	bounds := a.spec.ResourceBounds
	switch {
	case a.stopped:
		return errStopped
	case a.paused:
		return errPaused
	case a.uncertain:
		return &emu.Error{Code: emu.CodeUncertainState, Message: "the evidence of this session is broken; nothing is done on top of it"}
	case !bounds.admits(q.Limits):
		return &emu.Error{Code: emu.CodeLimitsExceedLease, Message: fmt.Sprintf(
			"the lease allows %d inputs, %d frames and %d ms for an action, asked for are %d, %d and %d",
			bounds.MaxInputsPerAction, bounds.MaxFramesPerAction, bounds.MaxActionDurationMS,
			q.Limits.MaxInputs, q.Limits.MaxFrames, q.Limits.TimeoutMS,
		)}
	case !bounds.Allow(needs(q.Action.Kind)):
		return notGranted(needs(q.Action.Kind))
	case a.chain.Full():
		a.uncertain = true
		return &emu.Error{Code: emu.CodeEvidenceBound, Message: "the window of evidence is full"}
	}
	return nil
}

// needs is the capability that an action takes. Actions made of several
// presses need no more than a press.
func needs(kind emu.ActionKind) Capability {
	if kind == emu.ActionFrameAdvance {
		return CapabilityFrameAdvance
	}
	return CapabilityInput
}

func notGranted(c Capability) *emu.Error {
	return &emu.Error{Code: emu.CodeCapabilityNotGranted, Message: fmt.Sprintf("the lease does not grant %s", c)}
}

// rememberedActions bounds what an adapter remembers, like the records of
// free play.
const rememberedActions = 128

// memory holds how the latest completed actions ended, as copies: an outcome is
// handed out each time, and whoever gets it may change it.
type memory struct {
	order   []string
	results map[string]remembered
}

// remembered is a result without its outcome, and that as JSON.
type remembered struct {
	result  emu.ActionResult
	outcome rawJSON
}

func (m *memory) keep(id string, r emu.ActionResult) {
	outcome, err := json.Marshal(r.Outcome)
	if err != nil {
		return // the record cannot be written either, and says so
	}
	if m.results == nil {
		m.results = map[string]remembered{}
	}
	if len(m.order) == rememberedActions {
		delete(m.results, m.order[0])
		m.order = m.order[1:]
	}
	m.order = append(m.order, id)
	r.Outcome = nil
	m.results[id] = remembered{r, outcome}
}

func (m *memory) recall(id string) (emu.ActionResult, bool) {
	kept, ok := m.results[id]
	r := kept.result
	if ok && json.Unmarshal(kept.outcome, &r.Outcome) != nil {
		r.Outcome = nil // never so: this program wrote it
	}
	return r, ok
}
