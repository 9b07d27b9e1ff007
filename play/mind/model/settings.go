package model

import (
	"errors"
	"fmt"
	"math"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"clankie/emu/picture"
)

// Provider is one of the two wire protocols.
type Provider string

// The providers. ProviderOpenAI is any endpoint of that protocol, hosted or
// local, once a base address is set.
const (
	ProviderAnthropic Provider = "anthropic"
	ProviderOpenAI    Provider = "openai"
)

// defaultKeyEnv is the variable each provider's own key is in, by custom.
var defaultKeyEnv = map[Provider]string{
	ProviderAnthropic: "ANTHROPIC_API_KEY",
	ProviderOpenAI:    "OPENAI_API_KEY",
}

// Structured says how a reply's shape is asked for.
type Structured string

// The ways, strictest first. Not every OpenAI-compatible server knows all.
const (
	StructuredSchema Structured = "schema" // the endpoint enforces the schema
	StructuredObject Structured = "object" // it enforces that the reply is JSON (OpenAI protocol only)
	StructuredNone   Structured = "none"   // the prompt alone asks for it
)

// Settings are the table [model] of the configuration file. The zero value of
// a field takes its default.
type Settings struct {
	// Name is the provider and its name of the model, for example
	// "anthropic/NAME" or "openai/NAME".
	Name    string `toml:"name"`
	BaseURL string `toml:"base_url"` // "" is the provider's own address

	// KeyEnv names the environment variable that holds the key and KeyFile
	// a file, relative to the configuration folder. No key stands here.
	KeyEnv  string `toml:"key_env"`
	KeyFile string `toml:"key_file"`

	TimeoutMS       int        `toml:"timeout_ms"`
	Retries         *int       `toml:"retries"`
	MaxOutputTokens int        `toml:"max_output_tokens"`
	Structured      Structured `toml:"structured"`
	Effort          string     `toml:"effort"` // how much the model thinks; "" leaves it to the provider

	Picture      *bool `toml:"picture"`       // false for models that see nothing
	PictureScale int   `toml:"picture_scale"` // 1..8

	// CapTokens and CapMoney stop play; 0 is no cap. CapMoney needs Price.
	CapTokens int64   `toml:"cap_tokens"`
	CapMoney  float64 `toml:"cap_money"`
	Price     Price   `toml:"price"`
}

// Price is per million tokens, in whatever currency CapMoney is in.
type Price struct {
	Input      float64 `toml:"input"`
	CacheRead  float64 `toml:"cache_read"`
	CacheWrite float64 `toml:"cache_write"`
	Output     float64 `toml:"output"`
}

// Defaults of Settings.
const (
	DefaultTimeout         = 180 * time.Second
	DefaultRetries         = 1
	DefaultMaxOutputTokens = 4096
	DefaultPictureScale    = 3

	maxRetries      = 5
	maxOutputTokens = 64_000
	maxTimeout      = time.Hour
	maxNameLength   = 200
)

// provider and model are the two halves of Name. A name without a provider's
// prefix names none.
func (s Settings) split() (Provider, string) {
	before, after, _ := strings.Cut(s.Name, "/")
	switch p := Provider(before); p {
	case ProviderAnthropic, ProviderOpenAI:
		return p, after
	}
	return "", s.Name
}

// Check returns nil or an error that names the first setting that is wrong,
// with what is allowed.
func (s Settings) Check() error {
	p, name := s.split()
	switch {
	case s.Name == "":
		return fmt.Errorf(`no model is configured: set name = "anthropic/NAME" or "openai/NAME" under [model], CLANKIE_MODEL, or --model`)
	case p == "":
		return fmt.Errorf("model.name %q: must begin with anthropic/ or openai/", s.Name)
	case name == "" || len(name) > maxNameLength || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r == 0x7F }):
		return fmt.Errorf("model.name %q: the name after %s/ must be 1 to %d characters without blanks", s.Name, p, maxNameLength)
	}
	return firstError(s.checkKeyEnv(), s.checkAddress(), s.checkNumbers(), s.checkWords(p), s.checkCaps())
}

func firstError(errs ...error) error {
	i := slices.IndexFunc(errs, func(err error) bool { return err != nil })
	if i < 0 {
		return nil
	}
	return errs[i]
}

// checkKeyEnv refuses what is no variable's name, and does not repeat it: it may
// be the key itself, put into the wrong place.
func (s Settings) checkKeyEnv() error {
	for i, c := range []byte(s.KeyEnv) {
		digit := c >= '0' && c <= '9'
		if c != '_' && !isLetter(c) && (!digit || i == 0) {
			return errors.New("model.key_env: must be the name of an environment variable, of letters, digits and _; the key itself never stands in the file")
		}
	}
	return nil
}

// checkAddress refuses addresses that would show or give away a secret.
func (s Settings) checkAddress() error {
	if s.BaseURL == "" {
		return nil
	}
	u, err := url.Parse(s.BaseURL)
	switch {
	case err != nil:
		return fmt.Errorf("model.base_url: not an address")
	case u.User != nil:
		return fmt.Errorf("model.base_url: must not hold a name or password; a key goes into the environment or a file")
	case u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("model.base_url: must not hold ? or #")
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("model.base_url %q: must begin with http:// or https:// and name a host", s.BaseURL)
	}
	return nil
}

// plainToOthers reports whether the address is reached in the open by way of
// a network.
func (s Settings) plainToOthers() bool {
	u, err := url.Parse(s.BaseURL)
	if err != nil || u.Scheme != "http" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback())
}

func (s Settings) checkNumbers() error {
	within := func(name string, v, low, high int) error {
		if v != 0 && (v < low || v > high) {
			return fmt.Errorf("model.%s %d: must be %d to %d", name, v, low, high)
		}
		return nil
	}
	if s.Retries != nil {
		if r := *s.Retries; r < 0 || r > maxRetries {
			return fmt.Errorf("model.retries %d: must be 0 to %d", r, maxRetries)
		}
	}
	if s.TimeoutMS < 0 || s.TimeoutMS > int(maxTimeout.Milliseconds()) {
		return fmt.Errorf("%s: model.timeout_ms %d must be 1 to %d", CodeTimeoutInvalid, s.TimeoutMS, maxTimeout.Milliseconds())
	}
	return firstError(
		within("max_output_tokens", s.MaxOutputTokens, 256, maxOutputTokens),
		within("picture_scale", s.PictureScale, 1, picture.MaxScale),
	)
}

func (s Settings) checkWords(p Provider) error {
	switch s.Structured {
	case "", StructuredSchema, StructuredNone:
	case StructuredObject:
		if p == ProviderAnthropic {
			return fmt.Errorf("model.structured %q: anthropic knows schema and none", s.Structured)
		}
	default:
		return fmt.Errorf("model.structured %q: must be schema, object or none", s.Structured)
	}
	if strings.ContainsFunc(s.Effort, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return fmt.Errorf("model.effort %q: must be a word that the provider knows, such as low, medium or high", s.Effort)
	}
	return nil
}

// maxAmount bounds caps and prices so that no sum overflows.
const maxAmount = 1e6

func (s Settings) checkCaps() error {
	for name, v := range map[string]float64{
		"cap_money": s.CapMoney, "price.input": s.Price.Input, "price.cache_read": s.Price.CacheRead,
		"price.cache_write": s.Price.CacheWrite, "price.output": s.Price.Output,
	} {
		if math.IsNaN(v) || v < 0 || v > maxAmount {
			return fmt.Errorf("model.%s: must be 0 to %.0f", name, maxAmount)
		}
	}
	switch {
	case s.CapTokens < 0:
		return fmt.Errorf("model.cap_tokens %d: must be 0 (no cap) or more", s.CapTokens)
	case s.CapMoney > 0 && (s.Price.Input == 0 || s.Price.Output == 0):
		return fmt.Errorf("model.cap_money needs model.price.input and model.price.output: without prices nothing can be counted")
	}
	return nil
}

// Timeout is the deadline of one decision, from the environment's text
// (milliseconds, "" is unset) or the settings.
func (s Settings) Timeout(env string) (time.Duration, error) {
	if env != "" {
		ms, err := strconv.Atoi(env)
		if err != nil || ms < 1 || time.Duration(ms) > maxTimeout/time.Millisecond {
			return 0, fmt.Errorf("%s: CLANKIE_PLAY_MODEL_REQUEST_TIMEOUT_MS must be 1 to %d", CodeTimeoutInvalid, maxTimeout.Milliseconds())
		}
		return time.Duration(ms) * time.Millisecond, nil
	}
	if s.TimeoutMS > 0 {
		return time.Duration(s.TimeoutMS) * time.Millisecond, nil
	}
	return DefaultTimeout, nil
}

// Meter returns a new meter with these caps and prices. A cache price that
// is not set is the input's, and a write to the cache a quarter more, so that
// nothing is counted too low.
func (s Settings) Meter() *Meter {
	perToken := func(perMillion float64) Money { return Amount(perMillion / 1e6) }
	p := Prices{
		Input: perToken(s.Price.Input), Output: perToken(s.Price.Output),
		CacheRead: perToken(s.Price.CacheRead), CacheWrite: perToken(s.Price.CacheWrite),
	}
	if p.CacheRead == 0 {
		p.CacheRead = p.Input
	}
	if p.CacheWrite == 0 {
		p.CacheWrite = p.Input + p.Input/4
	}
	return NewMeter(Caps{Tokens: s.CapTokens, Money: Amount(s.CapMoney)}, p)
}

func (s Settings) retries() int {
	if s.Retries == nil {
		return DefaultRetries
	}
	return *s.Retries
}

func (s Settings) outputTokens() int {
	if s.MaxOutputTokens == 0 {
		return DefaultMaxOutputTokens
	}
	return s.MaxOutputTokens
}

func (s Settings) pictures() bool { return s.Picture == nil || *s.Picture }

func (s Settings) scale() int {
	if s.PictureScale == 0 {
		return DefaultPictureScale
	}
	return s.PictureScale
}

func (s Settings) structured() Structured {
	if s.Structured == "" {
		return StructuredSchema
	}
	return s.Structured
}

// FindKey looks for the key: in the variable that the settings name, else in
// their file, else, at the provider's own address, in the customary variable.
// That one is never sent to another address, which is not the one it is for.
// getenv is os.Getenv and path makes a file's name absolute.
func (s Settings) FindKey(getenv func(string) string, path func(string) string) (Key, error) {
	key, err := s.findKey(getenv, path)
	if err == nil && !key.Empty() && s.plainToOthers() {
		return Key{}, fmt.Errorf("model.base_url %q: a key would travel in the open; use https", s.BaseURL)
	}
	return key, err
}

// keyFromFile reads the named file. A name that leads to none may be the key
// itself, written at the wrong place, and is not repeated.
func (s Settings) keyFromFile(path func(string) string) (Key, error) {
	file := path(s.KeyFile)
	if _, err := os.Stat(file); err != nil && !filepath.IsAbs(s.KeyFile) {
		return Key{}, fmt.Errorf("key_file under [model] names no file in %s; it takes the name of a file, never the key itself", path("."))
	}
	return KeyFromFile(file)
}

func (s Settings) findKey(getenv func(string) string, path func(string) string) (Key, error) {
	p, _ := s.split()
	switch {
	case s.KeyEnv != "":
		return keyFromEnv(getenv, s.KeyEnv)
	case s.KeyFile != "":
		return s.keyFromFile(path)
	case s.BaseURL == "":
		if getenv(defaultKeyEnv[p]) == "" {
			return Key{}, fmt.Errorf("there is no key: set %s, or key_env or key_file under [model]", defaultKeyEnv[p])
		}
		return keyFromEnv(getenv, defaultKeyEnv[p])
	}
	return Key{}, nil // an endpoint of one's own often takes none
}

func keyFromEnv(getenv func(string) string, name string) (Key, error) {
	return KeyFromText(getenv(name), "the variable "+name)
}
