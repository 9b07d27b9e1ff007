package checkpoint

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
)

func latest(t *testing.T, s *Store) Live {
	t.Helper()
	live, err := s.LatestLive(context.Background(), testIdentity, testJourney)
	if err != nil {
		t.Fatal(err)
	}
	return live
}

func wantLive(t *testing.T, s *Store, id string) {
	t.Helper()
	got := ""
	if live := latest(t, s); live.Save != nil {
		got = live.Save.Receipt.CheckpointID
	}
	if got != id {
		t.Errorf("resumes %q, want %q", got, id)
	}
}

func setLiveTo(t *testing.T, s *Store, id string) {
	t.Helper()
	if err := s.SetLive(context.Background(), testJourney, id); err != nil {
		t.Fatal(err)
	}
}

func parentOf(t *testing.T, s *Store, id string) string {
	t.Helper()
	for _, e := range list(t, s) {
		if e.ID == id && e.Lineage != nil {
			return e.Lineage.Parent()
		}
	}
	t.Fatalf("%s has no lineage", id)
	return ""
}

func TestResumeTakesTheNewestSave(t *testing.T) {
	s := openTest(t)
	wantLive(t, s, "")
	mint(t, s, "a")
	b := mint(t, s, "b")
	wantLive(t, s, b)
}

func TestResumeAfterARewindTakesItsTarget(t *testing.T) {
	s := openTest(t)
	a := mint(t, s, "a")
	b := mint(t, s, "b")
	c := mint(t, s, "c")
	banked := mint(t, s, "present", bank)
	if got := parentOf(t, s, banked); got != c {
		t.Errorf("the bank's parent is %s, want %s", got, c)
	}
	wantLive(t, s, c) // a crash before the load: the rewind never happened
	setLiveTo(t, s, b)
	wantLive(t, s, b) // a crash before anything else was saved
	d := mint(t, s, "d")
	if got := parentOf(t, s, d); got != b {
		t.Errorf("the parent after a rewind is %s, want %s", got, b)
	}
	wantLive(t, s, d)
	for _, gone := range []string{d, b} {
		remove("")(t, s, gone)
	}
	wantLive(t, s, a) // never c or the bank, which the rewind abandoned
	remove("")(t, s, a)
	wantLive(t, s, "")
}

func TestLoadingABankMakesItLive(t *testing.T) {
	s := openTest(t)
	a := mint(t, s, "a")
	banked := mint(t, s, "present", bank)
	setLiveTo(t, s, a)
	second := mint(t, s, "again", bank)
	setLiveTo(t, s, banked) // undoing the rewind
	wantLive(t, s, banked)
	if got := parentOf(t, s, mint(t, s, "b")); got != banked {
		t.Errorf("parent is %s, want %s (and not %s)", got, banked, second)
	}
}

func TestRestartBeginsATimeline(t *testing.T) {
	s := openTest(t)
	mint(t, s, "a")
	mint(t, s, "present", bank)
	setLiveTo(t, s, "")
	live := latest(t, s)
	if live.Save != nil || !live.Restarted {
		t.Errorf("after a restart: %+v", live)
	}
	b := mint(t, s, "b")
	if got := parentOf(t, s, b); got != "" {
		t.Errorf("parent is %s, want none", got)
	}
	wantLive(t, s, b)
}

func TestDamagedNewestIsSkippedAndTold(t *testing.T) {
	tests := map[string]struct {
		spoil func(*testing.T, *Store, string)
		code  string
	}{
		"state damaged":    {content(savestateName, "state c"), CodeSavestateCorrupt},
		"state missing":    {remove(savestateName), CodeSavestateMissing},
		"receipt zeroed":   {content(receiptName, strings.Repeat("\x00", 300)), CodeReceiptInvalid},
		"receipt missing":  {remove(receiptName), CodeNotFound},
		"scenario missing": {remove(scenarioName), CodeScenarioMissing},
		"lineage and receipt gone": {func(t *testing.T, s *Store, id string) {
			remove(receiptName)(t, s, id)
			remove(lineageName)(t, s, id)
		}, CodeNotFound},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			clock := &settableClock{at: noon}
			s, err := Open(t.TempDir(), Options{Clock: clock})
			if err != nil {
				t.Fatal(err)
			}
			a := mint(t, s, "a")
			clock.at = noon.AddDate(0, 0, 1)
			b := mint(t, s, "b")
			tt.spoil(t, s, b)
			live := latest(t, s)
			if live.Save == nil || live.Save.Receipt.CheckpointID != a {
				t.Fatalf("resumes %+v, want %s", live.Save, a)
			}
			if len(live.Skipped) != 1 || live.Skipped[0].ID != b || !strings.HasPrefix(live.Skipped[0].Reason, tt.code+": ") {
				t.Errorf("skipped is %+v, want %s with %s", live.Skipped, b, tt.code)
			}
		})
	}
}

func TestDamagedTargetFallsBackToItsAncestors(t *testing.T) {
	s := openTest(t)
	a, b, c := mint(t, s, "a"), mint(t, s, "b"), mint(t, s, "c")
	mint(t, s, "d")
	setLiveTo(t, s, c)
	write(t, s, c, savestateName, "damaged")
	write(t, s, b, lineageName, "damaged too") // the chain was noted before
	wantLive(t, s, b)
	remove("")(t, s, b)
	wantLive(t, s, a)
}

func TestOtherJourneysDoNotMix(t *testing.T) {
	s := openTest(t)
	ours := mint(t, s, "ours")
	other := func(r *MintRequest) { r.JourneyID = "local:bramble-lane:profile:second" }
	theirs := mint(t, s, "theirs", other)
	wantLive(t, s, ours)
	if got := parentOf(t, s, mint(t, s, "more", other)); got != theirs {
		t.Errorf("parent is %s, want %s", got, theirs)
	}
	if err := s.SetLive(context.Background(), "local:bramble-lane:profile:second", ""); err != nil {
		t.Fatal(err)
	}
	wantLive(t, s, ours)
}

func TestOlderSaves(t *testing.T) {
	s := openTest(t)
	clockless := func(label string) string {
		id := old(t, s, mint(t, s, label, func(r *MintRequest) { r.Label = label; r.JourneyID = "" }))
		return id
	}
	retime := func(id, at string) string {
		rewriteReceipt(t, s, id, func(m map[string]any) { m["capturedAt"] = at })
		return id
	}
	a := retime(clockless("autosave"), "2026-01-01T00:00:00Z")
	wantLive(t, s, a)
	retime(clockless(LabelBeforeRewind), "2026-01-02T00:00:00Z")
	wantLive(t, s, "") // where the older program's rewind led is not known
	b := retime(clockless("asked-play"), "2026-01-03T00:00:00Z")
	wantLive(t, s, b)
	setLiveTo(t, s, a)
	wantLive(t, s, a)
}

func TestOlderSavesOfOtherGamesAreNotReported(t *testing.T) {
	s := openTest(t)
	ours := mint(t, s, "ours")
	mint(t, s, "theirs", func(r *MintRequest) { r.JourneyID = ""; r.Identity = *otherROM() })
	wantLive(t, s, ours)
	if skipped := latest(t, s).Skipped; len(skipped) != 0 {
		t.Errorf("skipped %+v", skipped)
	}
}

func TestDamagedTimelineRecordIsTold(t *testing.T) {
	for name, text := range map[string]string{
		"torn": `{"schemaVersion":1`, "empty": "", "another version": `{"schemaVersion":2,"journeyId":"","checkpointId":null,"sequence":1,"ancestors":[]}`,
		"a path": `{"schemaVersion":1,"journeyId":"","checkpointId":"../../x","sequence":1,"ancestors":[]}`,
	} {
		t.Run(name, func(t *testing.T) {
			s := openTest(t)
			a := mint(t, s, "a")
			mint(t, s, "b", bank)
			setLiveTo(t, s, a)
			c := mint(t, s, "c")
			path := filepath.Join(s.Root(), timelineName, timelineFile(testJourney))
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			wantLive(t, s, c)
			skipped := latest(t, s).Skipped
			if len(skipped) != 1 || !strings.HasPrefix(skipped[0].Reason, CodeTimelineInvalid) {
				t.Errorf("skipped is %+v", skipped)
			}
			remove("")(t, s, c)
			wantLive(t, s, "") // a is older than the bank: it may be abandoned
		})
	}
}

// TestTimelineAgainstAModel plays random sittings and compares what resume
// finds with a plain model of time: a list of live saves.
func TestTimelineAgainstAModel(t *testing.T) {
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := fast(t)
		var live, all []string
		ancestry := map[string][]string{} // the live list when a save was made, itself last
		top := func() string {
			if len(live) == 0 {
				return ""
			}
			return live[len(live)-1]
		}
		for range 25 {
			switch choice := r.IntN(10); {
			case choice < 5 || len(all) == 0:
				id := mint(t, s, "x", plainly)
				if got := parentOf(t, s, id); got != top() {
					t.Fatalf("seed %d: parent %q, want %q", seed, got, top())
				}
				live = append(append([]string{}, live...), id)
				ancestry[id] = live
				all = append(all, id)
			case choice < 7:
				id := mint(t, s, "y", bank, plainly)
				ancestry[id] = append(append([]string{}, live...), id)
				all = append(all, id)
				if target := all[r.IntN(len(all))]; r.IntN(4) > 0 { // else the load fails
					setLiveTo(t, s, target)
					live = ancestry[target]
				}
			case choice < 8:
				setLiveTo(t, s, "")
				live = nil
			default:
				i := r.IntN(len(all))
				gone := all[i]
				if err := s.Delete(context.Background(), gone, gone); err != nil {
					t.Fatal(err)
				}
				all = append(all[:i], all[i+1:]...)
				live = without(live, gone)
				for id := range ancestry {
					ancestry[id] = without(ancestry[id], gone)
				}
			}
			got := ""
			if l := latest(t, s); l.Save != nil {
				got = l.Save.Receipt.CheckpointID
			}
			if got != top() {
				t.Fatalf("seed %d: resumes %q, want %q", seed, got, top())
			}
		}
	}
}

// plainly leaves the picture out, which costs the most.
func plainly(r *MintRequest) { r.Picture = emu.Picture{} }

func without(ids []string, gone string) []string {
	var kept []string
	for _, id := range ids {
		if id != gone {
			kept = append(kept, id)
		}
	}
	return kept
}

func TestDeletedParentHandsItsChildrenOn(t *testing.T) {
	s := openTest(t)
	a, b, c := mint(t, s, "a"), mint(t, s, "b"), mint(t, s, "c")
	banked := mint(t, s, "bank", bank)
	setLiveTo(t, s, b)
	d := mint(t, s, "d")
	if err := s.Delete(context.Background(), b, b); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{c: parentOf(t, s, c), d: parentOf(t, s, d), banked: parentOf(t, s, banked)}
	if diff := cmp.Diff(map[string]string{c: a, d: a, banked: c}, got); diff != "" {
		t.Errorf("parents (-want +got):\n%s", diff)
	}
	remove("")(t, s, d)
	wantLive(t, s, a)
	for _, e := range list(t, s) {
		if e.Health != HealthValid || e.LineageProblem != "" {
			t.Errorf("%s is %s, %s", e.ID, e.Health, e.LineageProblem)
		}
	}
}

// TestParentThatIsGone: whoever names it goes on from what is left of the
// timeline.
func TestParentThatIsGone(t *testing.T) {
	s := openTest(t)
	a, b := mint(t, s, "a"), mint(t, s, "b")
	if err := s.Delete(context.Background(), b, b); err != nil {
		t.Fatal(err)
	}
	c := mint(t, s, "c", func(r *MintRequest) { r.Parent = &b })
	if got := parentOf(t, s, c); got != a {
		t.Errorf("the parent is %q, want %q", got, a)
	}
}

// TestNamedParent makes saves whose parent is not the newest of the timeline.
func TestNamedParent(t *testing.T) {
	s := openTest(t)
	a := mint(t, s, "a")
	mint(t, s, "b")
	for _, parent := range []string{a, ""} {
		id := mint(t, s, "branch of "+parent, func(r *MintRequest) { r.Parent = &parent })
		if got := parentOf(t, s, id); got != parent {
			t.Errorf("the parent is %q, want %q", got, parent)
		}
		setLiveTo(t, s, id)
		wantLive(t, s, id)
	}
	request, parent := testRequest("c"), "../elsewhere"
	request.Parent = &parent
	_, err := s.Mint(context.Background(), request)
	wantCode(t, err, CodeRequestInvalid)
}
