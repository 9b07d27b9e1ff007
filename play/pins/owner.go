package pins

import (
	"fmt"
	"slices"
	"strings"

	"clankie/emu"
	"clankie/fixtures"
	"clankie/journal"
)

// Owner finds the game that a save belongs to: the one with its cartridge.
// Where several have it, the save's journey tells, which each pinned game has
// of its own.
func (s *Shelf) Owner(rom emu.Digest, journey string) (slot string, err error) {
	owners, err := s.withCartridge(rom)
	if err != nil {
		return "", err
	}
	switch len(owners) {
	case 0:
		return "", fmt.Errorf("no pinned game has its cartridge (ROM %s); pin that first", rom.Short())
	case 1:
		return owners[0], nil
	}
	_, profile, _ := strings.Cut(journey, ":profile:")
	if profile == journal.DefaultProfile && slices.Contains(owners, Cartridge) {
		return Cartridge, nil
	}
	if slices.Contains(owners, profile) {
		return profile, nil
	}
	return "", fmt.Errorf("several games have its cartridge: %s; say which with --game", listed(owners))
}

func (s *Shelf) withCartridge(rom emu.Digest) (slots []string, err error) {
	image, err := fixtures.Bramble()
	if err != nil {
		return nil, err
	}
	if emu.DigestOf(image) == rom {
		slots = append(slots, Cartridge)
	}
	ids, err := s.IDs()
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		// One whose record is damaged is no owner of anything.
		if r, err := s.record(id); err == nil && r.ROMSHA256 == rom {
			slots = append(slots, id)
		}
	}
	return slots, nil
}
