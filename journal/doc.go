// Package journal is the append-only record of play: one file of JSON lines a
// run, each turn with the evidence it was decided on, and the reading of such
// files, damaged or not.
//
// [Writer] writes a header of version 3, turns of version 2 and a summary of
// version 2; the readers take every version from 1 to 3. A line is one write
// and one sync. What would break a bound of the format is cut to fit, and a
// turn whose line would still be too long is recorded in a reduced form, so
// that recording never fails because of what was recorded.
//
// [Read] never fails as a whole: what cannot be read becomes a [Gap] with its
// byte offsets, and every good line, before and after, is still delivered.
// [ReadStrict] is for those who want the opposite.
//
// What a journey (an adventure across runs) last had in mind is found by
// [LastContinuity]; nothing here is an index, everything is read from the files.
//
// What never lives here: deciding, emulating, and saves.
//
// Start reading at [TurnLine], then [Writer], then [Read].
package journal
