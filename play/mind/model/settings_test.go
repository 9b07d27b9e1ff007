package model

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestSettingsSayWhatIsWrong(t *testing.T) {
	minus := -1
	tests := []struct {
		name   string
		change func(s *Settings)
		says   string
	}{
		{"nothing", func(s *Settings) { s.Name = "" }, "no model is configured"},
		{"no provider", func(s *Settings) { s.Name = "gpt" }, "must begin with anthropic/ or openai/"},
		{"other provider", func(s *Settings) { s.Name = "acme/one" }, "must begin with anthropic/ or openai/"},
		{"no name", func(s *Settings) { s.Name = "openai/" }, "without blanks"},
		{"name with blanks", func(s *Settings) { s.Name = "openai/a b" }, "without blanks"},
		{"address of nonsense", func(s *Settings) { s.BaseURL = "::" }, "base_url"},
		{"address without scheme", func(s *Settings) { s.BaseURL = "localhost:8080" }, "must begin with http"},
		{"address of a file", func(s *Settings) { s.BaseURL = "file:///etc" }, "must begin with http"},
		{"address with a key", func(s *Settings) { s.BaseURL = "https://me:" + canary + "@host/" }, "must not hold a name or password"},
		{"address with a query", func(s *Settings) { s.BaseURL = "https://host/?key=" + canary }, "must not hold ?"},
		{"a key for a variable's name", func(s *Settings) { s.KeyEnv = canary }, "model.key_env: must be the name"},
		{"retries", func(s *Settings) { s.Retries = &minus }, "model.retries -1"},
		{"timeout", func(s *Settings) { s.TimeoutMS = -5 }, CodeTimeoutInvalid},
		{"output", func(s *Settings) { s.MaxOutputTokens = 10 }, "max_output_tokens 10"},
		{"scale", func(s *Settings) { s.PictureScale = 9 }, "picture_scale 9"},
		{"structured", func(s *Settings) { s.Structured = "yes" }, "must be schema, object or none"},
		{"object at anthropic", func(s *Settings) { s.Name, s.Structured = "anthropic/a", StructuredObject }, "anthropic knows"},
		{"effort", func(s *Settings) { s.Effort = "10 %" }, "model.effort"},
		{"cap", func(s *Settings) { s.CapTokens = -1 }, "cap_tokens"},
		{"negative price", func(s *Settings) { s.Price.Input = -1 }, "price.input"},
		{"cap without a price", func(s *Settings) { s.CapMoney = 1 }, "needs model.price.input"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := Settings{Name: "openai/one"}
			test.change(&s)
			_, err := New(Options{Settings: s, Meter: NewMeter(Caps{}, Prices{})})
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v, want %q", err, test.says)
			} else if strings.Contains(err.Error(), canary) {
				t.Error("the error holds a secret")
			}
		})
	}
	if err := (Settings{Name: "openai/meta/one:7b"}).Check(); err != nil {
		t.Errorf("a name with a slash: %v", err)
	}
}

func TestTimeout(t *testing.T) {
	tests := []struct {
		env  string
		ms   int
		want time.Duration
	}{
		{"", 0, 180 * time.Second},
		{"", 5000, 5 * time.Second},
		{"7000", 5000, 7 * time.Second},
		{"0", 0, 0},
		{"-1", 0, 0},
		{"soon", 0, 0},
		{"1e3", 0, 0},
		{"99999999999999999999", 0, 0},
		{"9999999999", 0, 0},
	}
	for _, test := range tests {
		got, err := Settings{TimeoutMS: test.ms}.Timeout(test.env)
		if got != test.want || (err == nil) == (test.want == 0) {
			t.Errorf("%q, %d: %v, %v", test.env, test.ms, got, err)
		}
		if err != nil && !strings.HasPrefix(err.Error(), CodeTimeoutInvalid+": ") {
			t.Errorf("%q: %v", test.env, err)
		}
	}
}

// TestFindKey holds which key goes where: the customary variable's only to
// the provider's own address.
func TestFindKey(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "model.key"), []byte("from-file"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"ANTHROPIC_API_KEY": "from-anthropic", "OPENAI_API_KEY": "from-openai", "MINE": "from-mine"}
	tests := []struct {
		name     string
		settings Settings
		want     string
		says     string
	}{
		{"anthropic's own", Settings{Name: "anthropic/a"}, "from-anthropic", ""},
		{"openai's own", Settings{Name: "openai/a"}, "from-openai", ""},
		{"elsewhere", Settings{Name: "openai/a", BaseURL: "http://127.0.0.1:8080/v1"}, "", ""},
		{"named variable", Settings{Name: "openai/a", BaseURL: "https://host/v1", KeyEnv: "MINE"}, "from-mine", ""},
		{"named variable that is empty", Settings{Name: "openai/a", KeyEnv: "NOBODY"}, "", "the variable NOBODY is empty"},
		{"named file", Settings{Name: "anthropic/a", KeyFile: "model.key"}, "from-file", ""},
		{"missing file", Settings{Name: "anthropic/a", KeyFile: "other.key"}, "", "names no file in " + dir},
		{"the key itself", Settings{Name: "anthropic/a", KeyFile: canary}, "", "never the key itself"},
		{"missing file elsewhere", Settings{Name: "anthropic/a", KeyFile: filepath.Join(dir, "other.key")}, "", "other.key"},
		{"in the open", Settings{Name: "openai/a", BaseURL: "http://host/v1", KeyEnv: "MINE"}, "", "in the open"},
		{"in the open to this machine", Settings{Name: "openai/a", BaseURL: "http://localhost/v1", KeyEnv: "MINE"}, "from-mine", ""},
		{"no key in the open", Settings{Name: "openai/a", BaseURL: "http://host/v1"}, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			k, err := test.settings.FindKey(func(n string) string { return env[n] }, func(n string) string {
				if filepath.IsAbs(n) {
					return n
				}
				return filepath.Join(dir, n)
			})
			if err != nil && strings.Contains(err.Error(), canary) {
				t.Errorf("the key is repeated: %v", err)
			}
			if k.reveal() != test.want || (err != nil) != (test.says != "") || err != nil && !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %q, %v; want %q, %q", k.reveal(), err, test.want, test.says)
			}
		})
	}
	_, err := Settings{Name: "anthropic/a"}.FindKey(func(string) string { return "" }, nil)
	if err == nil || !strings.Contains(err.Error(), "ANTHROPIC_API_KEY") {
		t.Errorf("without a key: %v", err)
	}
}

func TestCharacterFile(t *testing.T) {
	dir := t.TempDir()
	file := func(content string) string {
		path := filepath.Join(dir, "character.md")
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	got, err := CharacterFromFile(file("You are \x1b[31mBo.\r\nYou like maps.  \n\n"))
	if err != nil || got != "You are  [31mBo.\nYou like maps." {
		t.Errorf("got %q, %v", got, err)
	}
	if !strings.HasPrefix(System(got), got+"\n\nYou are the one playing.") {
		t.Error("who he is does not come first")
	}
	for name, content := range map[string]string{
		"empty": " \n", "too long": strings.Repeat("x", maxCharacterBytes+1), "no text": "\xff\xfe",
	} {
		if _, err := CharacterFromFile(file(content)); err == nil {
			t.Errorf("%s: was taken", name)
		}
	}
	if _, err := CharacterFromFile(dir); err == nil {
		t.Error("a folder was taken")
	}
}

func TestProbe(t *testing.T) {
	both(t, func(t *testing.T, p Provider) {
		wait := does(`"actionKind":"frame_advance","frames":1`)
		tests := []struct {
			name string
			step step
			want string
		}{
			{"fine", says(wait), string(p) + "/stub answers: wait 1 frame (1050 tokens)"},
			{"wrong key", fails(401), string(p) + "/stub: model_refused: "},
			{"busy", fails(529), "model_refused: "},
			{"no JSON", says("Hello!"), string(p) + "/stub answers, but reply: it holds no JSON object"},
			{"no stream", answers("text/html", "<html>"), "model_reply_broken: "},
		}
		for _, test := range tests {
			s := newStub(t, p, test.step)
			line, err := s.mind(t).Probe(t.Context())
			if err != nil {
				line = err.Error()
				checkText(t, err)
			}
			if !strings.Contains(line, test.want) || strings.Contains(line, "\n") {
				t.Errorf("%s: %q, want %q", test.name, line, test.want)
			}
			if s.asked() != 1 {
				t.Errorf("%s: asked %d times", test.name, s.asked())
			}
		}
	})
}
