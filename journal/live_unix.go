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

// isLive reports whether a writer has file open.
func isLive(file *os.File) bool {
	err := flock(file, syscall.LOCK_SH)
	if err == nil {
		_ = flock(file, syscall.LOCK_UN) // closing the file does it too
	}
	return errors.Is(err, syscall.EWOULDBLOCK)
}

func flock(file *os.File, how int) error {
	for {
		if err := syscall.Flock(int(file.Fd()), how|syscall.LOCK_NB); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
