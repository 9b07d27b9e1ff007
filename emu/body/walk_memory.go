package body

import (
	"slices"

	"clankie/emu"
)

// How much is remembered of blocked tiles.
const (
	bumpedPerMap = 16
	bumpedMaps   = 32
)

// bumped remembers tiles that looked open and were not, so that the next walk
// goes another way. The oldest are forgotten first, of a map and of the maps;
// to bump again refreshes a tile.
type bumped struct{ maps []bumpedMap }

type bumpedMap struct {
	id    string
	tiles []emu.Point
}

func (b *bumped) forget() { b.maps = nil }

func (b *bumped) on(mapID string) []emu.Point {
	for i := range b.maps {
		if b.maps[i].id == mapID {
			return b.maps[i].tiles
		}
	}
	return nil
}

func (b *bumped) note(mapID string, at emu.Point) {
	tiles := refreshed(b.on(mapID), at, bumpedPerMap, func(p emu.Point) bool { return p == at })
	b.maps = refreshed(b.maps, bumpedMap{mapID, tiles}, bumpedMaps, func(m bumpedMap) bool { return m.id == mapID })
}

// refreshed returns list with item as its newest and no other that same
// reports true for, without the oldest beyond most.
func refreshed[T any](list []T, item T, most int, same func(T) bool) []T {
	out := append(slices.DeleteFunc(slices.Clone(list), same), item)
	return out[max(len(out)-most, 0):]
}
