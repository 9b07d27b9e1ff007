package scenario

import (
	"bytes"
	"context"
	"fmt"

	"clankie/emu"
	"clankie/emu/session"
	"clankie/emu/session/evidence"
)

// Files of a run's evidence, in the order they are written and checked.
const (
	FileReceipt   = "run-receipt.json"
	FileReport    = "report.json"
	FileDecisions = "decisions.json"
	FileEvents    = "events.json"
	FileSemantic  = "semantic-events.json"
	FilePicture   = "final-frame.png" // of the real core alone: the double draws nothing
)

// File is one file of the evidence.
type File struct {
	Name string
	Data []byte
}

// Evidence is what a run leaves behind.
type Evidence struct {
	Report    Report
	Decisions Decisions
	Trace     evidence.Trace
	Semantic  []session.Event
	Receipt   Receipt
	Files     []File
}

// Boot makes a fresh body of the scenario's, ungoverned.
type Boot func(ctx context.Context) (emu.Body, error)

// Play plays the plan on two fresh bodies and returns what the first left
// behind. That the second left the same, byte for byte, is part of having been
// played: anything else is an error that names the files that differ. A run
// that does not pass is no error; its report says so. Records of the sessions
// are kept under root meanwhile.
func (p Plan) Play(ctx context.Context, boot Boot, root string, network Network) (Evidence, error) {
	first, err := p.playOnce(ctx, boot, root, network)
	if err != nil {
		return Evidence{}, err
	}
	second, err := p.playOnce(ctx, boot, root, network)
	if err != nil {
		return Evidence{}, err
	}
	return first, same(first.Files, second.Files)
}

// same names the files in which two runs differ.
func same(first, second []File) error {
	var differ []string
	for i, f := range first {
		if i >= len(second) || !bytes.Equal(f.Data, second[i].Data) {
			differ = append(differ, f.Name)
		}
	}
	if differ == nil && len(first) == len(second) {
		return nil
	}
	return fmt.Errorf("scenario: two fresh bodies did not leave the same evidence: %v differ", differ)
}

func (p Plan) playOnce(ctx context.Context, boot Boot, root string, network Network) (Evidence, error) {
	body, err := boot(ctx)
	if err != nil {
		return Evidence{}, err
	}
	out, err := p.playBody(ctx, body, root)
	if err != nil {
		return Evidence{}, err
	}
	e, err := p.assemble(out, network)
	if err != nil {
		return Evidence{}, err
	}
	return e, leaks(out.secrets, e.Files)
}

// assemble makes the files of what a body left behind.
func (p Plan) assemble(out played, network Network) (Evidence, error) {
	e := Evidence{Decisions: out.decisions, Trace: out.trace}
	decisions, err := emu.MarshalIndent(out.decisions)
	if err != nil {
		return e, err
	}
	events, err := out.trace.Encode()
	if err != nil {
		return e, err
	}
	var picture []byte
	if p.Real != nil && !out.frame.Picture.Stale {
		if picture, err = encodePicture(out.frame.Picture.Pix); err != nil {
			return e, err
		}
	}
	e.Report = p.report(out.halt, network, finalState(out.last, out.inputs), parts{
		decisions: out.decisions, trace: out.trace, ram: out.last.RAM,
		files: []File{{FileDecisions, decisions}, {FileEvents, events}, {FilePicture, picture}},
	})
	if picture != nil {
		d := out.frame.PictureSHA256()
		e.Report.Evidence.FinalFramebufferSHA256 = &d
	}
	e.Semantic = append(out.events, p.goalEvent(e.Report))
	return p.seal(e, decisions, events, picture)
}

// seal writes report and semantic events, and the receipt over everything.
func (p Plan) seal(e Evidence, decisions, events, picture []byte) (Evidence, error) {
	report, err := emu.MarshalIndent(e.Report)
	if err != nil {
		return e, err
	}
	semantic, err := emu.MarshalIndent(e.Semantic)
	if err != nil {
		return e, err
	}
	e.Files = []File{{FileReport, report}, {FileDecisions, decisions}, {FileEvents, events}, {FileSemantic, semantic}}
	if picture != nil {
		e.Files = append(e.Files, File{FilePicture, picture})
	}
	if e.Receipt, err = p.receipt(e.Report, e.Files); err != nil {
		return e, err
	}
	receipt, err := e.Receipt.encode()
	e.Files = append([]File{{FileReceipt, receipt}}, e.Files...)
	return e, err
}

// parts are what a report is made from beside what only the body could tell.
type parts struct {
	decisions Decisions
	trace     evidence.Trace
	ram       emu.Digest
	files     []File
}

// report makes the report. Whoever has the parts comes to the same one.
func (p Plan) report(halt Halt, network Network, final FinalState, from parts) Report {
	h := p.pins()
	r := Report{
		SchemaVersion: schemaNumber, ScenarioID: h.ScenarioID, ScenarioVersion: h.ScenarioVersion, FixtureSHA256: h.FixtureSHA256,
		RunID: p.RunID(), Result: Failed, Halt: halt, Network: network,
		Checks: p.checks(halt, from.decisions, from.trace), FinalState: final,
		Evidence: EvidenceDigests{
			EventCount: len(from.trace.Events), DecisionCount: len(from.decisions.Decisions),
			EventChainHeadSHA256: from.trace.EventChainHeadSHA256, DecisionTraceSHA256: from.decisions.digest(),
			FinalRAMStateSHA256: from.ram,
		},
		Artifacts: p.artifacts(from),
	}
	if r.Checks.all() {
		r.Result = Passed
	}
	return r
}

func (p Plan) artifacts(from parts) []Artifact {
	kinds := map[string]string{FileDecisions: "decision_trace", FileEvents: "event_trace", FilePicture: "frame"}
	counts := map[string]string{
		FileDecisions: emu.Count(len(from.decisions.Decisions), "decision") + " with what each was about",
		FileEvents:    emu.Count(len(from.trace.Events), "event") + " in a hash chain",
		FilePicture:   "the last frame",
	}
	var list []Artifact
	for _, f := range from.files {
		if f.Data == nil {
			continue
		}
		list = append(list, Artifact{
			Kind: kinds[f.Name], ArtifactID: p.RunID() + ":" + kinds[f.Name],
			URI: "artifact://" + p.RunID() + "/" + f.Name, SHA256: emu.DigestOf(f.Data), Summary: counts[f.Name],
		})
	}
	return list
}

// digest is the digest of the trace's canonical JSON.
func (d Decisions) digest() emu.Digest {
	digest, err := emu.CanonicalDigest(d)
	if err != nil {
		// Every member is an id, a number or a digest.
		panic("scenario: " + err.Error())
	}
	return digest
}
