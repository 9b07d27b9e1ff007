//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package checkpoint

import (
	"context"
	"errors"
	"os"
)

// lockFile refuses: writing without a lock could lose somebody's save.
func lockFile(context.Context, *os.File, bool) error {
	return errors.New("this system has no advisory file locks")
}
