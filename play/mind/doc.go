// Package mind holds those who decide: the built-in autopilot and the
// operator at the keyboard. Each is a [play.Mind]: it gets a view and answers
// with one decision.
//
// A mind never touches a body, a file, a clock or the network of its own
// accord, and remembers nothing it was not shown. Start reading at
// [Autopilot.Decide].
package mind
