package journal

import (
	"fmt"
	"regexp"
	"time"

	"clankie/emu"
)

// stampLayout is an ISO-8601 moment in UTC with milliseconds.
const stampLayout = "2006-01-02T15:04:05.000Z"

// Moment writes t as the format does: ISO-8601 in UTC, milliseconds, Z.
func Moment(t time.Time) string { return t.UTC().Format(stampLayout) }

var momentPattern = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z$`)

// ParseMoment reads an ISO-8601 moment in UTC; ok is false for anything else.
func ParseMoment(s string) (t time.Time, ok bool) {
	if !momentPattern.MatchString(s) {
		return time.Time{}, false
	}
	layout := time.RFC3339Nano
	if len(s) == len("2006-01-02T15:04Z") {
		layout = "2006-01-02T15:04Z07:00"
	}
	t, err := time.Parse(layout, s)
	return t, err == nil
}

func moment(name, s string) error {
	if _, ok := ParseMoment(s); !ok {
		return fmt.Errorf("%s: not an ISO-8601 moment in UTC", name)
	}
	return nil
}

func within(name, s string, low, high int) error {
	if n := emu.Length(s); n < low || n > high {
		return fmt.Errorf("%s: %s, must be %d to %d", name, emu.Count(n, "character"), low, high)
	}
	return nil
}

func atMost(name string, s *string, high int) error {
	if s == nil {
		return nil
	}
	return within(name, *s, 0, high)
}

func items(name string, n, high int) error {
	if n > high {
		return fmt.Errorf("%s: %d items, at most %d", name, n, high)
	}
	return nil
}

func natural(name string, n int) error {
	if n < 0 {
		return fmt.Errorf("%s: %d is negative", name, n)
	}
	return nil
}

func naturalOrNull(name string, n *int) error {
	if n == nil {
		return nil
	}
	return natural(name, *n)
}

// clip cuts a text that may be null.
func clip(s *string, limit int) *string {
	if s == nil {
		return nil
	}
	cut := emu.Clip(*s, limit)
	return &cut
}

// last keeps the newest n items.
func last[T any](s []T, n int) []T {
	if len(s) > n {
		return s[len(s)-n:]
	}
	return s
}

// first keeps the first n items.
func first[T any](s []T, n int) []T {
	if len(s) > n {
		return s[:n]
	}
	return s
}

func clamp(n *int) {
	*n = max(*n, 0)
}

func clampOrNull(n *int) *int {
	if n == nil {
		return nil
	}
	v := max(*n, 0)
	return &v
}
