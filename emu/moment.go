package emu

import (
	"regexp"
	"time"
)

// momentLayout is an ISO-8601 moment in UTC with milliseconds.
const momentLayout = "2006-01-02T15:04:05.000Z"

// Moment writes t as every record does: ISO-8601 in UTC, milliseconds, Z.
func Moment(t time.Time) string { return t.UTC().Format(momentLayout) }

var momentPattern = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z$`)

// ParseMoment reads an ISO-8601 moment in UTC, with or without seconds; ok is
// false for anything else.
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
