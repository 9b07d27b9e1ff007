package checkpoint

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
)

// TestFilesOnDisk pins the wire format: names, order and spelling of every
// member as older programs read them.
func TestFilesOnDisk(t *testing.T) {
	s, err := Open(t.TempDir(), Options{Clock: fixedClock{noon}, Random: strings.NewReader("aaaaaa")})
	if err != nil {
		t.Fatal(err)
	}
	id := mint(t, s, "a", func(r *MintRequest) { r.Label = "before-gym" })
	state := emu.DigestOf([]byte("state a"))
	want := map[string]string{
		savestateName: "state a",
		receiptName: `{"capturedAt":"2026-08-19T12:00:00.000Z","checkpointId":"` + id +
			`","continuity":{"notes":"the ferryman wants a parcel","objective":"find the parcel"},"coreWasmSha256":"` +
			string(testIdentity.ModuleSHA256) + `","environmentId":"bramble-lane","journeyId":"` + testJourney +
			`","label":"before-gym","position":{"mapId":"bramble-map-0-1","x":12,"y":9},"romSha256":"` +
			string(testIdentity.ROMSHA256) + `","savestateSha256":"` + string(state) + `","schemaVersion":1}` + "\n",
		scenarioName: `{"map":{"blocked":[],"mapId":"m"},"rngSeed":7,"savestateId":"checkpoint:` + id +
			`","savestateSha256":"` + string(state) + `","scenarioId":"bramble-lane-start","schemaVersion":1}` + "\n",
		lineageName: `{"baseline":{"coreId":"mgba-wasm/0.10.5","decoderProfile":"bramble"},"frame":77,` +
			`"parentCheckpointId":null,"reason":"explicit","runId":"run-1","schemaVersion":1,"sequence":1,"turn":3}` + "\n",
	}
	for name, content := range want {
		got, err := os.ReadFile(filepath.Join(s.Root(), id, name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(content, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestModes(t *testing.T) {
	s := openTest(t)
	id := mint(t, s, "a")
	err := filepath.WalkDir(s.Root(), func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		want := os.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, want %v", d.Name(), info.Mode().Perm(), want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	names, err := os.ReadDir(filepath.Join(s.Root(), id))
	if err != nil || len(names) != 5 {
		t.Errorf("the save has %d members, %v", len(names), err)
	}
}

func TestReceiptsThatAreRead(t *testing.T) {
	tests := map[string]func(map[string]any){
		"as minted": func(map[string]any) {},
		"an older mint": func(m map[string]any) {
			delete(m, "continuity")
			delete(m, "journeyId")
			delete(m, "environmentId")
		},
		"nothing known": func(m map[string]any) {
			for _, name := range []string{"label", "position", "continuity", "journeyId", "environmentId"} {
				m[name] = nil
			}
		},
		"an empty mind": func(m map[string]any) { m["continuity"] = map[string]any{"notes": nil, "objective": nil} },
		"no fraction":   func(m map[string]any) { m["capturedAt"] = "2026-08-19T12:00:00Z" },
		"longest notes": func(m map[string]any) {
			m["continuity"] = map[string]any{"notes": strings.Repeat("é", 800), "objective": ""}
		},
		"longest objective": func(m map[string]any) {
			m["continuity"] = map[string]any{"notes": nil, "objective": strings.Repeat("😀", 80)}
		},
		"negative coordinates": func(m map[string]any) { m["position"] = map[string]any{"mapId": "m", "x": -1, "y": 0} },
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			s := openTest(t)
			id := mint(t, s, "a")
			rewriteReceipt(t, s, id, change)
			if _, err := s.Read(context.Background(), id, testIdentity); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestReceiptsThatAreRefused(t *testing.T) {
	set := func(name string, v any) func(map[string]any) {
		return func(m map[string]any) { m[name] = v }
	}
	without := func(name string) func(map[string]any) {
		return func(m map[string]any) { delete(m, name) }
	}
	tests := map[string]func(map[string]any){
		"another version":      set("schemaVersion", 2),
		"no version":           set("schemaVersion", nil),
		"an unknown member":    set("more", 1),
		"a bad label":          set("label", "Not-A-Label"),
		"an empty label":       set("label", ""),
		"no moment":            set("capturedAt", "yesterday"),
		"an offset":            set("capturedAt", "2026-08-19T12:00:00+02:00"),
		"an impossible day":    set("capturedAt", "2026-02-31T12:00:00.000Z"),
		"an upper-case digest": set("romSha256", strings.ToUpper(string(testIdentity.ROMSHA256))),
		"a short digest":       set("savestateSha256", "abc"),
		"a null digest":        set("coreWasmSha256", nil),
		"half a position":      set("position", map[string]any{"mapId": "m", "x": 1}),
		"a null coordinate":    set("position", map[string]any{"mapId": "m", "x": 1, "y": nil}),
		"a broken coordinate":  set("position", map[string]any{"mapId": "m", "x": 1.5, "y": 0}),
		"a nameless place":     set("position", map[string]any{"mapId": "", "x": 1, "y": 0}),
		"half a mind":          set("continuity", map[string]any{"notes": nil}),
		"long notes":           set("continuity", map[string]any{"notes": strings.Repeat("x", 801), "objective": nil}),
		"a long objective":     set("continuity", map[string]any{"notes": nil, "objective": strings.Repeat("😀", 80) + "x"}),
		"an empty journey":     set("journeyId", ""),
		"a long environment":   set("environmentId", strings.Repeat("x", 201)),
		"no label":             without("label"),
		"no position":          without("position"),
		"no state's digest":    without("savestateSha256"),
		"an id that is none":   set("checkpointId", "../x"),
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			s := openTest(t)
			id := mint(t, s, "a")
			rewriteReceipt(t, s, id, change)
			_, err := s.Read(context.Background(), id, testIdentity)
			wantCode(t, err, CodeReceiptInvalid)
			wantCode(t, s.Delete(context.Background(), id, id), CodeNotFound)
			if e := list(t, s)[0]; e.Health != HealthDamaged || e.Code != CodeReceiptInvalid || e.Reason == "" {
				t.Errorf("the listing shows %s, %s, %q", e.Health, e.Code, e.Reason)
			}
		})
	}
}

func TestReceiptTextIsStrict(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "null": "null", "a list": "[]", "twice": `{"schemaVersion":1,"schemaVersion":1}`,
		"torn": `{"schemaVersion":1,`, "more after it": `{} {}`, "another case": `{"SchemaVersion":1}`,
		"zeros": strings.Repeat("\x00", 400), "huge": strings.Repeat(" ", maxJSONBytes+1),
	} {
		t.Run(name, func(t *testing.T) {
			s := openTest(t)
			id := mint(t, s, "a")
			write(t, s, id, receiptName, text)
			_, err := s.Read(context.Background(), id, testIdentity)
			wantCode(t, err, CodeReceiptInvalid)
		})
	}
}

// write replaces a member behind the store's back.
func write(t *testing.T, s *Store, id, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.Root(), id, name), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestMintCutsTextsInsteadOfFailing(t *testing.T) {
	s := openTest(t)
	id := mint(t, s, "a", func(r *MintRequest) {
		notes, objective := strings.Repeat("😀", 500), "to \xff go"
		r.Continuity = &Continuity{Notes: &notes, Objective: &objective}
		r.Position = &emu.Position{MapID: strings.Repeat("m", 129)}
	})
	loaded, err := s.Read(context.Background(), id, testIdentity)
	if err != nil {
		t.Fatal(err)
	}
	if got := *loaded.Receipt.Continuity.Notes; got != strings.Repeat("😀", 400) {
		t.Errorf("notes have %d units", emu.Length(got))
	}
	if got := *loaded.Receipt.Continuity.Objective; got != "to \uFFFD go" {
		t.Errorf("objective is %q", got)
	}
	if loaded.Receipt.Position != nil {
		t.Error("a position that the format cannot hold was kept")
	}
}

func TestMintRefuses(t *testing.T) {
	negative := -1
	tests := map[string]func(*MintRequest){
		"no state":            func(r *MintRequest) { r.State = nil },
		"a state of zeros":    func(r *MintRequest) { r.State = make([]byte, 4096) },
		"no scenario":         func(r *MintRequest) { r.Scenario = nil },
		"a scenario, no pin":  func(r *MintRequest) { r.Scenario = []byte(`{"schemaVersion":1}`) },
		"a scenario twice":    func(r *MintRequest) { r.Scenario = append(testScenario, testScenario...) },
		"a label with a path": func(r *MintRequest) { r.Label = "../x" },
		"a long label":        func(r *MintRequest) { r.Label = strings.Repeat("a", 41) },
		"no reason":           func(r *MintRequest) { r.Reason = "" },
		"half a picture":      func(r *MintRequest) { r.Picture.Pix = r.Picture.Pix[:100] },
		"no identity":         func(r *MintRequest) { r.Identity = emu.CoreIdentity{} },
		"a negative turn":     func(r *MintRequest) { r.Turn = &negative },
		"a long journey":      func(r *MintRequest) { r.JourneyID = strings.Repeat("j", 513) },
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			s := openTest(t)
			request := testRequest("a")
			change(&request)
			_, err := s.Mint(context.Background(), request)
			wantCode(t, err, CodeRequestInvalid)
			if n := len(list(t, s)); n != 0 {
				t.Errorf("%d entries are listed", n)
			}
		})
	}
}
