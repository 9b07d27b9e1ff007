package emu

import "fmt"

// Count is a number of things in words: "1 save", "2 saves". thing is the word
// for one of them, whose plural takes an s.
func Count[N whole](n N, thing string) string { return CountOf(n, thing, thing+"s") }

// CountOf is Count for words that have another plural: "1 turn is", "2 turns
// are".
func CountOf[N whole](n N, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// whole is a type that things are counted in.
type whole interface{ ~int | ~int64 | ~uint64 }

// Size is a number of bytes for people, in units of 1024: "512 bytes",
// "1.5 MiB". No text uses any other unit.
func Size(n int64) string {
	for _, unit := range []struct {
		name  string
		bytes int64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if n >= unit.bytes {
			return fmt.Sprintf("%.1f %s", float64(n)/float64(unit.bytes), unit.name)
		}
	}
	return Count(n, "byte")
}
