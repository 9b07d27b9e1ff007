package journal

import (
	"reflect"
	"slices"

	"clankie/emu"
)

// Verdict is one judgement of a turn.
type Verdict string

// The verdicts. Unknown is one of every question's: evidence that is missing
// is never guessed.
const (
	Unknown       Verdict = "unknown"
	NotApplicable Verdict = "not_applicable"

	Aligned    Verdict = "aligned"
	Misaligned Verdict = "misaligned"

	PlanContinued Verdict = "continued"
	PlanChanged   Verdict = "changed"
	PlanCleared   Verdict = "cleared"

	Appropriate   Verdict = "appropriate"
	Inappropriate Verdict = "inappropriate"

	Effective   Verdict = "effective"
	Ineffective Verdict = "ineffective"

	Recovered             Verdict = "recovered"
	ChangedWithoutSuccess Verdict = "changed_without_success"
	Repeated              Verdict = "repeated"
)

// TurnVerdicts are the judgements of one turn.
type TurnVerdicts struct {
	Turn       int             `json:"turn"`
	At         string          `json:"at"`
	Outcome    Outcome         `json:"outcome"`
	ActionKind *emu.ActionKind `json:"actionKind"`
	DecisionMS *float64        `json:"decisionMs"`
	ActionMS   *float64        `json:"actionMs"`
	// IntentToAction says whether the action goes with what was wanted.
	IntentToAction Verdict `json:"intentToAction"`
	// GoalToAction says the same of the objective. An objective is further
	// away than an action, so that not to name it proves nothing.
	GoalToAction   Verdict `json:"goalToAction"`
	PlanContinuity Verdict `json:"planContinuity"` // of the objective
	// SceneAction says whether the moment was one for such an action.
	SceneAction Verdict `json:"sceneActionAppropriateness"`
	// Movement says whether an action that should move the player did.
	Movement Verdict `json:"movementEffectiveness"`
	// Recovery says how the turn after a refused one answered the refusal.
	Recovery  Verdict `json:"rejectionRecovery"`
	Narration Verdict `json:"narration"`
}

// matcher is IntentMatches or its older like.
type matcher func(intent string, a emu.Action) bool

// judge judges a turn, given the one before it or nil.
func judge(l TurnLine, before *TurnLine, matches matcher) TurnVerdicts {
	v := TurnVerdicts{
		Turn: l.Turn.Turn, At: l.At, Outcome: l.Turn.Outcome,
		IntentToAction: intentToAction(l.Turn, matches),
		GoalToAction:   goalToAction(l.Turn, matches),
		PlanContinuity: planContinuity(l, before),
		SceneAction:    sceneAction(l),
		Movement:       movement(l),
		Recovery:       recovery(l, before),
	}
	if l.Turn.Action != nil {
		v.ActionKind = &l.Turn.Action.Kind
	}
	if l.Evidence != nil {
		v.DecisionMS, v.ActionMS = l.Evidence.Timing.durations()
	}
	return v
}

func intentToAction(t TurnRecord, matches matcher) Verdict {
	switch {
	case t.Action == nil || blank(t.Intent):
		return Unknown
	case matches(*t.Intent, *t.Action):
		return Aligned
	}
	return Misaligned
}

func goalToAction(t TurnRecord, matches matcher) Verdict {
	if t.Action != nil && !blank(t.Objective) && matches(*t.Objective, *t.Action) {
		return Aligned
	}
	return Unknown
}

// planContinuity compares objectives. A turn without a decision had no say.
func planContinuity(l TurnLine, before *TurnLine) Verdict {
	previous, known := previousObjective(l, before)
	if !known || l.Turn.Action == nil {
		return Unknown
	}
	now := l.Turn.Objective
	switch {
	case blank(previous) && blank(now):
		return Unknown
	case blank(now):
		return PlanCleared
	case blank(previous) || *previous != *now:
		return PlanChanged
	}
	return PlanContinued
}

func previousObjective(l TurnLine, before *TurnLine) (objective *string, known bool) {
	if l.Evidence != nil {
		return l.Evidence.Signals.PreviousObjective, true
	}
	if follows(l, before) {
		return before.Turn.Objective, true
	}
	return nil, false
}

// follows reports whether no turn is missing between the two.
func follows(l TurnLine, before *TurnLine) bool {
	return before != nil && l.Turn.Turn == before.Turn.Turn+1
}

func sceneAction(l TurnLine) Verdict {
	if l.Evidence == nil || l.Turn.Action == nil {
		return Unknown
	}
	observed := l.Evidence.before()
	scene, ok := observed.scene()
	if !ok {
		return Unknown
	}
	fits, known := fitsScene(l.Turn.Action.Kind, scene, observed)
	switch {
	case !known:
		return Unknown
	case fits:
		return Appropriate
	}
	return Inappropriate
}

// fitsScene reports whether the scene is one for actions of kind. Actions
// that concern time itself fit all or none: known is false.
func fitsScene(kind emu.ActionKind, s emu.SceneData, o Observation) (fits, known bool) {
	switch kind {
	case emu.ActionButtonPress, emu.ActionFrameAdvance:
		return true, true
	case emu.ActionWalkTo:
		return s.Mode == emu.ModeOverworld && s.InputReady, true
	case emu.ActionEnterText:
		return s.Mode == emu.ModeNaming, true
	case emu.ActionSelectMenuEntry:
		// A battle's menus are menus too, and are observed as such.
		return s.Mode == emu.ModeMenu || s.Mode != emu.ModeUnknown && o.of(emu.ObserveMenu) != nil, true
	case emu.ActionAdvanceDialog:
		talking := s.Mode == emu.ModeDialog || s.Mode.InBattle() || s.WaitingForDialogAdvance || !s.InputReady
		return talking && s.Mode != emu.ModeUnknown, true
	}
	return false, false
}

var directions = []emu.Button{emu.ButtonUp, emu.ButtonDown, emu.ButtonLeft, emu.ButtonRight}

// movement compares where the player stood before and after.
func movement(l TurnLine) Verdict {
	if l.Turn.Action == nil {
		return NotApplicable
	}
	walks := l.Turn.Action.Kind == emu.ActionWalkTo
	if !walks && (!slices.Contains(directions, l.Turn.Action.Button) || steersElse(l)) {
		return NotApplicable
	}
	if l.Turn.Outcome != OutcomeAccepted {
		return Ineffective
	}
	if l.Evidence == nil || l.Evidence.PostAction == nil {
		return Unknown
	}
	from, seen := l.Evidence.before().position()
	to, seenAfter := l.Evidence.PostAction.position()
	switch {
	case !seen || !seenAfter:
		return Unknown
	case from == to:
		return Ineffective
	}
	return Effective
}

// steersElse reports whether a direction was pressed where it moves a cursor.
func steersElse(l TurnLine) bool {
	if l.Evidence == nil {
		return false
	}
	scene, ok := l.Evidence.before().scene()
	return ok && scene.Mode != emu.ModeOverworld && scene.Mode != emu.ModeUnknown
}

// recovery is about turns that follow a refused one.
func recovery(l TurnLine, before *TurnLine) Verdict {
	switch {
	case before == nil || before.Turn.Outcome != OutcomeRejected:
		return NotApplicable
	case !follows(l, before) || l.Turn.Action == nil || before.Turn.Action == nil:
		return Unknown
	case l.Turn.Outcome == OutcomeAccepted:
		return Recovered
	case reflect.DeepEqual(l.Turn.Action, before.Turn.Action):
		return Repeated
	}
	return ChangedWithoutSuccess
}

// durations are how long deciding and acting took, in milliseconds.
func (t Timing) durations() (decision, action *float64) {
	decision = between(&t.DecisionStartedAt, &t.DecisionSettledAt)
	return decision, between(t.ActionStartedAt, t.ActionSettledAt)
}

// between is nil where a moment is missing or the clock went back.
func between(from, to *string) *float64 {
	if from == nil || to == nil {
		return nil
	}
	start, ok := emu.ParseMoment(*from)
	end, okToo := emu.ParseMoment(*to)
	if !ok || !okToo || end.Before(start) {
		return nil
	}
	ms := float64(end.Sub(start).Microseconds()) / 1000
	return &ms
}
