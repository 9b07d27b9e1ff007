// Package scenario plays frozen scenarios: from a pinned start, a pure function
// of what is observed decides every press, each press goes through a governed
// session, and what came of it is looked at before the next one is decided. A
// scenario is played on two fresh bodies, which must leave the same evidence
// byte for byte, and the evidence can be held against itself later.
//
//   - [DecideDouble] and [DecideReal] decide. In the design records both are
//     called decideNextGbaAction, for the deterministic double and for the real
//     core.
//   - [Play] plays on two bodies and returns the [Evidence].
//   - [Evidence.Write] writes it to a folder, [Verify] checks such a folder.
//   - [Enclose] runs a program where there is no network; [NetworkOf] says
//     what keeps this process from using one.
//
// What never lives here: booting a machine (callers hand in how), a clock, a
// source of chance that shows in evidence, and package net: a test sees to that.
//
// Start reading at [Play], then [DecideReal].
package scenario
