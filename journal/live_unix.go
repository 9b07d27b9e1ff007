//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package journal

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// A probe holds the lock for no longer than it takes to let go of it.
const (
	liveTries = 50
	livePause = time.Millisecond
)

// markLive says that the run of file is going on, for as long as file is
// open: the lock goes with the process, whatever becomes of it. Where files
// cannot be locked the run only looks as if it had ended.
func markLive(file *os.File) {
	for range liveTries {
		if err := flock(file, syscall.LOCK_EX); !errors.Is(err, syscall.EWOULDBLOCK) {
			return
		}
		time.Sleep(livePause)
	}
}

// isLive reports whether a writer has file open. Where it has none file keeps
// a shared lock, which goes when file is closed.
func isLive(file *os.File) bool {
	return errors.Is(flock(file, syscall.LOCK_SH), syscall.EWOULDBLOCK)
}

// flock does not ask for the descriptor itself, which would cost two more calls
// of the system.
func flock(file *os.File, how int) error {
	raw, err := file.SyscallConn()
	if err != nil {
		return err
	}
	var locking error
	err = raw.Control(func(fd uintptr) {
		for {
			if locking = syscall.Flock(int(fd), how|syscall.LOCK_NB); !errors.Is(locking, syscall.EINTR) {
				return
			}
		}
	})
	return errors.Join(err, locking)
}
