// Package replay keeps the tape of a run and plays it again: [Recorder] stands
// around a core and writes down everything that reaches it, [Run] executes
// that on a fresh core and compares every digest on the way, [GoTo] ends at
// any turn, and [Archive] looks at the turns of a journey: those of the run that
// goes on, and those of the runs before.
//
// Anchors are the digests of RAM and picture. Digests of states are not
// compared: a load leaves traces in the sound hardware's state that change
// nothing that can be seen (see emu/mgba).
//
// What never lives here: the tape's format and its file, which are package
// journal's, and decisions, which a replay needs none of.
//
// Start reading at [Recorder], then [Run].
package replay
