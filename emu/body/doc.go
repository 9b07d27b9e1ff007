// Package body is the adapter between a machine and everyone who plays it: it
// executes one catalogued action on an [emu.Core] under limits, lets the
// machine settle, observes what became of it and answers. In the design
// records it is called EnvironmentAdapter.
//
// What holds here:
//
//   - An outcome is what was observed after the action, never what the action
//     should have done.
//   - Every frame that an action runs counts against its limits, and a
//     deadline really ends it.
//   - Picture, RAM and decoded state of an observation belong to one frame.
//   - What happens is a function of the machine's state and the calls made.
//     The clock only paces frames and ends overdue actions; whoever watches
//     changes nothing.
//
// What never lives here: who may act and how often (the session), saves and
// their files (the checkpoint store), reading memory (the decoders), and
// deciding anything.
//
// Start reading at [Body.Act], then press.go and settle.go; the composite
// actions are walk.go, dialog.go, entertext.go and select.go.
package body
