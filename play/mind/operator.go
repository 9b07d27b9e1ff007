package mind

import (
	"context"
	"fmt"

	"clankie/emu"
	"clankie/play"
)

// NameOperator is the operator's wire name.
const NameOperator = "operator"

// pressesWaiting is how many presses may wait for their turn. A person who
// types faster than the game takes input should not steer it a minute later.
const pressesWaiting = 8

// Operator is the person at the keyboard: each press is one decision.
type Operator struct {
	presses chan emu.Action
}

var _ play.PadHolder = (*Operator)(nil)

// NewOperator returns an operator with no press waiting.
func NewOperator() *Operator {
	return &Operator{presses: make(chan emu.Action, pressesWaiting)}
}

// Name implements play.Mind.
func (o *Operator) Name() string { return NameOperator }

// Press implements play.PadHolder.
func (o *Operator) Press(a emu.Action) bool {
	select {
	case o.presses <- a:
		return true
	default:
		return false
	}
}

// Decide waits for the next press. The monologue says what a person did, not
// what he thought: nobody knows.
func (o *Operator) Decide(ctx context.Context, _ play.View) (play.Decision, error) {
	select {
	case a := <-o.presses:
		if err := ctx.Err(); err != nil {
			o.Press(a) // it is meant for the call that is waited for
			return play.Decision{}, err
		}
		does := play.DescribeAction(a)
		return play.Decision{
			Monologue: "The operator has the pad.",
			Intent:    fmt.Sprintf("%s, by hand", does),
			Action:    a,
		}, nil
	case <-ctx.Done():
		return play.Decision{}, ctx.Err()
	}
}
