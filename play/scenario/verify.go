package scenario

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"clankie/emu"
	"clankie/emu/session"
	"clankie/emu/session/evidence"
)

// Verify reads the evidence in a folder and recomputes all of it. The error
// names the file that does not hold. What it cannot tell is whether somebody
// made up a whole run: for that the scenario is played again, see [Plan.Replay].
func Verify(dir string) (Evidence, Plan, error) {
	files, err := layout.Read(dir)
	if err != nil {
		return Evidence{}, Plan{}, err
	}
	return verify(files)
}

// broken names the file that does not hold.
func broken(name string, err error) error { return fmt.Errorf("%s: %w", name, err) }

func verify(files map[string][]byte) (Evidence, Plan, error) {
	receipt, err := ParseReceipt(files[FileReceipt])
	if err != nil {
		return Evidence{}, Plan{}, broken(FileReceipt, err)
	}
	for _, f := range receipt.Files {
		if data, ok := files[f.Name]; !ok || len(data) != f.Bytes || emu.DigestOf(data) != f.SHA256 {
			return Evidence{}, Plan{}, broken(f.Name, fmt.Errorf("the file is not the one that the receipt is for"))
		}
	}
	plan, err := ParsePlan([]byte(receipt.Scenario))
	if err != nil {
		return Evidence{}, Plan{}, broken(FileReceipt, err)
	}
	e, err := plan.recompute(files)
	return e, plan, err
}

// recompute makes the evidence anew from the decisions, the events and the
// picture, and compares each file with what it must be.
func (p Plan) recompute(files map[string][]byte) (Evidence, error) {
	decisions, err := ParseDecisions(files[FileDecisions])
	if err != nil {
		return Evidence{}, broken(FileDecisions, err)
	}
	claimed, err := ParseReport(files[FileReport])
	if err != nil {
		return Evidence{}, broken(FileReport, err)
	}
	h := p.pins()
	trace, err := evidence.Verify(files[FileEvents], evidence.Expect{Header: h.Header, Head: claimed.Evidence.EventChainHeadSHA256})
	if err != nil {
		return Evidence{}, broken(FileEvents, err)
	}
	semantic, err := parseSemantic(files[FileSemantic])
	if err != nil {
		return Evidence{}, broken(FileSemantic, err)
	}
	if err := p.checkSemantic(semantic, decisions, trace, claimed); err != nil {
		return Evidence{}, broken(FileSemantic, err)
	}
	report, err := p.recomputeReport(files, claimed, decisions, trace)
	if err != nil {
		return Evidence{}, err
	}
	e := Evidence{Report: report, Decisions: decisions, Trace: trace, Semantic: semantic}
	written, err := emu.MarshalIndent(decisions)
	if err != nil {
		return Evidence{}, broken(FileDecisions, err)
	}
	e, err = p.seal(e, written, files[FileEvents], files[FilePicture])
	if err != nil {
		return Evidence{}, err
	}
	for _, f := range slices.Backward(e.Files) {
		if !bytes.Equal(f.Data, files[f.Name]) {
			return Evidence{}, broken(f.Name, fmt.Errorf("the file is not what the evidence comes to"))
		}
	}
	return e, nil
}

// recomputeReport makes the report anew. What only the body could tell, its
// last state, is taken over as far as it agrees with the rest.
func (p Plan) recomputeReport(files map[string][]byte, claimed Report, d Decisions, t evidence.Trace) (Report, error) {
	wrong := func(what string) (Report, error) { return Report{}, broken(FileReport, fmt.Errorf("%s", what)) }
	if err := d.ends(claimed, t); err != nil {
		return Report{}, broken(FileReport, err)
	}
	report := p.report(claimed.Halt, claimed.Network, claimed.FinalState, parts{
		decisions: d, trace: t, ram: claimed.Evidence.FinalRAMStateSHA256,
		files: []File{
			{FileDecisions, files[FileDecisions]},
			{FileEvents, files[FileEvents]},
			{FilePicture, files[FilePicture]},
		},
	})
	picture, ok := files[FilePicture]
	if ok != (p.Real != nil) {
		return Report{}, broken(FilePicture, fmt.Errorf("the real core leaves a picture, and nothing else does"))
	}
	if ok {
		shown, err := pictureDigest(picture)
		if err != nil {
			return Report{}, broken(FilePicture, err)
		}
		report.Evidence.FinalFramebufferSHA256 = &shown
	}
	again, err := emu.MarshalIndent(report)
	if err != nil || !bytes.Equal(again, files[FileReport]) {
		return wrong("the report is not what decisions, events and picture come to")
	}
	return report, nil
}

// ends checks how a run ended against its last decision and its last event.
func (d Decisions) ends(r Report, t evidence.Trace) error {
	if len(d.Decisions) == 0 {
		return fmt.Errorf("a run without a decision has not ended")
	}
	last := d.Decisions[len(d.Decisions)-1]
	halted, halts := halts[last.ReasonCode]
	acted := r.Halt == HaltFailed || r.Halt == HaltUncertain || r.Halt == HaltBudget
	if halts && r.Halt != halted || !halts && !acted {
		return fmt.Errorf("halt: %q does not follow from the last decision", emu.Clean(string(r.Halt)))
	}
	frame, ram := last.ObservedFrame, last.ObservedRAMStateSHA256
	if n := len(t.Events); !halts && r.Halt != HaltFailed && n > 0 {
		frame, ram = t.Events[n-1].Frame, t.Events[n-1].RAMStateSHA256
	}
	if r.Halt != HaltFailed && (r.FinalState.Frame != frame || r.Evidence.FinalRAMStateSHA256 != ram) {
		return fmt.Errorf("finalState: not of the frame that was seen last")
	}
	return nil
}

// Bounds of the semantic events: three for each action, a few for the session.
const maxSemantic = 4 * maxTrace

func parseSemantic(data []byte) ([]session.Event, error) {
	var raw []jsontext.Value
	if err := emu.UnmarshalPart(data, &raw); err != nil {
		return nil, err
	}
	if len(raw) > maxSemantic {
		return nil, fmt.Errorf("%d events, at most %d", len(raw), maxSemantic)
	}
	events := make([]session.Event, len(raw))
	for i, one := range raw {
		var err error
		if events[i], err = session.ParseEvent(one); err != nil {
			return nil, fmt.Errorf("%d: %w", i+1, err)
		}
	}
	return events, nil
}

// checkSemantic holds the semantic events against decisions and evidence: the
// session began and ended, each action was requested, and completed where it
// left evidence, and the goal is what the report says.
func (p Plan) checkSemantic(events []session.Event, d Decisions, t evidence.Trace, r Report) error {
	if n := len(events); n < 3 || events[0].Type != session.EventSessionStarted ||
		events[n-2].Type != session.EventSessionStopped || events[n-1] != p.goalEvent(r) {
		return fmt.Errorf("the events do not begin and end as a run does")
	}
	requested, completed := []string{}, []string{}
	for _, e := range events {
		if e.SessionID != p.SessionID() {
			return fmt.Errorf("an event is of another session")
		}
		switch e.Type {
		case session.EventActionRequested:
			requested = append(requested, e.Data.ActionID)
		case session.EventActionCompleted:
			completed = append(completed, e.Data.ActionID)
		}
	}
	if !slices.Equal(requested, d.actionIDs()) {
		return fmt.Errorf("the actions requested are not those decided")
	}
	if !slices.EqualFunc(completed, t.Events, func(id string, e evidence.Event) bool { return id == e.ActionID }) {
		return fmt.Errorf("the actions completed are not those that left evidence")
	}
	return nil
}

func (d Decisions) actionIDs() []string {
	ids := []string{}
	for _, one := range d.Decisions {
		if one.Action != nil {
			ids = append(ids, actionID(one.Sequence))
		}
	}
	return ids
}
