package emu

import (
	"fmt"
	"strings"
)

// Keys is a set of held buttons as the machine's own KEYINPUT bits count
// them (a set bit means held): A, B, Select, Start, Right, Left, Up, Down, R,
// L are bits 0 to 9.
type Keys uint16

// The ten buttons of a Game Boy Advance.
const (
	KeyA Keys = 1 << iota
	KeyB
	KeySelect
	KeyStart
	KeyRight
	KeyLeft
	KeyUp
	KeyDown
	KeyR
	KeyL

	// KeysAll has every button's bit set; any other bit is meaningless.
	KeysAll Keys = 1<<10 - 1
)

// Button is the wire name of one button, in lower case.
type Button string

// The wire names of the buttons.
const (
	ButtonA      Button = "a"
	ButtonB      Button = "b"
	ButtonStart  Button = "start"
	ButtonSelect Button = "select"
	ButtonUp     Button = "up"
	ButtonDown   Button = "down"
	ButtonLeft   Button = "left"
	ButtonRight  Button = "right"
	ButtonL      Button = "l"
	ButtonR      Button = "r"
)

// Buttons lists every button in the order the action catalogue names them.
var Buttons = []Button{
	ButtonA, ButtonB, ButtonStart, ButtonSelect,
	ButtonUp, ButtonDown, ButtonLeft, ButtonRight, ButtonL, ButtonR,
}

var buttonKeys = map[Button]Keys{
	ButtonA: KeyA, ButtonB: KeyB, ButtonStart: KeyStart, ButtonSelect: KeySelect,
	ButtonUp: KeyUp, ButtonDown: KeyDown, ButtonLeft: KeyLeft, ButtonRight: KeyRight,
	ButtonL: KeyL, ButtonR: KeyR,
}

// Keys returns the button's bit, or 0 when b names no button.
func (b Button) Keys() Keys { return buttonKeys[b] }

// Valid reports whether b names a button.
func (b Button) Valid() bool { return buttonKeys[b] != 0 }

// ParseButton reads a button's wire name, in any letter case.
func ParseButton(name string) (Button, error) {
	b := Button(strings.ToLower(strings.TrimSpace(name)))
	if !b.Valid() {
		return "", fmt.Errorf("%q is not a button; the buttons are a, b, start, select, up, down, left, right, l, r", name)
	}
	return b, nil
}

// String names the held buttons joined by "+", or "none".
func (k Keys) String() string {
	var held []string
	for _, b := range Buttons {
		if k&b.Keys() != 0 {
			held = append(held, string(b))
		}
	}
	if len(held) == 0 {
		return "none"
	}
	return strings.Join(held, "+")
}

// Direction is a compass direction on the map.
type Direction string

// The four directions; the zero value means the direction is not known.
const (
	North Direction = "north"
	East  Direction = "east"
	South Direction = "south"
	West  Direction = "west"
)

// Directions lists the four directions in the order routes are searched:
// up, down, left, right.
var Directions = []Direction{North, South, West, East}

// Delta returns the change in map coordinates of one step in direction d;
// y grows southward.
func (d Direction) Delta() (dx, dy int) {
	switch d {
	case North:
		return 0, -1
	case South:
		return 0, 1
	case West:
		return -1, 0
	case East:
		return 1, 0
	}
	return 0, 0
}

// Button returns the directional button that walks in direction d.
func (d Direction) Button() Button {
	switch d {
	case North:
		return ButtonUp
	case South:
		return ButtonDown
	case West:
		return ButtonLeft
	case East:
		return ButtonRight
	}
	return ""
}

// DirectionOf returns the direction that b walks in, or "" when b is not a
// directional button.
func DirectionOf(b Button) Direction {
	switch b {
	case ButtonUp:
		return North
	case ButtonDown:
		return South
	case ButtonLeft:
		return West
	case ButtonRight:
		return East
	}
	return ""
}

// Opposite returns the direction that faces d.
func (d Direction) Opposite() Direction {
	switch d {
	case North:
		return South
	case South:
		return North
	case West:
		return East
	case East:
		return West
	}
	return ""
}
