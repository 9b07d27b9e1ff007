// Package play is one sitting: the free-play loop that observes, asks a mind,
// acts through a body, tells the truth about what happened and writes it
// down; the FreePlayCheckpointPort through which saves, loads and restarts
// go; and the steering and watching that an operator does meanwhile.
//
// One goroutine, the one that calls [Sitting.Run], owns the body. Everyone
// else hands it a [Command] with [Sitting.Do] and waits for the
// acknowledgement, or looks on through a [Watcher], which never slows it.
//
// What never lives here: decoding, drawing, and who decides (package
// play/mind). Start reading at [Sitting.Run].
package play
