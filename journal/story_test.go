package journal

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// spoken is a turn that its mind wanted to speak about.
func spoken(n int, effect string) string {
	line := testTurn(n)
	line.Turn.SpeakWanted, line.Turn.Effect = true, &effect
	return text(line)
}

func text(line TurnLine) string {
	data, err := encode(line.fit())
	if err != nil {
		panic(err)
	}
	return strings.TrimSpace(string(data))
}

// wentTo is a turn after which play had been to maps.
func wentTo(n int, maps ...string) string {
	line := testTurn(n)
	line.Evidence.ProgressAfter = &Progress{Maps: maps}
	return text(line)
}

func summed(maps ...string) string {
	data, err := encode(Summary{At: testMoment, Outcome: "stopped", Progress: Progress{Maps: maps}}.fit())
	if err != nil {
		panic(err)
	}
	return strings.TrimSpace(string(data))
}

func effects(c Card) []string {
	var out []string
	for _, m := range c.Moments {
		out = append(out, m.Effect)
	}
	return out
}

func TestStory(t *testing.T) {
	s := folder{t, t.TempDir()}
	s.put("1.jsonl", head("one", "2026-01-01T00:00:00Z", "j"), noted(0, "x"), spoken(1, "woke up"), spoken(2, " "), summed("home", "lane", "home"), "")
	s.put("2.jsonl", head("two", "2026-01-02T00:00:00Z", "j"), wentTo(0, "lane", "hall"), spoken(1, "met SORREL"), "torn{")
	s.put("3.jsonl", head("three", "2026-01-03T00:00:00Z", "j"), "")
	s.put("k.jsonl", head("four", "2026-01-04T00:00:00Z", "k"), spoken(0, "elsewhere"), "")
	s.put("v2.jsonl", headerV2, turnV2, "")
	card, problems, err := Story(s.dir, "j")
	if err != nil || len(problems) != 0 {
		t.Fatal(problems, err)
	}
	objective, at := "cross", testMoment
	want := Card{
		SchemaVersion: 1, SessionID: "session", EnvironmentID: "bramble-lane", ScenarioID: "bramble-lane",
		StartedAt: "2026-01-01T00:00:00Z", TurnsTaken: 5, LastTurnAt: &at, Objective: &objective,
		Maps: []string{"home", "lane"},
		Moments: []StoryMoment{
			{At: testMoment, Effect: "woke up", Toward: &objective},
			{At: testMoment, Effect: "met SORREL", Toward: &objective},
		},
	}
	if diff := cmp.Diff(want, card); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestStoryOfARunThatGoesOn takes its places from the last turn.
func TestStoryOfARunThatGoesOn(t *testing.T) {
	s := folder{t, t.TempDir()}
	s.put("1.jsonl", head("one", "2026-01-01T00:00:00Z", "j"), wentTo(0, "home"), wentTo(1, "home", "lane"), "{half")
	card, _, err := Story(s.dir, "j")
	if diff := cmp.Diff([]string{"home", "lane"}, card.Maps); diff != "" || err != nil {
		t.Errorf("%v, (-want +got):\n%s", err, diff)
	}
}

func TestStoryIsBounded(t *testing.T) {
	s := folder{t, t.TempDir()}
	lines := []string{head("one", "2026-01-01T00:00:00Z", "j")}
	var maps []string
	for n := range 40 {
		lines = append(lines, spoken(n, fmt.Sprint("effect ", n)))
		maps = append(maps, fmt.Sprint("map-", n))
	}
	s.put("1.jsonl", append(lines, summed(maps...), "")...)
	card, _, err := Story(s.dir, "j")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(maps[24:], card.Maps); diff != "" {
		t.Errorf("maps (-want +got):\n%s", diff)
	}
	if got := effects(card); len(got) != MaxStoryMoments || got[0] != "effect 32" || got[7] != "effect 39" {
		t.Errorf("moments %v", got)
	}
}

func TestNoStory(t *testing.T) {
	s := folder{t, t.TempDir()}
	s.put("v1.jsonl", headerV1, turnV1, "")
	for _, journey := range []string{"", "j"} {
		_, _, err := Story(s.dir, journey)
		wantCode(t, err, CodeNoStory)
	}
	got, _, err := Recall(s.dir, "")
	if diff := cmp.Diff(Recalled{Outcome: RecallNotPlaying}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	got, _, err = Recall(s.dir, "j")
	if diff := cmp.Diff(Recalled{Outcome: RecallPending, Active: true, JourneyID: "j"}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestRecallPrefersTheLiveJourney(t *testing.T) {
	s := folder{t, t.TempDir()}
	live := testHeader()
	live.StartedAt, live.JourneyID = "2026-01-01T00:00:00.000Z", "live"
	w, err := Create(s.dir, live)
	if err != nil {
		t.Fatal(err)
	}
	s.put("2.jsonl", head("two", "2026-02-01T00:00:00Z", "later"), noted(0, "x"), "")
	for _, want := range []string{"live", "later"} {
		got, _, err := Recall(s.dir, "")
		if err != nil || got.JourneyID != want || got.Active != (want == "live") || got.Card == nil {
			t.Errorf("recalled %+v, want %s, %v", got, want, err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestQuickReadingLosesNothing compares the quick reading of damaged files
// with the strict one: the same lines where only crashes did the damage.
func TestQuickReadingLosesNothing(t *testing.T) {
	one, two := spoken(1, "one"), spoken(2, "two")
	for name, tt := range map[string]struct {
		text    string
		turns   int
		moments []string
	}{
		"whole":                     {one + "\n" + two + "\n", 2, []string{"one", "two"}},
		"torn in the record":        {one[:300] + two + "\n", 1, []string{"two"}},
		"torn in the evidence":      {one[:len(one)-100] + two + "\n", 1, []string{"two"}},
		"torn between":              {one[:len(one)-1] + two + "\n", 1, []string{"two"}},
		"summary behind a torn one": {one[:len(one)-100] + summed("m") + "\n" + two, 1, []string{"two"}},
		"NULs in the record":        {one[:200] + "\x00\x00" + one[202:] + "\n" + two, 1, []string{"two"}},
		"a page lost across two":    {one[:300] + strings.Repeat("\x00", 400) + two[300:] + "\n", 0, nil},
		"NULs before":               {strings.Repeat("\x00", 5000) + one + "\n", 1, []string{"one"}},
		"torn end":                  {one + "\n" + two[:len(two)-1], 1, []string{"one"}},
		"carriage returns":          {one + "\r\n" + two + "\r\n", 2, []string{"one", "two"}},
		"an older line":             {turnV1 + "\n" + two, 2, []string{"two"}},
		"another order of members":  {strings.Replace(one, `"kind":"turn","schemaVersion":2,`, `"schemaVersion":2,"kind":"turn",`, 1) + "\n", 1, []string{"one"}},
		"a text with the seams":     {spoken(1, `},"evidence":{ {"kind":"turn"`) + "\n", 1, []string{`},"evidence":{ {"kind":"turn"`}},
		"a flip in the record":      {strings.Replace(one, `"speakWanted":true`, `"speakWanted":trve`, 1) + "\n" + two, 2, []string{"two"}},
		"a record that is none":     {strings.Replace(one, `"outcome":"accepted"`, `"outcome":"acxepted"`, 1) + "\n" + two, 2, []string{"two"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := folder{t, t.TempDir()}
			s.put("1.jsonl", head("one", "2026-01-01T00:00:00Z", "j"), tt.text)
			card, _, err := Story(s.dir, "j")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.moments, effects(card)); diff != "" || card.TurnsTaken != tt.turns {
				t.Errorf("%d turns, want %d; (-want +got):\n%s", card.TurnsTaken, tt.turns, diff)
			}
		})
	}
}

// FuzzQuick wants every turn that a strict reading finds from the quick one.
func FuzzQuick(f *testing.F) {
	for _, seed := range []string{
		"", spoken(1, "one"), noted(1, "n")[:700] + spoken(2, "two"), "\x00\x00" + noted(1, "n"), turnV1, turnV2, turnV2b, "\uFEFF" + turnV2,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for line, err := range rawLines(strings.NewReader(string(data))) {
			if err != nil {
				t.Fatal(err)
			}
			strict := line.records()
			if _, ok := line.quick(); !ok {
				continue
			}
			for _, record := range strict {
				if record.Summary != nil || record.Header != nil || record.Gap != nil && len(strict) > 1 {
					t.Fatalf("quick reading hides %+v", record)
				}
			}
		}
	})
}
