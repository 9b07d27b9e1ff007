package journal

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLocalJourneyID(t *testing.T) {
	for _, tt := range []struct{ profile, want string }{
		{"", "local:bramble-lane:profile:main"},
		{"main", "local:bramble-lane:profile:main"},
		{"two words", "local:bramble-lane:profile:two%20words"},
		{"é/:%&+", "local:bramble-lane:profile:%C3%A9%2F%3A%25%26%2B"},
		{"-_.!~*'()", "local:bramble-lane:profile:-_.!~*'()"},
		{"\xff", "local:bramble-lane:profile:%EF%BF%BD"},
	} {
		if got := LocalJourneyID("bramble-lane", tt.profile); got != tt.want {
			t.Errorf("profile %q: %s, want %s", tt.profile, got, tt.want)
		}
	}
}

// TestJourneysOfOneGameAreToldApart: by the profile they have.
func TestJourneysOfOneGameAreToldApart(t *testing.T) {
	for id, want := range map[string]string{
		LocalJourneyID("bramble-lane", ""):          "game",
		LocalJourneyID("bramble-lane", "mine"):      "game (mine)",
		LocalJourneyID("bramble-lane", "é:profile"): "game (é:profile)",
		"local:bramble-lane":                        "game",
		"local:bramble-lane:profile:a%zz":           "game (a%zz)",
		"local:bramble-lane:profile:a%0Ab":          "game (a b)",
		HostedJourneyID("west", "7"):                "game",
		"":                                          "game",
	} {
		if got := Named("game", id); got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
}

func TestHostedJourneyID(t *testing.T) {
	if got, want := HostedJourneyID("west coast", "player/7"), "world:west%20coast:player:player%2F7"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestEnvironmentIDs(t *testing.T) {
	for id, want := range map[string]bool{
		"bramble-lane": true, "pokemon-firered": true, "gba-axve": true, strings.Repeat("a", 64): true,
		"": false, "Gba": false, "a b": false, "a\n": false, strings.Repeat("a", 65): false,
	} {
		if got := ValidEnvironmentID(id); got != want {
			t.Errorf("%q: %v", id, got)
		}
	}
}

// folder is a folder of journals.
type folder struct {
	t   *testing.T
	dir string
}

func (s folder) put(name string, lines ...string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

func head(runID, startedAt, journey string) string {
	h := testHeader()
	h.RunID, h.StartedAt, h.JourneyID = runID, startedAt, journey
	data, err := encode(h.fit())
	if err != nil {
		panic(err)
	}
	return strings.TrimSpace(string(data))
}

// noted is a turn that ends with notes.
func noted(n int, notes string) string {
	line := testTurn(n)
	line.Turn.Notes = &notes
	data, err := encode(line.fit())
	if err != nil {
		panic(err)
	}
	return strings.TrimSpace(string(data))
}

func TestRuns(t *testing.T) {
	s := folder{t, t.TempDir()}
	s.put("c.jsonl", head("late", "2026-03-01T00:00:00Z", "j"), "")
	s.put("a.jsonl", head("early", "2026-01-01T00:00:00.5Z", "j"), noted(0, "x"), "torn{")
	s.put("b.jsonl", head("b", "2026-02-01T00:00:00Z", "j"), "")
	s.put("b2.jsonl", head("a", "2026-02-01T00:00:00.000Z", "j"), "")
	s.put("other.jsonl", head("other", "2026-02-01T00:00:00Z", "k"), "")
	s.put("old.jsonl", headerV1, "")
	s.put("damaged.jsonl", strings.Repeat("\x00", 100), noted(0, "x"))
	s.put("empty.jsonl")
	s.put("huge.jsonl", strings.Repeat("x", 4*maxHeaderBytes))
	s.put("notes.txt", "hello")
	if err := os.MkdirAll(filepath.Join(s.dir, "folder.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	runs, problems, err := Runs(s.dir, "j")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range runs {
		got = append(got, r.Header.RunID)
	}
	if diff := cmp.Diff([]string{"early", "a", "b", "late"}, got); diff != "" {
		t.Errorf("runs (-want +got):\n%s", diff)
	}
	if len(problems) != 3 {
		t.Errorf("problems %+v, want three", problems)
	}
	for _, p := range problems {
		if !strings.HasPrefix(p.Reason, CodeNotAJournal) {
			t.Errorf("%s: %s", p.Path, p.Reason)
		}
	}
	if all, _, err := Runs(s.dir, ""); err != nil || len(all) != 6 {
		t.Errorf("%d runs in all, want 6, %v", len(all), err)
	}
	if none, _, err := Runs(filepath.Join(s.dir, "nowhere"), "j"); err != nil || len(none) != 0 {
		t.Errorf("nowhere: %v, %v", none, err)
	}
}

func TestContinuity(t *testing.T) {
	early := head("early", "2026-01-01T00:00:00Z", "j")
	late := head("late", "2026-02-01T00:00:00Z", "j")
	tests := map[string]struct {
		late []string
		want string
		turn int
	}{
		"newest run":               {[]string{late, noted(0, "one"), noted(1, "two"), ""}, "two", 1},
		"torn last line":           {[]string{late, noted(0, "one"), noted(1, "two")[:200]}, "one", 0},
		"damaged middle":           {[]string{late, "{", strings.Repeat("\x00", 500), noted(3, "three"), summaryV2, ""}, "three", 3},
		"no turn yet":              {[]string{late, ""}, "old", 9},
		"no good turn":             {[]string{late, "{", "["}, "old", 9},
		"another kind of header":   {[]string{"hello", noted(0, "one")}, "old", 9},
		"turn behind a torn one":   {[]string{late, noted(0, "one")[:300] + noted(1, "two"), ""}, "two", 1},
		"a long file":              {append(append([]string{late}, many(2000)...), ""), "many", 1999},
		"a long file, damaged end": {append(append([]string{late}, many(2000)...), strings.Repeat("x", 5<<20), "{"), "many", 1999},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := folder{t, t.TempDir()}
			s.put("1.jsonl", early, noted(9, "old"), "")
			s.put("2.jsonl", tt.late...)
			s.put("3.jsonl", head("elsewhere", "2026-03-01T00:00:00Z", "k"), noted(0, "elsewhere"), "")
			got, problems, err := LastContinuity(s.dir, "j")
			if err != nil || got == nil {
				t.Fatalf("%+v, %v", got, err)
			}
			if *got.Notes != tt.want || got.Turn != tt.turn || *got.Objective != "cross" {
				t.Errorf("notes %q of turn %d, want %q of %d", *got.Notes, got.Turn, tt.want, tt.turn)
			}
			if (name == "another kind of header") != (len(problems) == 1) {
				t.Errorf("problems %+v", problems)
			}
		})
	}
}

func many(n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = noted(i, "many")
	}
	return lines
}

func TestContinuityOfNothing(t *testing.T) {
	if got, _, err := LastContinuity(filepath.Join(t.TempDir(), "nowhere"), "j"); got != nil || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
}

func BenchmarkContinuity(b *testing.B) {
	s := folder{nil, b.TempDir()}
	lines := append(append([]string{""}, many(500)...), "")
	for run := range 50 {
		lines[0] = head(fmt.Sprint(run), "2026-02-01T00:00:00Z", "j")
		path := filepath.Join(s.dir, fmt.Sprintf("%d.jsonl", run))
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if got, _, err := LastContinuity(s.dir, "j"); got == nil || err != nil {
			b.Fatal(got, err)
		}
	}
}
