// Package picture turns pictures of the machine into PNG files and back: plain,
// or with the map's tile grid ruled over them, so that whoever looks at a
// picture can name the tiles in it.
//
// What never lives here: reading memory, deciding whether a picture may be
// shown, and files.
//
// Start reading at [PNG], [Ruled] and [Parse].
package picture
