// Package mcp lets somebody else's program play: an MCP server on standard
// input and output, over a body, a governed session and a folder of saves that
// nobody else sees. It is the second user of the same session as free play,
// and knows nothing of the first.
//
// What holds here:
//
//   - Seven tools and nothing else. Calls pass through one line, in the order in
//     which they came.
//   - Standard output carries the protocol and nothing else.
//   - The server ends soon after its client, whatever a call is doing, and
//     takes its temporary folders with it. What a killed server left is swept by
//     the next one.
//   - A load keeps the present first.
//   - Every action is a line of a journal of the server's own; the story it
//     tells is of no other.
//
// What never lives here: finding or building a core, booting a game (whoever
// puts the program together hands in a [Boot]), and deciding anything.
//
// Start reading at [Serve], then tools.go.
package mcp
