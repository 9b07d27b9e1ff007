package journal

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
)

const (
	digestA = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

	headerV1 = `{"kind":"header","schemaVersion":1,"runId":"r","environmentSessionId":"s","scenarioId":"c","startedAt":"2026-07-25T09:00:00.000Z","resumedFromCheckpointId":null}`
	headerV2 = `{"kind":"header","schemaVersion":2,"runId":"r","environmentSessionId":"s","scenarioId":"c","startedAt":"2026-07-25T09:00:00.000Z","resumedFromCheckpointId":"2026-07-24T09-00-00-000Z"}`
	headerV3 = `{"kind":"header","schemaVersion":3,"runId":"r","environmentSessionId":"s","scenarioId":"c","startedAt":"2026-07-25T09:00:00.000Z","resumedFromCheckpointId":null,"journeyId":"local:pokemon-firered:profile:main","environmentId":"pokemon-firered","venue":"local"}`

	recordOld = `{"turn":4,"observationSha256":"` + digestA + `","framebufferSha256":null,"monologue":"m","intent":"i","notes":null,"objective":null,"interjection":null,"reply":null,"speak":null,"speakSuppressed":false,"action":{"kind":"button_press","button":"a","holdFrames":16},"outcome":"accepted","detail":null,"effect":"moved"}`
	turnV1    = `{"kind":"turn","schemaVersion":1,"at":"2026-07-25T09:01:00.000Z","turn":` + recordOld + `}`
	turnV1b   = `{"kind":"turn","schemaVersion":1,"at":"2026-07-25T09:01:00.000Z","turn":` + recordOld + `,"speechDeliveryId":"d-1"}`

	signalsOld  = `{"refusedHere":["north"],"stalledForTurns":null,"repeatingForTurns":3,"recurringForTurns":null,"objectiveForTurns":null,"localeForTurns":12,"previousObjective":null,"previousNotes":"n","retiredObjective":null}`
	evidenceOld = `{"decision":{"observations":[` + sceneObservation + `],"provenance":{"body":"local","coreId":"mgba","fixtureSha256":"` + digestA + `","real":false}},"immediatePreAction":null,"postAction":{"observations":[],"provenance":null},"actionResult":` + answered + `,"progressBefore":` + progressOld + `,"progressAfter":null,"signals":` + signalsOld + `,"timing":{"decisionStartedAt":"2026-07-25T09:01:00.000Z","decisionSettledAt":"2026-07-25T09:01:01.000Z","actionStartedAt":null,"actionSettledAt":null}}`

	sceneObservation = `{"schemaVersion":1,"observationId":"gba-observation-1","sessionId":"s","characterId":"c","worldId":"w","goalVersion":0,"capturedAt":"2026-07-19T00:00:01.000Z","frame":12,"kind":"scene","data":{"mode":"overworld","inputReady":true,"waitingForDialogAdvance":false}}`
	progressOld      = `{"distinctTiles":2,"maps":["pallet-town"],"turnsSinceNewTile":0,"actionsPerNewTile":1.5}`
	answered         = `{"source":"environment","result":{"schemaVersion":1,"actionId":"free-play-action-1","sessionId":"s","updatedAt":"2026-07-25T09:01:01.000Z","acceptedGoalVersion":0,"status":"completed","outcome":{"stop":"arrived"},"later":"kept"}}`

	screenshot = `{"path":".screenshots/2026-run/turn-000004-initial.png","byteLength":5500,"sha256":"` + digestA + `","width":240,"height":160,"reasons":["initial","failure"]}`

	turnV2  = `{"kind":"turn","schemaVersion":2,"at":"2026-07-25T09:01:00.000Z","turn":` + recordOld + `,"evidence":` + evidenceOld + `}`
	turnV2b = `{"kind":"turn","schemaVersion":2,"at":"2026-07-25T09:01:00.000Z","turn":` + recordOld + `,"evidence":` + evidenceOld + `,"screenshot":` + screenshot + `,"narrationEvent":"e","speechDeliveryId":"d-1"}`

	summaryV1 = `{"kind":"summary","schemaVersion":1,"at":"2026-07-25T10:00:00.000Z","outcome":"stopped","turnsTaken":5,"accepted":4,"durationMs":1200.5,"framesPublished":7,"framesDropped":0,"checkpointId":null,"progress":` + progressOld + `,"volition":{"offered":5,"taken":1,"suppressed":0},"coherence":0.5}`
	summaryV2 = `{"kind":"summary","schemaVersion":2,"at":"2026-07-25T10:00:00.000Z","outcome":"stopped","turnsTaken":5,"accepted":4,"durationMs":1200,"framesPublished":7,"framesDropped":0,"checkpointId":"x","progress":` + progressOld + `,"volition":{"offered":5,"taken":1,"suppressed":0,"skipped":2},"coherence":null,"longestUnchangedRun":1,"longestRecurringRun":2,"objectivesRetired":3,"screenshot":` + screenshot + `}`
)

func TestEveryVersionIsRead(t *testing.T) {
	for name, line := range map[string]string{
		"header 1": headerV1, "header 2": headerV2, "header 3": headerV3,
		"turn 1": turnV1, "turn 1 spoken": turnV1b, "turn 2": turnV2, "turn 2 complete": turnV2b,
		"summary 1": summaryV1, "summary 2": summaryV2,
		"half characters":    strings.Replace(turnV2, `"monologue":"m"`, `"monologue":"cut \ud83d"`, 1),
		"line separators":    strings.Replace(turnV2, `"monologue":"m"`, "\"monologue\":\"a\u2028b\u2029c\"", 1),
		"with blanks":        " \t" + turnV2 + " \r",
		"older environments": strings.Replace(headerV3, "pokemon-firered\",\"venue", "gba-axve\",\"venue", 1),
		"port's answer":      strings.Replace(turnV2, answered, `{"source":"body","status":"rejected","summary":"no","advice":null}`, 1),
		"an exception":       strings.Replace(turnV2, answered, `{"source":"exception","name":"Error","message":null,"errorCode":null,"retryable":null}`, 1),
		"no answer":          strings.Replace(turnV2, answered, `null`, 1),
	} {
		if _, err := ParseLine([]byte(line)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestMixedAndHostedFiles reads whole files of writers of other versions, and of
// a world that somebody hosts: nothing is damage, and a mind goes on from them.
func TestMixedAndHostedFiles(t *testing.T) {
	journey := HostedJourneyID("west coast", "player/7")
	hosted := strings.NewReplacer(`"body":"local","coreId":"mgba"`,
		`"body":"world","sessionId":"s","worldId":"west coast","bodyGeneration":3,"adapterVersion":"2.1","coreId":"mgba"`)
	worldHeader := strings.NewReplacer(`local:pokemon-firered:profile:main`, journey, `"venue":"local"`, `"venue":"world"`).Replace(headerV3)
	for name, tt := range map[string]struct {
		lines   []string
		journey string
	}{
		"version 1":                     {[]string{headerV1, turnV1, turnV1b, summaryV1}, ""},
		"version 2":                     {[]string{headerV2, turnV2, turnV2b, summaryV2}, ""},
		"version 3":                     {[]string{headerV3, turnV2, turnV2b, summaryV2}, "local:pokemon-firered:profile:main"},
		"an old header, newer turns":    {[]string{headerV1, turnV1, turnV2, summaryV2}, ""},
		"a new header, older turns":     {[]string{headerV3, turnV1, turnV2, summaryV1}, "local:pokemon-firered:profile:main"},
		"hosted, version 2":             {[]string{headerV2, hosted.Replace(turnV2), hosted.Replace(turnV2b), summaryV2}, ""},
		"hosted, version 3":             {[]string{worldHeader, hosted.Replace(turnV2), summaryV2}, journey},
		"hosted, without the last line": {[]string{worldHeader, hosted.Replace(turnV2b)}, journey},
	} {
		s := folder{t, t.TempDir()}
		s.put("run.jsonl", append(tt.lines, "")...)
		path := filepath.Join(s.dir, "run.jsonl")
		run, err := ReadStrict(path)
		if err != nil || run.Header.JourneyID != tt.journey {
			t.Errorf("%s: %v", name, err)
			continue
		}
		turns := len(run.Turns)
		if body := run.Turns[turns-1].Evidence; strings.HasPrefix(name, "hosted") && *body.Decision.Provenance.BodyGeneration != 3 {
			t.Errorf("%s: provenance %+v", name, body.Decision.Provenance)
		}
		if c, err := CheckFile(path); err != nil || c.GapCount > 0 || c.Turns.Total != turns {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
		e, err := NewEvaluator(EvaluateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if judged, err := e.Evaluate(path, nil); err != nil || judged.Aggregate.Turns != turns {
			t.Errorf("%s: %+v, %v", name, judged, err)
		}
		if tt.journey == "" {
			continue
		}
		if card, _, err := Story(s.dir, tt.journey); err != nil || card.TurnsTaken != turns {
			t.Errorf("%s: %+v, %v", name, card, err)
		}
		if c, _, err := LastContinuity(s.dir, tt.journey); err != nil || c == nil || c.RunID != "r" {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
}

func TestDefaultsFillOldMembers(t *testing.T) {
	turn, err := ParseLine([]byte(turnV2))
	if err != nil {
		t.Fatal(err)
	}
	if turn.Turn.Turn.SpeakWanted || turn.Turn.Turn.EffectAdvice != nil || turn.Turn.Evidence.Signals.ObjectiveRecovery {
		t.Errorf("turn reads %+v", turn.Turn)
	}
	if got := turn.Turn.Evidence.ActionResult.Result; got.Outcome["stop"] != "arrived" || string(got.Others) != `{"later":"kept"}` {
		t.Errorf("the answer reads %+v", got)
	}
	summary, err := ParseLine([]byte(summaryV1))
	if err != nil {
		t.Fatal(err)
	}
	if s := summary.Summary; s.LongestUnchangedRun != 0 || s.Volition.Skipped != 0 || *s.Coherence != 0.5 {
		t.Errorf("summary reads %+v", s)
	}
}

func TestStrictLinesRefuse(t *testing.T) {
	edit := func(line, from, to string) string {
		if !strings.Contains(line, from) {
			t.Fatalf("%s is not in the line", from)
		}
		return strings.Replace(line, from, to, 1)
	}
	for name, line := range map[string]string{
		"no object":              `[1]`,
		"no kind":                `{}`,
		"another kind":           `{"kind":"tape"}`,
		"two values":             headerV3 + headerV3,
		"duplicate":              edit(headerV3, `"runId":"r"`, `"runId":"r","runId":"q"`),
		"unknown member":         edit(headerV3, `"runId"`, `"more":1,"runId"`),
		"another letter case":    edit(headerV3, `"runId"`, `"RunId"`),
		"header 4":               edit(headerV3, `"schemaVersion":3`, `"schemaVersion":4`),
		"header 0":               edit(headerV1, `"schemaVersion":1`, `"schemaVersion":0`),
		"no run":                 edit(headerV3, `"runId":"r",`, ``),
		"empty run":              edit(headerV3, `"runId":"r"`, `"runId":""`),
		"null run":               edit(headerV3, `"runId":"r"`, `"runId":null`),
		"no resumed member":      edit(headerV1, `,"resumedFromCheckpointId":null`, ``),
		"offset":                 edit(headerV3, `09:00:00.000Z`, `09:00:00.000+00:00`),
		"journey of blanks":      edit(headerV3, `local:pokemon-firered:profile:main`, `   `),
		"environment with upper": edit(headerV3, `"pokemon-firered"`, `"Pokemon"`),
		"venue elsewhere":        edit(headerV3, `"venue":"local"`, `"venue":"moon"`),
		"header 2 with journey":  edit(headerV3, `"schemaVersion":3`, `"schemaVersion":2`),
		"header 3 without":       edit(headerV1, `"schemaVersion":1`, `"schemaVersion":3`),
		"turn 3":                 edit(turnV2, `"schemaVersion":2`, `"schemaVersion":3`),
		"turn 1 with evidence":   edit(turnV2, `"schemaVersion":2`, `"schemaVersion":1`),
		"turn 2 without":         edit(turnV1, `"schemaVersion":1`, `"schemaVersion":2`),
		"speech alone":           edit(turnV2b, `"narrationEvent":"e",`, ``),
		"narration alone":        edit(turnV2b, `,"speechDeliveryId":"d-1"`, ``),
		"speech with blanks":     edit(turnV1b, `"d-1"`, `"d 1"`),
		"null outcome":           edit(turnV2, `"outcome":"accepted"`, `"outcome":null`),
		"another outcome":        edit(turnV2, `"outcome":"accepted"`, `"outcome":"won"`),
		"no intent":              edit(turnV2, `"intent":"i",`, ``),
		"long intent":            edit(turnV2, `"intent":"i"`, `"intent":"`+strings.Repeat("i", 201)+`"`),
		"negative turn":          edit(turnV2, `"turn":4`, `"turn":-4`),
		"half a digest":          edit(turnV2, `"observationSha256":"a`, `"observationSha256":"`),
		"an action that is none": edit(turnV2, `"button":"a"`, `"button":"turbo"`),
		"seven observations":     edit(turnV2, sceneObservation, strings.Join([]string{sceneObservation, sceneObservation, sceneObservation, sceneObservation, sceneObservation, sceneObservation, sceneObservation}, ",")),
		"a null observation":     edit(turnV2, sceneObservation, `null`),
		"half an observation":    edit(turnV2, `"characterId":"c",`, ``),
		"a kind that is none":    edit(turnV2, `"kind":"scene"`, `"kind":"smell"`),
		"another body":           edit(turnV2, `"body":"local"`, `"body":"astral"`),
		"null refusals":          edit(turnV2, `"refusedHere":["north"]`, `"refusedHere":null`),
		"five refusals":          edit(turnV2, `["north"]`, `["north","east","south","west","north"]`),
		"no signals":             edit(turnV2, `"signals":`+signalsOld+`,`, ``),
		"no timing":              edit(turnV2, `"actionStartedAt":null,`, ``),
		"another source":         edit(turnV2, `"source":"environment"`, `"source":"rumour"`),
		"half an answer":         edit(turnV2, answered, `{"source":"body","status":"completed","summary":"x"}`),
		"more than an answer":    edit(turnV2, answered, `{"source":"body","status":"completed","summary":"x","advice":null,"more":1}`),
		"another body status":    edit(turnV2, answered, `{"source":"body","status":"maybe","summary":"x","advice":null}`),
		"summary 3":              edit(summaryV2, `"schemaVersion":2`, `"schemaVersion":3`),
		"summary 1 with picture": edit(summaryV2, `"schemaVersion":2`, `"schemaVersion":1`),
		"no volition":            edit(summaryV1, `"volition":{"offered":5,"taken":1,"suppressed":0},`, ``),
		"coherence 2":            edit(summaryV1, `"coherence":0.5`, `"coherence":2`),
		"picture elsewhere":      edit(summaryV2, `.screenshots/2026-run/`, `.screenshots/../`),
		"picture too large":      edit(summaryV2, `"byteLength":5500`, `"byteLength":524289`),
		"picture for no reason":  edit(summaryV2, `["initial","failure"]`, `[]`),
		"picture for fun":        edit(summaryV2, `"failure"`, `"fun"`),
	} {
		if _, err := ParseLine([]byte(line)); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}

// TestWrittenLines pins spelling, order, and what is null and what absent.
func TestWrittenLines(t *testing.T) {
	turn := testTurn(7)
	turn.Turn.ObservationSHA256 = digestA
	tests := map[string]struct {
		line any
		want string
	}{
		"header": {testHeader().fit(), `{"kind":"header","schemaVersion":3,"runId":"run 1/../x","environmentSessionId":"session","scenarioId":"bramble-lane","startedAt":"2026-08-19T12:00:00.000Z","resumedFromCheckpointId":null,"journeyId":"local:bramble-lane:profile:main","environmentId":"bramble-lane","venue":"local"}`},
		"turn": {turn.fit(), `{"kind":"turn","schemaVersion":2,"at":"2026-08-19T12:00:00.000Z","turn":{"turn":7,"observationSha256":"` + digestA + `","framebufferSha256":null,"monologue":"well","intent":"press a","notes":"the ferryman","objective":"cross","objectiveRetired":null,"interjection":null,"reply":null,"speak":null,"speakSuppressed":false,"speakWanted":false,"action":{"kind":"button_press","button":"a","holdFrames":16},"outcome":"accepted","detail":null,"effect":null,"effectAdvice":null},` +
			`"evidence":{"decision":{"observations":[{"schemaVersion":1,"observationId":"gba-observation-1","sessionId":"session","characterId":"c","worldId":"w","goalVersion":0,"capturedAt":"2026-08-19T12:00:00.000Z","frame":12,"kind":"scene","data":{"mode":"overworld","inputReady":false,"waitingForDialogAdvance":false}}],"provenance":{"body":"local","real":true}},"immediatePreAction":null,"postAction":null,` +
			`"actionResult":{"source":"environment","result":{"schemaVersion":1,"actionId":"free-play-action-1","sessionId":"session","updatedAt":"2026-08-19T12:00:00.000Z","status":"completed","acceptedGoalVersion":0,"outcome":{"pressed":"a"}}},` +
			`"progressBefore":{"distinctTiles":0,"maps":[],"turnsSinceNewTile":0,"actionsPerNewTile":null},"progressAfter":null,"signals":{"refusedHere":[],"stalledForTurns":null,"repeatingForTurns":null,"recurringForTurns":null,"objectiveForTurns":null,"localeForTurns":null,"previousObjective":null,"previousNotes":null,"retiredObjective":null,"objectiveRecovery":false,"verifiedInteractions":[],"decisionPreemptions":0},` +
			`"timing":{"decisionStartedAt":"2026-08-19T12:00:00.000Z","decisionSettledAt":"2026-08-19T12:00:00.000Z","actionStartedAt":null,"actionSettledAt":null}}}`},
		"summary": {Summary{At: testMoment, Outcome: "stopped", DurationMS: 12}.fit(), `{"kind":"summary","schemaVersion":2,"at":"2026-08-19T12:00:00.000Z","outcome":"stopped","turnsTaken":0,"accepted":0,"durationMs":12,"framesPublished":0,"framesDropped":0,"checkpointId":null,"progress":{"distinctTiles":0,"maps":[],"turnsSinceNewTile":0,"actionsPerNewTile":null},"volition":{"offered":0,"taken":0,"suppressed":0,"skipped":0},"coherence":null,"longestUnchangedRun":0,"longestRecurringRun":0,"objectivesRetired":0}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			data, err := encode(tt.line)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want+"\n", string(data)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if _, err := ParseLine(data); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAnswers(t *testing.T) {
	refused := &emu.Error{Code: emu.CodeNoPath, Message: "none", Detail: "nearest (8,9)", Retryable: true}
	tests := map[string]struct {
		result *ActionResult
		want   string
	}{
		"failed": {
			EnvironmentResult(AnswerOf("a", "s", testMoment, emu.ActionResult{Status: emu.StatusFailed, Err: refused})),
			`{"source":"environment","result":{"schemaVersion":1,"actionId":"a","sessionId":"s","updatedAt":"2026-08-19T12:00:00.000Z","status":"failed","acceptedGoalVersion":0,"errorCode":"no_path_to_target","message":"no_path_to_target: none — nearest (8,9)","retryable":true}}`,
		},
		"failed for no reason": {
			EnvironmentResult(AnswerOf("a", "s", testMoment, emu.ActionResult{Status: emu.StatusFailed})),
			`{"source":"environment","result":{"schemaVersion":1,"actionId":"a","sessionId":"s","updatedAt":"2026-08-19T12:00:00.000Z","status":"failed","acceptedGoalVersion":0,"errorCode":"emulator_rejected","message":"emulator_rejected","retryable":false}}`,
		},
		"cancelled": {
			EnvironmentResult(AnswerOf("a", "s", testMoment, emu.ActionResult{Status: emu.StatusCancelled})),
			`{"source":"environment","result":{"schemaVersion":1,"actionId":"a","sessionId":"s","updatedAt":"2026-08-19T12:00:00.000Z","status":"cancelled","acceptedGoalVersion":0,"reason":"unspecified"}}`,
		},
		"cancelled for a reason": {
			EnvironmentResult(AnswerOf("a", "s", testMoment, emu.ActionResult{Status: emu.StatusCancelled, Reason: "the operator asked"})),
			`{"source":"environment","result":{"schemaVersion":1,"actionId":"a","sessionId":"s","updatedAt":"2026-08-19T12:00:00.000Z","status":"cancelled","acceptedGoalVersion":0,"reason":"the operator asked"}}`,
		},
		"port": {
			BodyResult(BodyCompleted, "saved", nil), `{"source":"body","status":"completed","summary":"saved","advice":null}`,
		},
		"exception": {
			ExceptionResult(errors.New("gone")),
			`{"source":"exception","name":"*errors.errorString","message":"gone","errorCode":null,"retryable":null}`,
		},
		"coded exception": {
			ExceptionResult(refused),
			`{"source":"exception","name":"Error","message":"no_path_to_target: none — nearest (8,9)","errorCode":"no_path_to_target","retryable":true}`,
		},
		"long exception": {
			ExceptionResult(errors.New(strings.Repeat("x", 4097))),
			`{"source":"exception","name":"*errors.errorString","message":null,"errorCode":null,"retryable":null}`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			data, err := encode(tt.result)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want+"\n", string(data)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
