package scenario

import "testing"

func TestDevicesAreRead(t *testing.T) {
	const heading = "Inter-|   Receive\n face |bytes\n"
	for devices, want := range map[string]bool{
		heading + "    lo:       0       0\n":       true,
		heading + "    lo:       0\n  eth0:    1\n": false,
		heading + "  lo:0\n wlan0: 1\n":             false,
		heading:                                     true,
		"":                                          false,
	} {
		if got := onlyLoopback(devices); got != want {
			t.Errorf("%q: %t", devices, got)
		}
	}
}
