// Package route is how one walks in the games of the third generation: what a
// press of a direction does on a decoded map, and what can be reached by such
// presses. It reads an emu.Overworld and nothing else, and it is pure.
//
// What never lives here: reading memory, pressing buttons, and choosing where
// to go. Start reading at [Step], then [Flood].
package route
