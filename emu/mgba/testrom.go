package mgba

import "encoding/binary"

// testProgram is the self-test's cartridge, from 0x080000C0 on. Each frame it
// stirs the held buttons and a cycle counter into a number, scatters that over
// work RAM and battery memory, plays it as a note, divides it through the
// BIOS and paints one line of the picture with it: what differs anywhere in
// the machine soon differs everywhere.
var testProgram = []uint32{
	0xE3A08301, // start: mov r8, #0x04000000
	0xE3A04402, // mov r4, #0x02000000
	0xE3A05403, // mov r5, #0x03000000
	0xE3A06406, // mov r6, #0x06000000
	0xE3A0740E, // mov r7, #0x0E000000
	0xE59F00F0, // ldr r0, =0x0403
	0xE1C800B0, // strh r0, [r8] ; mode 3, background 2
	0xE3A00080, // mov r0, #0x80
	0xE1C808B4, // strh r0, [r8, #0x84] ; sound on
	0xE59F00E4, // ldr r0, =0x1177
	0xE1C808B0, // strh r0, [r8, #0x80] ; channel 1 to both sides
	0xE59F00E0, // ldr r0, =0xF780
	0xE1C806B2, // strh r0, [r8, #0x62] ; channel 1: square wave, falling envelope
	0xE2889C01, // add r9, r8, #0x100
	0xE3A00502, // mov r0, #0x00800000
	0xE5890000, // str r0, [r9] ; timer 0 counts cycles
	0xE1D800B6, // loop: ldrh r0, [r8, #6]
	0xE35000A0, // cmp r0, #160
	0x0AFFFFFC, // beq loop
	0xE1D800B6, // wait: ldrh r0, [r8, #6]
	0xE35000A0, // cmp r0, #160
	0x1AFFFFFC, // bne wait
	0xE1D913B0, // ldrh r1, [r9, #0x30]
	0xE1E01001, // mvn r1, r1
	0xE1A01B01, // mov r1, r1, lsl #22
	0xE1A01B21, // mov r1, r1, lsr #22 ; held buttons
	0xE5952000, // ldr r2, [r5]
	0xE2822001, // add r2, r2, #1
	0xE5852000, // str r2, [r5] ; frames
	0xE5953004, // ldr r3, [r5, #4]
	0xE59F0098, // ldr r0, =1664525
	0xE00A0093, // mul r10, r3, r0
	0xE59F0094, // ldr r0, =1013904223
	0xE08A3000, // add r3, r10, r0
	0xE0233381, // eor r3, r3, r1, lsl #7
	0xE1D900B0, // ldrh r0, [r9]
	0xE0833000, // add r3, r3, r0 ; timer
	0xE5853004, // str r3, [r5, #4] ; state
	0xE1A00723, // mov r0, r3, lsr #14
	0xE3C00003, // bic r0, r0, #3
	0xE7843000, // str r3, [r4, r0] ; somewhere in work RAM
	0xE1A00882, // mov r0, r2, lsl #17
	0xE1A008A0, // mov r0, r0, lsr #17
	0xE7C73000, // strb r3, [r7, r0] ; battery memory
	0xE1A00AA3, // mov r0, r3, lsr #21
	0xE3800902, // orr r0, r0, #0x8000
	0xE1C806B4, // strh r0, [r8, #0x64] ; note
	0xE1A00423, // mov r0, r3, lsr #8
	0xE1A0B001, // mov r11, r1
	0xE2811003, // add r1, r1, #3
	0xEF060000, // swi 0x060000 ; division by the BIOS
	0xE5851008, // str r1, [r5, #8]
	0xE1A0100B, // mov r1, r11
	0xE1A00002, // mov r0, r2
	0xE35000A0, // row: cmp r0, #160
	0xA24000A0, // subge r0, r0, #160
	0xAAFFFFFC, // bge row
	0xE3A0AE1E, // mov r10, #480
	0xE02B6A90, // mla r11, r0, r10, r6 ; row of this frame
	0xE3A000F0, // mov r0, #240
	0xE183A823, // orr r10, r3, r3, lsr #16
	0xE0CBA0B2, // pixel: strh r10, [r11], #2
	0xE08AA001, // add r10, r10, r1
	0xE28AA021, // add r10, r10, #33
	0xE2500001, // subs r0, r0, #1
	0x1AFFFFFA, // bne pixel
	0xEAFFFFCC, // b loop
	0x00000403, // literal
	0x00001177, // literal
	0x0000F780, // literal
	0x0019660D, // literal
	0x3C6EF35F, // literal
}

// testROMBytes is long enough for mGBA not to take the image for a program
// that was sent through the link cable.
const testROMBytes = 512 << 10

// SelfTestROM returns the image of the self-test's own cartridge: always the
// same bytes, with 32 KiB of battery memory and an empty logo.
func SelfTestROM() []byte {
	rom := make([]byte, testROMBytes)
	binary.LittleEndian.PutUint32(rom, 0xEA00002E) // b 0x080000C0
	copy(rom[0xA0:], "CLANKIETEST")
	copy(rom[0xAC:], "TSTE01")
	rom[0xB2] = 0x96
	sum := byte(0x19)
	for _, b := range rom[0xA0:0xBD] {
		sum += b
	}
	rom[0xBD] = -sum
	for i, op := range testProgram {
		binary.LittleEndian.PutUint32(rom[0xC0+4*i:], op)
	}
	return rom
}
