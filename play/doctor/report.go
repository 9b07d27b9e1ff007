package doctor

import (
	"fmt"
	"io"
	"strings"
)

// Status says how a check came out.
type Status string

// The statuses.
const (
	OK      Status = "ok"
	Note    Status = "note"    // not as it could be; play works
	Problem Status = "problem" // something is broken; play works without it
	Fatal   Status = "fatal"   // play does not work
)

// Check is one thing that was looked at.
type Check struct {
	Name   string `json:"name"`
	Status Status `json:"status"`
	Found  string `json:"found"`
	// Missing says what is not there or not right, or is "".
	Missing string `json:"missing"`
	Mend    string `json:"mend"` // what to do about it, or ""
}

// Report is everything that was looked at. The names are stable.
type Report struct {
	Plays  bool    `json:"plays"` // clankie would play now
	Checks []Check `json:"checks"`
}

// NewReport puts checks together.
func NewReport(checks ...Check) Report {
	r := Report{Plays: true, Checks: checks}
	for _, c := range checks {
		r.Plays = r.Plays && c.Status != Fatal
	}
	return r
}

// Print writes the report for people.
func (r Report) Print(w io.Writer) error {
	var s strings.Builder
	for _, c := range r.Checks {
		fmt.Fprintf(&s, "%-8s %-14s %s\n", c.Status, c.Name, indent(c.Found))
		for _, more := range []struct{ what, text string }{{"missing", c.Missing}, {"mend", c.Mend}} {
			if more.text != "" {
				fmt.Fprintf(&s, "%-8s %-14s %s: %s\n", "", "", more.what, indent(more.text))
			}
		}
	}
	verdict := "clankie would play"
	if !r.Plays {
		verdict = "clankie would not play: mend what is fatal"
	}
	_, err := fmt.Fprintf(w, "%s\n%s\n", strings.TrimRight(s.String(), "\n"), verdict)
	return err
}

// indent puts the further lines of a text under its first.
func indent(s string) string {
	return strings.ReplaceAll(s, "\n", "\n"+strings.Repeat(" ", 24))
}
