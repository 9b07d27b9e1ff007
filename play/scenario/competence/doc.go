// Package competence measures whether whoever decides can play at all: from
// pinned states and within a few turns of real free play it must reach what a
// state is about, by actions that work, without going on in circles, and not by
// pressing the same thing over and over.
//
// The tracker sees a turn only once it has settled, and judges by what was
// observed then; nothing that a mind says of itself counts.
//
// A benchmark that was played leaves a report and an operator's receipt, which
// [Benchmark.Check] recomputes and [Benchmark.Evaluate] holds against a fresh
// run.
//
// What never lives here: the states (package fixtures), booting a machine, and
// minds, except two: [Builtin] shows that the benchmark can be passed, and
// [RepeatOnly] that it cannot be by pressing one button.
//
// Start reading at [Definition], then [Run], then [Benchmark.Play].
package competence
