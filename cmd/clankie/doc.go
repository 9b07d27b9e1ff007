// Command clankie lets an operator watch and steer an AI player in a
// terminal. It reads flags, environment and folders, puts the parts together
// and maps outcomes to exit codes: 0 done, 1 what was asked for failed or did
// not hold, 2 usage or environment. Nothing else lives here.
//
// Start reading at newRoot.
package main
