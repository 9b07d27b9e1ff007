// Package competence measures whether whoever decides can play at all: from
// pinned states and within a few turns of real free play it must reach what a
// state is about, by actions that work, without going on in circles, and not by
// pressing the same thing over and over.
//
// The tracker sees a turn only once it has settled, and judges by what was
// observed then; nothing that a mind says of itself counts.
//
// What never lives here: the states (package fixtures), booting a machine, and
// minds, except [Builtin], which shows that the benchmark can be passed.
//
// Start reading at [Definition], then [Run].
package competence
