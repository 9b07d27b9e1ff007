package scenario

import "io"

// Streams are the ends of a program to the world.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}
