package body_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
	"clankie/emu/body"
)

func newFake(t testing.TB, options ...body.Option) (*body.Body, *fakeCore) {
	t.Helper()
	core := newFakeCore()
	info := emu.BodyInfo{SessionID: "s", Profile: "toy", EnvironmentID: "toy-game"}
	b := body.New(core, decodeFake, info, []byte("boot"), options...)
	t.Cleanup(func() { b.Close() })
	return b, core
}

func act(t testing.TB, b *body.Body, a emu.Action) emu.ActionResult {
	t.Helper()
	return actWithin(t, b, a, emu.FreePlayLimits)
}

func actWithin(t testing.TB, b *body.Body, a emu.Action, limits emu.Limits) emu.ActionResult {
	t.Helper()
	r, err := b.Act(t.Context(), "action-1", a, limits)
	if err != nil {
		t.Fatalf("%+v: %v", a, err)
	}
	noteStop(b, a.Kind, r)
	return r
}

func observe(t testing.TB, b *body.Body) emu.Observed {
	t.Helper()
	o, err := b.Observe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func burst(button emu.Button, hold, repeat int) emu.Action {
	a := emu.Press(button, hold)
	a.Repeat = repeat
	return a
}

func TestActRefuses(t *testing.T) {
	limits := emu.Limits{MaxInputs: 2, MaxFrames: 100, TimeoutMS: 5000}
	yes := true
	tests := []struct {
		name   string
		id     string
		action emu.Action
		limits emu.Limits
		code   string
	}{
		{"no id", "", emu.Press(emu.ButtonA, 1), limits, emu.CodeInvalidCommand},
		{"an id too long", strings.Repeat("x", 129), emu.Press(emu.ButtonA, 1), limits, emu.CodeInvalidCommand},
		{"no kind", "1", emu.Action{}, limits, emu.CodeInvalidCommand},
		{"a field of another kind", "1", emu.Action{Kind: emu.ActionFrameAdvance, Frames: 1, Submit: &yes}, limits, emu.CodeInvalidCommand},
		{"a body action", "1", emu.Action{Kind: emu.ActionRestartGame}, limits, emu.CodeInvalidCommand},
		{"no inputs allowed", "1", emu.Press(emu.ButtonA, 1), emu.Limits{MaxInputs: 0, MaxFrames: 1, TimeoutMS: 1}, emu.CodeInvalidCommand},
		{"too many frames allowed", "1", emu.Press(emu.ButtonA, 1), emu.Limits{MaxInputs: 1, MaxFrames: 3601, TimeoutMS: 1}, emu.CodeInvalidCommand},
		{"no time", "1", emu.Press(emu.ButtonA, 1), emu.Limits{MaxInputs: 1, MaxFrames: 1}, emu.CodeInvalidCommand},
		{"held longer than allowed", "1", emu.Press(emu.ButtonA, 101), limits, emu.CodeFrameBound},
		{"held longer in all than allowed", "1", burst(emu.ButtonA, 51, 2), limits, emu.CodeFrameBound},
		{"frames before inputs", "1", burst(emu.ButtonA, 51, 3), limits, emu.CodeFrameBound},
		{"more presses than allowed", "1", burst(emu.ButtonA, 1, 3), limits, emu.CodeInputBound},
		{"more frames than allowed", "1", emu.Advance(101), limits, emu.CodeFrameBound},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, core := newFake(t)
			r, err := b.Act(t.Context(), tt.id, tt.action, tt.limits)
			if err != nil {
				t.Fatal(err)
			}
			if r.Status != emu.StatusFailed || r.Err == nil || r.Err.Code != tt.code || r.Err.Retryable {
				t.Errorf("got %s %v, want failed %s", r.Status, r.Err, tt.code)
			}
			if core.frame != 0 || r.Frames != 0 || r.Inputs != 0 || r.Outcome != nil {
				t.Errorf("a refused action ran %d frames: %+v", core.frame, r)
			}
			if want := core.mem.RAMDigest(); r.RAMSHA256 != want {
				t.Errorf("RAM digest %s, want %s", r.RAMSHA256, want)
			}
		})
	}
}

func TestPressOutcomeHasItsFieldsAndNoOthers(t *testing.T) {
	b, core := newFake(t)
	check := func(when string, r emu.ActionResult, want ...string) {
		t.Helper()
		var got []string
		for name := range r.Outcome {
			got = append(got, name)
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", when, diff)
		}
	}
	place := []string{"button", "facing", "frame", "holdFrames", "mode", "moved", "position", "ramStateSha256", "repeat", "surroundings", "turned"}
	check("in the field", act(t, b, emu.Press(emu.ButtonB, 4)), place...)
	with := func(name string) []string {
		list := append(slices.Clone(place), name)
		slices.Sort(list)
		return list
	}
	check("with a menu", act(t, b, emu.Press(emu.ButtonStart, 4)), with("menu")...)
	act(t, b, emu.Press(emu.ButtonStart, 4))
	core.mem.EWRAM[atText] = 1
	check("with text", act(t, b, emu.Press(emu.ButtonB, 4)), with("dialogLines")...)
	check("frames in the field", act(t, b, emu.Advance(3)), "facing", "frame", "frames", "mode", "position", "ramStateSha256")
	core.mem.EWRAM[atUnknown] = 1
	act(t, b, emu.Advance(1))
	check("undecoded", act(t, b, emu.Press(emu.ButtonB, 4)), "button", "frame", "holdFrames", "mode", "ramStateSha256", "repeat")
	check("frames undecoded", act(t, b, emu.Advance(3)), "frame", "frames", "mode", "ramStateSha256")
}

func TestPressesStepATileEachFromEveryFacing(t *testing.T) {
	for from := range emu.Directions {
		for _, to := range emu.Directions {
			for _, n := range []int{1, 3} {
				t.Run(fmt.Sprintf("%s to %s, %d", emu.Directions[from], to, n), func(t *testing.T) {
					b, core := newFake(t)
					core.mem.EWRAM[atFacing] = byte(from)
					r := act(t, b, burst(to.Button(), emu.DefaultHold, n))
					dx, dy := to.Delta()
					want := emu.Position{MapID: "toy", X: 12 + n*dx, Y: 12 + n*dy}
					if got := r.Outcome["position"]; got != want {
						t.Errorf("at %v, want %v", got, want)
					}
					if turned := emu.Directions[from] != to; r.Outcome["moved"] != true || r.Outcome["turned"] != turned {
						t.Errorf("moved %v, turned %v", r.Outcome["moved"], r.Outcome["turned"])
					}
					if core.mem.EWRAM[atWalking] != 0 {
						t.Errorf("settled in the middle of a step")
					}
					if perStep := r.Frames / n; perStep > 40 {
						t.Errorf("%d frames a step", perStep)
					}
				})
			}
		}
	}
}

func TestATapTurnsAndAWallBlocks(t *testing.T) {
	b, core := newFake(t)
	r := act(t, b, emu.Press(emu.ButtonLeft, 3))
	if r.Outcome["moved"] != false || r.Outcome["turned"] != true || r.Outcome["facing"] != "west" {
		t.Errorf("a tap: %v", r.Outcome)
	}
	core.mem.EWRAM[atX] = 7
	act(t, b, emu.Advance(2))
	r = act(t, b, emu.Press(emu.ButtonLeft, emu.DefaultHold))
	if r.Outcome["moved"] != false || r.Outcome["turned"] != false {
		t.Errorf("against a wall: %v", r.Outcome)
	}
}

func TestPressesSettleWhenNothingChangesAnyMore(t *testing.T) {
	b, core := newFake(t)
	if r := act(t, b, emu.Press(emu.ButtonSelect, 4)); r.Frames >= 4+emu.SettledPressWait {
		t.Errorf("a press without effect took %d frames although only a bystander moved", r.Frames)
	}
	core.mem.EWRAM[atFade] = 200
	act(t, b, emu.Advance(2))
	if r := act(t, b, emu.Press(emu.ButtonB, 4)); r.Frames != 4+emu.SettledPressWait {
		t.Errorf("a press during a fade took %d frames, want the most there is", r.Frames)
	}
	core.mem.EWRAM[atFade] = 0
	core.mem.EWRAM[atY], core.mem.EWRAM[atFacing] = 7, 0
	act(t, b, emu.Advance(2))
	r := act(t, b, emu.Press(emu.ButtonA, 4))
	if o := observe(t, b); o.State.Dialog == nil || !o.State.Dialog.Waiting {
		t.Errorf("settled before the text was printed: %+v", r)
	}
}

func TestBurstPressesAreSeparate(t *testing.T) {
	b, core := newFake(t)
	act(t, b, emu.Press(emu.ButtonStart, 4))
	act(t, b, burst(emu.ButtonDown, 16, 2))
	if got := core.mem.EWRAM[atCursor]; got != 2 {
		t.Errorf("two presses moved the cursor to %d", got)
	}
}

func TestABurstWithoutFramesLeftSaysHowFarItCame(t *testing.T) {
	b, core := newFake(t)
	limits := emu.Limits{MaxInputs: 16, MaxFrames: 64, TimeoutMS: 5000}
	r := actWithin(t, b, burst(emu.ButtonDown, 16, 4), limits)
	if r.Status != emu.StatusCompleted || r.Outcome["endedBecause"] != "frame_bound_reached" {
		t.Fatalf("%s %v", r.Status, r.Outcome)
	}
	if made := r.Outcome["repeat"]; made != r.Inputs || r.Inputs < 1 || r.Inputs >= 4 {
		t.Errorf("told of %v presses of %d", made, r.Inputs)
	}
	if r.Frames > limits.MaxFrames {
		t.Errorf("ran %d frames", r.Frames)
	}
	held := 0
	for _, k := range core.held {
		if k != 0 {
			held++
		}
	}
	if held != 16*r.Inputs {
		t.Errorf("held for %d frames: a press was cut short", held)
	}
}

// TestBudgetsHold presses at random within random limits.
func TestBudgetsHold(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	b, core := newFake(t)
	for range 400 {
		limits := emu.Limits{MaxInputs: 1 + rng.IntN(16), MaxFrames: 1 + rng.IntN(200), TimeoutMS: 5000}
		a := burst(emu.Buttons[rng.IntN(len(emu.Buttons))], 1+rng.IntN(40), 1+rng.IntN(6))
		if rng.IntN(4) == 0 {
			a = emu.Advance(1 + rng.IntN(250))
		}
		start := core.frame
		r := actWithin(t, b, a, limits)
		if ran := int(core.frame - start); r.Frames != ran || ran > limits.MaxFrames || r.Inputs > limits.MaxInputs {
			t.Fatalf("%+v within %+v: told %d frames, ran %d, %d presses", a, limits, r.Frames, ran, r.Inputs)
		}
		if r.Status == emu.StatusFailed && r.Frames != 0 {
			t.Fatalf("%+v: refused after %d frames", a, r.Frames)
		}
	}
	frames, inputs := b.Counters()
	if frames != core.frame || inputs == 0 {
		t.Errorf("counters %d, %d after %d frames", frames, inputs, core.frame)
	}
}

func TestSameInputsSameOutcomes(t *testing.T) {
	play := func(setup func(*body.Body)) (digests []emu.Digest) {
		clock := newFakeClock()
		b, core := newFake(t, body.WithClock(clock))
		setup(b)
		core.mem.EWRAM[atFoeHP] = 20
		core.script = func(c *fakeCore) {
			if c.frame == 501 {
				c.mem.EWRAM[atBattle] = 1
			}
		}
		rng := rand.New(rand.NewPCG(3, 4))
		for range 60 {
			r := act(t, b, burst(emu.Buttons[rng.IntN(8)], 1+rng.IntN(20), 1+rng.IntN(3)))
			o := observe(t, b)
			told, err := emu.CanonicalDigest([]any{r.Outcome, o.State})
			if err != nil {
				t.Fatal(err)
			}
			digests = append(digests, told)
		}
		return digests
	}
	plain := play(func(*body.Body) {})
	watched := play(func(b *body.Body) { b.OnFrame(func(_ uint64, sample func() emu.Observed) { sample() }) })
	paced := play(func(b *body.Body) { b.SetPace(emu.Pace{FramesPerSecond: 120}) })
	if !slices.Equal(plain, watched) || !slices.Equal(plain, paced) {
		t.Error("a watcher or a pace changed what happened")
	}
}

func TestDigestsStayValid(t *testing.T) {
	b, core := newFake(t)
	now := observe(t, b)
	want, picture := core.mem.RAMDigest(), emu.DigestOf(core.pix)
	act(t, b, emu.Press(emu.ButtonDown, 16))
	if core.mem.RAMDigest() == want {
		t.Fatal("the press changed nothing")
	}
	if got := now.RAM(); got != want {
		t.Errorf("RAM digest of the past %s, want %s", got, want)
	}
	if got := now.PictureSHA256(); got != picture {
		t.Errorf("picture digest of the past %s, want %s", got, picture)
	}
	later := observe(t, b)
	b.Close()
	if got := later.RAM(); got != core.mem.RAMDigest() {
		t.Errorf("RAM digest after Close %s", got)
	}
}

func TestDigestsAreSafeForOthers(t *testing.T) {
	b, _ := newFake(t)
	done := make(chan emu.Digest, 1)
	o := observe(t, b)
	go func() { done <- o.RAM() }()
	act(t, b, emu.Press(emu.ButtonDown, 16))
	if got := <-done; got != o.RAM() {
		t.Error("two askers got two digests")
	}
}

func TestRestoreState(t *testing.T) {
	b, core := newFake(t)
	saved, err := b.CaptureState(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	before := observe(t, b)
	act(t, b, emu.Press(emu.ButtonDown, 16))
	moved := observe(t, b)

	if err := b.RestoreState(t.Context(), []byte("junk"), nil); emu.CodeOf(err) != emu.CodeCoreBadState {
		t.Fatalf("junk loaded: %v", err)
	}
	same := observe(t, b)
	if same.LoadEpoch != moved.LoadEpoch || same.RAM() != moved.RAM() || same.Picture.Stale {
		t.Error("a refused load changed something")
	}

	frames, inputs := b.Counters()
	if err := b.RestoreState(t.Context(), saved, before.Picture.Pix); err != nil {
		t.Fatal(err)
	}
	back := observe(t, b)
	if back.LoadEpoch != moved.LoadEpoch+1 || back.Frame != core.frame {
		t.Errorf("epoch %d, frame %d", back.LoadEpoch, back.Frame)
	}
	if diff := cmp.Diff(before.State, back.State); diff != "" {
		t.Errorf("state (-saved +loaded):\n%s", diff)
	}
	if !back.Picture.Restored || back.Picture.Stale || back.PictureSHA256() != before.PictureSHA256() {
		t.Error("the kept picture is not shown")
	}
	if f, i := b.Counters(); f != frames || i != inputs {
		t.Error("a load rewound the counters")
	}
	act(t, b, emu.Advance(1))
	if p := observe(t, b).Picture; p.Restored || p.Stale {
		t.Error("the kept picture outlived the first frame")
	}

	if err := b.RestoreState(t.Context(), saved, []byte("no picture")); err != nil {
		t.Fatal(err)
	}
	blank := observe(t, b)
	if !blank.Picture.Stale || blank.PictureSHA256() != "" || slices.ContainsFunc(blank.Picture.Pix, func(p byte) bool { return p != 0 }) {
		t.Error("the scene before the load is shown as the present")
	}
}

func TestDeadlineEndsAnAction(t *testing.T) {
	clock := newFakeClock()
	b, core := newFake(t, body.WithClock(clock))
	core.onFrame = func() { clock.advance(time.Second) }
	r := actWithin(t, b, emu.Advance(600), emu.ScenarioLimits)
	if r.Status != emu.StatusCancelled || r.Reason == "" || r.Outcome != nil {
		t.Fatalf("%s %q %v", r.Status, r.Reason, r.Outcome)
	}
	if r.Frames != int(core.frame) || r.Frames > 6 {
		t.Errorf("told %d frames, ran %d", r.Frames, core.frame)
	}
	if r := act(t, b, emu.Press(emu.ButtonB, 1)); r.Status != emu.StatusCancelled && r.Status != emu.StatusCompleted {
		t.Errorf("the body does not answer after a deadline: %s", r.Status)
	}
}

func TestDeadlineGrantsTheFramesTheirTime(t *testing.T) {
	clock := newFakeClock()
	b, _ := newFake(t, body.WithClock(clock))
	b.SetPace(emu.Pace{FramesPerSecond: 1})
	if r := actWithin(t, b, emu.Advance(600), emu.ScenarioLimits); r.Status != emu.StatusCompleted {
		t.Errorf("ten minutes of frames at one a second: %s %s", r.Status, r.Reason)
	}
}

func TestCancel(t *testing.T) {
	b, core := newFake(t)
	ctx, cancel := context.WithCancel(t.Context())
	core.onFrame = func() {
		if core.frame == 5 {
			cancel()
		}
	}
	r, err := b.Act(ctx, "1", emu.Press(emu.ButtonDown, 100), emu.FreePlayLimits)
	if err != nil || r.Status != emu.StatusCancelled || r.Frames > 15 {
		t.Errorf("%v, %+v", err, r)
	}
}

func TestACancelledPressThatNeverBeganIsNone(t *testing.T) {
	b, core := newFake(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := b.Act(ctx, "1", emu.Press(emu.ButtonDown, 4), emu.FreePlayLimits)
	if err != nil || r.Status != emu.StatusCancelled || r.Inputs != 0 || core.frame != 0 {
		t.Errorf("%v, %+v", err, r)
	}
	if _, inputs := b.Counters(); inputs != 0 {
		t.Errorf("%d inputs counted", inputs)
	}
}

func TestPace(t *testing.T) {
	clock := newFakeClock()
	b, core := newFake(t, body.WithClock(clock))
	start := clock.Now()
	b.SetPace(emu.Pace{FramesPerSecond: 50})
	if err := b.Idle(t.Context(), 100); err != nil {
		t.Fatal(err)
	}
	if took := clock.Now().Sub(start); took != 2*time.Second {
		t.Errorf("100 frames at 50 a second took %v", took)
	}
	// Frames that take time of their own are not waited for twice.
	core.onFrame = func() { clock.advance(5 * time.Millisecond) }
	start = clock.Now()
	b.Idle(t.Context(), 100)
	if took := clock.Now().Sub(start); took != 2*time.Second {
		t.Errorf("100 slow frames took %v", took)
	}
	// After a long pause there is no burst.
	core.onFrame = nil
	clock.advance(time.Hour)
	start = clock.Now()
	b.Idle(t.Context(), 50)
	if took := clock.Now().Sub(start); took != time.Second {
		t.Errorf("50 frames after a pause took %v", took)
	}
	b.SetPace(emu.Pace{})
	slept := len(clock.slept)
	b.Idle(t.Context(), 1000)
	if len(clock.slept) != slept {
		t.Error("an unpaced run slept")
	}
}

func TestOnFrameSeesEveryFrame(t *testing.T) {
	b, core := newFake(t)
	var seen []uint64
	b.OnFrame(func(frame uint64, sample func() emu.Observed) {
		seen = append(seen, frame)
		if o := sample(); o.Frame != frame || o.RAM() != core.mem.RAMDigest() {
			t.Errorf("the sample of frame %d is of another", frame)
		}
	})
	b.Idle(t.Context(), 5)
	b.OnFrame(nil)
	b.Idle(t.Context(), 5)
	if diff := cmp.Diff([]uint64{1, 2, 3, 4, 5}, seen); diff != "" {
		t.Errorf("frames (-want +got):\n%s", diff)
	}
}

func TestAMachineThatIsGoneSaysSo(t *testing.T) {
	b, core := newFake(t)
	before := observe(t, b)
	want := core.mem.RAMDigest()
	core.failAt, core.failErr = 7, &emu.Error{Code: emu.CodeCoreTrap, Message: "unreachable"}
	r, err := b.Act(t.Context(), "1", emu.Press(emu.ButtonDown, 16), emu.FreePlayLimits)
	if emu.CodeOf(err) != emu.CodeCoreTrap || r.Status != emu.StatusFailed || r.Frames != 6 {
		t.Errorf("%v, %+v", err, r)
	}
	if before.RAM() != want {
		t.Error("the last observation before the failure is lost")
	}
	_, observed := b.Observe(t.Context())
	_, captured := b.CaptureState(t.Context())
	_, acted := b.Act(t.Context(), "2", emu.Advance(1), emu.FreePlayLimits)
	for _, err := range []error{observed, captured, acted, b.Idle(t.Context(), 1), b.RestoreState(t.Context(), nil, nil)} {
		if !emu.CoreFailed(err) {
			t.Errorf("a dead machine answered %v", err)
		}
	}
}

func TestAnotherFailureIsARefusal(t *testing.T) {
	b, core := newFake(t)
	core.failAt, core.failErr = 3, errors.New("something\x1b[31m odd")
	r := act(t, b, emu.Advance(10))
	if r.Err == nil || r.Err.Code != emu.CodeEmulatorRejected || strings.Contains(r.Err.Message, "\x1b") {
		t.Errorf("%+v", r)
	}
}

func TestCloseTwice(t *testing.T) {
	b, core := newFake(t)
	if err := errors.Join(b.Close(), b.Close()); err != nil || !core.closed {
		t.Errorf("%v, closed %t", err, core.closed)
	}
	if _, err := b.Observe(t.Context()); emu.CodeOf(err) != emu.CodeCoreClosed {
		t.Errorf("observed a closed body: %v", err)
	}
}
