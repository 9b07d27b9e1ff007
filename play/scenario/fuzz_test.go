package scenario

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"testing"

	"clankie/emu"
)

// FuzzParsers gives anything to every reader of evidence: none may panic, and
// what one accepts, it accepts again as it is written.
func FuzzParsers(f *testing.F) {
	for _, id := range List() {
		p, err := Load(id)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(p.JSON)
	}
	for _, data := range doubleEvidence(f) {
		f.Add(data)
	}
	f.Add([]byte(`{"schemaVersion":1,"decisions":[]}`))
	f.Add([]byte(`{"kind":"gba_scenario_run_receipt","receiptSha256":""}`))
	f.Add([]byte(`[{"schemaVersion":1,"plane":"semantic"}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := ParsePlan(data); err == nil {
			p.decide(Known{}, Sight{})
			if p.CheckBinding(p.bind("s")) != nil {
				t.Error("a plan does not fit its own binding")
			}
		}
		if d, err := ParseDecisions(data); err == nil {
			again(t, d, func(data []byte) error { return second(ParseDecisions(data)) })
		}
		if r, err := ParseReport(data); err == nil {
			again(t, r, func(data []byte) error { return second(ParseReport(data)) })
		}
		if r, err := ParseReceipt(data); err == nil {
			if written, err := r.encode(); err != nil || !bytes.Equal(written, data) {
				t.Errorf("accepted what is written otherwise: %v", err)
			}
		}
		if events, err := parseSemantic(data); err == nil {
			again(t, events, func(data []byte) error { return second(parseSemantic(data)) })
		}
		_, _ = pictureDigest(data)
	})
}

func second[T any](_ T, err error) error { return err }

// again writes what was read and reads it once more.
func again(t *testing.T, v any, parse func([]byte) error) {
	t.Helper()
	data, err := emu.MarshalIndent(v)
	if err == nil {
		err = parse(data)
	}
	if err != nil {
		t.Errorf("accepted and then refused: %v", err)
	}
}

// doubleEvidence are the files of a run on the double.
func doubleEvidence(t testing.TB) map[string][]byte {
	t.Helper()
	p, err := Load("double-mill-path")
	if err != nil {
		t.Fatal(err)
	}
	e, err := p.Play(t.Context(), func(context.Context) (emu.Body, error) { return p.BootDouble() }, t.TempDir(), NetworkImports)
	if err != nil {
		t.Fatal(err)
	}
	return inMemory(e)
}

// FuzzVerify puts anything in the place of one file of a run's evidence: the
// only bytes that hold are those that were there.
func FuzzVerify(f *testing.F) {
	files := doubleEvidence(f)
	names := slices.Sorted(maps.Keys(files))
	for i, name := range names {
		f.Add(byte(i), files[name])
		f.Add(byte(i), []byte("{}"))
	}
	f.Fuzz(func(t *testing.T, which byte, data []byte) {
		name := names[int(which)%len(names)]
		changed := maps.Clone(files)
		changed[name] = data
		_, _, err := verify(changed)
		if same := bytes.Equal(data, files[name]); same != (err == nil) {
			t.Errorf("%s, unchanged %t: %v", name, same, err)
		}
	})
}
