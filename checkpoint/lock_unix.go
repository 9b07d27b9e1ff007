//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// lockPoll is how often a held lock is tried again. flock itself cannot be
// interrupted by a context.
const lockPoll = 5 * time.Millisecond

// lockFile takes the exclusive advisory lock of an open file. It works on the
// file rather than on a path, as lock libraries do, because the path could
// lead elsewhere by the time it is opened.
func lockFile(ctx context.Context, file *os.File, wait bool) error {
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, syscall.EINTR):
			continue
		case !errors.Is(err, syscall.EWOULDBLOCK):
			return fmt.Errorf("lock the store: %w", err)
		case !wait:
			return errBusy
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", errBusy, ctx.Err())
		case <-time.After(lockPoll):
		}
	}
}
