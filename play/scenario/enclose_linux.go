package scenario

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
)

// noFollow opens no link, and waits for nobody at the other end of a pipe.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// NetworkOf says what keeps this process from using the network, by what the
// system says of the namespace the process is in.
func NetworkOf() Network {
	devices, err := os.ReadFile("/proc/self/net/dev")
	if err != nil {
		return NetworkImports
	}
	routes, err := os.ReadFile("/proc/self/net/route")
	if err != nil {
		return NetworkImports
	}
	if onlyLoopback(string(devices)) && strings.Count(strings.TrimSpace(string(routes)), "\n") == 0 {
		return NetworkNamespace
	}
	return NetworkImports
}

// onlyLoopback reads /proc/net/dev: two lines of headings, then a device a line.
func onlyLoopback(devices string) bool {
	lines := strings.Split(strings.TrimSpace(devices), "\n")
	for _, line := range lines[min(2, len(lines)):] {
		if name, _, _ := strings.Cut(strings.TrimSpace(line), ":"); name != "lo" {
			return false
		}
	}
	return len(lines) >= 2
}

// enclosed marks a program that Enclose started, so that it does not do so
// again.
const enclosed = "CLANKIE_SCENARIO_ENCLOSED"

// Enclose runs this very program once more, with args, in a network namespace
// of its own. began is false when the system permits none, or when the process
// is in such a namespace or was started by Enclose: then nothing ran, and the
// caller goes on itself.
func Enclose(ctx context.Context, args []string, s Streams) (began bool, code int, err error) {
	if os.Getenv(enclosed) != "" || NetworkOf() == NetworkNamespace {
		return false, 0, nil
	}
	// The child is killed with the thread that started it, which must last.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, attr := range namespaces() {
		cmd := exec.CommandContext(ctx, "/proc/self/exe")
		cmd.Args = args
		cmd.Env = append(os.Environ(), enclosed+"=1")
		cmd.Stdin, cmd.Stdout, cmd.Stderr = s.In, s.Out, s.Err
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
		cmd.SysProcAttr = attr
		if cmd.Start() != nil {
			continue // not permitted; the next way may be
		}
		err := cmd.Wait()
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() >= 0 {
			return true, exit.ExitCode(), nil
		}
		return true, 0, err
	}
	return false, 0, nil
}

// namespaces are the ways to a network namespace: as whoever may make one, and
// by way of a user namespace in which one's own user may.
func namespaces() []*syscall.SysProcAttr {
	uid, gid := os.Getuid(), os.Getgid()
	return []*syscall.SysProcAttr{
		{Cloneflags: syscall.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL},
		{
			Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}},
		},
	}
}
