// Package report makes what clankie decode prints of a savestate: one stable
// object with everything that the memory of a third-generation game decodes
// to. A part that is not live, or does not decode, is null, and the reason
// stands in undecoded. Without the cartridge all names are null.
//
// It adds nothing to what [gen3] reads, opens no file and prints nothing.
// Start reading at [Make].
package report
