package mgba

import (
	"archive/tar"
	"bufio"
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"clankie/emu"
)

// buildEnv makes the test binary build the core in the folder it names,
// printing each stage once.
const buildEnv = "CLANKIE_TEST_BUILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(buildEnv); dir != "" {
		os.Exit(buildForTest(dir))
	}
	os.Exit(m.Run())
}

func buildForTest(dir string) int {
	var last Stage
	m, err := Build(context.Background(), BuildOptions{CacheDir: dir, Progress: func(p Progress) {
		if p.Stage != last {
			last = p.Stage
			os.Stdout.WriteString("stage " + string(p.Stage) + "\n")
		}
	}})
	if err != nil {
		os.Stdout.WriteString(err.Error() + "\n")
		return 1
	}
	os.Stdout.WriteString("module " + string(m.SHA256) + "\n")
	return 0
}

func startBuild(t *testing.T, dir string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), buildEnv+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out)
}

// TestBuildSurvivesAKillAndHappensOnce kills a build in the middle, then starts
// two programs at once: one of them builds, the other takes its result.
func TestBuildSurvivesAKillAndHappensOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("downloads a compiler and builds the core; run without -short")
	}
	dir := t.TempDir()
	killed, lines := startBuild(t, dir)
	var said []string
	for lines.Scan() && lines.Text() != "stage compile" {
		said = append(said, lines.Text())
	}
	killed.Process.Kill()
	if err := killed.Wait(); err == nil || strings.Contains(strings.Join(said, "\n"), CodeCoreUnavailable) {
		t.Skipf("the core cannot be built here: %s", strings.Join(said, "\n"))
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "work-*")); len(left) == 0 {
		t.Fatal("the build was not killed in the middle")
	}

	type ending struct {
		lines []string
		err   error
	}
	endings := make(chan ending, 2)
	for range 2 {
		cmd, lines := startBuild(t, dir)
		go func() {
			var e ending
			for lines.Scan() {
				e.lines = append(e.lines, lines.Text())
			}
			e.err = cmd.Wait()
			endings <- e
		}()
	}
	var modules []string
	links := 0
	for range 2 {
		e := <-endings
		if e.err != nil {
			t.Fatalf("%v\n%s", e.err, strings.Join(e.lines, "\n"))
		}
		modules = append(modules, e.lines[len(e.lines)-1])
		if slices.Contains(e.lines, "stage link") {
			links++
		}
	}
	if links != 1 || modules[0] != modules[1] {
		t.Errorf("%d programs built; they ended with %v", links, modules)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "work-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	r, err := Info(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(r.Toolchain, ReferenceToolchain) && r.Standing != Reference {
		t.Errorf("the reference toolchain gave module %s, not the reference %s", r.ModuleSHA256, ReferenceModule)
	}
	want := []string{"clock_time_get", "fd_close", "fd_fdstat_get", "fd_seek", "fd_write"}
	for _, name := range r.Imports {
		if !slices.Contains(want, name) {
			t.Errorf("the built module imports %s", name)
		}
	}
}

func TestUnavailableTellsEverything(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	dir := t.TempDir()
	_, err := Build(context.Background(), BuildOptions{CacheDir: dir})
	if emu.CodeOf(err) != CodeCoreUnavailable {
		t.Fatalf("got %v", err)
	}
	for _, want := range []string{"mGBA's source", "a compiler", sourceFile, string(sourceSHA256), "--source", "--cc", dir} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not mention %q:\n%v", want, err)
		}
	}
	left, _ := os.ReadDir(dir)
	if len(left) != 1 || left[0].Name() != "lock" {
		t.Errorf("left behind: %v", left)
	}
}

func TestSourceWithAnotherDigestIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), sourceFile)
	if err := os.WriteFile(file, []byte("not the source"), 0o644); err != nil {
		t.Fatal(err)
	}
	b := &builder{opts: BuildOptions{Source: file}, work: t.TempDir()}
	if _, err := b.getSource(context.Background()); err == nil || !strings.Contains(err.Error(), string(sourceSHA256)) {
		t.Errorf("got %v", err)
	}
}

func TestUntarStaysInside(t *testing.T) {
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	for _, name := range []string{"top/src/a.c", "top/doc/b.txt", "top/src/../../../out.c"} {
		w.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Size: 1, Mode: 0o644})
		w.Write([]byte{'x'})
	}
	w.Close()
	parent := t.TempDir()
	dir := filepath.Join(parent, "one", "tree")
	if err := untar(dir, &archive); err == nil {
		t.Error("a name that leads out was accepted")
	}
	if _, err := os.Stat(filepath.Join(dir, "src", "a.c")); err != nil {
		t.Error(err)
	}
	for _, path := range []string{filepath.Join(parent, "out.c"), filepath.Join(parent, "one", "out.c"), filepath.Join(dir, "doc")} {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s was written", path)
		}
	}
}

func TestSourceFiles(t *testing.T) {
	tree := fstest.MapFS{}
	for _, pattern := range sources {
		for _, p := range expandBraces(pattern) {
			tree[strings.ReplaceAll(p, "*", "x")] = &fstest.MapFile{}
		}
	}
	tree["src/platform/main.c"] = &fstest.MapFile{}
	files, err := sourceFiles(tree)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.IsSorted(files) || slices.Contains(files, "src/platform/main.c") || !slices.Contains(files, "src/gba/sio/joybus.c") {
		t.Errorf("listed %v", files)
	}
	delete(tree, "src/gb/audio.c")
	if _, err := sourceFiles(tree); err == nil || !strings.Contains(err.Error(), "src/gb/audio.c") {
		t.Errorf("a missing file: %v", err)
	}
}

func TestDependency(t *testing.T) {
	for line, want := range map[string]string{
		"  Depends: libxml2\n": "libxml2", " |Depends: liba\n": "liba", "  PreDepends: libc6\n": "libc6",
		"  Depends: <virtual>\n": "", "clang-14\n": "", "    provider\n": "", "  Depends: libz:any\n": "libz",
	} {
		if got, _ := dependency(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// fill stores a module as a build would.
func fill(t *testing.T, c cache, wasm []byte) emu.Digest {
	t.Helper()
	sum := emu.DigestOf(wasm)
	if err := c.store(wasm, buildRecord{Recipe: RecipeSHA256(), Module: sum, Toolchain: "test", Source: sourceSHA256, SourceVerified: true}); err != nil {
		t.Fatal(err)
	}
	return sum
}

func TestCachedModuleIsTakenWithoutBuilding(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // nothing could be built
	c := cache{t.TempDir()}
	sum := fill(t, c, handmade{abi: thisABI}.wasm())
	m, err := Build(context.Background(), BuildOptions{CacheDir: c.root})
	if err != nil || m.SHA256 != sum || m.Standing != Unproven {
		t.Errorf("got %s, %s, %v", m.SHA256, m.Standing, err)
	}
	if !slices.Equal(m.Equivalents, []emu.Digest{sum}) {
		t.Errorf("an unproven module has equivalents %v", m.Equivalents)
	}
}

func TestDamagedCacheDoesNotCount(t *testing.T) {
	for name, damage := range map[string]func(c cache) error{
		"module changed": func(c cache) error { return os.WriteFile(c.modulePath(), []byte("x"), 0o644) },
		"module gone":    func(c cache) error { return os.Remove(c.modulePath()) },
		"record torn":    func(c cache) error { return os.WriteFile(c.recordPath(), []byte(`{"rec`), 0o644) },
		"record gone":    func(c cache) error { return os.Remove(c.recordPath()) },
	} {
		t.Run(name, func(t *testing.T) {
			c := cache{t.TempDir()}
			fill(t, c, handmade{abi: thisABI}.wasm())
			if err := damage(c); err != nil {
				t.Fatal(err)
			}
			if _, _, err := c.load(); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("got %v", err)
			}
			r, err := Info(context.Background(), c.root)
			if err != nil || r.Built || !strings.Contains(r.String(), "not built") {
				t.Errorf("info: %v, built %v", err, r.Built)
			}
		})
	}
}

func TestOldModulesAreKept(t *testing.T) {
	c := cache{t.TempDir()}
	first := fill(t, c, handmade{abi: thisABI}.wasm())
	second := fill(t, c, handmade{abi: thisABI, imports: []string{"clock_time_get"}}.wasm())
	for _, sum := range []emu.Digest{first, second} {
		if _, err := os.Stat(filepath.Join(c.root, "modules", string(sum)+".wasm")); err != nil {
			t.Error(err)
		}
	}
}

func TestPinnedModuleJoinsTheReference(t *testing.T) {
	ctx := context.Background()
	c := cache{t.TempDir()}
	sum := fill(t, c, handmade{abi: thisABI}.wasm())
	good := pin{Module: sum, Source: sourceSHA256, StateFormat: StateFormat, SelfTest: selfTestSHA256(), Toolchain: "test"}
	for name, spoil := range map[string]func(p *pin){
		"another source":       func(p *pin) { p.Source = "x" },
		"another state format": func(p *pin) { p.StateFormat++ },
		"another self-test":    func(p *pin) { p.SelfTest = "x" },
	} {
		p := good
		spoil(&p)
		if err := c.writePin(p); err != nil {
			t.Fatal(err)
		}
		if r, err := Info(ctx, c.root); err != nil || r.Standing != Unproven {
			t.Errorf("%s: %s, %v", name, r.Standing, err)
		}
	}
	if err := c.writePin(good); err != nil {
		t.Fatal(err)
	}
	r, err := Info(ctx, c.root)
	if err != nil || r.Standing != LocallyPinned {
		t.Fatalf("%s, %v", r.Standing, err)
	}
	if !slices.Contains(r.Equivalents, ReferenceModule) || !slices.Contains(r.Equivalents, sum) || len(r.Equivalents) != 2 {
		t.Errorf("equivalents %v", r.Equivalents)
	}
	for _, want := range []string{"locally-pinned", string(sum), string(ReferenceModule), CoreID} {
		if !strings.Contains(r.String(), want) {
			t.Errorf("the report does not mention %s:\n%s", want, r)
		}
	}
}

// TestOtherMachineIsNotPinned: a module that is another machine works, but
// never joins the reference.
func TestOtherMachineIsNotPinned(t *testing.T) {
	c := cache{t.TempDir()}
	b := &builder{cache: c}
	wasm := handmade{abi: thisABI}.wasm()
	record := buildRecord{Recipe: RecipeSHA256(), Module: emu.DigestOf(wasm), Source: sourceSHA256, SourceVerified: true}
	m, err := b.finish(context.Background(), wasm, record)
	if err != nil || m.Standing != Unproven {
		t.Errorf("%s, %v", m.Standing, err)
	}
	if pins := c.pinned(); len(pins) != 0 {
		t.Errorf("pinned %v", pins)
	}
	r, err := Info(context.Background(), c.root)
	if err != nil || !strings.Contains(r.String(), "self-test: at frame 600 RAM is") {
		t.Errorf("%v, the report does not say why:\n%s", err, r)
	}
}

// builtWasm returns the bytes of the core that the tests of this machine share,
// and builds it when it is not there yet.
func builtWasm(t testing.TB) []byte {
	t.Helper()
	_, err := Build(context.Background(), BuildOptions{})
	if emu.CodeOf(err) == CodeCoreUnavailable {
		t.Skipf("the real core is needed: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	c, err := openCache("")
	if err != nil {
		t.Fatal(err)
	}
	wasm, _, err := c.load()
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

// TestProvenModuleIsPinned: a module with another digest that goes through the
// self-test like the reference is the same machine.
func TestProvenModuleIsPinned(t *testing.T) {
	ctx := context.Background()
	wasm := builtWasm(t)
	// A custom section changes the bytes and nothing else.
	wasm = append(wasm, append([]byte{0}, vector(append(vector([]byte("note")), 'x'))...)...)
	c := cache{t.TempDir()}
	proofs := 0
	b := &builder{cache: c, opts: BuildOptions{Proof: func(context.Context, Module) error { proofs++; return nil }}}
	record := buildRecord{Recipe: RecipeSHA256(), Module: emu.DigestOf(wasm), Source: sourceSHA256, SourceVerified: true}
	m, err := b.finish(ctx, wasm, record)
	if err != nil || m.Standing != LocallyPinned || proofs != 1 || !slices.Contains(m.Equivalents, ReferenceModule) {
		t.Errorf("%s after %d proofs, equivalents %v, %v", m.Standing, proofs, m.Equivalents, err)
	}

	refused := errors.New("the cartridge's states differ")
	b = &builder{cache: cache{t.TempDir()}, opts: BuildOptions{Proof: func(context.Context, Module) error { return refused }}}
	if m, err := b.finish(ctx, wasm, record); err != nil || m.Standing != Unproven {
		t.Errorf("with a refusing proof: %s, %v", m.Standing, err)
	}
	record.Source, record.SourceVerified = "", false
	b = &builder{cache: cache{t.TempDir()}}
	if m, err := b.finish(ctx, wasm, record); err != nil || m.Standing != Unproven {
		t.Errorf("from an unverified tree: %s, %v", m.Standing, err)
	}
}

func TestDefaultCacheDir(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", "/x")
	if got, err := DefaultCacheDir(); err != nil || got != filepath.FromSlash("/x/clankie/core") {
		t.Errorf("%s, %v", got, err)
	}
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "/h")
	if got, err := DefaultCacheDir(); err != nil || got != filepath.FromSlash("/h/.cache/clankie/core") {
		t.Errorf("%s, %v", got, err)
	}
}

func TestProgressText(t *testing.T) {
	got := Progress{Stage: StageCompile, Done: 3, Total: 77}.String()
	if got != "compiling the core (3 of 77)" {
		t.Error(got)
	}
}
