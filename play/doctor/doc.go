// Package doctor looks at everything that play needs and says what was found,
// what is missing and how to mend it. It changes nothing that lasts: it builds
// no core and makes no folder.
//
// What never lives here: the choice of the game and of the folders, which the
// command line resolves, and mending. Start reading at [Report].
package doctor
