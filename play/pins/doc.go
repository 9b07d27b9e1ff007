// Package pins keeps what an operator pinned: games of one's own, each a
// cartridge image and the savestate that it starts from, and named starts, any
// moment of any game that a restart can go back to.
//
// A pinned game is a folder of the data folder, named by its id:
//
//	pin.json        where the cartridge image lies, its size and its digest
//	scenario.json   the scenario that pins cartridge, core and savestate
//	start.state     the savestate, unwrapped
//	pins/NAME/      a named start: scenario.json and start.state of its own,
//	                and picture.png, what it shows
//
// The cartridge image stays where it is: it is the operator's, it is large,
// and a copy would be one more that nobody asked for. Folders appear whole or
// not at all, and what is there is never overwritten by something else. The
// project's cartridge, and a game that is played from three files, have a
// folder with nothing but pins in it.
//
// It lies under play, beside the loop that restarts from pins, and not in
// fixtures: to make a scenario of a savestate it must unwrap it and decode it,
// which takes the core's package and the decoders, and fixtures knows neither.
//
// What never lives here: saves (package checkpoint), the choice of the game
// that is played, and a machine of its own: callers hand a booted one in.
// Start reading at [Verify], then [Describe], then [Shelf].
package pins
