package scenario

import "testing"

func TestRoutesAreRead(t *testing.T) {
	const heading = "Iface\tDestination\tGateway\n"
	for table, want := range map[string]bool{
		"":                                true,
		heading:                           true,
		heading + "lo\t0000007F\t0\n":     true,
		heading + "eth0\t00000000\t1\n":   false,
		heading + "lo\t0\t0\nwlan0\t0\t0": false,
	} {
		if got := noRoutes(table); got != want {
			t.Errorf("%q: %t", table, got)
		}
	}
}

func TestIPv6RoutesAreRead(t *testing.T) {
	const loopback, lan = "00000001 80 0000 00 0000 0 1 0 80200001       lo\n", "fe80 40 0000 00 0000 100 1 0 00000001     eth0\n"
	for table, want := range map[string]bool{"": true, loopback: true, loopback + lan: false} {
		if got := noRoutes6(table); got != want {
			t.Errorf("%q: %t", table, got)
		}
	}
}
