package main

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"clankie/emu"
	"clankie/emu/double"
	"clankie/emu/mgba"
	"clankie/emu/session"
	"clankie/fixtures"
	"clankie/play"
	"clankie/play/mcp"
)

func newMCPCommand(io streams) *cobra.Command {
	var body, speed string
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Let another program play a machine of its own, over MCP on stdio",
		Long: `Mcp serves the Model Context Protocol on standard input and output. Each server
has a machine, a session and saves of its own, and sees nothing of what Clankie
plays. It is configured by variables of its own:

  GBA_MCP_ROM_PATH, GBA_MCP_SAVESTATE_PATH, GBA_MCP_SCENARIO_PATH
        a game of yours; all three or none, which is the project's own cartridge.
        Of a pinned game: the image, and start.state and scenario.json in the
        folder that clankie pin names
  GBA_MCP_CHECKPOINT_DIR, GBA_MCP_HARNESS_ID
        where saves and journals stay and whose they are; without, they end with
        the server
  GBA_MCP_BODY
        core, or double for the deterministic double

It ends with its client, in order and within two seconds. Ended by a signal, its
exit code is 128 and the signal's number.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return serveMCP(cmd.Context(), io, body, speed)
		},
	}
	cmd.Flags().StringVar(&body, "body", "", "core or double (default: GBA_MCP_BODY, else core)")
	cmd.Flags().StringVar(&speed, "speed", "max", "how fast frames run: 1, 2, 4 or max")
	return cmd
}

func serveMCP(ctx context.Context, io streams, body, speed string) error {
	pace, err := play.ParseSpeed(speed)
	if err != nil {
		return usage(err)
	}
	config, err := mcp.ReadConfig(func(variable string) string {
		if variable == mcp.EnvBody && body != "" {
			return body
		}
		return os.Getenv(variable)
	})
	if err != nil {
		return usage(err)
	}
	where, err := findFolders()
	if err != nil {
		return err
	}
	boot, err := mcpBoot(io, config, where)
	if err != nil {
		return err
	}
	scope, err := mcp.OpenScope(where.servers, config)
	if err != nil {
		return usage(err)
	}
	out := keepForProtocol(io.out)
	err = mcp.Serve(ctx, mcp.Options{
		In: io.in, Out: out, Log: io.err, Version: revision(), Scope: scope, Boot: boot,
		Pace: pace.Pace(), Clock: session.SystemClock{}, Random: rand.Reader,
	})
	if by := (signalled{}); errors.As(context.Cause(ctx), &by) {
		return &exitError{by.exitCode(), errors.Join(by, err)}
	}
	return err
}

// keepForProtocol makes out the protocol's alone, and returns the writer itself:
// whatever else prints to standard output prints to standard error. A client
// that is gone is noticed as a failed write, which must not kill the program
// before it has cleaned up, and is how every server ends.
func keepForProtocol(out io.Writer) io.Writer {
	signal.Ignore(syscall.SIGPIPE)
	if o, ok := out.(*outlet); ok {
		out = o.Writer
	}
	if out == os.Stdout {
		os.Stdout = os.Stderr
	}
	return out
}

// mcpBoot says how the configured game is booted. What can be found wrong
// without a core is found here, before a client is served.
func mcpBoot(ends streams, c mcp.Config, where folders) (mcp.Boot, error) {
	if c.Body == mcp.BodyDouble {
		return bootMCPDouble, nil
	}
	var own *game
	if c.OwnGame() {
		g, err := operatorGame(gameFlags{rom: c.ROM, savestate: c.Savestate, scenario: c.Scenario})
		if err != nil {
			return nil, err
		}
		own = &g
	}
	return func(ctx context.Context, show func(string)) (mcp.Game, error) {
		ends.err = steps{ends.err, show}
		return bootMCPCore(ctx, ends, own, where)
	}, nil
}

func bootMCPDouble(context.Context, func(string)) (mcp.Game, error) {
	s, digest, err := double.Load(fixtures.Double(), fixtures.DoubleIDs()[0])
	if err != nil {
		return mcp.Game{}, err
	}
	s.Player.CharacterID = mcp.Identity
	b, err := double.New(s, digest)
	return mcp.Game{Body: b, SavestateID: s.SavestateID, RNGSeed: s.RNGSeed}, err
}

// bootMCPCore boots own, or the project's cartridge, on the real core.
func bootMCPCore(ctx context.Context, io streams, own *game, where folders) (mcp.Game, error) {
	module, err := buildCore(ctx, io, mgba.BuildOptions{CacheDir: where.cores})
	if err != nil {
		return mcp.Game{}, err
	}
	var g game
	if own != nil {
		g = *own
	} else if g, err = embeddedGame(ctx, fixtures.DefaultID, module, where.cache); err != nil {
		return mcp.Game{}, err
	}
	g.scenario.CharacterID = mcp.Identity
	body, err := bootUngoverned(ctx, module, g)
	return mcp.Game{
		Body: body, Scenario: g.scenario.JSON, SavestateID: g.scenario.SavestateID, RNGSeed: g.scenario.RNGSeed,
	}, err
}

// steps passes on what is printed and shows each line of it as a step.
type steps struct {
	io.Writer
	show func(string)
}

func (s steps) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		if line = strings.TrimSpace(emu.Clean(line)); line != "" {
			s.show(line)
		}
	}
	return s.Writer.Write(p)
}
