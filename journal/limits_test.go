package journal

import (
	"strings"
	"testing"
)

// TestLimits pins the bounds of the format by their numbers: what reaches one
// is read, what goes past it is not.
func TestLimits(t *testing.T) {
	in := func(line, member string) func(value string) string {
		if strings.Count(line, member) == 0 {
			t.Fatalf("%s is not in the line", member)
		}
		name, _, _ := strings.Cut(member, ":")
		return func(value string) string { return strings.Replace(line, member, name+":"+value, 1) }
	}
	turn := func(name string) func(string) string { return in(turnV2, `"`+name+`":null`) }
	late := func(before, name string) func(string) string {
		return in(strings.Replace(turnV2, `"`+before+`":`, `"`+name+`":null,"`+before+`":`, 1), `"`+name+`":null`)
	}
	text := func(n int) string { return `"` + strings.Repeat("x", n) + `"` }
	list := func(item string) func(int) string {
		return func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + "]" }
	}
	within := func(open, close string) func(int) string {
		return func(n int) string { return open + text(n) + close }
	}
	failure := `{"action":{"kind":"frame_advance","frames":1},"errorCode":"menu_not_open","effect":"no"}`
	for name, c := range map[string]struct {
		line  func(value string) string
		value func(n int) string
		most  int
	}{
		"runId":                   {in(headerV3, `"runId":"r"`), text, 200},
		"environmentSessionId":    {in(headerV3, `"environmentSessionId":"s"`), text, 200},
		"scenarioId":              {in(headerV3, `"scenarioId":"c"`), text, 200},
		"resumedFromCheckpointId": {in(headerV3, `"resumedFromCheckpointId":null`), text, 200},
		"journeyId":               {in(headerV3, `"journeyId":"local:pokemon-firered:profile:main"`), text, 512},
		"environmentId":           {in(headerV3, `"environmentId":"pokemon-firered"`), text, 64},

		"monologue":        {in(turnV2, `"monologue":"m"`), text, 600},
		"intent":           {in(turnV2, `"intent":"i"`), text, 200},
		"notes":            {turn("notes"), text, 800},
		"objective":        {turn("objective"), text, 160},
		"objectiveRetired": {late("interjection", "objectiveRetired"), text, 160},
		"interjection":     {turn("interjection"), text, 500},
		"reply":            {turn("reply"), text, 2000},
		"speak":            {turn("speak"), text, 400},
		"detail":           {turn("detail"), text, 400},
		"effect":           {in(turnV2, `"effect":"moved"`), text, 200},
		"effectAdvice":     {late("interjection", "effectAdvice"), text, 300},
		"narrationEvent":   {in(turnV2b, `"narrationEvent":"e"`), text, 512},
		"speechDeliveryId": {in(turnV2b, `"speechDeliveryId":"d-1"`), text, 128},

		"observations":          {in(turnV2, `"observations":[`+sceneObservation+`]`), list(sceneObservation), 6},
		"refusedHere":           {in(turnV2, `"refusedHere":["north"]`), list(`"north"`), 4},
		"knownHardFailures":     {late("stalledForTurns", "knownHardFailures"), list(failure), 32},
		"verifiedInteractions":  {late("stalledForTurns", "verifiedInteractions"), list(`"x"`), 32},
		"a verifiedInteraction": {late("stalledForTurns", "verifiedInteractions"), within("[", "]"), 700},
		"maps":                  {in(turnV2, `"maps":["pallet-town"]`), list(`"m"`), 256},
		"a map":                 {in(turnV2, `"maps":["pallet-town"]`), within("[", "]"), 200},
		"summary":               {in(turnV2, `"actionResult":`+answered), within(`{"source":"body","status":"completed","summary":`, `,"advice":null}`), 4096},
		"message":               {in(turnV2, `"actionResult":`+answered), within(`{"source":"exception","name":"E","message":`, `,"errorCode":null,"retryable":null}`), 4096},

		"outcome": {in(summaryV2, `"outcome":"stopped"`), text, 64},
	} {
		if _, err := ParseLine([]byte(c.line(c.value(c.most)))); err != nil {
			t.Errorf("%s of %d: %v", name, c.most, err)
		}
		if _, err := ParseLine([]byte(c.line(c.value(c.most + 1)))); err == nil {
			t.Errorf("%s of %d was accepted", name, c.most+1)
		}
	}
	for name, line := range map[string]func(string) string{
		"byteLength": in(summaryV2, `"byteLength":5500`), "width": in(summaryV2, `"width":240`), "height": in(summaryV2, `"height":160`),
	} {
		good, bad := []string{"1", "4096"}, []string{"0", "4097", "-1"}
		if name == "byteLength" {
			good, bad = []string{"1", "524288"}, []string{"0", "524289"}
		}
		for _, value := range good {
			if _, err := ParseLine([]byte(line(value))); err != nil {
				t.Errorf("%s %s: %v", name, value, err)
			}
		}
		for _, value := range bad {
			if _, err := ParseLine([]byte(line(value))); err == nil {
				t.Errorf("%s %s was accepted", name, value)
			}
		}
	}
}

// TestLongestLine writes lines of 256 KiB, and of one byte more.
func TestLongestLine(t *testing.T) {
	long := func(n int) TurnLine {
		line := testTurn(0)
		line.Evidence.Decision.Observations[0].Data = strings.Repeat("x", n)
		return line
	}
	shortest, err := encode(long(0).fit())
	if err != nil {
		t.Fatal(err)
	}
	room := 262144 - len(shortest)
	for n, code := range map[int]string{room: "", room + 1: CodeLineTooLarge} {
		w := create(t)
		wantCode(t, w.Turn(long(n)), code)
		if got, err := ReadStrict(w.Path()); err != nil || len(got.Turns) != 1 || got.Turns[0].Reduced() != (code != "") {
			t.Errorf("%d turns, %v", len(got.Turns), err)
		}
	}
}
