package gen3

import "clankie/emu"

// Shape of sTextPrinters (struct TextPrinter, one a window). Printer 0 belongs to
// window 0, the message box of the field and of a battle; whole screens print
// into windows of their own.
const (
	printerCount  = 32
	printerStride = 0x24
	printerChar   = 0x00
	printerActive = 0x1B
	printerState  = 0x1C

	battleStringBytes  = 0x12C
	textFlagAutoScroll = 0x04
)

// printer is a text printer.
type printer struct {
	active, waiting bool
	at              uint32 // the character it prints next
}

// printerOf is the printer that is inside the n bytes at text. Where none is it
// is one that is not active.
func (d *decoder) printerOf(text uint32, n int) printer {
	for _, window := range [...]uint32{d.p.RAM.FieldWindow, d.p.RAM.BattleWindow, d.p.RAM.MenuWindow} {
		if window == 0 {
			continue
		}
		if p := d.window(window); p.prints(text, n) {
			return p
		}
	}
	if d.p.RAM.TextPrinters == 0 {
		return printer{}
	}
	printers := d.bytes(d.p.RAM.TextPrinters, printerCount*printerStride)
	for i := 0; i < len(printers); i += printerStride {
		if p := d.printer(printers[i : i+printerStride]); p.prints(text, n) {
			return p
		}
	}
	return printer{}
}

// printer reads a printer. In states 1 to 3 it waits for A or B, unless text
// scrolls by itself.
func (d *decoder) printer(b []byte) printer {
	if b[printerActive] == 0 {
		return printer{}
	}
	p := printer{active: true, at: le32(b, printerChar)}
	state := b[printerState]
	p.waiting = state >= 1 && state <= 3 && d.u8(d.p.RAM.TextFlags)&textFlagAutoScroll == 0
	return p
}

// prints reports whether the printer is inside the n bytes at text.
func (p printer) prints(text uint32, n int) bool {
	return p.active && p.at >= text && p.at < text+uint32(n)
}

// dialog reads the open message box. Its text stays in memory long after the
// box is closed, so a box is open only when its task or a printer works on it,
// or a script is parked on it. Of a whole screen's box only a printer tells. The
// battle's text is that of what follows a battle too, but never the field's.
func (d *decoder) dialog() *emu.Dialog {
	role := d.now.role
	field := role == roleField || role == roleScene
	if d.st.Battle != nil && !role.wholeScreen() {
		return d.battleDialog()
	}
	ram, n := &d.p.RAM, d.p.Layout.StringVar4Bytes
	if p := d.printerOf(ram.StringVar4, n); field || role.wholeScreen() {
		switch {
		case role == roleField && d.scriptParked():
			return d.box(ram.StringVar4, n, p, true)
		case p.active, field && d.now.hasTask(roleMessageBox):
			return d.box(ram.StringVar4, n, p, p.waiting)
		}
	}
	if p := d.printerOf(ram.DisplayedString, battleStringBytes); p.active && role == roleScene {
		return d.box(ram.DisplayedString, battleStringBytes, p, p.waiting)
	}
	d.absent(partDialog, "no message box is open")
	return nil
}

// battleDialog is the battle's message box while it prints.
func (d *decoder) battleDialog() *emu.Dialog {
	text := d.p.RAM.DisplayedString
	if p := d.printerOf(text, battleStringBytes); p.active && d.st.Battle.Prompt == emu.PromptNone {
		return d.box(text, battleStringBytes, p, p.waiting)
	}
	d.absent(partDialog, "the battle prints no message")
	return nil
}

// box decodes the text of an open box. One that no printer works on and that
// waits has been printed to its end; one that does not wait has not been begun.
func (d *decoder) box(text uint32, n int, p printer, waiting bool) *emu.Dialog {
	at := 0
	switch {
	case p.active:
		at = int(p.at - text)
	case waiting:
		at = n
	}
	pages := textPages(d.bytes(text, n))
	return &emu.Dialog{
		Lines: pageLines(pages, at), Text: wholeText(pages), Waiting: waiting, Printing: p.active && !p.waiting, Progress: p.at,
	}
}
