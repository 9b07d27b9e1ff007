package model

import (
	_ "embed"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"clankie/emu"
)

// maxCharacterBytes bounds what is said about who he is.
const maxCharacterBytes = 8 << 10

// DefaultCharacter is who he is when no character file says otherwise.
//
//go:embed character.md
var DefaultCharacter string

// CharacterFromFile reads who he is from a text file. Control characters
// other than line ends become blanks.
func CharacterFromFile(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("character file: %w", err)
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("character file %s: not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("character file: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxCharacterBytes+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("character file: %w", err)
	case len(data) > maxCharacterBytes:
		return "", fmt.Errorf("character file %s: longer than %d bytes", path, maxCharacterBytes)
	case !utf8.Valid(data):
		return "", fmt.Errorf("character file %s: not UTF-8 text", path)
	}
	text := cleanLines(string(data))
	if text == "" {
		return "", fmt.Errorf("character file %s: empty", path)
	}
	return text, nil
}

func cleanLines(s string) string {
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(emu.Clean(l), " ")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
