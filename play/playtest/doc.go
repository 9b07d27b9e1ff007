// Package playtest puts real bodies under tests of play: the project's own
// cartridge on the real core, from a pinned savestate. It is test
// infrastructure: nothing but tests imports it.
package playtest
