package scenario

import "testing"

// FuzzParsers gives anything to every reader of evidence: none may panic, and
// what one accepts, it accepts again as it is written.
func FuzzParsers(f *testing.F) {
	for _, id := range []string{"double-mill-path", "bramble-bedroom"} {
		p, err := Load(id)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(p.JSON)
	}
	f.Add([]byte(`{"schemaVersion":1,"decisions":[]}`))
	f.Add([]byte(`{"kind":"gba_scenario_run_receipt","receiptSha256":""}`))
	f.Add([]byte(`[{"schemaVersion":1,"plane":"semantic"}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := ParsePlan(data); err == nil {
			p.decide(Known{}, Sight{})
		}
		if d, err := ParseDecisions(data); err == nil {
			d.digest()
		}
		_, _ = ParseReport(data)
		if r, err := ParseReceipt(data); err == nil {
			if again, err := r.encode(); err != nil || string(again) != string(data) {
				t.Errorf("accepted what is written otherwise: %v", err)
			}
		}
		_, _ = parseSemantic(data)
		_, _ = pictureDigest(data)
		_, _, _ = verify(map[string][]byte{FileReceipt: data, FileReport: data, FileDecisions: data, FileEvents: data, FileSemantic: data})
	})
}
