package replay

import (
	"context"
	"sync"

	"clankie/checkpoint"
	"clankie/emu"
	"clankie/journal"
)

// Library is where the states come from that a tape's loads name.
type Library struct {
	store    *checkpoint.Store
	identity emu.CoreIdentity

	mu   sync.Mutex
	pins map[emu.Digest][]byte
}

// NewLibrary returns a library of the saves in store, which may be nil, that a
// core of that identity takes, and of pinned savestates, the boot savestate
// among them. The states are not copied.
func NewLibrary(store *checkpoint.Store, identity emu.CoreIdentity, pins ...[]byte) *Library {
	l := &Library{store: store, identity: identity, pins: map[emu.Digest][]byte{}}
	for _, state := range pins {
		l.Add(state)
	}
	return l
}

// Add adds a pinned savestate. Any goroutine may, also while others use the
// library.
func (l *Library) Add(state []byte) {
	digest := emu.DigestOf(state)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pins[digest] = state
}

func (l *Library) pin(digest emu.Digest) (state []byte, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	state, ok = l.pins[digest]
	return state, ok
}

// found is a state out of a library.
type found struct {
	state        []byte
	picture      []byte // kept with it, or nil
	checkpointID string // "" for a pin
}

// load finds the state that a load names.
func (l *Library) load(ctx context.Context, load journal.TapeLoad) (found, error) {
	if state, ok := l.pin(load.StateSHA256); ok {
		return found{state: state}, nil
	}
	if load.Source != journal.TapeFromCheckpoint {
		return found{}, refusal(CodeStateMissing, nil, "the %s with digest %s is not here", described(load), load.StateSHA256.Short())
	}
	f, err := l.read(ctx, load.Name)
	if err != nil {
		return found{}, refusal(CodeStateMissing, err, "the save %s cannot be loaded again: %v", emu.Clean(load.Name), err)
	}
	if got := emu.DigestOf(f.state); got != load.StateSHA256 {
		return found{}, refusal(CodeStateMismatch, nil, "the save %s holds the state %s, loaded was %s",
			emu.Clean(load.Name), got.Short(), load.StateSHA256.Short())
	}
	return f, nil
}

func described(load journal.TapeLoad) string {
	switch load.Source {
	case journal.TapeFromBoot:
		return "boot savestate"
	case journal.TapeFromPin:
		return "pinned savestate " + emu.Clean(load.Name)
	}
	return "state"
}

// read reads a save.
func (l *Library) read(ctx context.Context, id string) (found, error) {
	if l.store == nil {
		return found{}, refusal(checkpoint.CodeNotFound, nil, "there is no store of saves")
	}
	loaded, err := l.store.Read(ctx, id, l.identity)
	if err != nil {
		return found{}, err
	}
	f := found{state: loaded.State, checkpointID: id}
	if loaded.Picture != nil {
		f.picture = loaded.Picture.Pix
	}
	return f, nil
}

// saves lists the ids of the saves that can be loaded, by their states. A
// store that cannot be listed has none: a replay then begins earlier.
func (l *Library) saves(ctx context.Context) map[emu.Digest]string {
	ids := map[emu.Digest]string{}
	if l.store == nil {
		return ids
	}
	entries, err := l.store.List(ctx, l.identity)
	if err != nil {
		return ids
	}
	for _, e := range entries {
		if e.Health == checkpoint.HealthValid && e.Receipt != nil {
			ids[e.Receipt.SavestateSHA256] = e.ID
		}
	}
	return ids
}
