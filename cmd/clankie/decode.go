package main

import (
	"fmt"
	"hash/crc32"
	"strings"

	"github.com/spf13/cobra"

	"clankie/emu"
	"clankie/emu/gen3"
	"clankie/emu/gen3/report"
	"clankie/emu/mgba"
	"clankie/fixtures"
)

// decodeFlags are the flags of clankie decode.
type decodeFlags struct {
	savestate, game, rom string
	asJSON               bool
}

func newDecodeCommand(io streams) *cobra.Command {
	var f decodeFlags
	cmd := &cobra.Command{
		Use:   "decode",
		Short: "Print what a savestate's memory decodes to",
		Long: `Decode unwraps a savestate of mGBA (plain, libretro, or inside its picture) and
prints everything that its memory decodes to. Names come from the cartridge's
own tables: without --rom they are null. A part that is not live, or does not
decode, is null, and "undecoded" says why.`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return runDecode(io, f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.savestate, "savestate", "", "the savestate")
	flags.StringVar(&f.game, "game", "", "the game, or its build where the savestate does not tell: "+strings.Join(buildNames(), ", "))
	flags.StringVar(&f.rom, "rom", "", "the cartridge image, for names")
	flags.BoolVar(&f.asJSON, "json", false, "print one JSON document")
	return cmd
}

func runDecode(io streams, f decodeFlags) error {
	if f.savestate == "" {
		return usagef("decode needs --savestate FILE")
	}
	data, err := fixtures.ReadSavestate(f.savestate)
	if err != nil {
		return usage(err)
	}
	state, err := mgba.ParseSavestate(data)
	if err != nil {
		return fmt.Errorf("%s: %w", f.savestate, err)
	}
	mem := state.Memory()
	if mem.ROM, err = readCartridge(f.rom, state); err != nil {
		return err
	}
	profile, err := chooseProfile(f.game, state, mem)
	if err != nil {
		return err
	}
	r := report.Make(report.Container{
		Kind: string(state.Kind), GameCode: state.GameCode, ROMCRC32: fmt.Sprintf("%08X", state.ROMCRC),
	}, mem, profile)
	if f.asJSON {
		return printJSON(io.out, r)
	}
	return r.Print(io.out)
}

// readCartridge reads the image that the savestate was made with; nil without
// a path.
func readCartridge(path string, s *mgba.Savestate) ([]byte, error) {
	if path == "" {
		return nil, nil
	}
	rom, header, err := fixtures.ReadROM(path)
	if err != nil {
		return nil, usage(err)
	}
	if crc := crc32.ChecksumIEEE(rom); header.GameCode != s.GameCode || crc != s.ROMCRC {
		return nil, fmt.Errorf("%s is not the cartridge that the savestate was made with: it is %s with CRC-32 %08X, not %s with %08X",
			path, header.GameCode, crc, s.GameCode, s.ROMCRC)
	}
	return rom, nil
}

// chooseProfile takes the build that is named. With a game's name, or none, it
// finds the build: by the cartridge's header, else by the checksum of the
// cartridge that the savestate carries, else by what the game is found running.
func chooseProfile(name string, s *mgba.Savestate, mem emu.Memory) (*gen3.Profile, error) {
	var named *gen3.Profile
	if name != "" {
		if named = gen3.ProfileNamed(strings.TrimPrefix(name, "pokemon-")); named == nil {
			return nil, usagef("no game or build %q; there are %s", name, strings.Join(buildNames(), ", "))
		}
		if named.GameCode != s.GameCode {
			return nil, fmt.Errorf("the savestate is of %s, not of %s (%s)", s.GameCode, name, named.GameCode)
		}
		if named.Name != named.Prefix {
			return named, nil
		}
	}
	p := findProfile(s, mem)
	if named != nil && !p.Decodes() {
		return named, nil
	}
	return p, nil
}

func findProfile(s *mgba.Savestate, mem emu.Memory) *gen3.Profile {
	if mem.ROM != nil {
		if header, err := emu.ReadROMHeader(mem.ROM); err == nil {
			return gen3.ProfileFor(header.GameCode, header.Revision)
		}
	}
	if p := gen3.ProfileForCRC(s.GameCode, s.ROMCRC); p.Decodes() {
		return p
	}
	return gen3.ProfileForMemory(s.GameCode, mem)
}

// buildNames lists the builds that decode.
func buildNames() []string {
	names := make([]string, 0, len(gen3.Profiles))
	for _, p := range gen3.Profiles {
		names = append(names, p.Name)
	}
	return names
}
