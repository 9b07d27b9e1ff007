package gen3

// Offsets in struct Window (Ruby, Sapphire), which prints its own text.
const (
	windowState = 0x16 // u16
	windowIndex = 0x1E // u16
	windowText  = 0x20 // pointer

	// Values of its state: 0 when it is done; it waits for A or B in three.
	windowStateMax    = 10
	windowWaitButton  = 5
	windowWaitClear   = 8
	windowWaitScroll  = 9
	windowTextMaximum = 0x1000
)

// window reads the printer of a message box of Ruby and Sapphire.
func (d *decoder) window(at uint32) printer {
	state, index := d.u16(at+windowState), d.u16(at+windowIndex)
	return printer{
		active:  state > 0 && state <= windowStateMax && index < windowTextMaximum,
		waiting: state == windowWaitButton || state == windowWaitClear || state == windowWaitScroll,
		at:      d.u32(at+windowText) + uint32(index),
	}
}
