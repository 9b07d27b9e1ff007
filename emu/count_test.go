package emu_test

import (
	"testing"

	"clankie/emu"
)

func TestCount(t *testing.T) {
	for got, want := range map[string]string{
		emu.Count(0, "save"):                          "0 saves",
		emu.Count(1, "save"):                          "1 save",
		emu.Count(uint64(2), "save"):                  "2 saves",
		emu.CountOf(1, "entry", "entries"):            "1 entry",
		emu.CountOf(int64(3), "turn is", "turns are"): "3 turns are",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 bytes", 1: "1 byte", 1023: "1023 bytes", 1024: "1.0 KiB", 531889: "519.4 KiB", 1536 << 10: "1.5 MiB", 5 << 30: "5.0 GiB",
	} {
		if got := emu.Size(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}
