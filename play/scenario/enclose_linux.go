package scenario

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
)

// noFollow opens no link, and waits for nobody at the other end of a pipe.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// NetworkOf says what keeps this process from using the network, by what the
// system says of the namespace the process is in: where no route leads to
// anything but loopback, nothing can be reached. Devices do not tell: some
// systems put tunnels into every namespace, and leave them down.
func NetworkOf() Network {
	routes, err := os.ReadFile("/proc/self/net/route")
	if err != nil || !noRoutes(string(routes)) {
		return NetworkImports
	}
	// A system without IPv6 has no such file.
	routes6, err := os.ReadFile("/proc/self/net/ipv6_route")
	if err != nil && !errors.Is(err, fs.ErrNotExist) || !noRoutes6(string(routes6)) {
		return NetworkImports
	}
	return NetworkNamespace
}

// noRoutes reads /proc/net/route: a line of headings, then a route a line that
// begins with its device.
func noRoutes(table string) bool {
	lines := strings.Split(strings.TrimSpace(table), "\n")
	return !slices.ContainsFunc(lines[1:], func(line string) bool {
		device, _, _ := strings.Cut(line, "\t")
		return strings.TrimSpace(device) != "lo"
	})
}

// noRoutes6 reads /proc/net/ipv6_route: a route a line that ends with its
// device.
func noRoutes6(table string) bool {
	for line := range strings.Lines(table) {
		if fields := strings.Fields(line); len(fields) > 0 && fields[len(fields)-1] != "lo" {
			return false
		}
	}
	return true
}

// enclosed marks a program that Enclose started, so that it does not do so
// again.
const enclosed = "CLANKIE_SCENARIO_ENCLOSED"

// Enclose runs this very program once more, with args, in a network namespace
// of its own. began is false when the system permits none, or when the process
// is in such a namespace or was started by Enclose: then nothing ran, and the
// caller goes on itself.
func Enclose(ctx context.Context, args []string, out, errs io.Writer) (began bool, code int, err error) {
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
		cmd.Stdout, cmd.Stderr = out, errs
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
