package mgba_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
	"clankie/emu/mgba"
	"clankie/emu/mgba/mgbatest"
)

var ctx = context.Background()

const (
	longRun = 3600
	every   = 60
)

// schedule is an arbitrary fixed set of buttons for each frame.
func schedule(frame int) emu.Keys {
	return emu.Keys(uint32(frame/7)*2654435761>>19) & emu.KeysAll
}

// evidence is what is compared between two runs.
type evidence struct{ RAM, Picture emu.Digest }

func evidenceOf(c *mgba.Core) evidence {
	return evidence{c.Memory().RAMDigest(), c.Picture().Digest()}
}

// play runs n frames of the schedule and returns the evidence of every 60th.
func play(t *testing.T, c *mgba.Core, n int) []evidence {
	t.Helper()
	var trace []evidence
	for i := range n {
		if ran, err := c.Run(ctx, 1, schedule(i)); err != nil || ran != 1 {
			t.Fatalf("frame %d: ran %d: %v", i, ran, err)
		}
		if (i+1)%every == 0 {
			trace = append(trace, evidenceOf(c))
		}
	}
	return trace
}

func save(t *testing.T, c *mgba.Core) []byte {
	t.Helper()
	s, err := c.Save(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func load(t *testing.T, c *mgba.Core, state []byte) {
	t.Helper()
	if err := c.Load(ctx, state); err != nil {
		t.Fatal(err)
	}
}

func boot(t *testing.T) *mgba.Core {
	t.Helper()
	return mgbatest.Boot(t, mgba.BootOptions{ROM: mgba.SelfTestROM()})
}

func battery(t *testing.T, state []byte) []byte {
	t.Helper()
	s, err := mgba.ParseSavestate(state)
	if err != nil {
		t.Fatal(err)
	}
	return s.Battery
}

func TestSameInputsSameMachine(t *testing.T) {
	a, b := boot(t), boot(t)
	if diff := cmp.Diff(play(t, a, longRun), play(t, b, longRun)); diff != "" {
		t.Errorf("two runs differ (-first +second):\n%s", diff)
	}
	if !bytes.Equal(save(t, a), save(t, b)) {
		t.Error("two runs end in different states")
	}
	if a.Frame() != longRun {
		t.Errorf("frame counter is %d", a.Frame())
	}
}

// TestFramesTogetherOrAlone holds that how frames are grouped into calls
// changes nothing.
func TestFramesTogetherOrAlone(t *testing.T) {
	a, b := boot(t), boot(t)
	if _, err := a.Run(ctx, 120, emu.KeyB); err != nil {
		t.Fatal(err)
	}
	for range 120 {
		if _, err := b.Run(ctx, 1, emu.KeyB); err != nil {
			t.Fatal(err)
		}
	}
	if evidenceOf(a) != evidenceOf(b) {
		t.Error("120 frames in one call differ from 120 calls")
	}
}

func TestSavingChangesNothing(t *testing.T) {
	a, b := boot(t), boot(t)
	play(t, a, 240)
	for i := range 240 {
		if _, err := b.Run(ctx, 1, schedule(i)); err != nil {
			t.Fatal(err)
		}
		save(t, b)
	}
	if evidenceOf(a) != evidenceOf(b) || !bytes.Equal(save(t, a), save(t, b)) {
		t.Error("a machine that was saved often is another one")
	}
}

func TestLoadRestores(t *testing.T) {
	c := boot(t)
	play(t, c, 500)
	saved := save(t, c)
	ramThen := c.Memory().RAMDigest()

	first := play(t, c, longRun)
	later := battery(t, save(t, c))
	if bytes.Equal(later, battery(t, saved)) {
		t.Fatal("the cartridge never wrote its battery memory: this test would prove nothing")
	}
	load(t, c, saved)
	if got := c.Memory().RAMDigest(); got != ramThen {
		t.Errorf("RAM after the load is %s, it was %s at the save", got.Short(), ramThen.Short())
	}
	if !bytes.Equal(battery(t, save(t, c)), battery(t, saved)) {
		t.Error("battery memory was not restored")
	}
	if c.Frame() != 500+longRun {
		t.Errorf("the load moved the frame counter to %d", c.Frame())
	}
	if diff := cmp.Diff(first, play(t, c, longRun)); diff != "" {
		t.Errorf("the time after a load differs from the first time (-first +second):\n%s", diff)
	}
	if !bytes.Equal(battery(t, save(t, c)), later) {
		t.Error("battery memory went another way after the load")
	}
}

func TestTwoLoadsEndInEqualStates(t *testing.T) {
	c := boot(t)
	play(t, c, 333)
	saved := save(t, c)
	var ends [2][]byte
	for i := range ends {
		play(t, c, 100*(i+1)) // a different present each time
		load(t, c, saved)
		play(t, c, longRun)
		ends[i] = save(t, c)
	}
	if !bytes.Equal(ends[0], ends[1]) {
		t.Error("two loads of one state, played alike, end in different states")
	}

	other := boot(t)
	load(t, other, saved)
	play(t, other, longRun)
	if !bytes.Equal(save(t, other), ends[0]) {
		t.Error("a load in a new machine ends in another state")
	}
}

func TestSaveAtFrameZero(t *testing.T) {
	c := boot(t)
	zero := save(t, c)
	first := play(t, c, 300)
	load(t, c, zero)
	if diff := cmp.Diff(first, play(t, c, 300)); diff != "" {
		t.Errorf("after loading frame zero (-first +second):\n%s", diff)
	}
	booted := mgbatest.Boot(t, mgba.BootOptions{ROM: mgba.SelfTestROM(), State: zero})
	if diff := cmp.Diff(first, play(t, booted, 300)); diff != "" {
		t.Errorf("booted from frame zero (-first +second):\n%s", diff)
	}
	// The save was made before the cartridge had written any battery memory.
	if got := battery(t, zero); got != nil {
		t.Errorf("frame zero carries %d bytes of battery memory", len(got))
	}
}

func TestPictureIsStaleAfterALoad(t *testing.T) {
	c := boot(t)
	play(t, c, 60)
	saved := save(t, c)
	if c.Picture().Stale {
		t.Error("a drawn picture is called stale")
	}
	play(t, c, 60)
	load(t, c, saved)
	if p := c.Picture(); !p.Stale || p.Frame != 120 {
		t.Errorf("after the load: stale %v, frame %d", p.Stale, p.Frame)
	}
	play(t, c, 1)
	if p := c.Picture(); p.Stale || p.Frame != 121 {
		t.Errorf("after a frame: stale %v, frame %d", p.Stale, p.Frame)
	}
}

func TestRefusedLoadChangesNothing(t *testing.T) {
	c := boot(t)
	play(t, c, 200)
	saved := save(t, c)
	play(t, c, 100)
	change := func(f func(s []byte)) []byte {
		s := bytes.Clone(saved)
		f(s)
		return s
	}
	cases := []struct {
		name  string
		state []byte
		code  string
	}{
		{"empty", nil, emu.CodeCoreBadState},
		{"zeros", make([]byte, len(saved)), emu.CodeCoreBadState},
		{"cut short", saved[:len(saved)-1], emu.CodeCoreBadState},
		{"older format", change(func(s []byte) { s[0] = 6 }), emu.CodeCoreStateFormat},
		{"newer format", change(func(s []byte) { s[0] = 8 }), emu.CodeCoreStateFormat},
		{"another BIOS", change(func(s []byte) { s[4] ^= 1 }), emu.CodeCoreStateFormat},
		{"another revision", change(func(s []byte) { s[8] ^= 1 }), emu.CodeCoreStateGame},
		{"another title", change(func(s []byte) { s[0x10] ^= 1 }), emu.CodeCoreStateGame},
		{"another game", change(func(s []byte) { s[0x1C] ^= 1 }), emu.CodeCoreStateGame},
		// Only the core itself finds these, after the machine was reset.
		{"negative cycles", change(func(s []byte) { s[0x6B] = 0x80 }), emu.CodeCoreBadState},
		{"too many cycles", change(func(s []byte) { s[0x6B] = 0x7F }), emu.CodeCoreBadState},
		// This one only shows when the battery is compared: the state is of a
		// cartridge with 32 KiB, its battery memory is of another kind.
		{"battery of another size", withBattery(t, saved, make([]byte, 0x2000)), emu.CodeCoreBadState},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			before, frame, now := evidenceOf(c), c.Frame(), battery(t, save(t, c))
			err := c.Load(ctx, tc.state)
			if emu.CodeOf(err) != tc.code {
				t.Errorf("got %v, want code %s", err, tc.code)
			}
			if after := evidenceOf(c); after != before {
				t.Errorf("RAM or picture changed: %v, was %v", after, before)
			}
			if c.Frame() != frame || c.Picture().Stale {
				t.Error("the counter moved or the picture went stale")
			}
			if !bytes.Equal(battery(t, save(t, c)), now) {
				t.Error("battery memory changed")
			}
		})
	}
	load(t, c, saved) // the machine still works
	play(t, c, 60)
}

// withBattery replaces the battery memory in a state.
func withBattery(t *testing.T, state, battery []byte) []byte {
	t.Helper()
	return pngFile(header(240, 160), chunk("gbAs", deflate(state[:mgba.StateBytes])),
		extraChunk(2, uint32(len(battery)), battery), chunk("IEND", nil))
}

// TestLoadTakesWrappedStates loads the form in which mGBA keeps states on disk.
func TestLoadTakesWrappedStates(t *testing.T) {
	c := boot(t)
	play(t, c, 200)
	saved := save(t, c)
	first := play(t, c, 120)
	load(t, c, withBattery(t, saved, battery(t, saved)))
	if diff := cmp.Diff(first, play(t, c, 120)); diff != "" {
		t.Errorf("after loading the wrapped state (-first +second):\n%s", diff)
	}
}

func TestBatteryFromBoot(t *testing.T) {
	sav := bytes.Repeat([]byte{0x5A}, 0x8000)
	c := mgbatest.Boot(t, mgba.BootOptions{ROM: mgba.SelfTestROM(), Battery: sav})
	play(t, c, 10)
	got := battery(t, save(t, c))
	if len(got) != len(sav) || got[0x7000] != 0x5A {
		t.Fatalf("battery memory of %d bytes does not begin with what was given", len(got))
	}
	// A state without battery memory brings back what the machine began with.
	bare, err := mgba.ParseSavestate(save(t, c))
	if err != nil {
		t.Fatal(err)
	}
	play(t, c, 300)
	load(t, c, bare.State)
	if !bytes.Equal(battery(t, save(t, c)), sav) {
		t.Error("a state without battery memory left the battery of another time")
	}
}

func TestMemoryViews(t *testing.T) {
	c := boot(t)
	play(t, c, 30)
	m := c.Memory()
	for name, got := range map[string][2]int{
		"EWRAM": {len(m.EWRAM), emu.EWRAMBytes}, "IWRAM": {len(m.IWRAM), emu.IWRAMBytes},
		"VRAM": {len(m.VRAM), 0x18000}, "palette": {len(m.Palette), 0x400},
		"OAM": {len(m.OAM), 0x400}, "IO": {len(m.IO), 0x400}, "ROM": {len(m.ROM), 512 << 10},
		"picture": {len(c.Picture().Pix), emu.PictureBytes},
	} {
		if got[0] != got[1] {
			t.Errorf("%s has %d bytes, want %d", name, got[0], got[1])
		}
	}
	if !bytes.Equal(m.ROM, mgba.SelfTestROM()) {
		t.Error("the ROM view differs from the image")
	}
	// Mode 3: the picture is video memory, with five bits of green as six.
	s, err := mgba.ParseSavestate(save(t, c))
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Memory(); !bytes.Equal(got.EWRAM, m.EWRAM) || !bytes.Equal(got.IWRAM, m.IWRAM) || !bytes.Equal(got.VRAM, m.VRAM) {
		t.Error("the saved memories differ from the views")
	}
	pix := c.Picture().Pix
	for i := 0; i < len(pix); i += 2 {
		vram := uint16(m.VRAM[i]) | uint16(m.VRAM[i+1])<<8
		want := vram&31<<11 | vram>>5&31<<6 | vram>>10&31
		if got := uint16(pix[i]) | uint16(pix[i+1])<<8; got != want && got != want|1<<5 {
			t.Fatalf("pixel %d is %04x for colour %04x, want RGB565 %04x", i/2, got, vram, want)
		}
	}
}

func TestButtonsReachTheMachine(t *testing.T) {
	a, b := boot(t), boot(t)
	if _, err := a.Run(ctx, 10, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Run(ctx, 10, emu.KeyL); err != nil {
		t.Fatal(err)
	}
	if a.Memory().RAMDigest() == b.Memory().RAMDigest() {
		t.Error("a held button changed nothing")
	}
}

func TestRunStopsBetweenFrames(t *testing.T) {
	c := boot(t)
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if ran, err := c.Run(stopped, 10, 0); ran != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("ran %d, %v", ran, err)
	}
	if _, err := c.Save(stopped); !errors.Is(err, context.Canceled) {
		t.Errorf("save: %v", err)
	}
	stopped, cancel = context.WithCancel(ctx)
	time.AfterFunc(20*time.Millisecond, cancel)
	ran, err := c.Run(stopped, 1<<30, 0)
	if !errors.Is(err, context.Canceled) || c.Frame() != uint64(ran) {
		t.Errorf("ran %d of frame %d, %v", ran, c.Frame(), err)
	}
	play(t, c, 10) // still usable
	if ran, err := c.Run(ctx, 0, 0); ran != 0 || err != nil {
		t.Errorf("no frames: ran %d, %v", ran, err)
	}
}

func TestClosedCore(t *testing.T) {
	c := boot(t)
	for range 2 {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	_, runErr := c.Run(ctx, 1, 0)
	_, saveErr := c.Save(ctx)
	for _, err := range []error{runErr, saveErr, c.Load(ctx, nil)} {
		if emu.CodeOf(err) != emu.CodeCoreClosed {
			t.Errorf("got %v", err)
		}
	}
	if c.Memory().EWRAM != nil || !c.Picture().Stale {
		t.Error("a closed core still shows something")
	}
}

func TestIdentity(t *testing.T) {
	m := mgbatest.Module(t)
	id := boot(t).Identity()
	want := emu.CoreIdentity{
		CoreID: "mgba-wasm/0.10.5", ModuleSHA256: m.SHA256, Equivalents: m.Equivalents,
		ROMSHA256: emu.DigestOf(mgba.SelfTestROM()), GameCode: "TSTE", Title: "CLANKIETEST",
	}
	if diff := cmp.Diff(want, id); diff != "" {
		t.Errorf("identity (-want +got):\n%s", diff)
	}
	if !id.Accepts(m.SHA256) {
		t.Error("a core does not accept its own module")
	}
	if m.Standing != mgba.Unproven && !id.Accepts(mgba.ReferenceModule) {
		t.Error("a proven core does not accept the reference")
	}
}

func TestBootRefusesNoCartridge(t *testing.T) {
	bad := mgba.SelfTestROM()
	bad[0xB2] = 0
	for _, rom := range [][]byte{nil, make([]byte, 100), bad} {
		_, err := mgba.Boot(ctx, mgbatest.Module(t), mgba.BootOptions{ROM: rom})
		if emu.CodeOf(err) != emu.CodeCoreBadROM {
			t.Errorf("image of %d bytes: %v", len(rom), err)
		}
	}
}

func TestSelfTest(t *testing.T) {
	if err := mgba.SelfTest(ctx, mgbatest.Module(t)); err != nil {
		t.Error(err)
	}
}

// TestHostClockChangesNothing runs the machine under a clock that starts in
// the year 2000 and stands still, and under the real one.
func TestHostClockChangesNothing(t *testing.T) {
	run := func(m mgba.Module) (evidence, emu.Digest) {
		c, err := mgba.Boot(ctx, m, mgba.BootOptions{ROM: mgba.SelfTestROM()})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		play(t, c, 600)
		return evidenceOf(c), emu.DigestOf(save(t, c))
	}
	m := mgbatest.Module(t)
	outside, outsideState := run(m)
	synctest.Test(t, func(t *testing.T) {
		if y := time.Now().Year(); y != 2000 {
			t.Fatalf("the bubble is in %d", y)
		}
		inside, insideState := run(m)
		if inside != outside || insideState != outsideState {
			t.Errorf("inside %v, outside %v", inside, outside)
		}
	})
}
