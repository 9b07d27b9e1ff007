package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"clankie/emu"
)

// counts are numbers by name, the names in order.
func counts[K ~string](m map[K]int) string {
	if len(m) == 0 {
		return "none"
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, fmt.Sprintf("%s %d", emu.Clean(string(name)), m[name]))
	}
	return strings.Join(parts, ", ")
}

// jsonList writes a JSON document whose last member is a list that is too long
// to be held.
type jsonList struct {
	w     io.Writer
	items int
}

// beginDocument writes head's members, at least one, and opens the list.
func beginDocument(w io.Writer, head any, list string) (*jsonList, error) {
	data, err := emu.MarshalIndent(head)
	if err != nil {
		return nil, err
	}
	members, _ := bytes.CutSuffix(data, []byte("\n}\n"))
	_, err = fmt.Fprintf(w, "%s,\n  %q: [", members, list)
	return &jsonList{w: w}, err
}

func (l *jsonList) add(item any) error {
	data, err := indented(item, "    ")
	if err != nil {
		return err
	}
	separator := ",\n    "
	if l.items == 0 {
		separator = "\n    "
	}
	l.items++
	_, err = fmt.Fprintf(l.w, "%s%s", separator, data)
	return err
}

func (l *jsonList) end() error {
	tail := "\n  ]\n}\n"
	if l.items == 0 {
		tail = "]\n}\n"
	}
	_, err := io.WriteString(l.w, tail)
	return err
}

// indented is v as it stands below prefix within a document.
func indented(v any, prefix string) ([]byte, error) {
	data, err := emu.MarshalIndent(v)
	if err != nil {
		return nil, err
	}
	return bytes.ReplaceAll(bytes.TrimSpace(data), []byte("\n"), []byte("\n"+prefix)), nil
}
