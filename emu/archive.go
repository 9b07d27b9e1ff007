package emu

import "bytes"

// archives are the beginnings of the archives in which people keep cartridge
// images and savestates. A zip archive begins with its first entry, with its
// end where it is empty, or with a marker where it was split.
var archives = []struct{ begins, name string }{
	{"PK\x03\x04", "zip"},
	{"PK\x05\x06", "zip"},
	{"PK\x07\x08", "zip"},
	{"7z\xBC\xAF\x27\x1C", "7z"},
	{"Rar!\x1A\x07", "rar"},
	{"\x1F\x8B", "gzip"},
	{"\xFD7zXZ\x00", "xz"},
	{"BZh", "bzip2"},
	{"\x28\xB5\x2F\xFD", "zstd"},
}

// ArchiveName says which archive data begins: "zip", "7z", "rar", "gzip",
// "xz", "bzip2" or "zstd". It is "" where data begins none of them.
func ArchiveName(data []byte) string {
	for _, a := range archives {
		if bytes.HasPrefix(data, []byte(a.begins)) {
			return a.name
		}
	}
	return ""
}
