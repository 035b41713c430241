package netconn

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

type conn struct{ closed bool }

func (c *conn) Close() error { c.closed = true; return nil }

// TestBudgets lets ten addresses open 50 connections each. A newcomer still gets a place, and only
// connections of those addresses are closed for it.
func TestBudgets(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := NewLimiter(8, 64)
		var flood []*conn
		for i := range 500 {
			x := &conn{}
			if _, ok := c.Add(x, fmt.Sprintf("192.0.2.%d:%d", i%10, 1000+i)); ok {
				flood = append(flood, x)
			}
			<-time.After(10 * time.Millisecond)
		}
		if n := c.Len(); n != 64 {
			t.Errorf("%d connections are pending, want 64", n)
		}
		for i := range 4 {
			x := &conn{}
			done, ok := c.Add(x, fmt.Sprintf("198.51.100.1:%d", i))
			if !ok {
				t.Fatalf("connection %d of a newcomer has no place", i)
			}
			if x.closed {
				t.Fatal("the connection of a newcomer was closed")
			}
			defer done()
		}
		open := 0
		for _, x := range flood {
			if !x.closed {
				open++
			}
		}
		if open != 64-4 {
			t.Errorf("%d connections of the flood are open, want %d", open, 64-4)
		}
	})
}

// TestBurst lets one address open many connections at once. The first of them stay open for a while.
func TestBurst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := NewLimiter(8, 64)
		first := make([]*conn, 8)
		for i := range first {
			first[i] = &conn{}
			if _, ok := c.Add(first[i], "192.0.2.1:1"); !ok {
				t.Fatal("there is a place")
			}
		}
		if _, ok := c.Add(&conn{}, "192.0.2.1:1"); ok {
			t.Error("the budget of the address is exceeded")
		}
		<-time.After(defaultGrace)
		done, ok := c.Add(&conn{}, "192.0.2.1:1")
		if !ok || !first[0].closed || first[1].closed {
			t.Error("the oldest connection should have made room")
		}
		done()
		done()
		if n := c.Len(); n != 7 {
			t.Errorf("%d are pending, want 7", n)
		}
	})
}

func TestNetwork(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"192.0.2.1:22": "192.0.2.1", "[::ffff:192.0.2.1]:22": "192.0.2.1", "[2001:db8:1:2:3::4]:22": "2001:db8:1:2::/64",
		"[fe80::1%eth0]:22": "fe80::/64", "pipe": "pipe", "2001:db8:1:2::9": "2001:db8:1:2::/64",
	} {
		if got := CountedNetwork(in); got != want {
			t.Errorf("Network(%q) = %q, want %q", in, got, want)
		}
	}
}
