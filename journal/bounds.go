package journal

import (
	"fmt"

	"clankie/emu"
)

func moment(name, s string) error {
	if _, ok := emu.ParseMoment(s); !ok {
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
