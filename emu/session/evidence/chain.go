package evidence

import (
	"errors"
	"fmt"
	"slices"

	"clankie/emu"
)

// Policy says what a full window does.
type Policy string

// The policies.
const (
	// Frozen keeps one window and takes nothing more. It is the default.
	Frozen Policy = "frozen"
	// Rolling counts a full window, drops its events and starts again from
	// genesis, so that play of any length stays bounded.
	Rolling Policy = "rolling"
)

// ErrFull is returned by a frozen chain whose window is full.
var ErrFull = errors.New("evidence: the window is full")

// Header names what a trace is evidence of.
type Header struct {
	ScenarioID      string     `json:"scenarioId"`
	ScenarioVersion int        `json:"scenarioVersion"`
	FixtureSHA256   emu.Digest `json:"fixtureSha256"`
	CoreID          string     `json:"coreId"`
	SavestateSHA256 emu.Digest `json:"savestateSha256"`
	RNGSeed         uint32     `json:"rngSeed"`
}

// Chain records the events of one session. It is not safe for concurrent use.
type Chain struct {
	header Header
	policy Policy
	window int

	head    emu.Digest
	events  []Event
	rolled  int
	dropped int
}

// NewChain starts an empty chain whose windows hold window events.
func NewChain(header Header, policy Policy, window int) (*Chain, error) {
	if window < 1 || window > MaxEvents {
		return nil, fmt.Errorf("evidence: a window of %d events; 1 to %d are allowed", window, MaxEvents)
	}
	if policy == "" {
		policy = Frozen
	}
	if policy != Frozen && policy != Rolling {
		return nil, fmt.Errorf("evidence: %q is no policy", policy)
	}
	return &Chain{header: header, policy: policy, window: window, head: Genesis}, nil
}

// Full reports whether the next event will be refused.
func (c *Chain) Full() bool { return c.policy == Frozen && len(c.events) >= c.window }

// Record appends what an action left behind. Its schema version, sequence and
// digests are the chain's to fill in.
func (c *Chain) Record(e Event) error {
	if c.Full() {
		return ErrFull
	}
	if len(c.events) >= c.window {
		c.roll()
	}
	e.SchemaVersion, e.Sequence, e.PreviousEventSHA256 = schemaNumber, len(c.events)+1, c.head
	e.Summary = emu.Clip(emu.Clean(e.Summary), maxSummary)
	if err := e.validate(); err != nil {
		return fmt.Errorf("evidence: %w", err)
	}
	e, err := e.sealed()
	if err != nil {
		return fmt.Errorf("evidence: %w", err)
	}
	c.events, c.head = append(c.events, e), e.EventSHA256
	return nil
}

func (c *Chain) roll() {
	c.rolled++
	c.dropped += len(c.events)
	c.events, c.head = c.events[:0], Genesis
}

// Trace returns what was recorded. It shares nothing with the chain.
func (c *Chain) Trace() Trace {
	return Trace{
		SchemaVersion: schemaNumber, Header: c.header,
		EventChainHeadSHA256:  c.head,
		Events:                append([]Event{}, slices.Clone(c.events)...),
		RolledWindows:         c.rolled,
		DroppedEvidenceEvents: c.dropped,
	}
}
