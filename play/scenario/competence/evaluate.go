package competence

import (
	"bytes"
	"context"
	"fmt"
	"maps"

	"clankie/emu"
	"clankie/play/scenario"
)

var layout = scenario.Layout{Receipt: FileReceipt, Required: []string{FileReport}}

// Check reads a benchmark's folder and recomputes all that can be without
// playing: that it is of the real core, of this benchmark with its own pins, and
// that the checks follow from what was counted. An error names the file that
// does not hold.
func (b Benchmark) Check(dir string) (Report, Receipt, error) {
	files, err := layout.Read(dir)
	if err != nil {
		return Report{}, Receipt{}, err
	}
	receipt, err := ParseReceipt(files[FileReceipt])
	if err != nil {
		return Report{}, Receipt{}, fmt.Errorf("%s: %w", FileReceipt, err)
	}
	report, err := b.checkReport(files[FileReport], receipt)
	if err != nil {
		return Report{}, Receipt{}, fmt.Errorf("%s: %w", FileReport, err)
	}
	if err := b.checkReceipt(receipt, report, files[FileReceipt]); err != nil {
		return Report{}, Receipt{}, fmt.Errorf("%s: %w", FileReceipt, err)
	}
	return report, receipt, nil
}

// checkReport holds a report against the receipt and against itself.
func (b Benchmark) checkReport(data []byte, receipt Receipt) (Report, error) {
	if emu.DigestOf(data) != receipt.ReportSHA256 {
		return Report{}, fmt.Errorf("the file is not the one that the receipt is for")
	}
	r, err := ParseReport(data)
	if err != nil {
		return Report{}, err
	}
	if r.Mode != KindROM {
		return Report{}, fmt.Errorf("mode: %q; only %s shows that a game was played", emu.Clean(r.Mode), KindROM)
	}
	states, err := b.Of(r.Mode)
	if err != nil {
		return Report{}, err
	}
	want := b.report(r.Mode, r.Controller)
	if len(states) != len(r.States) {
		return Report{}, fmt.Errorf("%s, the benchmark has %d", emu.Count(len(r.States), "state"), len(states))
	}
	for i, s := range states {
		want.States = append(want.States, b.judge(s, r.States[i].Metrics, r.States[i].Control))
		want.RepeatOnly = append(want.RepeatOnly, b.judge(s, r.RepeatOnly[i].Metrics, r.RepeatOnly[i].Control))
	}
	want.Passed = want.passes()
	again, err := emu.MarshalIndent(want)
	if err != nil || !bytes.Equal(again, data) {
		return Report{}, fmt.Errorf("the report is not what was counted comes to, or of another benchmark: here is %s version %d (%s)",
			b.BenchmarkID, b.BenchmarkVersion, b.SHA256.Short())
	}
	return r, nil
}

// checkReceipt holds a receipt against the report and the benchmark's own pins.
// The machine is the one that the receipt says; playing again shows whether it
// comes to the same.
func (b Benchmark) checkReceipt(r Receipt, report Report, data []byte) error {
	core := emu.CoreIdentity{CoreID: r.Identity.CoreID, ModuleSHA256: r.Identity.CoreWasmSHA256, ROMSHA256: r.Identity.ROMSHA256}
	want, files, err := b.Receipt(Played{report, core})
	if err != nil {
		return err
	}
	if !maps.Equal(want.Identity.Pinned, r.Identity.Pinned) {
		return fmt.Errorf("identity: the pins are not the benchmark's")
	}
	if !bytes.Equal(files[0].Data, data) {
		return fmt.Errorf("the receipt is not what the report comes to")
	}
	return nil
}

// Evaluate is Check, and plays the benchmark again: on a machine that the
// receipt's is proven to behave like, a fresh run must come to the very same
// report.
func (b Benchmark) Evaluate(ctx context.Context, dir string, boot Boot) (Report, Receipt, error) {
	report, receipt, err := b.Check(dir)
	if err != nil {
		return Report{}, Receipt{}, err
	}
	again, err := b.Play(ctx, report.Mode, report.Controller, boot)
	if err != nil {
		return Report{}, Receipt{}, err
	}
	if !receipt.Identity.playedOn(again.Core) {
		return Report{}, Receipt{}, fmt.Errorf("%s: free_play_competence_core_identity_mismatch:%s", FileReceipt, b.BenchmarkID)
	}
	data, err := emu.MarshalIndent(again.Report)
	if err == nil && emu.DigestOf(data) != receipt.ReportSHA256 {
		err = fmt.Errorf("%s: played again, the benchmark comes to something else", FileReport)
	}
	return report, receipt, err
}

// playedOn reports whether core is the machine of the receipt, or one proven to
// behave like it.
func (id Identity) playedOn(core emu.CoreIdentity) bool {
	return id.CoreID == core.CoreID && id.ROMSHA256 == core.ROMSHA256 && core.Accepts(id.CoreWasmSHA256)
}
