// Package evidence keeps the bounded, hash-chained record of what an emulated
// body did: one event for each action that completed, with the frame and the
// RAM digest it left behind. Each event carries the digest of the one before
// it, so nobody can change, drop or reorder one without every later digest
// changing.
//
// What never lives here: files, clocks, and the decision whether an action may
// run. A chain knows only that its window is full; refusing is for the session.
//
// Start reading at [Chain], then [Verify].
package evidence
