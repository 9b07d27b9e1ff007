package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"clankie/emu"
	"clankie/emu/body"
	"clankie/emu/session/evidence"
)

// What one input of FuzzSession may cost. The fuzzer gives up on an input that
// takes ten seconds; a frame takes half a millisecond on a quiet machine, and
// an operation some milliseconds of disk.
const (
	fuzzFrames     = 200
	fuzzOperations = 40
)

// fuzzRetention is short, so that records roll within one input.
const fuzzRetention = 12

// FuzzSession does what data says to a session on the real core, and looks
// after every step whether anything is stuck, unregistered or over its limits.
// The first byte is the scene to begin in; then come operations with their
// arguments.
func FuzzSession(f *testing.F) {
	machine := newFuzzMachine(f)
	for scene := range machine.scenes {
		f.Add([]byte{byte(scene), opDialog, 0, opMenu, 0, 0, opType, 0, 0, 'A', 'b', opWalk, 0, 12, 10, opPress, 0, 1, 0, 30, opLook})
	}
	field := machine.scene(f, func(s emu.State) bool { return s.Scene.Mode == emu.ModeOverworld && s.Scene.InputReady })
	for what := range interferences {
		f.Add([]byte{field, opMeddle, what, 14, opAdvance, 0, 60, opResume, opRenew, opPress, 0, 2, 2, 6, opAgain, 0})
		f.Add([]byte{field, opMeddle, what, 9, opWalk, 0, 11, 12, opResume, opRenew, opAdvance, 0, 9, opAgain, 0})
	}
	f.Add([]byte{field, opSave, opPress, 0, 1, 2, 16, opLoad, opDamage, 9, 1, 77, opAdvance, 0, 9, opLoad, opLook, opDamage, 1, 2, 3})
	f.Add([]byte{field, opTime, 200, opAdvance, 0, 5, opTime, 255, opRenew, opSweep, opIdle, 30, opLine, 3, 1, opCancel, 2, opStop, opAdvance, 0, 1})
	f.Add([]byte{field, opNonsense, 0, 3, opPress, 3, 3, 0, 0, opPause, opAdvance, 0, 1, opIdle, 4, opResume, opUncertain, opAdvance, 0, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		s := newFuzzScript(t, machine, data)
		for range fuzzOperations {
			if len(s.data) == 0 || s.left() < 1 || s.broken {
				break
			}
			s.step()
			s.settled()
		}
		s.end()
	})
}

// The operations of FuzzSession.
const (
	opPress byte = iota
	opAdvance
	opWalk
	opDialog
	opType
	opMenu
	opNonsense
	opAgain
	opPause
	opResume
	opRenew
	opSave
	opLoad
	opDamage
	opTime
	opIdle
	opCancel
	opLine
	opMeddle
	opSweep
	opLook
	opUncertain
	opStop
	operations
)

// fuzzScript is one run of FuzzSession.
type fuzzScript struct {
	t       *testing.T
	machine *fuzzMachine
	body    *registeredBody
	b       *Body
	clock   *fakeClock
	root    string
	data    []byte

	ids     []string // of every action asked for
	saved   []byte
	meddle  *interference // with the next action, or nil
	damaged bool          // a state that is none was loaded: the machine may die of it
	broken  bool          // it did
	stopped bool
	begun   uint64 // frames the machine had run before
}

func newFuzzScript(t *testing.T, machine *fuzzMachine, data []byte) *fuzzScript {
	s := &fuzzScript{t: t, machine: machine, clock: newClock(), root: t.TempDir(), data: data}
	s.body = &registeredBody{Body: machine.body(t, int(s.next())), script: s, reached: map[string]int{}}
	s.begun = machine.core.Frame()
	var err error
	s.b, err = Govern(t.Context(), s.body, GovernOptions{
		Root: s.root, Clock: s.clock, Random: &countingRandom{}, RunID: "run",
		Limits:    emu.Limits{MaxInputs: 64, MaxFrames: 90, TimeoutMS: 5000},
		Retention: Retention{MaxActionRecords: fuzzRetention, MaxEndedSessionRecords: 1},
	})
	check(t, err)
	return s
}

// registeredBody holds that an action that reaches the machine is on the disk,
// and how often each did.
type registeredBody struct {
	*body.Body
	script  *fuzzScript
	reached map[string]int // touched by the body's owner, and by others while it is free
}

func (r *registeredBody) Act(ctx context.Context, id string, a emu.Action, limits emu.Limits) (emu.ActionResult, error) {
	r.reached[id]++
	if on := r.script.onDisk(); on.actions.byID[id] == nil {
		r.script.t.Errorf("%s reached the machine and is not on the disk", id)
	}
	return r.Body.Act(ctx, id, a, limits)
}

// onDisk is what the disk has of the session.
func (s *fuzzScript) onDisk() *record {
	s.b.runtime.mu.Lock() // nothing is written meanwhile
	defer s.b.runtime.mu.Unlock()
	path := s.b.root + "/" + recordFolder + "/" + fileName(s.b.session)
	r, err := s.b.runtime.store.read(path)
	if err != nil {
		s.t.Fatalf("the record cannot be read: %v", err)
	}
	return r
}

// next takes one byte of the input; after its end there are only zeros.
func (s *fuzzScript) next() byte {
	if len(s.data) == 0 {
		return 0
	}
	b := s.data[0]
	s.data = s.data[1:]
	return b
}

// left is how many frames this input may still run.
func (s *fuzzScript) left() int { return fuzzFrames - int(s.machine.core.Frame()-s.begun) }

func (s *fuzzScript) step() {
	switch op := s.next() % operations; op {
	case opPress, opAdvance, opWalk, opDialog, opType, opMenu, opNonsense:
		limits := s.limits()
		s.act(s.newID(), s.action(op), limits)
	case opAgain:
		s.again(int(s.next()))
	case opPause:
		s.allow(s.b.Pause("p"))
	case opResume:
		s.allow(s.b.Resume())
	case opRenew:
		s.allow(s.b.runtime.Renew(s.b.token, s.b.session))
	case opSave:
		state, err := s.b.CaptureState(s.t.Context())
		if s.allow(err); err == nil {
			s.saved = state
		}
	case opLoad:
		if s.saved != nil {
			s.allow(s.b.RestoreState(s.t.Context(), s.saved, nil))
		}
	case opDamage:
		s.damage()
	case opTime:
		s.clock.advance(time.Duration(s.next()) * 2 * time.Second)
	case opIdle:
		s.allow(s.b.Idle(s.t.Context(), min(int(s.next()%64), s.left())))
	case opCancel:
		s.allow(s.b.CancelAction(s.oldID(int(s.next())), "c"))
	case opLine:
		s.line(1+int(s.next()%4), int(s.next()))
	case opMeddle:
		what, when := s.next(), s.next()
		s.meddle = &interference{what: what % interferences, after: int(when / 2 % 64), within: when%2 == 1}
	case opSweep:
		s.allow(s.b.runtime.Sweep())
	case opLook:
		s.look()
	case opUncertain:
		s.b.MarkUncertain()
	case opStop:
		s.stopped = true
		s.allow(s.b.EmergencyStop("enough"))
	}
}

func (s *fuzzScript) newID() string {
	s.ids = append(s.ids, fmt.Sprint("a", len(s.ids)))
	return s.ids[len(s.ids)-1]
}

func (s *fuzzScript) oldID(i int) string {
	if len(s.ids) == 0 {
		return "none"
	}
	return s.ids[i%len(s.ids)]
}

// limits are those of the next action: small and large ones, and such as the
// lease does not allow.
func (s *fuzzScript) limits() emu.Limits {
	choice := s.next()
	frames := [...]int{90, 90, 16, 1, 91}[choice%5]
	return emu.Limits{MaxInputs: [...]int{64, 8, 1, 65}[choice/5%4], MaxFrames: min(frames, s.left()), TimeoutMS: 5000}
}

// action is one of a kind, legal or not.
func (s *fuzzScript) action(op byte) emu.Action {
	switch op {
	case opPress:
		repeat := int(s.next() % 18)
		return emu.Action{Kind: emu.ActionButtonPress, Button: emu.Buttons[int(s.next())%len(emu.Buttons)], HoldFrames: int(s.next()), Repeat: repeat}
	case opAdvance:
		return emu.Advance(int(s.next()))
	case opWalk:
		return emu.WalkTo(int(s.next()), int(s.next()))
	case opDialog:
		return emu.Action{Kind: emu.ActionAdvanceDialog}
	case opType:
		submit := s.next()%2 == 0
		return emu.Action{Kind: emu.ActionEnterText, Text: string([]byte{s.next(), s.next()}), Submit: &submit}
	case opMenu:
		return emu.Action{Kind: emu.ActionSelectMenuEntry, EntryID: s.entry(int(s.next()))}
	}
	n := int(s.next())
	return emu.Action{Kind: emu.ActionKind(fmt.Sprint("kind", n)), Frames: n - 99, Text: "?", EntryID: "e"}
}

// entry is one of those that the open menu lists, or one that none does.
func (s *fuzzScript) entry(i int) string {
	o, err := s.b.Observe(s.t.Context())
	if err != nil || o.State.Menu == nil {
		return "none"
	}
	entries := o.State.Menu.Entries
	if i %= len(entries) + 1; i == len(entries) {
		return "none"
	}
	return entries[i].ID
}

// act holds an action against its limits and against what the machine counts.
func (s *fuzzScript) act(id string, a emu.Action, limits emu.Limits) {
	before, pressed := s.b.Counters()
	ctx, cancel := context.WithCancel(s.t.Context())
	defer cancel()
	join := s.meddling(cancel)
	r, err := s.b.Act(ctx, id, a, limits)
	join()
	s.answered(a, err)
	frames, inputs := s.b.Counters()
	if r.Frames > max(limits.MaxFrames, 0) || r.Inputs > limits.MaxInputs ||
		uint64(r.Frames) != frames-before || uint64(r.Inputs) != inputs-pressed {
		s.t.Errorf("%+v under %+v answers %+v; the machine counts %d frames and %d presses", a, limits, r, frames-before, inputs-pressed)
	}
}

// answered takes the errors of an action: a session that was stopped, and a
// machine that died of a state that was none.
func (s *fuzzScript) answered(a emu.Action, err error) {
	switch {
	case err == nil:
	case s.damaged && emu.CoreFailed(err):
		s.broken = true
	case s.stopped && emu.CodeOf(err) == emu.CodeSessionStopped:
	default:
		s.t.Errorf("%+v: %v", a, err)
	}
}

// again asks for an action whose id was used. As long as its record is kept it
// must not reach the machine.
func (s *fuzzScript) again(i int) {
	id := s.oldID(i)
	known := s.onDisk().actions.byID[id] != nil
	before, reached := s.machine.core.Frame(), s.body.reached[id]
	_, err := s.b.Act(s.t.Context(), id, emu.Advance(min(3, s.left())), emu.Limits{MaxInputs: 1, MaxFrames: min(3, s.left()), TimeoutMS: 5000})
	s.answered(emu.Advance(3), err)
	if known && (s.machine.core.Frame() != before || s.body.reached[id] != reached) {
		s.t.Errorf("%s was known and reached the machine again", id)
	}
}

// damage loads a state with something wrong in it. One that is refused leaves
// everything as it was.
func (s *fuzzScript) damage() {
	state := bytes.Clone(s.machine.scenes[int(s.next())%len(s.machine.scenes)])
	how, where := s.next(), int(s.next())*len(state)/256
	switch how % 4 {
	case 0:
		state = state[:where]
	case 1:
		state[where] ^= how | 1
	case 2:
		state = append(state, how)
	case 3:
		clear(state[where:min(where+4096, len(state))])
	}
	before := s.machine.core.Memory().RAMDigest()
	err := s.b.RestoreState(s.t.Context(), state, nil)
	switch code := emu.CodeOf(err); {
	case err == nil:
		s.damaged = true
	case emu.CoreFailed(err):
		s.damaged, s.broken = true, true
	case code == emu.CodeCoreBadState, code == emu.CodeCoreStateGame, code == emu.CodeCoreStateFormat:
		if s.machine.core.Memory().RAMDigest() != before {
			s.t.Errorf("a refused load changed the machine: %v", err)
		}
	default:
		s.allow(err)
	}
}

// line puts several actions in the session's line at once, cancels one of them
// and waits for all.
func (s *fuzzScript) line(n, cancel int) {
	frames := max(min(10, s.left()/n), 1)
	if frames*n > s.left() {
		return
	}
	var waiting []string
	for range n {
		id := s.newID()
		_, err := s.b.runtime.StartAction(s.b.token, s.b.command(id, emu.Advance(frames), emu.Limits{MaxInputs: 1, MaxFrames: frames, TimeoutMS: 5000}))
		if s.allow(err); err == nil {
			waiting = append(waiting, id)
		}
	}
	if len(waiting) > 0 {
		s.allow(s.b.CancelAction(waiting[cancel%len(waiting)], "out of the line"))
	}
	for _, id := range waiting {
		r, err := s.b.runtime.Await(s.t.Context(), s.b.token, s.b.session, id)
		if errors.Is(err, ErrUnknownAction) {
			continue // it rolled
		}
		if check(s.t, err); !r.Status.Terminal() || r.Frames > frames {
			s.t.Errorf("%s of a line: %+v", id, r)
		}
	}
}

// look makes every kind of observation.
func (s *fuzzScript) look() {
	o, err := s.b.Observe(s.t.Context())
	if s.allow(err); err != nil {
		return
	}
	in := s.b.Input(o)
	in.ActionID = s.oldID(0)
	observations := emu.NewObservations(s.b.Info())
	for _, kind := range emu.ObservationKinds {
		e, refusal := observations.Observe(kind, in)
		if refusal != nil {
			continue
		}
		if e.Frame != o.Frame {
			s.t.Errorf("%s of frame %d in a set of frame %d", kind, e.Frame, o.Frame)
		}
		if _, err := emu.CanonicalJSON(e); err != nil {
			s.t.Errorf("%s cannot be written: %v", kind, err)
		}
	}
}

// The ways to interfere with an action under way.
const (
	meddlePause byte = iota
	meddlePauseResume
	meddleCancel
	meddleCaller
	meddleDeadline
	meddleLease
	meddleSweep
	meddleUncertain
	meddleStop
	interferences
)

// interference is what happens in the middle of an action.
type interference struct {
	what   byte
	after  int  // frames into the action
	within bool // on the action's own goroutine, while it looks on; else on another
}

// meddling arms what was prepared for the next action. join waits for it.
func (s *fuzzScript) meddling(caller func()) (join func()) {
	m := s.meddle
	if s.meddle = nil; m == nil {
		return func() {}
	}
	id, over := s.oldID(len(s.ids)-1), make(chan struct{})
	f := func() { s.interfere(m.what, id, caller) }
	seen := 0
	s.b.OnFrame(func(uint64, func() emu.Observed) {
		if seen++; seen != m.after+1 {
			return
		}
		if m.within {
			f()
			close(over)
			return
		}
		go func() {
			defer close(over)
			f()
		}()
	})
	return func() {
		s.b.OnFrame(nil)
		if seen <= m.after {
			return // it ended before
		}
		<-over
		s.stopped = s.stopped || m.what == meddleStop
	}
}

func (s *fuzzScript) interfere(what byte, id string, caller func()) {
	switch what {
	case meddlePause:
		s.allow(s.b.Pause("in the middle"))
	case meddlePauseResume:
		s.allow(s.b.Pause("in the middle"))
		s.allow(s.b.Resume())
	case meddleCancel:
		s.allow(s.b.CancelAction(id, "in the middle"))
	case meddleCaller:
		caller()
	case meddleDeadline:
		s.clock.advance(5 * time.Second)
	case meddleLease:
		s.clock.advance(MaxLease)
	case meddleSweep:
		s.allow(s.b.runtime.Sweep())
	case meddleUncertain:
		s.b.MarkUncertain()
	case meddleStop:
		check(s.t, s.b.EmergencyStop("in the middle"))
	}
}

// allow lets refusals pass that follow from what the script did before.
func (s *fuzzScript) allow(err error) {
	expired := (*LeaseExpiredError)(nil)
	switch {
	case err == nil, errors.As(err, &expired):
	case emu.CodeOf(err) == emu.CodeSessionPaused, emu.CodeOf(err) == emu.CodeUnknownAction:
	case s.stopped && (errors.Is(err, ErrLeaseRevoked) || emu.CodeOf(err) == emu.CodeSessionStopped):
	case s.damaged && emu.CoreFailed(err):
		s.broken = true
	default:
		s.t.Error(err)
	}
}

// settled holds what must be so after every step: nothing is under way, the
// disk says what the session says, and no frame ran that nobody answers for.
func (s *fuzzScript) settled() {
	if s.broken {
		return
	}
	if counted, _ := s.b.Counters(); counted != s.machine.core.Frame()-s.begun {
		s.t.Errorf("the body counts %d frames, the machine ran %d", counted, s.machine.core.Frame()-s.begun)
	}
	on := s.onDisk()
	r := s.b.runtime
	r.mu.Lock()
	defer r.mu.Unlock()
	own := r.sessions[0]
	if len(own.flights) > 0 {
		s.t.Errorf("%d actions are stuck", len(own.flights))
	}
	if len(own.actions.order) > fuzzRetention || len(on.actions.order) != len(own.actions.order) {
		s.t.Errorf("%d actions are kept, %d on the disk", len(own.actions.order), len(on.actions.order))
	}
	for _, a := range own.actions.order {
		kept := on.actions.byID[a.Result.ActionID]
		if !a.Result.Status.Terminal() || kept == nil || kept.Result.Status != a.Result.Status || kept.Result.Frames != a.Result.Frames {
			s.t.Errorf("%+v; on the disk %+v", a.Result, kept)
		}
	}
	s.unspoken()
}

// unspoken holds that nothing secret and nothing half written lies on the disk.
func (s *fuzzScript) unspoken() {
	folder := s.b.root + "/" + recordFolder
	entries, err := os.ReadDir(folder)
	check(s.t, err)
	for _, e := range entries {
		data, err := os.ReadFile(folder + "/" + e.Name())
		check(s.t, err)
		if bytes.Contains(data, []byte(s.b.token)) || temporaryName.MatchString(e.Name()) {
			s.t.Errorf("%s holds the token, or was left half written", e.Name())
		}
	}
}

// end closes the session and holds its evidence against what ran.
func (s *fuzzScript) end() {
	trace := s.b.Trace()
	check(s.t, trace.Validate())
	reached := 0
	for _, n := range s.body.reached {
		reached += n
	}
	if events := len(trace.Events) + trace.DroppedEvidenceEvents; events > reached || events > evidence.MaxEvents {
		s.t.Errorf("%d events, %d actions reached the machine", events, reached)
	}
	if err := s.b.Close(); err != nil && !s.broken {
		s.t.Error(err)
	}
	if left, err := os.ReadDir(s.root); err != nil || len(left) > 0 {
		s.t.Errorf("left behind: %v, %v", left, err)
	}
	if s.damaged {
		s.machine.boot(s.t)
	}
}
