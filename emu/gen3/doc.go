// Package gen3 turns the memory of the third-generation games of one family
// into [emu.State]. It is pure: it reads an [emu.Memory] and a [Profile], does
// no I/O, keeps nothing, and panics on no memory.
//
// What differs between builds (addresses, functions, tables, named maps, goal
// flags, id prefix) is data in a Profile; how the structures are read is code.
// A game of another family is added by writing its profile and, where its
// structures differ, a [Layout]. A game without a profile gets [Screen], which
// decodes nothing and says so.
//
// Every part of a state is decoded by itself: what does not decode is nil,
// State.Undecoded says why, and nothing else is lost with it. What memory
// still holds from earlier (the text of a closed box, the last battle, the map
// of the last room) is decoded only while the game's own callbacks, tasks and
// script contexts say that it is live; scene.go is where that is decided.
//
// Start reading at [Decode], then scene.go. Facts are cited by the public
// symbol names of the games' decompilations and the build they hold for.
package gen3
