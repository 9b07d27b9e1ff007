package replay_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"clankie/emu"
	"clankie/journal"
	"clankie/play/replay"
)

// toy is a core whose whole state is one number that every frame stirs.
type toy struct {
	state uint64
	frame uint64
	stale bool
	stop  int   // frames that run before the context ends; 0 for all
	refus error // of the next load
	dead  bool
}

var (
	toyModule = emu.DigestOf([]byte("module"))
	toyROM    = emu.DigestOf([]byte("cartridge"))
)

func (c *toy) Identity() emu.CoreIdentity {
	return emu.CoreIdentity{CoreID: "toy/1", ModuleSHA256: toyModule, ROMSHA256: toyROM, GameCode: "TOYE"}
}

func (c *toy) Run(_ context.Context, n int, held emu.Keys) (int, error) {
	var err error
	if c.stop > 0 && c.stop < n {
		n, err = c.stop, context.Canceled
	}
	for range n {
		c.state = c.state*6364136223846793005 + uint64(held) + 1442695040888963407
		c.frame++
		c.stale = false
	}
	return n, err
}

func (c *toy) Frame() uint64 { return c.frame }

func (c *toy) bytes() []byte { return binary.LittleEndian.AppendUint64(nil, c.state) }

func (c *toy) Picture() emu.Picture {
	return emu.Picture{Pix: c.bytes(), Frame: c.frame, Stale: c.stale}
}
func (c *toy) Save(context.Context) ([]byte, error) { return c.bytes(), nil }
func (c *toy) Close() error                         { return nil }

func (c *toy) Memory() emu.Memory {
	if c.dead {
		return emu.Memory{}
	}
	return emu.Memory{EWRAM: c.bytes()}
}

func (c *toy) Load(_ context.Context, state []byte) error {
	if err := c.refus; err != nil {
		c.refus = nil
		return err
	}
	c.state, c.stale = binary.LittleEndian.Uint64(state), true
	return nil
}

// observed is what a body would show of the toy.
func (c *toy) observed() emu.Observed {
	ram, picture := c.Memory().RAMDigest(), c.Picture().Digest()
	return emu.Observed{
		Frame: c.frame, RAM: func() emu.Digest { return ram }, PictureSHA256: func() emu.Digest { return picture },
	}
}

var bootState = binary.LittleEndian.AppendUint64(nil, 42)

// record starts a recorder around a toy and returns the path of its tape.
func record(t *testing.T, c *toy) (*replay.Recorder, string) {
	t.Helper()
	r := replay.NewRecorder(c, emu.DigestOf(bootState))
	must(t, r.Load(t.Context(), bootState))
	w, err := journal.CreateTape(filepath.Join(t.TempDir(), "run.jsonl"), journal.TapeHeader{
		RunID: "run", ScenarioID: "toy", EnvironmentID: "toy",
		BootSHA256: emu.DigestOf(bootState), RecipeSHA256: toyModule, Identity: c.Identity(),
	})
	must(t, err)
	must(t, r.Start(w))
	return r, w.Path()
}

// said is a tape in short words.
func said(t *testing.T, path string) []string {
	t.Helper()
	var words []string
	for line, err := range journal.ReadTape(path) {
		must(t, err)
		switch {
		case line.Run != nil:
			words = append(words, fmt.Sprintf("%s %d", line.Run.Keys, line.Run.Frames))
		case line.Load != nil:
			words = append(words, "load "+line.Load.Source+" "+line.Load.Name)
		case line.Save != nil:
			words = append(words, "save")
		case line.Mark != nil:
			words = append(words, fmt.Sprintf("%s %d", line.Mark.Kind, line.Mark.Frame))
		case line.Torn != nil:
			words = append(words, "torn")
		}
	}
	return words
}

func TestRecorderWritesWhatReachesTheCore(t *testing.T) {
	c := &toy{}
	r, path := record(t, c)
	ctx := t.Context()
	run := func(n int, held emu.Keys) {
		t.Helper()
		if ran, err := r.Run(ctx, n, held); ran != n || err != nil {
			t.Fatal(ran, err)
		}
	}
	run(2, emu.KeyA)
	run(2, emu.KeyA)
	run(0, emu.KeyB)
	run(3, 0)
	must(t, r.Border(0, c.observed()))
	run(5, 0)
	c.stop = 2
	if ran, err := r.Run(ctx, 9, emu.KeyB); ran != 2 || !errors.Is(err, context.Canceled) {
		t.Fatal(ran, err)
	}
	c.stop = 0
	state, err := r.Save(ctx)
	must(t, err)
	c.refus = errors.New("no")
	r.Loading("never", "")
	if err := r.Load(ctx, state); err == nil {
		t.Fatal("a refused load was told as done")
	}
	r.Loading("save-1", "")
	must(t, r.Load(ctx, state))
	must(t, r.Border(1, c.observed()))
	r.Loading("", "town")
	must(t, r.Load(ctx, state))
	must(t, r.Load(ctx, bootState))
	must(t, r.Load(ctx, state))
	run(2*journal.MaxTapeSpan+1, emu.KeyUp)
	must(t, r.Close())
	must(t, r.Close())
	want := []string{
		"load boot ", "a 4", "none 3", "border 7", "none 5", "b 2", "save", "load checkpoint save-1", "border 14",
		"load pin town", "load boot ", "load elsewhere ",
		"up 3600", "digest 3614", "up 3600", "digest 7214", "up 1", "end 7215",
	}
	if got := said(t, path); !slices.Equal(got, want) {
		t.Errorf("the tape says\n%q, not\n%q", got, want)
	}
}

// TestTapeOfAMachineThatBroke ends with all that ran, without a last look.
func TestTapeOfAMachineThatBroke(t *testing.T) {
	c := &toy{}
	r, path := record(t, c)
	must(t, r.Border(0, c.observed()))
	c.stop = 4
	if _, err := r.Run(t.Context(), 9, emu.KeyB); err == nil {
		t.Fatal("nothing broke")
	}
	c.dead = true
	must(t, r.Close())
	if got, want := said(t, path), []string{"load boot ", "border 0", "b 4"}; !slices.Equal(got, want) {
		t.Errorf("the tape says\n%q, not\n%q", got, want)
	}
}

// TestBorderOfAnotherFrame gives a border an observation that is not of its
// frame: the machine's own digests count.
func TestBorderOfAnotherFrame(t *testing.T) {
	c := &toy{}
	r, path := record(t, c)
	old := c.observed()
	_, err := r.Run(t.Context(), 3, 0)
	must(t, err)
	must(t, r.Border(0, old))
	must(t, r.Close())
	lib := replay.NewLibrary(nil, c.Identity(), bootState)
	if _, err := replay.Run(t.Context(), &toy{}, lib, journal.ReadTape(path)); err != nil {
		t.Error(err)
	}
}

func TestRecorderWithoutTape(t *testing.T) {
	c := &toy{}
	r := replay.NewRecorder(c, "")
	must(t, r.Start(nil))
	if ran, err := r.Run(t.Context(), 5000, 0); ran != 5000 || err != nil {
		t.Fatal(ran, err)
	}
	must(t, errors.Join(r.Border(0, c.observed()), r.Load(t.Context(), bootState), r.Close()))
}

// BenchmarkRecorder compares two frames and a turn's border with and without
// a tape. Digests are not counted: the journal asks for the same ones.
func BenchmarkRecorder(b *testing.B) {
	run := func(b *testing.B, c emu.Core) {
		for i := range b.N {
			if _, err := c.Run(b.Context(), 2, emu.Keys(i>>4)&emu.KeysAll); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("frames-bare", func(b *testing.B) { run(b, &toy{}) })
	b.Run("frames-taped", func(b *testing.B) { run(b, taped(b, &toy{})) })
	b.Run("border", func(b *testing.B) {
		c := &toy{}
		r := taped(b, c)
		o := c.observed()
		for turn := range b.N {
			must(b, r.Border(turn, o))
		}
	})
}

// taped starts a recorder around c whose tape is synced once a second.
func taped(b *testing.B, c *toy) *replay.Recorder {
	b.Helper()
	r := replay.NewRecorder(c, "")
	w, err := journal.CreateTape(filepath.Join(b.TempDir(), "run.jsonl"), journal.TapeHeader{
		RunID: "run", BootSHA256: toyROM, Identity: c.Identity(),
	})
	must(b, err)
	must(b, w.SetGroupCommit(journal.GroupCommit))
	must(b, r.Start(w))
	b.Cleanup(func() { r.Close() })
	return r
}
