package main

import (
	"context"
	"fmt"
	"io"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"clankie/emu"
	"clankie/emu/mgba"
)

func newCoreCommand(io streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "core",
		Short: "Build or describe the mGBA core",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return usagef("say which: core build or core info") },
	}
	cmd.AddCommand(newCoreBuildCommand(io), newCoreInfoCommand(io))
	return cmd
}

func newCoreBuildCommand(io streams) *cobra.Command {
	var options mgba.BuildOptions
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "build",
		Short: "Build the core if it is not there yet",
		Long: `Build fetches mGBA's source from Debian, compiles it to WebAssembly and keeps
the module in the cache. It touches nothing else on the machine and needs no
root. Give --source, --cc and --sysroot where Debian's packages are out of reach.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			where, err := findFolders()
			if err != nil {
				return err
			}
			options.CacheDir = where.cores
			if _, err := buildCore(cmd.Context(), io, options); err != nil {
				return err
			}
			return printCoreReport(cmd.Context(), io, asJSON)
		},
	}
	f := cmd.Flags()
	f.StringVar(&options.Source, "source", "", "mGBA's source: the tarball (digest checked) or an unpacked tree")
	f.StringVar(&options.CC, "cc", "", "the clang to compile with")
	f.StringVar(&options.Sysroot, "sysroot", "", "its sysroot for wasm32-wasi")
	f.BoolVar(&options.Force, "force", false, "build although the module is there")
	f.BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func newCoreInfoCommand(io streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "info",
		Short: "Describe the core that is there",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return printCoreReport(cmd.Context(), io, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func printCoreReport(ctx context.Context, io streams, asJSON bool) error {
	where, err := findFolders()
	if err != nil {
		return err
	}
	report, err := mgba.Info(ctx, where.cores)
	if err != nil {
		return fmt.Errorf("describe the core: %w", err)
	}
	if asJSON {
		return printJSON(io.out, report)
	}
	_, err = fmt.Fprintln(io.out, report.String())
	return err
}

// findCore finds the folders and the core module, built where it is missing.
func findCore(ctx context.Context, io streams) (folders, mgba.Module, error) {
	where, err := findFolders()
	if err != nil {
		return folders{}, mgba.Module{}, err
	}
	module, err := buildCore(ctx, io, mgba.BuildOptions{CacheDir: where.cores})
	return where, module, err
}

// buildCore returns the core module, building it with progress on standard
// error where it is missing.
func buildCore(ctx context.Context, io streams, o mgba.BuildOptions) (mgba.Module, error) {
	line := newProgressLine(io.err)
	o.Progress = func(p mgba.Progress) { line.show(p.String()) }
	o.Proof = proveOnCartridge
	m, err := mgba.Build(ctx, o)
	line.end()
	if emu.CodeOf(err) == mgba.CodeCoreUnavailable {
		return m, usage(err)
	}
	if err != nil {
		return m, usage(fmt.Errorf("the core: %w", err))
	}
	return m, nil
}

// progressLine shows steps one below the other, or over one another where
// the output is a terminal.
type progressLine struct {
	w     io.Writer
	over  bool
	drawn bool
}

func newProgressLine(w io.Writer) *progressLine {
	f, ok := w.(interface{ Fd() uintptr })
	return &progressLine{w: w, over: ok && term.IsTerminal(f.Fd())}
}

func (l *progressLine) show(text string) {
	if !l.over {
		fmt.Fprintln(l.w, text)
		return
	}
	l.drawn = true
	fmt.Fprintf(l.w, "\r\x1b[2K%s", text)
}

func (l *progressLine) end() {
	if l.drawn {
		fmt.Fprint(l.w, "\r\x1b[2K")
		l.drawn = false
	}
}

// printJSON prints v as one JSON document.
func printJSON(w io.Writer, v any) error {
	b, err := emu.MarshalIndent(v)
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}
