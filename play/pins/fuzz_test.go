package pins_test

import (
	"testing"

	"clankie/emu"
	"clankie/play/pins"
)

// FuzzRecord gives anything to the reader of pin.json: what is accepted is
// written and accepted again as the same, and what is refused is told on one
// line that is safe to show.
func FuzzRecord(f *testing.F) {
	for _, r := range []pins.Record{
		{SchemaVersion: 1, ID: "mine", ROMPath: "/games/mine.gba", ROMBytes: 1 << 20, ROMSHA256: emu.DigestOf(nil), GameCode: "BBLE", Title: "BRAMBLE LANE", Source: "libretro", Battery: true},
		{SchemaVersion: 1, ID: "mine", ROMPath: "/é \n", ROMBytes: emu.ROMMaxBytes, ROMSHA256: emu.DigestOf([]byte("x")), Revision: 255, Source: pins.FromPowerOn},
		{SchemaVersion: 2, ID: "mine"},
	} {
		data, err := emu.MarshalIndent(r)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"schemaVersion":1,"a\u001b[2J":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := pins.ParseRecord(data, "mine")
		if err != nil {
			if text := err.Error(); emu.Clean(text) != text {
				t.Errorf("not safe to show: %q", text)
			}
			return
		}
		written, err := emu.MarshalIndent(r)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := pins.ParseRecord(written, "mine"); err != nil || again != r {
			t.Errorf("%+v is read as %+v: %v", r, again, err)
		}
	})
}
