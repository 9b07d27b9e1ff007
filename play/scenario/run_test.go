package scenario

import (
	"context"
	"encoding/base64"
	"strings"
	"testing"

	"clankie/emu"
	"clankie/emu/double"
)

// changed is the double's plan with a change to its scenario.
func changed(t *testing.T, change func(*double.Scenario)) Plan {
	t.Helper()
	s := *load(t, "double-mill-path").Double
	change(&s)
	data, err := emu.MarshalIndent(s)
	if err != nil {
		t.Fatal(err)
	}
	p, err := ParsePlan(data)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// faulty is a double with faults.
type faulty struct {
	emu.Body
	frozen  bool // observes the first frame for ever
	refuses bool // every action
	first   *emu.Observed
}

func (b *faulty) Observe(ctx context.Context) (emu.Observed, error) {
	o, err := b.Body.Observe(ctx)
	if b.first == nil {
		b.first = &o
	}
	if b.frozen {
		return *b.first, err
	}
	return o, err
}

func (b *faulty) Act(ctx context.Context, id string, a emu.Action, l emu.Limits) (emu.ActionResult, error) {
	if b.refuses {
		return emu.ActionResult{Status: emu.StatusFailed, Err: &emu.Error{Code: emu.CodeEmulatorRejected}}, nil
	}
	return b.Body.Act(ctx, id, a, l)
}

func TestHowRunsEnd(t *testing.T) {
	same := func(*double.Scenario) {}
	tests := []struct {
		name   string
		change func(*double.Scenario)
		fault  faulty
		halt   Halt
	}{
		{"the battle is lost", func(s *double.Scenario) {
			s.Trainer.Opponent.RetaliationDamage = 9999
			s.Player.Party = s.Player.Party[:1]
		}, faulty{}, HaltUncertain},
		{"too many decisions", func(s *double.Scenario) { s.MaxDecisions = 5 }, faulty{}, HaltBudget},
		{"more events than may be", func(s *double.Scenario) { s.MaxEvidenceEvents = 3 }, faulty{}, HaltFailed},
		{"no way", func(s *double.Scenario) {
			s.Map.Blocked = append(s.Map.Blocked, emu.Point{X: 3, Y: 6}, emu.Point{X: 3, Y: 7})
		}, faulty{}, HaltUnreachable},
		{"frames that stand still", same, faulty{frozen: true}, HaltUncertain},
		{"an action that fails", same, faulty{refuses: true}, HaltFailed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := changed(t, tt.change)
			boot := func(context.Context) (emu.Body, error) {
				b, err := p.BootDouble()
				fault := tt.fault
				fault.Body = b
				return &fault, err
			}
			e, err := p.Play(t.Context(), boot, t.TempDir(), NetworkImports)
			if err != nil {
				t.Fatal(err)
			}
			if e.Report.Halt != tt.halt || e.Report.Result != Failed {
				t.Errorf("%s, halted by %s: %v", e.Report.Result, e.Report.Halt, reasons(e))
			}
			if tt.fault.frozen {
				return // its events tell of frames that it did not show
			}
			if _, _, err := verify(inMemory(e)); err != nil {
				t.Errorf("a failed run leaves evidence too: %v", err)
			}
		})
	}
}

func TestBodiesThatDifferAreNamed(t *testing.T) {
	p := load(t, "double-mill-path")
	n := 0
	boot := func(ctx context.Context) (emu.Body, error) {
		b, err := p.BootDouble()
		if n++; n == 2 && err == nil {
			err = b.Idle(ctx, 1)
		}
		return b, err
	}
	_, err := p.Play(t.Context(), boot, t.TempDir(), NetworkImports)
	if err == nil || !strings.Contains(err.Error(), FileDecisions) || !strings.Contains(err.Error(), FileReport) {
		t.Errorf("error %v", err)
	}
}

func TestAnotherBodyIsRefused(t *testing.T) {
	p := load(t, "double-mill-path")
	other := changed(t, func(s *double.Scenario) { s.WorldID = "elsewhere" })
	boot := func(context.Context) (emu.Body, error) { return other.BootDouble() }
	if _, err := p.Play(t.Context(), boot, t.TempDir(), NetworkImports); err == nil {
		t.Error("played a body of another scenario")
	}
	if err := p.CheckBinding(other.bind("s")); err == nil {
		t.Error("took another scenario's binding")
	}
}

func TestTokensAreLookedFor(t *testing.T) {
	secret := []byte("0123456789abcdef0123456789abcdef")
	files := []File{{"a.json", []byte("nothing")}, {"b.json", []byte(`"` + base64.RawURLEncoding.EncodeToString(secret) + `"`)}}
	if err := leaks([][]byte{secret}, files); err == nil || !strings.Contains(err.Error(), "b.json") {
		t.Errorf("error %v", err)
	}
	if err := leaks([][]byte{secret}, files[:1]); err != nil {
		t.Error(err)
	}
}
