package mgba

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// apt fetches packages without installing any: it reads the system's package
// configuration, and writes only below its own folder.
type apt struct {
	dir     string // everything private lies here
	updated bool   // private package lists are in use
}

// errNoApt says that this system has no apt to ask.
var errNoApt = errors.New("this system has no apt-get and dpkg-deb")

// newApt prepares a private apt configuration in dir. The system's own
// settings (mirrors, proxies) stay in force; hooks do not, because some clean
// up system folders.
func newApt(ctx context.Context, dir string) (*apt, error) {
	if !haveApt() {
		return nil, errNoApt
	}
	a := &apt{dir: dir}
	for _, d := range []string{"parts", "lists/partial", "cache/archives/partial", "debs"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			return nil, err
		}
	}
	if err := a.copyParts(ctx); err != nil {
		return nil, err
	}
	return a, a.configure()
}

// copyParts links the system's configuration snippets beside one of our own
// that comes last and clears the hooks.
func (a *apt) copyParts(ctx context.Context) error {
	out, err := run(ctx, "", nil, "apt-config", "shell", "D", "Dir::Etc::parts/d")
	if err != nil {
		return err
	}
	system := strings.Trim(strings.TrimPrefix(strings.TrimSpace(out), "D="), "'")
	entries, _ := os.ReadDir(system)
	for _, e := range entries {
		from := filepath.Join(system, e.Name())
		if err := os.Symlink(from, filepath.Join(a.dir, "parts", e.Name())); err != nil {
			return err
		}
	}
	var clear strings.Builder
	for _, hook := range []string{
		"APT::Update::Pre-Invoke", "APT::Update::Post-Invoke", "APT::Update::Post-Invoke-Success",
		"DPkg::Pre-Invoke", "DPkg::Post-Invoke", "DPkg::Pre-Install-Pkgs",
	} {
		fmt.Fprintf(&clear, "#clear %s;\n", hook)
	}
	return writeNew(filepath.Join(a.dir, "parts", "zzz-clankie"), []byte(clear.String()))
}

// configure writes the file that APT_CONFIG points to.
func (a *apt) configure() error {
	var c strings.Builder
	fmt.Fprintf(&c, "Dir::Etc::parts %q;\n", filepath.Join(a.dir, "parts"))
	fmt.Fprintf(&c, "Dir::Cache %q;\n", filepath.Join(a.dir, "cache"))
	if a.updated {
		fmt.Fprintf(&c, "Dir::State::lists %q;\n", filepath.Join(a.dir, "lists"))
	}
	if os.Geteuid() == 0 {
		// The sandbox user cannot write into our folder.
		fmt.Fprintln(&c, `APT::Sandbox::User "root";`)
	}
	return writeNew(filepath.Join(a.dir, "apt.conf"), []byte(c.String()))
}

func (a *apt) env() []string {
	return []string{"APT_CONFIG=" + filepath.Join(a.dir, "apt.conf"), "LC_ALL=C"}
}

// update fetches the package lists privately and uses them from then on.
func (a *apt) update(ctx context.Context) error {
	if a.updated {
		return nil
	}
	a.updated = true
	if err := a.configure(); err != nil {
		return err
	}
	if _, err := run(ctx, a.dir, a.env(), "apt-get", "update"); err != nil {
		return fmt.Errorf("fetch the package lists: %w", err)
	}
	return nil
}

// available returns those of names that can be downloaded.
func (a *apt) available(ctx context.Context, names ...string) ([]string, error) {
	out, err := run(ctx, a.dir, a.env(), "apt-cache", append([]string{"policy"}, names...)...)
	if err != nil {
		return nil, err
	}
	var found []string
	name := ""
	for line := range strings.Lines(out) {
		if !strings.HasPrefix(line, " ") {
			name = strings.TrimSuffix(strings.TrimSpace(line), ":")
		}
		if c, ok := strings.CutPrefix(strings.TrimSpace(line), "Candidate: "); ok && c != "(none)" {
			found = append(found, name)
		}
	}
	return found, nil
}

// search returns the package names that match a regular expression.
func (a *apt) search(ctx context.Context, pattern string) ([]string, error) {
	out, err := run(ctx, a.dir, a.env(), "apt-cache", "search", "--names-only", pattern)
	if err != nil {
		return nil, err
	}
	var names []string
	for line := range strings.Lines(out) {
		if name, _, ok := strings.Cut(line, " "); ok {
			names = append(names, name)
		}
	}
	return names, nil
}

// closure returns roots and every library they need that is not installed.
// Headers of the host's own libraries are left out: nothing is compiled for
// the host.
func (a *apt) closure(ctx context.Context, roots []string) ([]string, error) {
	installed, err := installedPackages(ctx)
	if err != nil {
		return nil, err
	}
	want := map[string]bool{}
	for _, r := range roots {
		want[r] = true
	}
	for next := roots; len(next) > 0; {
		args := append([]string{"depends", "--no-recommends", "--no-suggests", "--no-conflicts", "--no-breaks", "--no-replaces", "--no-enhances"}, next...)
		out, err := run(ctx, a.dir, a.env(), "apt-cache", args...)
		if err != nil {
			return nil, err
		}
		next = nil
		for line := range strings.Lines(out) {
			name, ok := dependency(line)
			if ok && isLibrary(name) && !installed[name] && !want[name] {
				want[name] = true
				next = append(next, name)
			}
		}
	}
	return slices.Sorted(maps.Keys(want)), nil
}

// dependency reads a line such as "  Depends: libxml2" or " |Depends: a".
func dependency(line string) (string, bool) {
	kind, name, ok := strings.Cut(strings.TrimLeft(line, " |"), ": ")
	name = strings.TrimSpace(name)
	if !ok || kind != "Depends" && kind != "PreDepends" || strings.HasPrefix(name, "<") {
		return "", false
	}
	name, _, _ = strings.Cut(name, ":")
	return name, true
}

// isLibrary reports whether a dependency matters for running a compiler.
func isLibrary(name string) bool {
	return strings.HasPrefix(name, "lib") && !strings.HasSuffix(name, "-dev") && !strings.HasPrefix(name, "libobjc")
}

func installedPackages(ctx context.Context) (map[string]bool, error) {
	out, err := run(ctx, "", []string{"LC_ALL=C"}, "dpkg-query", "-W", "-f", "${db:Status-Abbrev} ${Package}\n")
	if err != nil {
		return nil, err
	}
	installed := map[string]bool{}
	for line := range strings.Lines(out) {
		if name, ok := strings.CutPrefix(line, "ii "); ok {
			installed[strings.TrimSpace(name)] = true
		}
	}
	return installed, nil
}

// unpack downloads packages and unpacks them below prefix.
func (a *apt) unpack(ctx context.Context, prefix string, packages []string) error {
	debs := filepath.Join(a.dir, "debs")
	if err := os.RemoveAll(debs); err != nil {
		return err
	}
	if err := os.MkdirAll(debs, 0o755); err != nil {
		return err
	}
	if _, err := run(ctx, debs, a.env(), "apt-get", append([]string{"-q", "download"}, packages...)...); err != nil {
		return fmt.Errorf("download packages: %w", err)
	}
	files, err := filepath.Glob(filepath.Join(debs, "*.deb"))
	if err != nil {
		return err
	}
	for _, f := range files {
		if _, err := run(ctx, debs, nil, "dpkg-deb", "-x", f, prefix); err != nil {
			return fmt.Errorf("unpack %s: %w", filepath.Base(f), err)
		}
	}
	return nil
}

// mirror returns the base address of the Debian archive that the system uses.
func (a *apt) mirror(ctx context.Context) (string, error) {
	out, err := run(ctx, a.dir, a.env(), "apt-get", "indextargets", "--format", "$(REPO_URI)")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(out) {
		uri := strings.TrimSpace(line)
		if strings.HasSuffix(strings.TrimSuffix(uri, "/"), "/debian") {
			return uri, nil
		}
	}
	return "", errors.New("no Debian archive among the system's package sources")
}

// source downloads the packed original source of mGBA into the folder dir.
func (a *apt) source(ctx context.Context, dir string) error {
	mirror, err := a.mirror(ctx)
	if err != nil {
		if err := a.update(ctx); err != nil {
			return err
		}
		if mirror, err = a.mirror(ctx); err != nil {
			return err
		}
	}
	s := &apt{dir: filepath.Join(a.dir, "source"), updated: true}
	for _, d := range []string{"sources", "lists/partial", "cache/archives/partial"} {
		if err := os.MkdirAll(filepath.Join(s.dir, d), 0o755); err != nil {
			return err
		}
	}
	if err := os.Symlink(filepath.Join(a.dir, "parts"), filepath.Join(s.dir, "parts")); err != nil {
		return err
	}
	if err := s.configure(); err != nil {
		return err
	}
	line := fmt.Sprintf("deb-src %s%s %s main\n", a.signedBy(ctx), mirror, sourceSuite)
	list := filepath.Join(s.dir, "sources.list")
	if err := writeNew(list, []byte(line)); err != nil {
		return err
	}
	own := []string{"-q", "-o", "Dir::Etc::sourcelist=" + list, "-o", "Dir::Etc::sourceparts=" + filepath.Join(s.dir, "sources")}
	if _, err := run(ctx, dir, s.env(), "apt-get", append(own, "update")...); err != nil {
		return fmt.Errorf("fetch the list of source packages: %w", err)
	}
	args := append(own, "source", "--download-only", "--tar-only", sourcePackage+"="+sourceVersion)
	if _, err := run(ctx, dir, s.env(), "apt-get", args...); err != nil {
		return fmt.Errorf("download the source package: %w", err)
	}
	return nil
}

// signedBy restricts the source list to the Debian archive's own keys where
// the system has them as a file.
func (a *apt) signedBy(ctx context.Context) string {
	out, err := run(ctx, "", nil, "dpkg-query", "-L", "debian-archive-keyring")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(out) {
		path := strings.TrimSpace(line)
		if filepath.Base(path) == "debian-archive-keyring.gpg" && !strings.Contains(path, "trusted.gpg.d") {
			return "[signed-by=" + path + "] "
		}
	}
	return ""
}

// run runs a program to its end and returns its standard output. The error
// carries the last lines of what it printed on standard error.
func run(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", fmt.Errorf("%s: %w: %s", filepath.Base(name), err, lastLines(stderr.String(), 3))
	}
	return stdout.String(), nil
}

// lastLines joins the last n lines that say something.
func lastLines(s string, n int) string {
	var lines []string
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	if len(lines) > n {
		lines = lines[len(lines)-n:]
	}
	return strings.Join(lines, "; ")
}
