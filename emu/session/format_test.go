package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
)

const legacyRecord = `{
  "schemaVersion": 1,
  "spec": {
    "schemaVersion": 1, "sessionId": "session", "environmentKind": "minecraft", "characterId": "hero", "worldId": "world",
    "requestedBy": {"principal": {"kind": "human", "id": "p"}, "tier": "authenticated"}, "initialGoalVersion": 2,
    "resourceBounds": {
      "serverId": "s", "worldId": "world", "characterId": "hero", "allowedDimensions": ["overworld"],
      "maxDistanceFromOrigin": 64, "maxActionDurationMs": 30000, "maxBlockChangesPerAction": 8, "capabilities": ["environment.observe"]
    }
  },
  "lease": {
    "schemaVersion": 1, "leaseId": "l", "sessionId": "session", "holderId": "h",
    "issuedAt": "2025-01-01T00:00:00Z", "heartbeatAt": "2025-01-01T00:00:00Z", "expiresAt": "2025-01-01T00:00:30.000Z",
    "resourceBounds": {
      "serverId": "s", "worldId": "world", "characterId": "hero", "allowedDimensions": ["overworld"],
      "maxDistanceFromOrigin": 64, "maxActionDurationMs": 30000, "maxBlockChangesPerAction": 8, "capabilities": ["environment.observe"]
    }
  },
  "leaseDurationMs": 30000,
  "tokenHash": "` + "0000000000000000000000000000000000000000000000000000000000000000" + `",
  "phase": "active", "adapterSessionId": "x", "revokedAt": null, "leaseLapse": null, "correlationId": "c",
  "actions": {"a1": {"result": {"schemaVersion": 1, "actionId": "a1", "sessionId": "session", "updatedAt": "2025-01-01T00:00:01Z",
    "status": "completed", "acceptedGoalVersion": 2, "outcome": {"dug": 3}, "another": true}, "deadlineAt": "2025-01-01T00:00:02Z"}}
}`

func TestFirstFormatIsReadAndTheSecondWritten(t *testing.T) {
	r, err := decodeRecord([]byte(legacyRecord))
	check(t, err)
	if l := r.Spec.ResourceBounds.Legacy; l == nil || l.Profile != "legacy_v1" || l.LegacyEnvironmentKind != "minecraft" || l.MaxBlockChangesPerAction != 8 {
		t.Fatalf("%+v", l)
	}
	data, err := r.encode(nil)
	check(t, err)
	if strings.Contains(string(data), `"schemaVersion": 1,`+"\n    \"sessionId\"") || !strings.Contains(string(data), `"another": true`) {
		t.Errorf("written:\n%s", data)
	}
	again, err := decodeRecord(data)
	check(t, err)
	if diff := cmp.Diff(r.recordHead, again.recordHead); diff != "" {
		t.Error(diff)
	}
	second, err := again.encode(nil)
	check(t, err)
	if diff := cmp.Diff(string(data), string(second)); diff != "" {
		t.Errorf("written twice it differs:\n%s", diff)
	}
}

func TestLegacySessionIsEndedNotPlayed(t *testing.T) {
	root := t.TempDir()
	folder := filepath.Join(root, recordFolder)
	check(t, os.MkdirAll(folder, 0o700))
	check(t, os.WriteFile(filepath.Join(folder, fileName("session")), []byte(legacyRecord), 0o600))
	adapter, err := NewBodyAdapter(newFakeBody(), BodyOptions{Clock: newClock()})
	check(t, err)
	g, err := Open(Options{Root: root, Adapter: adapter, Clock: newClock(), Random: &countingRandom{}})
	check(t, err)
	defer g.Close()
	got, err := g.Reconcile(nil)
	if err != nil || got["session"] != ReconciledExpired {
		t.Fatalf("%v, %v", got, err)
	}
	if p := g.List()[0].Phase; p != PhasePaused {
		t.Fatalf("phase %s", p)
	}
}

func TestRecordReadsAsItAlwaysDid(t *testing.T) {
	g := newRig(t, newFakeBody())
	g.do("a1", emu.Press(emu.ButtonA, 16))
	check(t, g.Pause(g.token, "session", "it is written whole"))
	data, err := os.ReadFile(g.file())
	check(t, err)
	var order []string
	for line := range strings.Lines(string(data)) {
		if name, ok := strings.CutPrefix(line, `  "`); ok {
			order = append(order, name[:strings.IndexByte(name, '"')])
		}
	}
	want := []string{
		"schemaVersion", "spec", "lease", "leaseDurationMs", "tokenHash", "phase", "adapterSessionId",
		"revokedAt", "leaseLapse", "correlationId", "actions",
	}
	if diff := cmp.Diff(want, order); diff != "" {
		t.Errorf("%s\n%s", diff, data)
	}
	if !strings.Contains(string(data), "\n    \"a1\": {\n      \"result\": {\n        \"schemaVersion\": 1,\n") {
		t.Errorf("an action is laid out as\n%s", data)
	}
	info, err := os.Stat(g.file())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

const goodCommand = `{"schemaVersion":1,"commandId":"c","context":{"sourceLane":"gameplay","authority":{"principal":{"kind":"captain","id":"hero"},
"tier":"autonomous"},"correlationId":"x","expectedGoalVersion":0,"anything":{"goes":1}},"requestedAt":"2026-07-19T12:00:00Z","type":"start_action",
"sessionId":"session","actionId":"a1","action":{"kind":"gba_emulator_action","action":{"kind":"button_press","button":"a","holdFrames":16},
"limits":{"maxInputs":8,"maxFrames":600,"timeoutMs":5000}}}`

func TestCommandIsStrictButForItsContext(t *testing.T) {
	c, err := ParseCommand([]byte(goodCommand))
	check(t, err)
	if !strings.Contains(string(c.Context.More), "anything") {
		t.Errorf("the context lost what it did not know: %s", c.Context.More)
	}
	for name, change := range map[string][2]string{
		"unknown member":   {`"type"`, `"more":1,"type"`},
		"other case":       {`"actionId"`, `"actionID"`},
		"unknown kind":     {`"button_press"`, `"wait"`},
		"body action":      {`{"kind":"button_press","button":"a","holdFrames":16}`, `{"kind":"restart_game"}`},
		"tier by lane":     {`"gameplay"`, `"tui"`},
		"no lane":          {`"gameplay"`, `"radio"`},
		"too many inputs":  {`"maxInputs":8`, `"maxInputs":65`},
		"too many frames":  {`"maxFrames":600`, `"maxFrames":3601`},
		"no time":          {`"timeoutMs":5000`, `"timeoutMs":0`},
		"local time":       {`12:00:00Z`, `12:00:00+02:00`},
		"no action id":     {`"a1"`, `""`},
		"negative goal":    {`"expectedGoalVersion":0`, `"expectedGoalVersion":-1`},
		"holdFrames wrong": {`"holdFrames":16`, `"holdFrames":241`},
		"another type":     {`"start_action"`, `"steer"`},
	} {
		bad := strings.Replace(goodCommand, change[0], change[1], 1)
		if bad == goodCommand {
			t.Fatalf("%s changes nothing", name)
		}
		if _, err := ParseCommand([]byte(bad)); emu.CodeOf(err) != emu.CodeInvalidCommand {
			t.Errorf("%s: %v", name, err)
		}
	}
	system := strings.NewReplacer(`"captain"`, `"system"`, `"autonomous"`, `"system"`, `"gameplay"`, `"tui"`).Replace(goodCommand)
	if _, err := ParseCommand([]byte(system)); err != nil {
		t.Errorf("the system may use any lane: %v", err)
	}
}

func TestEventIsStrict(t *testing.T) {
	good := `{"schemaVersion":1,"plane":"semantic","id":"e","type":"environment.action.failed","occurredAt":"2026-07-19T12:00:00Z",` +
		`"correlationId":"c","sessionId":"s","data":{"actionId":"a","status":"failed","errorCode":"x"}}`
	if _, err := ParseEvent([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{
		{`action.failed`, `action.dreamt`},
		{`action.failed`, `session.started`},
		{`"errorCode":"x"`, `"goalId":"g"`},
		{`semantic`, `telemetry`},
		{`"status"`, `"stat"`},
		{`Z"`, `"`},
	} {
		if _, err := ParseEvent([]byte(strings.Replace(good, change[0], change[1], 1))); err == nil {
			t.Errorf("%s for %s: accepted", change[1], change[0])
		}
	}
}

// writtenBySession is what a session writes and tells: its record with a lapse
// and actions of every status that is written, and an event of each type.
func writtenBySession(f *testing.F) (all [][]byte) {
	r, err := decodeRecord([]byte(legacyRecord))
	check(f, err)
	bounds := Bounds{
		Profile: ProfileGBA, CoreID: "core", SavestateID: "boot", SavestateSHA256: emu.DigestOf(nil), WorldID: "world", CharacterID: "hero",
		MaxInputsPerAction: 8, MaxFramesPerAction: 600, MaxActionDurationMS: 5000, Capabilities: FullGrant(),
	}
	r.Spec, r.Lease.ResourceBounds = specFor("session", bounds), bounds
	stamp := At(noon)
	r.LeaseLapse, r.RevokedAt, r.rolled = &Lapse{At: stamp, PausedBody: true}, &stamp, 3
	for _, status := range []Status{StatusQueued, StatusRunning, StatusCancelled, StatusFailed, StatusDenied} {
		r.actions.put(actionFile{DeadlineAt: stamp, Result: Result{
			SchemaVersion: 1, ActionID: string(status), SessionID: "session", UpdatedAt: stamp, Status: status, Reason: "r", ErrorCode: "c",
		}})
	}
	data, err := r.encode(nil)
	check(f, err)
	check(f, second(decodeRecord(data)))
	all = append(all, data)
	events := map[EventType]EventData{
		EventSessionStarted:  {CharacterID: "hero", WorldID: "world", Phase: PhaseActive},
		EventActionCompleted: {ActionID: "a", ActionKind: emu.ActionWalkTo, Status: StatusCompleted},
		EventGoalVerified:    {GoalID: "g", Summary: "s"},
	}
	for kind, told := range events {
		data, err := emu.MarshalIndent(Event{
			SchemaVersion: 1, Plane: "semantic", ID: "e", Type: kind, OccurredAt: stamp, CorrelationID: "c", Data: told,
		})
		check(f, err)
		all = append(all, data)
	}
	return all
}

func FuzzParsers(f *testing.F) {
	f.Add([]byte(goodCommand))
	f.Add([]byte(legacyRecord))
	for _, data := range writtenBySession(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if c, err := ParseCommand(data); err == nil && c.Validate() != nil {
			t.Error("a command was accepted and then refused")
		}
		if e, err := ParseEvent(data); err == nil && e.Validate() != nil {
			t.Error("an event was accepted and then refused")
		}
		r, err := decodeRecord(data)
		if err != nil {
			return
		}
		written, err := r.encode(nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := decodeRecord(written); err != nil {
			t.Fatalf("what was written is not read: %v\n%s", err, written)
		}
	})
}
