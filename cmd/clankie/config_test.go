package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clankie/play/mind"
	"clankie/play/mind/model"
)

// canary is a key that must not come out anywhere.
const canary = "sk-canary-77b1e0d2"

// inFolder writes a configuration into an otherwise empty home and returns
// the home.
func inFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, v := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "CLANKIE_GBA_CHECKPOINT_DIR", "CLANKIE_GBA_PLAY_JOURNAL_DIR", envModel, envModelTimeout, "ANTHROPIC_API_KEY", "OPENAI_API_KEY"} {
		t.Setenv(v, "")
	}
	dir := filepath.Join(home, ".config", "clankie")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

func TestConfigSaysWhatIsWrong(t *testing.T) {
	tests := []struct {
		name, config string
		says         []string
	}{
		{"unknown key", "[model]\ncap_monney = 5\n", []string{"config.toml: nobody reads model.cap_monney"}},
		{"unknown table", "[modle]\nname = \"openai/a\"\n", []string{"nobody reads modle"}},
		{"a key in the file", "[model]\napi_key = \"" + canary + "\"\n", []string{"nobody reads model.api_key", "never stands in this file"}},
		{"a key without quotes", "[model]\napi_key = " + canary + "\n", []string{"line 2"}},
		{"a key of two lines", "[model]\nname = \"" + canary + "\nx\"\n", []string{"line 2"}},
		{"not TOML", "game: bramble\n", []string{"line 1"}},
		{"wrong type", "[model]\ncap_tokens = \"" + canary + "\"\n", []string{"cap_tokens"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inFolder(t, map[string]string{"config.toml": test.config})
			_, err := findMinds("")
			if err == nil {
				t.Fatal("it was taken")
			}
			for _, want := range test.says {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not say %q", err, want)
				}
			}
			if strings.Contains(err.Error(), canary) {
				t.Errorf("it shows what stands in the file: %v", err)
			}
		})
	}
}

func TestWhichModelDecides(t *testing.T) {
	const file = "[model]\nname = \"openai/from-file\"\nbase_url = \"http://127.0.0.1:9/v1\"\n"
	tests := []struct {
		name, config, env, flag string
		want                    string // the model, or what it lacks
	}{
		{"nothing", "", "", "", "no model is configured"},
		{"no key", "", "", "anthropic/a", "ANTHROPIC_API_KEY"},
		{"file", file, "", "", "openai/from-file"},
		{"variable above the file", file, "openai/from-env", "", "openai/from-env"},
		{"flag above both", file, "openai/from-env", "openai/from-flag", "openai/from-flag"},
		{"deadline of nonsense", file + "timeout_ms = -1\n", "", "", model.CodeTimeoutInvalid},
		{"key file that is missing", file + "key_file = \"model.key\"\n", "", "", "key_file under [model] names no file in "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inFolder(t, map[string]string{"config.toml": test.config})
			t.Setenv(envModel, test.env)
			who, err := findMinds(test.flag)
			if err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprint(who.model)
			if err := who.check(model.Name); err != nil {
				got = err.Error()
			}
			if !strings.Contains(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if err := who.check(mind.NameAutopilot); err != nil {
				t.Errorf("the autopilot needs no model: %v", err)
			}
			if asked := test.name != "nothing"; asked != who.named {
				t.Errorf("named: %v", who.named)
			}
		})
	}
}

func TestWhoHeIs(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"by himself", nil, model.DefaultCharacter},
		{"beside the configuration", map[string]string{"character.md": "You are Bo."}, "You are Bo."},
		{"named", map[string]string{"character.md": "You are Bo.", "mo.md": "You are Mo.", "config.toml": "character = \"mo.md\"\n"}, "You are Mo."},
		{"empty", map[string]string{"character.md": " "}, ""},
		{"missing", map[string]string{"config.toml": "character = \"mo.md\"\n"}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inFolder(t, test.files)
			c, err := loadConfig()
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.who()
			if got != test.want || (err == nil) == (test.want == "") {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}
