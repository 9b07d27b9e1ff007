package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
)

// TestAReaderWhoHasSeenEnough: head reads a few lines and goes. Nothing is
// printed about that, and the exit code says that not all was printed.
func TestAReaderWhoHasSeenEnough(t *testing.T) {
	for _, line := range []string{"version", "--help", "completion bash"} {
		reading, writing, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		reading.Close()
		var errs strings.Builder
		code := execute(context.Background(), strings.Fields(line), streams{strings.NewReader(""), writing, &errs})
		writing.Close()
		if code != exitFailed || errs.Len() > 0 {
			t.Errorf("%s: code %d, err %q", line, code, errs.String())
		}
	}
}

func TestOnlyAGoneReaderIsPassedOver(t *testing.T) {
	gone := &os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}
	for _, tt := range []struct {
		err  error
		want bool
	}{
		{gone, true},
		{fmt.Errorf("print: %w", gone), true},
		{errors.Join(gone, gone), true},
		{usage(gone), true},
		{errors.Join(gone, errors.New("and the save failed")), false},
		{&os.PathError{Op: "write", Path: "|1", Err: syscall.ENOSPC}, false},
		{nil, false},
	} {
		if got := leftByReader(tt.err); got != tt.want {
			t.Errorf("%v: %v", tt.err, got)
		}
	}
}
