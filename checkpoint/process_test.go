package checkpoint

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"clankie/emu"
)

// mintVariable makes the test program a second program that mints: its value
// is the root.
const mintVariable = "CHECKPOINT_TEST_MINT"

const mintsEach = 5

func TestMain(m *testing.M) {
	root := os.Getenv(mintVariable)
	if root == "" {
		os.Exit(m.Run())
	}
	if err := mintMany(root); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func mintMany(root string) error {
	s, err := Open(root, Options{Clock: fixedClock{noon}})
	if err != nil {
		return err
	}
	for i := range mintsEach {
		if _, err := s.Mint(context.Background(), testRequest(strconv.Itoa(i))); err != nil {
			return err
		}
	}
	return nil
}

func TestTwoProgramsMintAtOnce(t *testing.T) {
	root := filepath.Join(t.TempDir(), "saves")
	var wait sync.WaitGroup
	for range 2 {
		command := exec.Command(os.Args[0])
		command.Env = append(os.Environ(), mintVariable+"="+root)
		var out bytes.Buffer
		command.Stdout, command.Stderr = &out, &out
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		wait.Go(func() {
			if err := command.Wait(); err != nil {
				t.Errorf("%v: %s", err, out.String())
			}
		})
	}
	wait.Wait()
	checkSequences(t, openAt(t, root), 2*mintsEach)
}

func TestManyGoroutinesMintAtOnce(t *testing.T) {
	s := openTest(t)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			if err := mintMany(s.Root()); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	checkSequences(t, s, 4*mintsEach)
}

// checkSequences wants n sound saves, each with a number of its own and the
// one before it as its parent.
func checkSequences(t *testing.T, s *Store, n int) {
	t.Helper()
	entries := list(t, s)
	if len(entries) != n {
		t.Fatalf("%d saves, want %d", len(entries), n)
	}
	for i, e := range entries {
		if e.Health != HealthValid || e.Sequence() != int64(n-i) {
			t.Errorf("%s is %s with sequence %d, want %d", e.ID, e.Health, e.Sequence(), n-i)
		}
		if i > 0 && entries[i-1].Lineage.Parent() != e.ID {
			t.Errorf("the parent of %s is not %s", entries[i-1].ID, e.ID)
		}
	}
	wantSwept(t, s.Root())
}

func TestHeldStoreIsBusy(t *testing.T) {
	s := openTest(t)
	id := mint(t, s, "a")
	f, err := openFolder(s.Root())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unlock, err := f.Lock(context.Background(), lockName, true)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithDeadline(context.Background(), time.Now())
	defer cancel()
	_, err = s.Mint(ctx, testRequest("b"))
	if err == nil {
		t.Error("minted in a store that another holds")
	}
	waiting, give := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { _, err := s.Mint(waiting, testRequest("b")); done <- err }()
	give()
	if err := <-done; emu.CodeOf(err) != CodeStoreBusy && emu.CodeOf(err) != CodeWriteFailed {
		t.Errorf("giving up: %v", err)
	}
	temp := filepath.Join(s.Root(), mintPrefix+"of-the-holder")
	if err := os.Mkdir(temp, 0o700); err != nil {
		t.Fatal(err)
	}
	// Opening and reading do not wait, and leave the holder's work alone.
	if _, err := openAt(t, s.Root()).Read(context.Background(), id, testIdentity); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(temp); err != nil {
		t.Errorf("the holder's work was swept: %v", err)
	}
	unlock()
	openAt(t, s.Root())
	wantSwept(t, s.Root())
	mint(t, s, "c")
}
