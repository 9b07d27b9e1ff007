package gen3

import "clankie/emu"

// Offsets in struct TextPrinter. Printer 0 belongs to window 0, the message
// box of the field and of a battle.
const (
	printerChar   = 0x00
	printerActive = 0x1B
	printerState  = 0x1C

	battleStringBytes  = 0x12C
	textFlagAutoScroll = 0x04
)

// printer is the message box's text printer.
type printer struct {
	active, waiting bool
	at              uint32 // the character it prints next
}

// fieldPrinter is what prints into the field's message box, battlePrinter what
// prints into a battle's. They are one where there are text printers.
func (d *decoder) fieldPrinter() printer {
	if d.p.RAM.FieldWindow != 0 {
		return d.window(d.p.RAM.FieldWindow)
	}
	return d.printer()
}

func (d *decoder) battlePrinter() printer {
	if d.p.RAM.BattleWindow != 0 {
		return d.window(d.p.RAM.BattleWindow)
	}
	return d.printer()
}

// printer reads printer 0. In states 1 to 3 it waits for A or B, unless text
// scrolls by itself.
func (d *decoder) printer() printer {
	at := d.p.RAM.TextPrinters
	p := printer{active: d.u8(at+printerActive) != 0, at: d.u32(at + printerChar)}
	state := d.u8(at + printerState)
	p.waiting = p.active && state >= 1 && state <= 3 && d.u8(d.p.RAM.TextFlags)&textFlagAutoScroll == 0
	return p
}

// prints reports whether the printer is inside the n bytes at text.
func (p printer) prints(text uint32, n int) bool {
	return p.active && p.at >= text && p.at < text+uint32(n)
}

// dialog reads the open message box. Its text stays in memory long after the
// box is closed, so a box is open only when its task or its printer works on
// it, or a script is parked on it.
func (d *decoder) dialog() *emu.Dialog {
	ram, n := &d.p.RAM, d.p.Layout.StringVar4Bytes
	if d.st.Battle != nil {
		return d.battleDialog()
	}
	if d.now.role != roleField && d.now.role != roleScene {
		d.absent(partDialog, "no message box is open")
		return nil
	}
	p, battle := d.fieldPrinter(), d.battlePrinter()
	printing := p.prints(ram.StringVar4, n)
	switch {
	case d.scriptParked() && d.now.role == roleField:
		return d.box(ram.StringVar4, n, p, true)
	case printing, d.now.hasTask(roleMessageBox):
		return d.box(ram.StringVar4, n, p, printing && p.waiting)
	case battle.prints(ram.DisplayedString, battleStringBytes):
		return d.box(ram.DisplayedString, battleStringBytes, battle, battle.waiting)
	}
	d.absent(partDialog, "no message box is open")
	return nil
}

// battleDialog is the battle's message box while it prints.
func (d *decoder) battleDialog() *emu.Dialog {
	p, text := d.battlePrinter(), d.p.RAM.DisplayedString
	if d.st.Battle.Prompt == emu.PromptNone && p.prints(text, battleStringBytes) {
		return d.box(text, battleStringBytes, p, p.waiting)
	}
	d.absent(partDialog, "the battle prints no message")
	return nil
}

// box decodes the text of an open box.
func (d *decoder) box(text uint32, n int, p printer, waiting bool) *emu.Dialog {
	at := 0
	if p.prints(text, n) {
		at = int(p.at - text)
	}
	return &emu.Dialog{
		Lines: lines(d.bytes(text, n), at), Waiting: waiting, Printing: p.prints(text, n) && !p.waiting, Progress: p.at,
	}
}
