package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"clankie/emu"
	"clankie/play"
	"clankie/play/mind"
	"clankie/play/mind/model"
)

// Variables that stand above the configuration file. They name things; the
// key itself is in a variable that the file may name.
const (
	envModel        = "CLANKIE_MODEL"
	envModelTimeout = "CLANKIE_PLAY_MODEL_REQUEST_TIMEOUT_MS"
)

// config is config.toml in the configuration folder. A file that is missing is
// an empty one.
type config struct {
	Game      string         `toml:"game"`      // which game starts
	Character string         `toml:"character"` // a text file about who he is
	Model     model.Settings `toml:"model"`

	dir string
}

// loadConfig reads the configuration file. A key that nobody reads is an
// error: it may be a cap on money, misspelt.
func loadConfig() (config, error) {
	dir, err := base("XDG_CONFIG_HOME", ".config")
	if err != nil {
		return config{}, err
	}
	c := config{dir: dir}
	path := filepath.Join(dir, "config.toml")
	meta, err := toml.DecodeFile(path, &c)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return c, nil
	case err != nil:
		return config{}, usage(configError(path, err))
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return config{}, usage(unknownKeys(path, unknown))
	}
	return c, nil
}

// configError says where the file is wrong without repeating its values: one
// may hold what should not stand there. Only the parser's own messages quote
// any.
func configError(path string, err error) error {
	var parse toml.ParseError
	if errors.As(err, &parse) {
		return fmt.Errorf("%s: line %d: %s", path, parse.Position.Line, hideQuoted(parse.Message))
	}
	return fmt.Errorf("%s: %s", path, emu.Clean(err.Error()))
}

var quotedText = regexp.MustCompile(`"[^"]{3,}"|'[^']{3,}'`)

func hideQuoted(s string) string { return emu.Clean(quotedText.ReplaceAllString(s, "…")) }

func unknownKeys(path string, unknown []toml.Key) error {
	names := make([]string, len(unknown))
	secret := ""
	for i, k := range unknown {
		names[i] = emu.Clean(k.String())
		if looksSecret(k) {
			secret = "; a key never stands in this file: put it into an environment variable (key_env) or a file of mode 0600 (key_file)"
		}
	}
	slices.Sort(names)
	return fmt.Errorf("%s: nobody reads %s%s", path, strings.Join(names, ", "), secret)
}

func looksSecret(k toml.Key) bool {
	last := strings.ToLower(k[len(k)-1])
	for _, word := range []string{"key", "token", "secret", "password"} {
		if strings.Contains(last, word) {
			return true
		}
	}
	return false
}

// path makes a file's name absolute, from the configuration folder.
func (c config) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(c.dir, name)
}

// who is the text about who he is: the file that the configuration names, else
// character.md beside it, else the program's own.
func (c config) who() (string, error) {
	if c.Character != "" {
		return model.CharacterFromFile(c.path(c.Character))
	}
	text, err := model.CharacterFromFile(c.path("character.md"))
	if errors.Is(err, fs.ErrNotExist) {
		return model.DefaultCharacter, nil
	}
	return text, err
}

// modelMind makes the model mind from the configuration, the environment and
// the flag, which stands above both. The error says what is missing.
func (c config) modelMind(flag string) (*model.Mind, error) {
	s := c.Model
	s.Name = or(flag, or(os.Getenv(envModel), s.Name))
	if err := s.Check(); err != nil {
		return nil, err
	}
	timeout, err := s.Timeout(os.Getenv(envModelTimeout))
	if err != nil {
		return nil, err
	}
	key, err := s.FindKey(os.Getenv, c.path)
	if err != nil {
		return nil, err
	}
	character, err := c.who()
	if err != nil {
		return nil, err
	}
	return model.New(model.Options{
		Settings: s, Key: key, Character: character, Timeout: timeout, Meter: s.Meter(),
	})
}

// cast are the minds that can decide here. The model is among them when it is
// configured; otherwise why says what it lacks.
type cast struct {
	minds map[string]func() play.Mind
	model *model.Mind
	why   error
	named bool // a model was asked for somewhere
}

// findMinds puts the cast together.
func findMinds(modelName string) (cast, error) {
	conf, err := loadConfig()
	if err != nil {
		return cast{}, err
	}
	c := cast{minds: map[string]func() play.Mind{
		mind.NameAutopilot: func() play.Mind { return mind.NewAutopilot() },
		mind.NameOperator:  func() play.Mind { return mind.NewOperator() },
	}}
	c.named = modelName != "" || os.Getenv(envModel) != "" || conf.Model.Name != ""
	c.model, c.why = conf.modelMind(modelName)
	if c.why != nil {
		c.why = fmt.Errorf("%w (the file is %s; clankie doctor looks at it)", c.why, conf.path("config.toml"))
		return c, nil
	}
	// Always the same one: there is one meter.
	c.minds[model.Name] = func() play.Mind { return c.model }
	return c, nil
}

// absent says of minds that cannot decide here what they lack.
func (c cast) absent() map[string]error {
	if c.why == nil {
		return nil
	}
	return map[string]error{model.Name: c.why}
}

// answerMargin is what a decision may take beyond the model's own deadline,
// which says better what was wrong.
const answerMargin = 15 * time.Second

// deadline is how long any of them may take over one answer.
func (c cast) deadline() time.Duration {
	if c.model == nil {
		return model.DefaultTimeout + answerMargin
	}
	return c.model.Timeout() + answerMargin
}

// check refuses the name of a mind that is not there.
func (c cast) check(name string) error {
	if _, ok := c.minds[name]; ok {
		return nil
	}
	if name == model.Name {
		return usagef("the model cannot decide: %v", c.why)
	}
	return usagef("there is no mind %q; there is autopilot, model and operator", emu.Clean(name))
}

// notices tell that a model was asked for and cannot decide.
func (c cast) notices() []string {
	if !c.named || c.why == nil {
		return nil
	}
	return []string{fmt.Sprintf("the model cannot decide: %v", c.why)}
}

// names are the minds that can be switched to.
func (c cast) names() []string {
	var names []string
	for name := range c.minds {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
