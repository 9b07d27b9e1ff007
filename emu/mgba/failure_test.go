package mgba

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"clankie/emu"
)

const thisABI = ABI<<16 | StateFormat

func bootHandmade(t *testing.T, h handmade) *Core {
	t.Helper()
	h.abi = thisABI
	m, err := OpenModule(context.Background(), h.wasm(), "")
	if err != nil {
		t.Fatal(err)
	}
	c, err := Boot(context.Background(), m, BootOptions{ROM: SelfTestROM()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestHealthyHandmadeModuleRuns(t *testing.T) {
	c := bootHandmade(t, handmade{imports: []string{"clock_time_get"}})
	if ran, err := c.Run(context.Background(), 3, emu.KeyA); ran != 3 || err != nil {
		t.Errorf("ran %d, %v", ran, err)
	}
}

func TestTrapDiscardsTheMachine(t *testing.T) {
	for name, body := range map[string][]byte{
		"unreachable": opUnreachable, "out of bounds": opOutOfBounds, "stack": opOverflow,
	} {
		t.Run(name, func(t *testing.T) {
			c := bootHandmade(t, handmade{bodies: map[string][]byte{"frame": body}})
			ran, err := c.Run(context.Background(), 5, 0)
			if ran != 0 || emu.CodeOf(err) != emu.CodeCoreTrap || !emu.CoreFailed(err) {
				t.Fatalf("ran %d, %v", ran, err)
			}
			wantDiscarded(t, c)
		})
	}
}

// wantDiscarded holds that a core is never used again after a failure.
func wantDiscarded(t *testing.T, c *Core) {
	t.Helper()
	_, runErr := c.Run(context.Background(), 1, 0)
	_, saveErr := c.Save(context.Background())
	for _, err := range []error{runErr, saveErr, c.Load(context.Background(), nil)} {
		if emu.CodeOf(err) != emu.CodeCoreClosed {
			t.Errorf("a call after the failure gave %v", err)
		}
	}
	if c.Memory().EWRAM != nil || !c.Picture().Stale {
		t.Error("the discarded machine still shows something")
	}
	if c.Close() != nil {
		t.Error("closing failed")
	}
}

func TestTrapsInOtherCalls(t *testing.T) {
	c := bootHandmade(t, handmade{bodies: map[string][]byte{"load": opUnreachable}})
	state, err := c.Save(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Load(context.Background(), state); emu.CodeOf(err) != emu.CodeCoreTrap {
		t.Errorf("load: %v", err)
	}
	wantDiscarded(t, c)

	m, err := OpenModule(context.Background(), handmade{abi: thisABI, bodies: map[string][]byte{"reset": opUnreachable}}.wasm(), "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Boot(context.Background(), m, BootOptions{ROM: SelfTestROM()}); emu.CodeOf(err) != emu.CodeCoreTrap {
		t.Errorf("boot: %v", err)
	}
}

func TestCycleLimitIsAHang(t *testing.T) {
	c := bootHandmade(t, handmade{bodies: map[string][]byte{"frame": constant(resultCycleLimit)}})
	if _, err := c.Run(context.Background(), 1, 0); emu.CodeOf(err) != emu.CodeCoreHung {
		t.Errorf("got %v", err)
	}
	wantDiscarded(t, c)
}

// TestFailedLoadThatCannotBeUndone: a load that fails half way and whose
// present cannot be put back either must not leave a mixed machine in use.
func TestFailedLoadThatCannotBeUndone(t *testing.T) {
	c := bootHandmade(t, handmade{bodies: map[string][]byte{"load": constant(resultBadState)}})
	state, err := c.Save(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Load(context.Background(), state); emu.CodeOf(err) != emu.CodeCoreTrap {
		t.Errorf("got %v", err)
	}
	wantDiscarded(t, c)
}

// hangEnv makes the test binary run the hang itself: the abandoned call burns
// a processor until its process ends, so it gets a process of its own.
const hangEnv = "CLANKIE_TEST_HANG"

func TestHungCallIsAbandoned(t *testing.T) {
	if os.Getenv(hangEnv) != "" {
		hang(t)
		return
	}
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("a hung call needs one processor for itself; run with GOMAXPROCS of at least 2")
	}
	// A process that was not rescued cannot even end itself.
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestHungCallIsAbandoned$", "-test.v")
	cmd.Env = append(os.Environ(), hangEnv+"=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), "--- PASS: TestHungCallIsAbandoned") {
		t.Fatalf("the hang was not tested:\n%s", out)
	}
}

func hang(t *testing.T) {
	c := bootHandmade(t, handmade{bodies: map[string][]byte{"frame": opForever}})
	c.hangTime = 500 * time.Millisecond
	// A collection that is under way when the call hangs cannot be helped (see
	// collector), and a young process is often in one: finish it first.
	runtime.GC()
	ran, err := c.Run(context.Background(), 1, 0)
	if ran != 0 || emu.CodeOf(err) != emu.CodeCoreHung || !emu.CoreFailed(err) {
		t.Fatalf("ran %d, %v", ran, err)
	}
	wantDiscarded(t, c)
	// The program can still work: enough garbage to have started collections,
	// each of which would have waited for the hung call forever.
	var garbage [][]byte
	for range 64 {
		garbage = append(garbage[:0], make([]byte, 1<<20))
	}
	_ = garbage
}

func TestModuleWithOneMoreImportIsRefused(t *testing.T) {
	allowed := []string{}
	for _, c := range hostCalls {
		allowed = append(allowed, c.name)
	}
	for _, name := range []string{"random_get", "path_open", "sock_send", "proc_exit"} {
		_, err := OpenModule(context.Background(), handmade{abi: thisABI, imports: append([]string{"clock_time_get"}, name)}.wasm(), "")
		if emu.CodeOf(err) != emu.CodeCoreBadModule || !strings.Contains(err.Error(), name) {
			t.Errorf("importing %s: %v", name, err)
		}
		if slices.Contains(allowed, name) {
			t.Errorf("%s is allowed", name)
		}
	}
}

func TestForeignModulesAreRefused(t *testing.T) {
	ctx := context.Background()
	for name, wasm := range map[string][]byte{
		"no module":      []byte("hello"),
		"missing export": handmade{abi: thisABI, leave: "load"}.wasm(),
	} {
		if _, err := OpenModule(ctx, wasm, ""); emu.CodeOf(err) != emu.CodeCoreBadModule {
			t.Errorf("%s: %v", name, err)
		}
	}
	m, err := OpenModule(ctx, handmade{abi: thisABI + 1}.wasm(), "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Boot(ctx, m, BootOptions{ROM: SelfTestROM()}); emu.CodeOf(err) != emu.CodeCoreBadModule {
		t.Errorf("another state format: %v", err)
	}
	if _, err := Boot(ctx, Module{}, BootOptions{ROM: SelfTestROM()}); emu.CodeOf(err) != emu.CodeCoreBadModule {
		t.Errorf("no module: %v", err)
	}
}

// TestDamagedCompiledCodeIsReplaced: no damage to the cache of machine code
// keeps a module from opening, and the start after that finds a sound cache.
func TestDamagedCompiledCodeIsReplaced(t *testing.T) {
	ctx := context.Background()
	wasm := handmade{abi: thisABI}.wasm()
	dir := filepath.Join(t.TempDir(), "odd [name]", "compiled")
	open := func() Module {
		t.Helper()
		m, err := OpenModule(ctx, wasm, dir)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	open()
	beside := filepath.Join(filepath.Dir(dir), "beside")
	if err := os.WriteFile(beside, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func([]byte) []byte{
		"cut off":     func(b []byte) []byte { return b[:len(b)/2] },
		"empty":       func([]byte) []byte { return nil },
		"overwritten": func(b []byte) []byte { copy(b[len(b)/2:], "junk"); return b },
		"not its own": func(b []byte) []byte { copy(b, "junk"); return b },
		// These two wazero does not notice; they would end the program.
		"another count":  func(b []byte) []byte { copy(b[12:], "\xFF\xFF\xFF\x0F"); return b },
		"another offset": func(b []byte) []byte { copy(b[22:], "\xFF\xFF\xFF\x0F"); return b },
	} {
		files, err := fs.Glob(os.DirFS(dir), "wazero-*/*")
		if err != nil || len(files) != 1 {
			t.Fatalf("%s: compiled code is in %v, %v", name, files, err)
		}
		path := filepath.Join(dir, files[0])
		sound, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, damage(slices.Clone(sound)), 0o600); err != nil {
			t.Fatal(err)
		}
		m := open()
		if !strings.Contains(m.CacheTrouble, "the cached machine code is damaged") {
			t.Errorf("%s: the trouble is %q", name, m.CacheTrouble)
		}
		if c, err := Boot(ctx, m, BootOptions{ROM: SelfTestROM()}); err != nil {
			t.Errorf("%s: %v", name, err)
		} else {
			c.Close()
		}
		if m := open(); m.CacheTrouble != "" {
			t.Errorf("%s: the next start has trouble: %s", name, m.CacheTrouble)
		}
	}
	if _, err := os.Stat(beside); err != nil {
		t.Errorf("a file beside the cache is gone: %v", err)
	}
}

// TestUnusableCompiledCodeIsPassedBy: where the compiler refuses its own cache
// the module opens without it, and the next start has a sound one.
func TestUnusableCompiledCodeIsPassedBy(t *testing.T) {
	ctx := context.Background()
	wasm, dir := handmade{abi: thisABI}.wasm(), t.TempDir()
	code := compiledCode(dir)
	if _, err := OpenModule(ctx, wasm, dir); err != nil {
		t.Fatal(err)
	}
	name := code.files()[0]
	if err := os.WriteFile(code.path(name), []byte("junk"), 0o600); err != nil {
		t.Fatal(err)
	}
	code.note(nil) // as if it had been written so
	for _, want := range []string{"could not be used: compilationcache", "", ""} {
		m, err := OpenModule(ctx, wasm, dir)
		if err != nil || !strings.Contains(m.CacheTrouble, want) || want == "" && m.CacheTrouble != "" {
			t.Errorf("the trouble is %q, %v, want %q", m.CacheTrouble, err, want)
		}
	}
	before, err := os.Stat(code.path(name))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenModule(ctx, wasm, dir); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(code.path(name)); err != nil || !os.SameFile(before, after) {
		t.Errorf("sound code was not used again: %v", err)
	}
}

// TestAModuleIsBlamedWithItsCause: what is no module stays one with a cache,
// and the message says why.
func TestAModuleIsBlamedWithItsCause(t *testing.T) {
	_, err := OpenModule(context.Background(), []byte("hello"), t.TempDir())
	if emu.CodeOf(err) != emu.CodeCoreBadModule || !strings.Contains(err.Error(), "magic") {
		t.Errorf("the error is %v", err)
	}
}

// TestHostClockCountsFrames reads the clock that the module sees.
func TestHostClockCountsFrames(t *testing.T) {
	c := bootHandmade(t, handmade{imports: []string{"clock_time_get"}})
	read := func() uint64 {
		stack := []uint64{0, 0, 0x2000}
		clockTimeGet(c.m.ctx, c.m.mod, stack)
		now, _ := c.m.mod.Memory().ReadUint64Le(0x2000)
		return now
	}
	before := read()
	if _, err := c.Run(context.Background(), 100, 0); err != nil {
		t.Fatal(err)
	}
	if got, want := read()-before, uint64(100*emu.FrameDuration); before != hostEpoch || got != want {
		t.Errorf("the clock moved %d ns over 100 frames from %d, want %d from %d", got, before, want, uint64(hostEpoch))
	}
}
