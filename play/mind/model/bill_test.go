package model

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// whole is a reply of either protocol whose usage is said as given, "" for not
// at all.
func whole(text, atStart, atEnd string) step {
	usage := func(u string) string {
		if u == "" {
			return ""
		}
		return `,"usage":` + u
	}
	return func(s *stub, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		if s.provider == ProviderAnthropic {
			fmt.Fprintf(w, "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\"%s}}\n\n", usage(atStart))
			s.pieces(w, text)
			fmt.Fprintf(w, "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}%s}\n\n", usage(atEnd))
			fmt.Fprint(w, "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n")
			return
		}
		fmt.Fprintf(w, "data: {\"choices\":[]%s}\n\n", usage(atStart))
		s.pieces(w, text)
		s.chunk(w, m{}, "stop")
		fmt.Fprintf(w, "data: {\"choices\":[]%s}\n\ndata: [DONE]\n\n", usage(atEnd))
	}
}

// TestABillWithGapsIsNotBelieved holds that a whole reply whose usage is not
// said, or not all of it, counts as the most that it can have used.
func TestABillWithGapsIsNotBelieved(t *testing.T) {
	tests := map[Provider][]struct {
		name           string
		atStart, atEnd string
		want           Usage // nothing where the most is counted
	}{
		ProviderAnthropic: {
			{"none", "", "", Usage{}},
			{"no input", "", `{"output_tokens":5}`, Usage{}},
			{"no output at the end", `{"input_tokens":100,"output_tokens":1}`, "", Usage{}},
			{"all", `{"input_tokens":100,"output_tokens":1}`, `{"output_tokens":5}`, Usage{Input: 100, Output: 5}},
			{"all from the cache", `{"cache_read_input_tokens":100,"output_tokens":1}`, `{"output_tokens":5}`, Usage{CacheRead: 100, Output: 5}},
			{"all at the end", "", `{"input_tokens":100,"cache_creation_input_tokens":7,"output_tokens":5}`, Usage{Input: 100, CacheWrite: 7, Output: 5}},
		},
		ProviderOpenAI: {
			{"none", "", "", Usage{}},
			{"null", "", "null", Usage{}},
			{"no input", "", `{"completion_tokens":5}`, Usage{}},
			{"no output", "", `{"prompt_tokens":100}`, Usage{}},
			{"before the reply", `{"prompt_tokens":100,"completion_tokens":1,"total_tokens":101}`, "", Usage{}},
			{"no total", "", `{"prompt_tokens":100,"completion_tokens":5}`, Usage{Input: 100, Output: 5}},
			{"thoughts in the total alone", "", `{"prompt_tokens":100,"completion_tokens":5,"total_tokens":905}`, Usage{Input: 100, Output: 805}},
			{"more from the cache than there is", "", `{"prompt_tokens":100,"completion_tokens":5,"total_tokens":105,"prompt_tokens_details":{"cached_tokens":4000}}`, Usage{CacheRead: 100, Output: 5}},
			{"less than nothing from the cache", "", `{"prompt_tokens":100,"completion_tokens":5,"total_tokens":105,"prompt_tokens_details":{"cached_tokens":-9}}`, Usage{Input: 100, Output: 5}},
		},
	}
	both(t, func(t *testing.T, p Provider) {
		for _, test := range tests[p] {
			t.Run(test.name, func(t *testing.T) {
				mind := newStub(t, p, whole(good, test.atStart, test.atEnd)).mind(t)
				if _, err := mind.Decide(t.Context(), sampleView()); err != nil {
					t.Fatal(err)
				}
				want, estimated := test.want, test.want == Usage{}
				if estimated {
					want = mind.most(mind.question(sampleView()))
				}
				if got := mind.Meter().Spent(); got.Usage != want || got.Estimated != estimated {
					t.Errorf("counted %+v, want %+v", got, want)
				}
			})
		}
	})
}

// TestWhatCameIsCounted has endpoints send more than they were asked for, so
// that there is no bill to read: at least what came is counted.
func TestWhatCameIsCounted(t *testing.T) {
	const asked = 256
	thoughts := func(s *stub, w http.ResponseWriter, _ *http.Request) {
		s.begin(w)
		for range 100 {
			if s.provider == ProviderAnthropic {
				event(w, "content_block_delta", m{"type": "content_block_delta", "index": 0, "delta": m{"type": "thinking_delta", "thinking": strings.Repeat("x", 100)}})
			} else {
				s.chunk(w, m{"reasoning_content": strings.Repeat("x", 100)}, nil)
			}
		}
	}
	oneEvent := func(_ *stub, w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "data: "+strings.Repeat("x", 3<<20))
	}
	tests := []struct {
		name   string
		script step
		least  int64
	}{
		{"text without an end", says(strings.Repeat("word ", 2*maxReplyText/5)), maxReplyText},
		{"text that breaks off", breaksOff(strings.Repeat("word ", 2000), false), 10_000},
		{"thoughts that break off", thoughts, 10_000},
		{"megabytes in one event", oneEvent, wireBase},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			both(t, func(t *testing.T, p Provider) {
				no := 0
				mind := newStub(t, p, test.script).mind(t, func(o *Options) {
					o.Settings.MaxOutputTokens, o.Settings.Retries = asked, &no
					o.Settings.CapTokens = 50_000
				})
				_, err := mind.Decide(t.Context(), sampleView())
				if err == nil {
					t.Fatal("it was taken for a decision")
				}
				got := mind.Meter().Spent()
				if got.Usage.Output < test.least || !got.Estimated {
					t.Errorf("counted %+v, at least %d tokens came", got, test.least)
				}
			})
		})
	}
}

// TestAGatewayThatGaveUpMayBeBilled holds which refusals cost nothing.
func TestAGatewayThatGaveUpMayBeBilled(t *testing.T) {
	no := 0
	both(t, func(t *testing.T, p Provider) {
		for status, billed := range map[int]bool{429: false, 500: false, 503: false, 529: false, 502: true, 504: true, 524: true} {
			mind := newStub(t, p, fails(status)).mind(t, func(o *Options) { o.Settings.Retries = &no })
			if _, err := mind.Decide(t.Context(), sampleView()); err == nil {
				t.Fatalf("%d was taken for a decision", status)
			}
			if got := mind.Meter().Spent(); got.Estimated != billed || got.Usage.Total() > 0 != billed {
				t.Errorf("%d counts as %+v", status, got)
			}
		}
	})
}
