package model

import (
	"image"
	"image/color"
	"strconv"

	"clankie/emu"
)

// The tile-ruled picture. The field is drawn around the player: his tile's
// left edge is at pixel 112 and its top edge at pixel 72, the middle of the
// screen, so the tile at column c, row r of the rules is (x+c−7, y+r−4) and
// the rows begin half a tile below the top.
const (
	rulerMargin = 11 // pixels on the top and left for the numbers
	tilePixels  = 16
	playerCol   = 7
	playerRow   = 4
	firstRule   = 72 - playerRow*tilePixels // where row 0 begins
)

var (
	ruleColour   = color.RGBA{0x60, 0x60, 0x60, 0xFF}
	playerColour = color.RGBA{0xFF, 0x00, 0x00, 0xFF}
	labelColour  = color.RGBA{0xFF, 0xFF, 0xFF, 0xFF}
)

// rule draws a line one pixel wide along every tile's left and top edge, those
// around the player's tile in red, and numbers the columns and rows in the
// margin with the map's coordinates.
func (c *canvas) rule(at emu.Position, scale int) {
	margin := rulerMargin * scale
	width, height := emu.ScreenWidth*scale+margin, emu.ScreenHeight*scale+margin
	// The player's lines come last, so that they lie on top.
	for _, mine := range []bool{false, true} {
		with := ruleColour
		if mine {
			with = playerColour
		}
		for col := range emu.ScreenWidth / tilePixels {
			if x := margin + col*tilePixels*scale; onPlayer(col, playerCol) == mine {
				c.fill(image.Rect(x, 0, x+1, height), 1, 0, with)
			}
		}
		for row := range emu.ScreenHeight / tilePixels {
			if y := margin + (firstRule+row*tilePixels)*scale; onPlayer(row, playerRow) == mine {
				c.fill(image.Rect(0, y, width, y+1), 1, 0, with)
			}
		}
	}
	for col := range emu.ScreenWidth / tilePixels {
		c.number(at.X+col-playerCol, rulerMargin+col*tilePixels+1, 3, scale)
	}
	for row := range emu.ScreenHeight / tilePixels {
		c.number(at.Y+row-playerRow, 0, rulerMargin+firstRule+row*tilePixels+2, scale)
	}
}

// onPlayer is true for the two lines that enclose the player's tile.
func onPlayer(line, player int) bool { return line == player || line == player+1 }

// digits is a font of 3×5 pixels: five rows of three bits each, and the minus
// sign last.
var digits = [11][5]uint8{
	{7, 5, 5, 5, 7},
	{2, 6, 2, 2, 7},
	{7, 1, 7, 4, 7},
	{7, 1, 7, 1, 7},
	{5, 5, 7, 1, 1},
	{7, 4, 7, 1, 7},
	{7, 4, 7, 5, 7},
	{7, 1, 2, 2, 2},
	{7, 5, 7, 5, 7},
	{7, 5, 7, 1, 7},
	{0, 0, 7, 0, 0},
}

// number writes n with its top left corner at an unscaled pixel.
func (c *canvas) number(n, x, y, scale int) {
	for _, r := range strconv.Itoa(n) {
		glyph := digits[10]
		if r != '-' {
			glyph = digits[r-'0']
		}
		for dy, bits := range glyph {
			for dx := range 3 {
				if bits&(4>>dx) != 0 {
					c.fill(image.Rect(x+dx, y+dy, x+dx+1, y+dy+1), scale, 0, labelColour)
				}
			}
		}
		x += 4
	}
}
