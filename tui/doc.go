// Package tui is the program an operator looks at: it shows the snapshots and
// events of one sitting in a terminal and turns keys and slash commands into
// steering. [Run] is the full-screen program, [Plain] says the same in lines
// for a pipe or a screen reader.
//
// There is one Bubble Tea model. Panes are pure functions from a piece of a
// snapshot to rows of an exact width; where they go is one layout value,
// computed per resize. Dialogs are a stack: the top one sees keys first, is
// drawn last, and returns an action that the model carries out. Nothing in
// Update or View waits: commands for the sitting go out one at a time, in
// order, and one outstanding command waits for the sitting's news.
//
// The details are one more pane, in place of those of state: a page makes a
// sheet of a snapshot, and the sheet tells its rows. The same sheets are what
// [Plain] reads out.
//
// What never lives here: game logic, files, and anything that runs a machine.
// Whatever came from a game, a mind or a person passes [clean] before it is
// measured or drawn.
//
// Start reading at [Run], then model.go, then layout.go; for the details at
// details.go.
package tui
