// Package checkpoint mints, verifies, lists and deletes saves, and keeps the
// line of descent between them. Nothing else in the program touches those
// files.
//
// A save is a folder of its own under the store's root, named by its id:
//
//	savestate.ss1    the machine's complete state
//	scenario.json    the booted scenario, pinned to that state
//	checkpoint.json  the receipt: what was saved, when, on which cartridge and core
//	lineage.json     sequence, parent, run and reason (absent in older saves)
//	frame.png        the picture at capture (absent in older saves)
//
// A save is immutable: minting always makes a new sibling, and the folder
// appears under its name only when every byte of it is on the disk. What is
// hidden (names that begin with a dot) is the store's own: the lock, the
// sequence counter, the live timelines and unfinished work, which the next
// [Open] sweeps away.
//
// The two gates are [Store.Mint] and [Store.Read], called writeGbaCheckpoint
// and readGbaCheckpoint in the design records. Bytes leave Read only after
// cartridge, core and state digests were verified.
//
// What never lives here: a running machine, a terminal, the decision whether
// to rewind, and where the root is (the command line resolves that).
//
// Start reading at [Store], then [Store.Mint], then [Store.LatestLive].
package checkpoint
