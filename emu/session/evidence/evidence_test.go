package evidence

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"clankie/emu"
)

var header = Header{
	ScenarioID: "lane", ScenarioVersion: 1, CoreID: "core/1", RNGSeed: 7,
	FixtureSHA256: emu.DigestOf([]byte("fixture")), SavestateSHA256: emu.DigestOf([]byte("state")),
}

func record(t testing.TB, c *Chain, n int) {
	t.Helper()
	for i := range n {
		err := c.Record(Event{
			ActionID: fmt.Sprintf("action-%d", i+1), ActionKind: emu.ActionButtonPress,
			Summary: "pressed a", Frame: uint64(17 * (i + 1)), RAMStateSHA256: emu.DigestOf([]byte{byte(i)}),
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func chain(t *testing.T, policy Policy, window int) *Chain {
	t.Helper()
	c, err := NewChain(header, policy, window)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func expect(tr Trace) Expect {
	return Expect{Header: header, Head: tr.EventChainHeadSHA256, RolledWindows: tr.RolledWindows, DroppedEvents: tr.DroppedEvidenceEvents}
}

func encode(t testing.TB, tr Trace) []byte {
	t.Helper()
	data, err := tr.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestEveryChangedByteIsFound(t *testing.T) {
	c := chain(t, Rolling, 3)
	record(t, c, 5)
	tr := c.Trace()
	data := encode(t, tr)
	if _, err := Verify(data, expect(tr)); err != nil {
		t.Fatalf("untouched: %v", err)
	}
	for i := range data {
		for _, flip := range []byte{0x01, 0x02, 0x10, 0x20, 0x80} {
			changed := bytes.Clone(data)
			changed[i] ^= flip
			if _, err := Verify(changed, expect(tr)); err == nil {
				t.Fatalf("byte %d (%q) changed by %#x was not found", i, data[i], flip)
			}
		}
	}
	for i := range data {
		if _, err := Verify(slices.Delete(bytes.Clone(data), i, i+1), expect(tr)); err == nil {
			t.Fatalf("byte %d (%q) removed was not found", i, data[i])
		}
	}
}

func TestFrozenWindowTakesNothingMore(t *testing.T) {
	c := chain(t, "", 2)
	record(t, c, 2)
	before := c.Trace()
	if !c.Full() {
		t.Fatal("the window is not full")
	}
	if err := c.Record(Event{ActionID: "x"}); !errors.Is(err, ErrFull) {
		t.Fatalf("got %v, want %v", err, ErrFull)
	}
	if after := c.Trace(); after.EventChainHeadSHA256 != before.EventChainHeadSHA256 || len(after.Events) != 2 {
		t.Fatal("a refused event changed the chain")
	}
}

func TestRollingWindowStartsAgainFromGenesis(t *testing.T) {
	c := chain(t, Rolling, 2)
	record(t, c, 5)
	tr := c.Trace()
	if tr.RolledWindows != 2 || tr.DroppedEvidenceEvents != 4 || len(tr.Events) != 1 {
		t.Fatalf("rolled %d, dropped %d, kept %d", tr.RolledWindows, tr.DroppedEvidenceEvents, len(tr.Events))
	}
	if tr.Events[0].PreviousEventSHA256 != Genesis || tr.Events[0].Sequence != 1 {
		t.Fatalf("the new window begins with %+v", tr.Events[0])
	}
	if err := tr.Validate(); err != nil {
		t.Fatal(err)
	}
	if c.Full() {
		t.Fatal("a rolling chain is never full")
	}
}

func TestEmptyTraceEndsAtGenesis(t *testing.T) {
	data := encode(t, chain(t, Frozen, 1).Trace())
	if !bytes.Contains(data, []byte(`"events": []`)) || bytes.Contains(data, []byte("rolled")) {
		t.Fatalf("an empty trace reads\n%s", data)
	}
	if _, err := Verify(data, Expect{Header: header, Head: Genesis}); err != nil {
		t.Fatal(err)
	}
}

func TestForgedTracesAreRefused(t *testing.T) {
	c := chain(t, Frozen, 5)
	record(t, c, 3)
	whole := c.Trace()
	tests := map[string]func(*Trace){
		"last event dropped": func(tr *Trace) {
			tr.Events = tr.Events[:2]
			tr.EventChainHeadSHA256 = tr.Events[1].EventSHA256
		},
		"events swapped": func(tr *Trace) { tr.Events[0], tr.Events[1] = tr.Events[1], tr.Events[0] },
		"event rewritten and sealed": func(tr *Trace) {
			tr.Events[1].Frame++
			tr.Events[1], _ = tr.Events[1].sealed()
		},
		"other scenario": func(tr *Trace) { tr.ScenarioID = "elsewhere" },
		"other seed":     func(tr *Trace) { tr.RNGSeed++ },
		"rolled claimed": func(tr *Trace) { tr.RolledWindows, tr.DroppedEvidenceEvents = 1, 5 },
	}
	for name, forge := range tests {
		tr := whole
		tr.Events = slices.Clone(whole.Events)
		forge(&tr)
		if _, err := Verify(encode(t, tr), expect(whole)); err == nil {
			t.Errorf("%s: not found", name)
		}
	}
}

func TestParseIsStrict(t *testing.T) {
	c := chain(t, Frozen, 2)
	record(t, c, 1)
	good := string(encode(t, c.Trace()))
	for name, bad := range map[string]string{
		"unknown member": strings.Replace(good, `"scenarioId"`, `"more": 1, "scenarioId"`, 1),
		"missing seed":   strings.Replace(good, `"rngSeed": 7,`, ``, 1),
		"null seed":      strings.Replace(good, `"rngSeed": 7`, `"rngSeed": null`, 1),
		"duplicate":      strings.Replace(good, `"rngSeed": 7`, `"rngSeed": 7, "rngSeed": 7`, 1),
		"trailing":       good + "{}",
		"null events":    `null`,
	} {
		if _, err := Parse([]byte(bad)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"schemaVersion":1}`))
	for _, policy := range []Policy{Frozen, Rolling} {
		c, err := NewChain(header, policy, 3)
		if err != nil {
			f.Fatal(err)
		}
		record(f, c, map[Policy]int{Frozen: 2, Rolling: 5}[policy])
		f.Add(encode(f, c.Trace()))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tr, err := Parse(data)
		if err != nil {
			return
		}
		if err := tr.Validate(); err != nil {
			t.Fatalf("accepted and then refused: %v", err)
		}
		if again, err := Verify(encode(t, tr), Expect{tr.Header, tr.EventChainHeadSHA256, tr.RolledWindows, tr.DroppedEvidenceEvents}); err != nil || again.EventChainHeadSHA256 != tr.EventChainHeadSHA256 {
			t.Fatalf("what was read is not written well: %v", err)
		}
	})
}
