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
const ReferenceModule emu.Digest = "d853429319f1c202046648b0374c12d71ea27ba0f2209d2ba6ac4b43d115ced3"

// ReferenceToolchain is the compiler of the reference build.
const ReferenceToolchain = "Debian clang version 14.0.6"
