package emu_test

import (
	"testing"

	"clankie/emu"
)

func TestClipCountsUTF16(t *testing.T) {
	tests := []struct {
		in    string
		limit int
		want  string
	}{
		{"abc", 5, "abc"},
		{"abc", 2, "ab"},
		{"é…♂", 2, "é…"},
		{"a🙂b", 2, "a"}, // the face takes two units and is not cut in half
		{"a🙂b", 3, "a🙂"},
		{"", 0, ""},
	}
	for _, tt := range tests {
		if got := emu.Clip(tt.in, tt.limit); got != tt.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", tt.in, tt.limit, got, tt.want)
		}
	}
}

func TestCleanLeavesNothingForTheTerminal(t *testing.T) {
	tests := []struct{ in, want string }{
		{"PIKO ♂", "PIKO ♂"},
		{"\x1b[31mred\x07", " [31mred "},
		{"a\nb\u2028c\u202Ed", "a b c d"},
		{"half\xffbyte", "half\uFFFDbyte"},
		{"\u009b31m", " 31m"},
	}
	for _, tt := range tests {
		if got := emu.Clean(tt.in); got != tt.want {
			t.Errorf("Clean(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}
