package model

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	openai "github.com/sashabaranov/go-openai"

	"clankie/emu"
	"clankie/play"
)

const good = `{"monologue":"A door.","intent":"go in","actionKind":"walk_to","x":9,"y":8,"button":null,` +
	`"holdFrames":null,"repeat":null,"text":null,"entryId":null,"frames":null,"checkpointId":null,` +
	`"checkpointLabel":null,"notes":null,"objective":null,"reply":null,"speak":null}`

var goodDecision = play.Decision{Monologue: "A door.", Intent: "go in", Action: emu.WalkTo(9, 8)}

func TestAnAnswerBecomesADecision(t *testing.T) {
	both(t, func(t *testing.T, p Provider) {
		s := newStub(t, p, says(good))
		mind := s.mind(t)
		d, err := mind.Decide(t.Context(), sampleView())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(goodDecision, d); diff != "" {
			t.Errorf("decision (-want +got):\n%s", diff)
		}
		want := Spent{Calls: 1, Usage: stubUsage}
		if diff := cmp.Diff(want, mind.Meter().Spent()); diff != "" {
			t.Errorf("spent (-want +got):\n%s", diff)
		}
		if s.keys[0] != "Bearer "+canary {
			t.Error("the endpoint did not get the key")
		}
	})
}

func TestWhatTheRequestHolds(t *testing.T) {
	common := []string{`"stream":true`, `additionalProperties`, `"actionKind"`, `"model":"stub"`}
	tests := map[Provider][]string{
		ProviderAnthropic: {`"cache_control":{"type":"ephemeral"}`, `"media_type":"image/png"`, `"output_config"`, `"max_tokens":4096`},
		ProviderOpenAI:    {`data:image/png;base64,`, `"strict":true`, `"include_usage":true`, `"max_tokens":4096`},
	}
	both(t, func(t *testing.T, p Provider) {
		s := newStub(t, p, says(good))
		if _, err := s.mind(t).Decide(t.Context(), sampleView()); err != nil {
			t.Fatal(err)
		}
		for _, want := range append(common, tests[p]...) {
			if !strings.Contains(s.body(0), want) {
				t.Errorf("the request lacks %s", want)
			}
		}
		if strings.Count(s.body(0), "cache_control") > 1 {
			t.Error("only the system message stays the same from turn to turn")
		}
	})
}

// TestWhatNewerModelsTake holds the one field that differs by model.
func TestWhatNewerModelsTake(t *testing.T) {
	for name, want := range map[string]string{
		"gpt-5-mini": `"max_completion_tokens":4096`, "llama": `"max_tokens":4096`,
	} {
		s := newStub(t, ProviderOpenAI, says(good))
		mind := s.mind(t, func(o *Options) { o.Settings.Name = "openai/" + name })
		if _, err := mind.Decide(t.Context(), sampleView()); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(s.body(0), want) || strings.Count(s.body(0), "max_") != 1 {
			t.Errorf("%s: the request lacks %s", name, want)
		}
	}
}

func TestWhatTheSDKRefusesIsNotTriedAgain(t *testing.T) {
	s := newStub(t, ProviderOpenAI, says(good))
	mind := s.mind(t, func(o *Options) { o.Settings.Name, o.Settings.Effort = "openai/"+openai.GPT6Sol, "whatever" })
	_, err := mind.Decide(t.Context(), sampleView())
	checkOutcome(t, play.Decision{}, err, CodeRefused, true)
	if s.asked() != 0 || mind.Meter().Spent().Calls != 1 || mind.Meter().Spent().Usage.Total() != 0 {
		t.Errorf("asked %d times, spent %+v", s.asked(), mind.Meter().Spent())
	}
}

func TestWithoutPictureOrSchema(t *testing.T) {
	both(t, func(t *testing.T, p Provider) {
		s := newStub(t, p, says(good))
		no := false
		mind := s.mind(t, func(o *Options) { o.Settings.Picture, o.Settings.Structured = &no, StructuredNone })
		if _, err := mind.Decide(t.Context(), sampleView()); err != nil {
			t.Fatal(err)
		}
		for _, unwanted := range []string{"image", "json_schema", "additionalProperties"} {
			if strings.Contains(s.body(0), unwanted) {
				t.Errorf("the request holds %s", unwanted)
			}
		}
	})
}

// TestWhatEndpointsDoWrong holds the outcome of every misbehaviour: how often
// is asked, how long is waited, and what comes of it.
func TestWhatEndpointsDoWrong(t *testing.T) {
	second := time.Second
	tests := []struct {
		name   string
		script []step
		asked  int
		naps   []time.Duration
		code   string // of the error; "" is a decision, "reply" a bad answer
		pauses bool
	}{
		{"429 with Retry-After", []step{fails(429, "Retry-After", "7"), says(good)}, 2, []time.Duration{7 * second}, "", false},
		{"429 without", []step{fails(429), says(good)}, 2, []time.Duration{second}, "", false},
		{"429 until a date", []step{fails(429, "Date", "Mon, 02 Jan 2006 15:04:05 GMT", "Retry-After", "Mon, 02 Jan 2006 15:04:09 GMT"), says(good)}, 2, []time.Duration{4 * second}, "", false},
		{"429 with a Retry-After of nonsense", []step{fails(429, "Retry-After", "soon"), says(good)}, 2, []time.Duration{second}, "", false},
		{"429 with a Retry-After in the past", []step{fails(429, "Retry-After", "-3"), says(good)}, 2, []time.Duration{second}, "", false},
		{"429 for longer than the deadline", []step{fails(429, "Retry-After", "86400")}, 1, nil, CodeRefused, false},
		{"429 for ever", []step{fails(429)}, 2, []time.Duration{second}, CodeRefused, false},
		{"529", []step{fails(529), says(good)}, 2, []time.Duration{second}, "", false},
		{"500", []step{fails(500), says(good)}, 2, []time.Duration{second}, "", false},
		{"503 for ever", []step{fails(503)}, 2, []time.Duration{second}, CodeRefused, false},
		{"500 that asks for another try", []step{fails(500, "X-Should-Retry", "true", "Retry-After-Ms", "1")}, 2, []time.Duration{second}, CodeRefused, false},
		{"400 that asks for another try", []step{fails(400, "X-Should-Retry", "true")}, 1, nil, CodeRefused, true},
		{"408 for ever", []step{fails(408)}, 2, []time.Duration{second}, CodeRefused, false},
		{"409 for ever", []step{fails(409)}, 2, []time.Duration{second}, CodeRefused, false},
		{"501", []step{fails(501)}, 1, nil, CodeRefused, false},
		{"401", []step{fails(401)}, 1, nil, CodeRefused, true},
		{"404", []step{fails(404)}, 1, nil, CodeRefused, true},
		{"400", []step{fails(400)}, 1, nil, CodeRefused, true},
		{"redirect", []step{fails(302, "Location", "http://127.0.0.1:1/")}, 1, nil, CodeRefused, true},
		{"redirect without a place", []step{fails(304)}, 1, nil, CodeRefused, true},
		{"half stream", []step{breaksOff(good[:40], false), says(good)}, 2, []time.Duration{second}, "", false},
		{"half stream, torn", []step{breaksOff(good[:40], true), says(good)}, 2, []time.Duration{second}, "", false},
		{"half stream for ever", []step{breaksOff(good[:40], false)}, 2, []time.Duration{second}, CodeBroken, false},
		{"half stream with all of the decision", []step{breaksOff(good, false)}, 1, nil, "", false},
		{"nothing in a stream", []step{says("")}, 1, nil, "reply", false},
		{"no stream at all", []step{answers("text/plain", "")}, 2, []time.Duration{second}, CodeBroken, false},
		{"a web page", []step{answers("text/html", "<html>Sign in</html>")}, 2, []time.Duration{second}, CodeBroken, false},
		{"events of nonsense", []step{answers("text/event-stream", "event: message_start\ndata: {nonsense\n\n")}, 2, []time.Duration{second}, CodeBroken, false},
		{"error within the stream", []step{answers("text/event-stream", "event: error\ndata: {\"error\":{\"type\":\"overloaded_error\",\"message\":\"busy\"}}\n\n"), says(good)}, 2, []time.Duration{second}, "", false},
		{"ten megabytes in one event", []step{answers("text/event-stream", "event: x\ndata: "+strings.Repeat("x", 10<<20)+"\n\n")}, 1, nil, "reply", false},
		{"ten megabytes of text", []step{says(strings.Repeat("word ", 2<<20))}, 1, nil, "reply", false},
		{"prose", []step{says("I would rather not.")}, 1, nil, "reply", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			both(t, func(t *testing.T, p Provider) {
				s := newStub(t, p, test.script...)
				var slept naps
				mind := s.mind(t, func(o *Options) { o.Sleep = slept.sleep })
				d, err := mind.Decide(t.Context(), sampleView())
				if s.asked() != test.asked {
					t.Errorf("asked %d times, want %d", s.asked(), test.asked)
				}
				if diff := cmp.Diff(test.naps, slept.all); diff != "" {
					t.Errorf("waits (-want +got):\n%s", diff)
				}
				if got := mind.Meter().Spent().Calls; got != test.asked {
					t.Errorf("the meter counts %d calls, want %d", got, test.asked)
				}
				checkOutcome(t, d, err, test.code, test.pauses)
			})
		})
	}
}

func checkOutcome(t *testing.T, d play.Decision, err error, code string, pauses bool) {
	t.Helper()
	if code == "" {
		if err != nil || !cmp.Equal(d, goodDecision) {
			t.Fatalf("got %v, %v; want the decision", d, err)
		}
		return
	}
	var bad *ReplyError
	var failed *CallError
	switch {
	case code == "reply" && !errors.As(err, &bad):
		t.Fatalf("got %v, want a bad reply", err)
	case code != "reply" && (!errors.As(err, &failed) || failed.Code != code):
		t.Fatalf("got %v, want %s", err, code)
	}
	checkText(t, err)
	if failed != nil {
		if _, got := failed.PausesPlay(); got != pauses {
			t.Errorf("pauses play: %v, want %v", got, pauses)
		}
	}
}

// checkText holds of every error: short, one line, no control characters and
// no key.
func checkText(t *testing.T, err error) {
	t.Helper()
	text := err.Error()
	if n := emu.Length(text); n > maxErrorText {
		t.Errorf("the error has %d characters", n)
	}
	if text != emu.Clean(text) {
		t.Errorf("the error is not clean: %q", text)
	}
	if strings.Contains(text, canary) {
		t.Error("the error holds the key")
	}
}

func TestRefusalsAndRepliesCutShort(t *testing.T) {
	reasons := map[Provider][2]string{
		ProviderAnthropic: {"refusal", "max_tokens"},
		ProviderOpenAI:    {"content_filter", "length"},
	}
	both(t, func(t *testing.T, p Provider) {
		for _, reason := range reasons[p] {
			s := newStub(t, p, stops(good[:60], reason))
			_, err := s.mind(t).Decide(t.Context(), sampleView())
			checkOutcome(t, play.Decision{}, err, "reply", false)
			if s.asked() != 1 {
				t.Errorf("%s: asked %d times", reason, s.asked())
			}
		}
	})
}

// TestARedirectIsNotFollowed has an endpoint send to another one, which must not
// get the key.
func TestARedirectIsNotFollowed(t *testing.T) {
	both(t, func(t *testing.T, p Provider) {
		for _, status := range []int{301, 302, 303, 307, 308} {
			elsewhere := newStub(t, p, says(good))
			s := newStub(t, p, fails(status, "Location", elsewhere.URL))
			_, err := s.mind(t).Decide(t.Context(), sampleView())
			if err == nil || !strings.Contains(err.Error(), "set that one as base_url") {
				t.Errorf("%d: %v", status, err)
			}
			if n := elsewhere.asked(); n != 0 {
				t.Errorf("%d: the other one was asked %d times", status, n)
			}
		}
	})
}

func TestNobodyThere(t *testing.T) {
	both(t, func(t *testing.T, p Provider) {
		s := newStub(t, p, says(good))
		mind := s.mind(t)
		s.Close()
		_, err := mind.Decide(t.Context(), sampleView())
		checkOutcome(t, play.Decision{}, err, CodeUnreachable, false)
		if spent := mind.Meter().Spent(); spent.Usage.Total() != 0 || spent.Calls != 2 {
			t.Errorf("spent %+v; a call that never arrived costs nothing", spent)
		}
	})
}

func TestADeadlineEndsASlowAnswer(t *testing.T) {
	for _, began := range []bool{false, true} {
		both(t, func(t *testing.T, p Provider) {
			s := newStub(t, p, hangs(began))
			_, err := s.mind(t, func(o *Options) { o.Timeout = 50 * time.Millisecond }).Decide(t.Context(), sampleView())
			checkOutcome(t, play.Decision{}, err, CodeDeadlineExceeded, false)
		})
	}
}

func TestCancellingEndsTheCallWhileItThinks(t *testing.T) {
	both(t, func(t *testing.T, p Provider) {
		thinking := make(chan struct{})
		s := newStub(t, p, func(s *stub, w http.ResponseWriter, r *http.Request) {
			s.begin(w)
			close(thinking)
			<-r.Context().Done()
		})
		mind := s.mind(t)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-thinking
			cancel()
		}()
		_, err := mind.Decide(ctx, sampleView())
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v, want the cancellation", err)
		}
		if spent := mind.Meter().Spent(); !spent.Estimated || spent.Usage.Total() < 4096 {
			t.Errorf("spent %+v; an abandoned call counts as the most it can have used", spent)
		}
	})
}

func TestCancellingEndsTheWaitForARetry(t *testing.T) {
	both(t, func(t *testing.T, p Provider) {
		s := newStub(t, p, fails(500))
		ctx, cancel := context.WithCancel(t.Context())
		mind := s.mind(t, func(o *Options) {
			o.Sleep = func(ctx context.Context, _ time.Duration) error {
				cancel()
				return ctx.Err()
			}
		})
		if _, err := mind.Decide(ctx, sampleView()); !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v, want the cancellation", err)
		}
		if s.asked() != 1 {
			t.Errorf("asked %d times", s.asked())
		}
	})
}

// brokenEndpoint panics with everything in hand.
type brokenEndpoint struct{ key Key }

func (b brokenEndpoint) ask(context.Context, question) (*reply, error) {
	panic("header: Bearer " + b.key.reveal())
}

func TestAPanicIsAFailedTurn(t *testing.T) {
	s := newStub(t, ProviderAnthropic, says(good))
	mind := s.mind(t)
	mind.endpoint = brokenEndpoint{mind.key}
	_, err := mind.Decide(t.Context(), sampleView())
	checkOutcome(t, play.Decision{}, err, CodePanicked, false)
	if got := mind.Meter().Spent(); got.Calls != 1 || !got.Estimated {
		t.Errorf("spent %+v", got)
	}
}
