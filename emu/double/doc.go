// Package double is a stand-in for a machine, for tests and for trying a
// program without a cartridge: a small, typed game of one map, one trainer and
// one battle, whose every state follows from a frozen scenario and the buttons
// pressed. In the design records it is called DeterministicGbaCoreDouble. It is
// test infrastructure and no game, and says so wherever it shows: its info is
// not Real, and its title and environment name it.
//
// It has no memory to decode, no picture and no savestates, so it stands behind
// [emu.Body] itself. Asked for its state it refuses with
// checkpoints_unavailable.
//
// What never lives here: choosing it. Whoever wants the double asks for it by
// name; a missing file is an error that names the file ([Load]).
//
// Start reading at [Scenario], then [Body].
package double
