package gen3

import "clankie/emu"

// Offsets in struct NamingScreenData, struct Sprite and struct
// NamingScreenTemplate (FireRed, LeafGreen, Emerald).
const (
	namingText       = 0x1800
	namingTextBytes  = 16
	namingPage       = 0x1E22
	namingCursor     = 0x1E23 // sprite id
	namingTemplate   = 0x1E28 // pointer
	namingTemplateID = 0x1E2C
	namingBytes      = 0x1E30

	spriteCount  = 64
	spriteStride = 0x44
	spriteData   = 0x2E // data[0]: column, data[1]: row of the naming cursor

	templateMaxChars = 1

	namingColumnMax = 8
	namingRowMax    = 3
)

// namingPages are the values of NamingScreenData.currentPage.
var namingPages = [...]string{"symbols", "upper", "lower"}

// namingLimits are the lengths of the five templates: player, box, caught
// creature, nickname, rival.
var namingLimits = [...]int{7, 8, 10, 10, 7}

// naming reads the open naming screen.
func (d *decoder) naming() *emu.Naming {
	switch d.now.role {
	case roleNamingLoading:
		return &emu.Naming{Page: "upper", Loading: true}
	case roleNaming:
	default:
		d.absent(partNaming, "no naming screen is open")
		return nil
	}
	ptr := d.u32(d.p.RAM.Naming)
	b := d.bytes(ptr, namingBytes)
	if !inEWRAM(ptr) || b == nil {
		d.torn(partNaming, "the naming screen's data is not there yet")
		return nil
	}
	page, template := int(b[namingPage]), int(b[namingTemplateID])
	column, row, ok := d.namingCursor(int(b[namingCursor]))
	if page >= len(namingPages) || template >= len(namingLimits) || !ok {
		d.torn(partNaming, "the naming screen's data is not set up yet")
		return nil
	}
	return &emu.Naming{
		Text:     name(b[namingText : namingText+namingTextBytes]),
		Page:     namingPages[page],
		Column:   column,
		Row:      row,
		Template: template,
		Limit:    d.namingLimit(le32(b, namingTemplate), template),
		Loading:  d.fading(),
	}
}

// namingCursor reads column and row from the cursor's sprite.
func (d *decoder) namingCursor(sprite int) (column, row int, ok bool) {
	if sprite >= spriteCount {
		return 0, 0, false
	}
	at := d.p.RAM.Sprites + uint32(sprite*spriteStride) + spriteData
	column, row = d.s16(at), d.s16(at+2)
	return column, row, column >= 0 && column <= namingColumnMax && row >= 0 && row <= namingRowMax
}

// namingLimit is the most characters the screen takes: its template's own
// number when that can be read.
func (d *decoder) namingLimit(ptr uint32, template int) int {
	if inROM(ptr) {
		if n := int(d.u8(ptr + templateMaxChars)); n >= 1 && n <= namingTextBytes {
			return n
		}
	}
	return namingLimits[template]
}
