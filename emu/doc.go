// Package emu is the vocabulary that every other room of the house shares:
// buttons and frames, identity digests, the catalogue of actions, decoded
// state, observations, refusals with their codes, and canonical JSON. It also
// declares the two seams the program is built around: [Core], one emulated
// machine, and [Body], a machine whose state can be observed and that acts
// under limits.
//
// What never lives here: anything that runs a machine, reads a file, decodes
// memory or knows about a terminal. Package emu imports the standard library
// and the strict JSON library, and no other package of this module.
//
// Start reading at [Core], then [State], then [Body].
package emu
