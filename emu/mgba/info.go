package mgba

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"clankie/emu"
)

// Report describes the core that is cached here, or says that none is.
type Report struct {
	CoreID          string       `json:"coreId"`
	ABI             int          `json:"abi"`
	StateFormat     int          `json:"stateFormat"`
	RecipeSHA256    emu.Digest   `json:"recipeSha256"`
	Path            string       `json:"path"` // where the module is or would be
	Built           bool         `json:"built"`
	ModuleSHA256    emu.Digest   `json:"moduleSha256,omitempty"`
	Size            int          `json:"size,omitempty"` // bytes
	Imports         []string     `json:"imports,omitempty"`
	Standing        Standing     `json:"standing,omitempty"`
	Unproven        string       `json:"unproven,omitempty"` // why it is not pinned, as found when it was built
	Equivalents     []emu.Digest `json:"equivalents,omitempty"`
	Toolchain       string       `json:"toolchain,omitempty"`
	SourceSHA256    emu.Digest   `json:"sourceSha256,omitempty"`
	SourceVerified  bool         `json:"sourceVerified"`
	ReferenceSHA256 emu.Digest   `json:"referenceSha256"`
	CacheTrouble    string       `json:"cacheTrouble,omitempty"` // why compiled code on disk could not be used
}

// Info describes the cached core without building anything. cacheDir is as in
// BuildOptions.
func Info(ctx context.Context, cacheDir string) (Report, error) {
	c, err := openCache(cacheDir)
	if err != nil {
		return Report{}, err
	}
	r := Report{
		CoreID: CoreID, ABI: ABI, StateFormat: StateFormat,
		RecipeSHA256: RecipeSHA256(), Path: c.modulePath(), ReferenceSHA256: ReferenceModule,
	}
	wasm, record, err := c.load()
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return r, fmt.Errorf("read the cached core: %w", err)
	}
	m, err := c.open(ctx, wasm)
	if err != nil {
		return r, err
	}
	r.Built = true
	r.ModuleSHA256, r.Size, r.Imports = m.SHA256, m.Size, m.Imports
	r.CacheTrouble = m.CacheTrouble
	r.Standing, r.Equivalents = m.Standing, m.Equivalents
	if m.Standing == Unproven {
		r.Unproven = record.Unproven
	}
	r.Toolchain, r.SourceSHA256, r.SourceVerified = record.Toolchain, record.Source, record.SourceVerified
	return r, nil
}

// String renders the report for people, one fact a line.
func (r Report) String() string {
	var s strings.Builder
	line := func(name string, value any) { fmt.Fprintf(&s, "%-14s %v\n", name, value) }
	line("core", fmt.Sprintf("%s (ABI %d, state format %d)", r.CoreID, r.ABI, r.StateFormat))
	line("recipe", r.RecipeSHA256)
	line("path", r.Path)
	if !r.Built {
		line("state", "not built; clankie core build builds it")
		return s.String()
	}
	line("module", r.ModuleSHA256)
	line("size", emu.Count(r.Size, "byte"))
	line("standing", r.Standing)
	if r.Standing == Unproven {
		why := r.Unproven
		if why == "" {
			why = "not tested against this program's reference; clankie core build --force does"
		}
		line("unproven", why)
	}
	line("toolchain", r.Toolchain)
	source := "a source tree, unverified"
	if r.SourceVerified {
		source = string(r.SourceSHA256)
	}
	line("source", source)
	if r.CacheTrouble != "" {
		line("cache", r.CacheTrouble)
	}
	line("host calls", strings.Join(r.Imports, " "))
	for _, d := range r.Equivalents {
		if d != r.ModuleSHA256 {
			line("same as", d)
		}
	}
	return s.String()
}
