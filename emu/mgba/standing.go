package mgba

import "clankie/emu"

// Standing says how far a module is proven to be the machine that committed
// scenarios and saves were made with.
type Standing string

// The three standings. Saves pinned to the reference load under a reference
// or locally pinned module; an unproven one only loads its own.
const (
	// Reference: byte for byte the module that the reference toolchain gives.
	Reference Standing = "reference"
	// LocallyPinned: another toolchain's module that passed the self-test on
	// this machine.
	LocallyPinned Standing = "locally-pinned"
	// Unproven: another toolchain's module without a passed self-test.
	Unproven Standing = "unproven"
)

// ReferenceModule is the digest of the module that the recipe gives under
// ReferenceToolchain.
const ReferenceModule emu.Digest = "f7c10262b9e4188bda450a27361a6700bae5625dccbbf75557bd6dbbcb10a049"

// ReferenceToolchain is the compiler of the reference build.
const ReferenceToolchain = "Debian clang version 14.0.6"
