package tui

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		// The process that TestSignals ends is gone with all its goroutines.
		os.Exit(m.Run())
	}
	goleak.VerifyTestMain(m)
}
