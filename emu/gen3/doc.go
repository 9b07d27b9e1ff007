// Package gen3 turns the memory of the third-generation games into [emu.State]:
// FireRed and LeafGreen, Emerald, Ruby and Sapphire, in all English revisions,
// and the project's own cartridge. It is pure: it reads an [emu.Memory] and a
// [Profile], does no I/O, keeps nothing, and panics on no memory.
//
// What differs between builds is data in a Profile: addresses of variables,
// functions and tables, named maps, goal flags, id prefix. What differs between
// families in the shape of structures and in the lists of menus is data in its
// [Layout]; how they are read is code. Profiles are checked when the program
// starts. A game without a profile gets [Screen], which decodes nothing and
// says so.
//
// A profile is chosen by the cartridge's header ([ProfileFor]). Its tables are
// read only where the cartridge has something of their shape (confirm.go), so a
// randomised game keeps its profile and its own names, and a hack that moved a
// table loses that one.
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
