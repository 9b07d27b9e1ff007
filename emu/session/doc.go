// Package session is the governed runtime between whoever decides and the body
// that acts: nobody reaches a body without a lease, every action is bounded,
// registered on disk before it is dispatched, and ends by its deadline. In the
// design records it is called EnvironmentRuntime; the seam to a body is
// [Adapter], there EnvironmentAdapter.
//
// What holds here:
//
//   - An action id is dispatched at most once, over restarts too, as long as its
//     record is kept.
//   - What cannot be registered is refused, and the machine is fine. With
//     somebody to tell about it, as in free play, it is dispatched all the same:
//     still at most once by this program.
//   - A lease that expires pauses the body and never stops it.
//   - A deadline, a cancel and an emergency stop take effect whatever the
//     machine does. An emergency stop waits for nobody.
//   - Records are replaced whole and synced; what an action changes is one synced
//     line in a log beside its record. A program killed at any point leaves the
//     state before a step or the state after it, and [Runtime.Reconcile] settles
//     what it left under way.
//   - The lease's token and a connection's secrets are never written.
//
// What never lives here: executing an action (the body), saves, what to do
// next, and the time of day: the clock and the source of tokens are injected.
//
// Start reading at [Runtime] and [Runtime.StartAction], then [BodyAdapter].
// [Govern] puts all of it behind [emu.Body], so that whoever plays a body plays
// a governed one.
package session
