package mcp

import (
	"fmt"
	"regexp"
	"strings"

	"clankie/emu"
)

// The variables that say what a server plays and where it keeps its saves.
// Those of the program's own play are never looked at.
const (
	EnvROM           = "GBA_MCP_ROM_PATH"
	EnvSavestate     = "GBA_MCP_SAVESTATE_PATH"
	EnvScenario      = "GBA_MCP_SCENARIO_PATH"
	EnvCheckpointDir = "GBA_MCP_CHECKPOINT_DIR"
	EnvHarnessID     = "GBA_MCP_HARNESS_ID"
	EnvBody          = "GBA_MCP_BODY"
)

// The bodies that can be asked for by name.
const (
	BodyCore   = "core"   // the real core
	BodyDouble = "double" // the deterministic double: test infrastructure
)

// Config is what a server is told from outside.
type Config struct {
	ROM, Savestate, Scenario string // all of them or none; "" for the project's own game

	CheckpointDir string // "" for saves that end with the server
	HarnessID     string // whose saves those in CheckpointDir are

	Body string // BodyCore or BodyDouble
}

var harnessPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// ReadConfig reads the variables. An empty one is unset. What does not fit
// together is an error that names the variable: nothing is ever replaced by
// something else.
func ReadConfig(getenv func(string) string) (Config, error) {
	c := Config{
		ROM: getenv(EnvROM), Savestate: getenv(EnvSavestate), Scenario: getenv(EnvScenario),
		CheckpointDir: getenv(EnvCheckpointDir), HarnessID: getenv(EnvHarnessID), Body: getenv(EnvBody),
	}
	if c.Body == "" {
		c.Body = BodyCore
	}
	return c, c.Validate()
}

// Validate reports the first thing that does not fit together.
func (c Config) Validate() error {
	switch {
	case c.Body != BodyCore && c.Body != BodyDouble:
		return fmt.Errorf("%s %q: must be %s or %s", EnvBody, emu.Clean(c.Body), BodyCore, BodyDouble)
	case c.HarnessID != "" && !harnessPattern.MatchString(c.HarnessID):
		return fmt.Errorf("%s %q: must be 1 to 64 of A-Z, a-z, 0-9, '.', '_' and '-', beginning with a letter or digit", EnvHarnessID, emu.Clean(c.HarnessID))
	case c.CheckpointDir != "" && c.HarnessID == "":
		return fmt.Errorf("%s needs %s, which says whose saves they are", EnvCheckpointDir, EnvHarnessID)
	case c.Body == BodyDouble && (c.ROM != "" || c.Savestate != "" || c.Scenario != ""):
		return fmt.Errorf("the deterministic double has no game: leave %s, %s and %s unset", EnvROM, EnvSavestate, EnvScenario)
	}
	return c.validGame()
}

func (c Config) validGame() error {
	var missing []string
	for _, file := range []struct{ variable, path string }{
		{EnvROM, c.ROM}, {EnvSavestate, c.Savestate}, {EnvScenario, c.Scenario},
	} {
		if file.path == "" {
			missing = append(missing, file.variable)
		}
	}
	if len(missing) > 0 && len(missing) < 3 {
		return fmt.Errorf("a game of your own needs %s, %s and %s; missing: %s",
			EnvROM, EnvSavestate, EnvScenario, strings.Join(missing, ", "))
	}
	return nil
}

// OwnGame reports whether a game of the operator's is configured.
func (c Config) OwnGame() bool { return c.ROM != "" }
