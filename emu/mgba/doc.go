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
// Start reading at [Boot], then [Core], then [Build]. In tests, the package
// mgbatest hands out the built module:
//
//	core, err := mgba.Boot(ctx, mgbatest.Module(t), mgba.BootOptions{ROM: rom})
//	...
//	defer core.Close()
//	core.Run(ctx, 60, emu.KeyA|emu.KeyRight)
//	pix := core.Picture().Pix
package mgba
