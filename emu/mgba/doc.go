// Package mgba runs the mGBA core as a WebAssembly module behind [emu.Core].
//
// Three things live here. The builder ([Build]) fetches mGBA's source,
// compiles it together with the C shim in shim/ and caches the module. The
// driver ([Boot]) runs a module under wazero: the module sees no file, no
// network, no random source and no wall clock, only a clock derived from the
// frames it has run. The container reader ([ParseSavestate]) unwraps savestates,
// mGBA's PNG-wrapped ones too, without any core.
//
// What never lives here: anything that knows a game, a checkpoint on disk or
// a terminal.
//
// What can go wrong with a machine, and what comes of it: a trap discards the
// instance and comes back as emu.CodeCoreTrap; a frame that does not end is
// cut off inside the shim, by emulated cycles, and a call that does not return
// at all is abandoned by a watchdog, both as emu.CodeCoreHung. After an
// abandoned call the program should save what it has and end soon, because
// the Go runtime can no longer collect garbage beside it.
//
// Start reading at [Boot], then [Core], then [Build]. In tests, the package
// mgbatest boots machines of the built module:
//
//	core := mgbatest.Boot(t, mgba.BootOptions{ROM: rom})
//	core.Run(ctx, 60, emu.KeyA|emu.KeyRight)
//	pix := core.Picture().Pix // RGB565, 240 by 160
//	ram := core.Memory().EWRAM
//
// Programs build or find the module themselves:
//
//	module, err := mgba.Build(ctx, mgba.BuildOptions{Progress: show})
//	core, err := mgba.Boot(ctx, module, mgba.BootOptions{ROM: rom, State: state})
//	defer core.Close()
package mgba
