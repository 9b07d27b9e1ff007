package pins

import (
	"fmt"
	"path/filepath"
	"slices"

	"clankie/emu"
	"clankie/emu/mgba"
)

// recordSchema is the version of pin.json.
const recordSchema = 1

// maxRecordBytes bounds pin.json: one that was written has some 500 bytes and
// the path of the image.
const maxRecordBytes = 64 << 10

// Record is pin.json: where the cartridge of a pinned game lies.
type Record struct {
	SchemaVersion int        `json:"schemaVersion"` // 1
	ID            string     `json:"id"`
	ROMPath       string     `json:"romPath"` // absolute
	ROMBytes      int64      `json:"romBytes"`
	ROMSHA256     emu.Digest `json:"romSha256"`
	GameCode      string     `json:"gameCode"`
	Revision      int        `json:"revision"`
	Title         string     `json:"title"`
	Source        string     `json:"source"`  // what the savestate was: png, raw, libretro or power-on
	Battery       bool       `json:"battery"` // battery memory came with it
}

// ParseRecord reads pin.json of the game that is pinned as id. Unknown,
// duplicate, missing and null members, and values that no pinning writes, are
// refused by name.
func ParseRecord(data []byte, id string) (Record, error) {
	var r Record
	if err := emu.UnmarshalComplete(data, &r); err != nil {
		return Record{}, err
	}
	if r.ID != id {
		return Record{}, fmt.Errorf("id: it is of %q", emu.Clean(r.ID))
	}
	if err := r.validate(); err != nil {
		return Record{}, err
	}
	return r, nil
}

// sources are what a start may have come from.
var sources = []string{string(mgba.KindPNG), string(mgba.KindRaw), string(mgba.KindLibretro), FromPowerOn}

func (r Record) validate() error {
	switch {
	case r.SchemaVersion != recordSchema:
		return fmt.Errorf("schemaVersion: %d is not %d, the version this program reads", r.SchemaVersion, recordSchema)
	case !filepath.IsAbs(r.ROMPath):
		return fmt.Errorf("romPath: %q is no absolute path", emu.Clean(r.ROMPath))
	case r.ROMBytes < 1 || r.ROMBytes > emu.ROMMaxBytes:
		return fmt.Errorf("romBytes: %d must be 1 to %d", r.ROMBytes, emu.ROMMaxBytes)
	case !r.ROMSHA256.Valid():
		return fmt.Errorf("romSha256: must be 64 lower-case hexadecimal digits")
	case r.Revision < 0 || r.Revision > 0xFF:
		return fmt.Errorf("revision: %d must be 0 to 255", r.Revision)
	case !slices.Contains(sources, r.Source):
		return fmt.Errorf("source: %q must be %s", emu.Clean(r.Source), listed(sources))
	}
	return nil
}
