package scenario

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
	"clankie/play/playtest"
)

func load(t *testing.T, id string) Plan {
	t.Helper()
	p, err := Load(id)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func booter(t *testing.T, p Plan) Boot {
	return func(context.Context) (emu.Body, error) {
		if p.Double != nil {
			return p.BootDouble()
		}
		return playtest.Body(t, p.ID()), nil
	}
}

// evidenceOf keeps what was played: tests of a binary share it.
var evidenceOf sync.Map

func playScenario(t *testing.T, id string) Evidence {
	t.Helper()
	if e, ok := evidenceOf.Load(id); ok {
		return e.(Evidence)
	}
	p := load(t, id)
	e, err := p.Play(t.Context(), booter(t, p), t.TempDir(), NetworkOf())
	if err != nil {
		t.Fatal(err)
	}
	evidenceOf.Store(id, e)
	return e
}

func reasons(e Evidence) (list []Reason) {
	for _, d := range e.Decisions.Decisions {
		list = append(list, d.ReasonCode)
	}
	return list
}

func TestEveryScenarioPassesTwiceWithEqualEvidence(t *testing.T) {
	for _, id := range List() {
		t.Run(id, func(t *testing.T) {
			e := playScenario(t, id)
			if e.Report.Result != Passed {
				t.Fatalf("%+v\n%v", e.Report, reasons(e))
			}
			dir := t.TempDir() + "/evidence"
			if err := e.Write(dir); err != nil {
				t.Fatal(err)
			}
			again, p, err := Verify(dir)
			if err != nil {
				t.Fatal(err)
			}
			for i, f := range e.Files {
				if !bytes.Equal(f.Data, again.Files[i].Data) {
					t.Errorf("%s was recomputed to something else", f.Name)
				}
			}
			if err := p.Replay(t.Context(), booter(t, p), t.TempDir(), again); err != nil {
				t.Error(err)
			}
			if err := p.CheckBinding(again.Receipt.Binding); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestBedroomForcesNewPlans: the telly is not on the scenario's map, so the
// route runs into it. The edge that was refused is a directed one: the telly
// is tried from its other side before the run goes round.
func TestBedroomForcesNewPlans(t *testing.T) {
	p := load(t, "bramble-bedroom")
	body, err := booter(t, p)(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.playBody(t.Context(), body, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	telly := emu.Point{X: 12, Y: 9}
	want := []Edge{{emu.Point{X: 12, Y: 10}, telly}, {emu.Point{X: 13, Y: 9}, telly}}
	if diff := cmp.Diff(want, out.known.Refused); diff != "" || out.halt != HaltReached {
		t.Errorf("halted by %s; refused (-want +got):\n%s", out.halt, diff)
	}
}

func TestRivalIsFoughtAfterBothProofs(t *testing.T) {
	e := playScenario(t, "bramble-before-rival")
	order := []Reason{
		ReasonPartySeen, ReasonBagSeen, ReasonEngage,
		ReasonAnswer, ReasonBestMove, ReasonBattleWon,
	}
	list := reasons(e)
	for _, want := range order {
		i := slices.Index(list, want)
		if i < 0 {
			t.Fatalf("%s does not come in its turn: %v", want, reasons(e))
		}
		list = list[i:]
	}
}
