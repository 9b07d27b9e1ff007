package picture

import (
	"strconv"

	"clankie/emu"
)

// How the field is drawn: the player's tile is the eighth of fifteen columns
// and begins 72 pixels down. The field is shifted by half a tile, so the first
// whole row begins at 8.
const (
	tile      = 16 // pixels
	playerCol = 7
	playerRow = 4
	firstRow  = 8 // pixels above the row that is numbered 0
)

// margin is the room for the numbers, at the top and on the left, in pixels
// before enlarging: three digits of three columns each, one apart.
const margin = 11

// Colours of the grid.
const (
	paper = 0x0000 // behind the numbers
	ink   = 0xFFFF
	rule  = 0x8410
	own   = 0xF800 // the player's column and row
)

// Ruled encodes a picture of the field with lines between its tiles and their
// coordinates in a margin; at is the tile the player stands on, drawn in red.
// It is for pictures that show the field and nothing else.
func Ruled(p emu.Picture, at emu.Point, scale int) ([]byte, error) {
	if err := check(p, scale); err != nil {
		return nil, err
	}
	c := newCanvas((emu.ScreenWidth+margin)*scale, (emu.ScreenHeight+margin)*scale)
	c.paint(p.Pix, margin*scale, margin*scale, scale)
	g := grid{canvas: c, scale: scale}
	for col := range emu.ScreenWidth / tile {
		g.column(col, at.X+col-playerCol, rule, ink)
	}
	for row := -1; firstRow+row*tile < emu.ScreenHeight; row++ {
		g.row(row, at.Y+row-playerRow, rule, ink)
	}
	// The player's own lines last, so that no neighbour is drawn over them.
	g.column(playerCol, at.X, own, own)
	g.column(playerCol+1, at.X+1, own, ink)
	g.row(playerRow, at.Y, own, own)
	g.row(playerRow+1, at.Y+1, own, ink)
	return c.encode()
}

// grid draws lines and numbers in the picture's own pixels.
type grid struct {
	*canvas
	scale int
}

// column rules the left edge of a column and writes its number above it.
func (g grid) column(col, number int, line, text uint16) {
	x := margin + col*tile
	g.fill(x*g.scale, margin*g.scale, 1, g.height, line)
	g.number(x+(tile-textWidth(number))/2, (margin-glyphHeight)/2, number, text)
}

// row rules the upper edge of a row and writes its number beside it.
func (g grid) row(row, number int, line, text uint16) {
	y := margin + firstRow + row*tile
	if y >= margin {
		g.fill(margin*g.scale, y*g.scale, g.width, 1, line)
	}
	if middle := y + (tile-glyphHeight)/2; middle >= margin && middle+glyphHeight <= margin+emu.ScreenHeight {
		g.number(max(margin-1-textWidth(number), 0), middle, number, text)
	}
}

// number writes a coordinate. Tiles beyond the map's upper left edge have
// none.
func (g grid) number(x, y, n int, v uint16) {
	if n < 0 {
		return
	}
	for i, digit := range strconv.Itoa(n) {
		for dy, bits := range digits[digit-'0'] {
			for dx := range glyphWidth {
				on := uint16(paper)
				if bits>>(glyphWidth-1-dx)&1 == 1 {
					on = v
				}
				g.fill((x+i*(glyphWidth+1)+dx)*g.scale, (y+dy)*g.scale, g.scale, g.scale, on)
			}
		}
	}
}

// textWidth is how wide a number is written.
func textWidth(n int) int { return len(strconv.Itoa(n))*(glyphWidth+1) - 1 }

const (
	glyphWidth  = 3
	glyphHeight = 5
)

// digits are drawn in three by five pixels, a row to a number.
var digits = [10][glyphHeight]uint8{
	{0b111, 0b101, 0b101, 0b101, 0b111},
	{0b010, 0b110, 0b010, 0b010, 0b111},
	{0b111, 0b001, 0b111, 0b100, 0b111},
	{0b111, 0b001, 0b111, 0b001, 0b111},
	{0b101, 0b101, 0b111, 0b001, 0b001},
	{0b111, 0b100, 0b111, 0b001, 0b111},
	{0b111, 0b100, 0b111, 0b101, 0b111},
	{0b111, 0b001, 0b010, 0b010, 0b010},
	{0b111, 0b101, 0b111, 0b101, 0b111},
	{0b111, 0b101, 0b111, 0b001, 0b111},
}
