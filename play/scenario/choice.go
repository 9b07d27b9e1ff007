package scenario

import "clankie/emu"

// Reason names why a decision was taken. Those that begin with halt_ take no
// action and end the run.
type Reason string

// The reasons of both drivers.
const (
	ReasonUncertain   Reason = "halt_uncertain_state"
	ReasonBattleWon   Reason = "halt_battle_won"
	ReasonReached     Reason = "halt_target_reached"
	ReasonUnreachable Reason = "halt_route_unreachable"

	ReasonResolve     Reason = "wait_battle_resolution"
	ReasonToFight     Reason = "move_action_cursor_to_fight"
	ReasonFight       Reason = "select_fight"
	ReasonToBestMove  Reason = "move_cursor_to_best_move"
	ReasonBestMove    Reason = "select_best_move"
	ReasonDialog      Reason = "advance_dialog"
	ReasonAnswer      Reason = "answer_question"
	ReasonCloseMenu   Reason = "close_incidental_menu"
	ReasonEngage      Reason = "engage_trainer"
	ReasonStep        Reason = "route_step_toward_target"
	ReasonTransition  Reason = "wait_field_transition"
	ReasonFace        Reason = "face_trainer"
	ReasonOpenStart   Reason = "open_start_menu"
	ReasonToStart     Reason = "move_start_menu_cursor"
	ReasonOpenProof   Reason = "open_menu_to_prove"
	ReasonPartySeen   Reason = "party_menu_observed"
	ReasonBagSeen     Reason = "inventory_menu_observed"
	ReasonStartClosed Reason = "close_start_menu"
)

// Halt is how a run ended.
type Halt string

// The halts.
const (
	HaltBattleWon   Halt = "battle_won"
	HaltReached     Halt = "target_reached"
	HaltUncertain   Halt = "uncertain_state"
	HaltFailed      Halt = "action_failed"
	HaltBudget      Halt = "decision_budget_exhausted"
	HaltUnreachable Halt = "route_unreachable"
)

// halts maps the reasons that end a run to how they end it.
var halts = map[Reason]Halt{
	ReasonUncertain:   HaltUncertain,
	ReasonBattleWon:   HaltBattleWon,
	ReasonReached:     HaltReached,
	ReasonUnreachable: HaltUnreachable,
}

// Choice is what is done next, and why. Action is nil when Reason ends the run.
type Choice struct {
	Reason Reason
	Action *emu.Action
}

// Frames of the drivers' presses and waits.
const (
	pressHold      = 12
	tapHold        = 3 // turns on the spot and does not step
	transitionWait = 32
)

func press(why Reason, b emu.Button) Choice { return hold(why, b, pressHold) }

func hold(why Reason, b emu.Button, frames int) Choice {
	a := emu.Press(b, frames)
	return Choice{why, &a}
}

func wait(why Reason) Choice {
	a := emu.Advance(transitionWait)
	return Choice{why, &a}
}

func halt(why Reason) Choice { return Choice{Reason: why} }
