package session

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"clankie/emu"
)

// governsUntilKilled names the variable with which the tests run themselves as
// a program that governs a body under the folder it names.
const governsUntilKilled = "SESSION_TEST_GOVERNS_UNDER"

func TestMain(m *testing.M) {
	if root := os.Getenv(governsUntilKilled); root != "" {
		governUntilKilled(root)
	}
	os.Exit(m.Run())
}

func governUntilKilled(root string) {
	b, err := Govern(context.Background(), newFakeBody(), GovernOptions{
		Root: root, Clock: SystemClock{}, Random: &countingRandom{}, RunID: "run",
	})
	if err != nil {
		panic(err)
	}
	if _, err := b.Act(context.Background(), "a1", emu.Advance(1), emu.FreePlayLimits); err != nil {
		panic(err)
	}
	os.Stdout.WriteString("acted\n")
	select {}
}

// killed leaves what a program leaves under root that was killed.
func killed(t *testing.T, root string) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), governsUntilKilled+"="+root)
	out, err := child.StdoutPipe()
	check(t, err)
	check(t, child.Start())
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Errorf("it did not act: %v", err)
	}
	check(t, child.Process.Kill())
	_ = child.Wait()
}

// age makes every folder under root an hour old.
func age(t *testing.T, root string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(root)
	check(t, err)
	for _, e := range entries {
		then := time.Now().Add(-time.Hour)
		check(t, os.Chtimes(filepath.Join(root, e.Name()), then, then))
		names = append(names, e.Name())
	}
	return names
}

func TestFoldersOfKilledProgramsAreSweptAndNoOthers(t *testing.T) {
	root := t.TempDir()
	govern := func() *Body {
		b, err := Govern(t.Context(), newFakeBody(), GovernOptions{Root: root, Clock: newClock(), Random: &countingRandom{}, RunID: "run"})
		check(t, err)
		return b
	}
	killed(t, root)
	check(t, os.Mkdir(filepath.Join(root, "runtime-7"), 0o700)) // killed before it had a lock
	dead := age(t, root)
	alive := govern() // sweeps
	defer alive.Close()
	left := age(t, root)
	if len(dead) != 2 || len(left) != 1 || left[0] != filepath.Base(alive.root) {
		t.Fatalf("of %v and a live one %v are left", dead, left)
	}
	for _, foreign := range []string{"runtime-notes", "saves"} {
		check(t, os.Mkdir(filepath.Join(root, foreign), 0o700))
	}
	check(t, os.WriteFile(filepath.Join(root, "runtime-9"), nil, 0o600))
	stay := age(t, root)
	check(t, os.Mkdir(filepath.Join(root, "runtime-8"), 0o700)) // somebody is just starting
	stay = append(stay, "runtime-8")
	check(t, govern().Close())
	left = age(t, root)
	slices.Sort(stay)
	if !slices.Equal(stay, left) {
		t.Fatalf("of %v are left %v", stay, left)
	}
	if r, err := alive.Act(t.Context(), "a1", emu.Advance(1), emu.FreePlayLimits); err != nil || r.Status != emu.StatusCompleted {
		t.Errorf("the live one: %+v, %v", r, err)
	}
}
