package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestKeyFromText(t *testing.T) {
	for text, says := range map[string]string{
		"":                                 "is empty",
		"  \n":                             "is empty",
		canary + "\n" + canary:             "something else than one key",
		canary + "\r\nX-Evil: 1":           "something else than one key",
		canary + "é":                       "something else than one key",
		strings.Repeat("k", maxKeyBytes*2): "too many",
	} {
		_, err := KeyFromText(text, "the variable X")
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", text, err, says)
		} else if strings.Contains(err.Error(), canary) {
			t.Errorf("the error holds the key: %v", err)
		}
	}
	if k, err := KeyFromText(" "+canary+"\n", "X"); err != nil || k.reveal() != canary {
		t.Errorf("a key with blanks around it: %v", err)
	}
}

func TestKeyFromFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(canary+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if k, err := KeyFromFile(write("own", 0o600)); err != nil || k.reveal() != canary {
		t.Errorf("mode 0600: %v", err)
	}
	for _, mode := range []os.FileMode{0o644, 0o640, 0o604, 0o666} {
		if _, err := KeyFromFile(write("shared", mode)); err == nil || !strings.Contains(err.Error(), "chmod 600") {
			t.Errorf("mode %o: %v", mode, err)
		}
	}
	for _, path := range []string{dir, filepath.Join(dir, "missing")} {
		if _, err := KeyFromFile(path); err == nil {
			t.Errorf("%s was read", path)
		}
	}
}

// TestHalfAKeyIsStillOne has a long key repeated where a text is cut: none of
// its beginning stays.
func TestHalfAKeyIsStillOne(t *testing.T) {
	const head = "sk-canary-long"
	key := newKey(head + strings.Repeat("q7", 80))
	fill := func(n int) string { return strings.Repeat("x", n) }
	spelt := fmt.Sprintf(`\u%04x%s`, key.reveal()[0], key.reveal()[1:])
	both(t, func(t *testing.T, p Provider) {
		for _, reply := range []string{
			does(`"actionKind":"` + key.reveal() + `"`),
			does(`"actionKind":"` + spelt + `"`),
			walk(`,"notes":"` + fill(780) + spelt + `"`),
			walk(`,"notes":"` + fill(780) + key.reveal() + `"`),
			walk(`,"objective":"` + fill(140) + spelt + `"`),
		} {
			mind := newStub(t, p, says(reply)).mind(t, func(o *Options) { o.Key = key })
			d, err := mind.Decide(t.Context(), sampleView())
			out, _ := json.Marshal(d)
			if text := fmt.Sprint(string(out), err); strings.Contains(text, head) {
				t.Errorf("half the key came out: %s", text)
			}
		}
	})
	mind := newStub(t, ProviderOpenAI, says(good)).mind(t, func(o *Options) { o.Key = key })
	mind.endpoint = brokenEndpoint{newKey(fill(150) + key.reveal())}
	if _, err := mind.Decide(t.Context(), sampleView()); strings.Contains(err.Error(), head) {
		t.Errorf("half the key came out of a panic: %v", err)
	}
}

// TestHowAKeyMayBeSpelt has errors quote a key as what they came in writes it.
func TestHowAKeyMayBeSpelt(t *testing.T) {
	const secret = `k/9+"a\b<c>&d=`
	key := newKey(secret)
	for _, spelt := range []string{
		secret, `k/9+\"a\\b<c>&d=`, `k\/9+\"a\\b<c>&d=`, `k/9+\"a\\b\u003cc\u003e\u0026d=`,
		`k%2F9%2B%22a%5Cb%3Cc%3E%26d%3D`, `k/9+&#34;a\b&lt;c&gt;&amp;d=`,
	} {
		if got := key.scrub("wrong key " + spelt + "."); got != "wrong key [key]." {
			t.Errorf("%s is shown as %s", spelt, got)
		}
	}
}

// TestCanary lets a key go through everything that goes wrong, at endpoints
// that repeat it, and looks for it in everything that comes out.
func TestCanary(t *testing.T) {
	var out bytes.Buffer
	show := func(values ...any) {
		for _, v := range values {
			for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
				fmt.Fprintf(&out, format+"\n", v)
			}
			b, _ := json.Marshal(v)
			out.Write(b)
			slog.New(slog.NewTextHandler(&out, nil)).Info("value", "v", v)
			slog.New(slog.NewJSONHandler(&out, nil)).Info("value", "v", v)
		}
	}
	spelt := fmt.Sprintf(`\u%04x%s`, canary[0], canary[1:]) // as JSON may have it
	both(t, func(t *testing.T, p Provider) {
		for _, status := range []int{400, 401, 403, 404, 413, 422, 429, 500, 529} {
			s := newStub(t, p, fails(status))
			mind := s.mind(t)
			_, err := mind.Decide(t.Context(), sampleView())
			line, probe := mind.Probe(t.Context())
			show(err, line, probe, mind, *mind, mind.Meter(), mind.settings, mind.key, &mind.key, mind.question(sampleView()).text)
			if s.asked() > 0 && s.keys[0] != "Bearer "+canary {
				t.Error("the endpoint did not get the key")
			}
			fmt.Fprintln(&out, s.body(0))
			s.Close()
		}
		for _, script := range []step{
			breaksOff(canary, true), says(canary), says("{" + canary), hangs(true),
			says(does(`"actionKind":"` + canary + `"`)), says(does(`"actionKind":"` + spelt + `"`)),
			says(strings.Replace(walk(`,"notes":"`+spelt+`"`), "A door.", "My key is "+spelt, 1)),
			says(does(`"actionKind":"save_checkpoint","checkpointLabel":"` + spelt + `"`)), answers("text/event-stream", "event: error\ndata: "+canary+"\n\n"),
		} {
			s := newStub(t, p, script)
			mind := s.mind(t, func(o *Options) { o.Timeout = 200 * time.Millisecond })
			d, err := mind.Decide(t.Context(), sampleView())
			line, probe := mind.Probe(t.Context())
			show(d, err, line, probe)
			if d.Notes != nil {
				show(*d.Notes)
			}
			s.Close()
		}
		mind := newStub(t, p, says(good)).mind(t)
		mind.endpoint = brokenEndpoint{mind.key}
		_, err := mind.Decide(t.Context(), sampleView())
		show(err, Options{Key: mind.key})
	})
	if i := bytes.Index(out.Bytes(), []byte(canary)); i >= 0 {
		t.Errorf("the key came out: …%s…", out.Bytes()[max(0, i-200):min(i+80, out.Len())])
	}
	if !bytes.Contains(out.Bytes(), []byte(hiddenKey)) {
		t.Error("nothing was hidden: the test looks in the wrong place")
	}
}
