package gen3

import "clankie/emu"

// namingView says where a family keeps what the naming screen works on: at
// SharedMem, or where Naming points.
type namingView struct {
	text, page, cursor uint32 // the cursor is a sprite id
	template           uint32 // pointer to struct NamingScreenTemplate; 0 where it is not read
	templateID         uint32
	size               uint32
}

// heapNaming is struct NamingScreenData of FireRed, LeafGreen and Emerald.
var heapNaming = namingView{text: 0x1800, page: 0x1E22, cursor: 0x1E23, template: 0x1E28, templateID: 0x1E2C, size: 0x1E30}

const (
	namingTextBytes = 16

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
	v, ptr := &d.p.Layout.Naming, d.p.RAM.SharedMem
	if ptr == 0 {
		ptr = d.u32(d.p.RAM.Naming)
	}
	b := d.bytes(ptr, int(v.size))
	if !inEWRAM(ptr) || b == nil {
		d.torn(partNaming, "the naming screen's data is not there yet")
		return nil
	}
	page, template := int(b[v.page]), int(b[v.templateID])
	column, row, ok := d.namingCursor(int(b[v.cursor]))
	if page >= len(namingPages) || template >= len(namingLimits) || !ok {
		d.torn(partNaming, "the naming screen's data is not set up yet")
		return nil
	}
	return &emu.Naming{
		Text:     name(b[v.text : v.text+namingTextBytes]),
		Page:     namingPages[page],
		Column:   column,
		Row:      row,
		Template: template,
		Limit:    d.namingLimit(b, template),
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
func (d *decoder) namingLimit(data []byte, template int) int {
	if at := d.p.Layout.Naming.template; at != 0 {
		ptr := le32(data, int(at))
		if n := int(d.u8(ptr + templateMaxChars)); inROM(ptr) && n >= 1 && n <= namingTextBytes {
			return n
		}
	}
	return namingLimits[template]
}
