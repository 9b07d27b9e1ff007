package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"clankie/emu/mgba"
)

func newVersionCommand(io streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the program's version and the core it runs",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(io.out, versionLine())
			return err
		},
	}
}

func versionLine() string {
	return fmt.Sprintf("clankie %s (%s, %s/%s), core %s, ABI %d, state format %d",
		revision(), runtime.Version(), runtime.GOOS, runtime.GOARCH, mgba.CoreID, mgba.ABI, mgba.StateFormat)
}

// revision is the commit the program was built from where the build recorded
// it, else the module's version.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value[:min(12, len(s.Value))]
		}
	}
	return info.Main.Version
}
