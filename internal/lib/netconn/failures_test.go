package netconn

import (
	"fmt"
	"testing"
	"time"
)

// TestFailures checks the limits of failed logins, and that a network may try again after a while.
func TestFailures(t *testing.T) {
	t.Parallel()
	const burst = 8
	now := time.Unix(0, 0)
	f := NewFailures(burst, 4, func() time.Time { return now })
	for range 2 * burst {
		f.Count("192.0.2.1:4711")
		f.Count("2001:db8::1")
	}
	for address, want := range map[string]bool{"192.0.2.1": false, "192.0.2.2": true, "2001:db8::ffff": false, "2001:db8:1::1": true} {
		if got := f.Allows(address); got != want {
			t.Errorf("%s may try: %v, want %v", address, got, want)
		}
	}
	now = now.Add(time.Second)
	if !f.Allows("192.0.2.1") {
		t.Error("a network may not try again")
	}
	for i := range 3 * maxFailedNetworks {
		f.Count(fmt.Sprintf("10.%d.%d.1", i/200, i%200))
	}
	if n := len(f.budgets); n > maxFailedNetworks {
		t.Errorf("%d networks are remembered", n)
	}
	for range 2 * burst {
		f.Take("anna:1")
	}
	if f.Take("anna:1") || !f.Take("anna:2") {
		t.Error("users whose names differ after a colon share a limit")
	}
	f.Reset()
	if !f.Allows("10.0.1.1") {
		t.Error("failures are remembered after Reset")
	}
}
