package testkit_test

import (
	"net"
	"testing"

	"wallboard/internal/lib/testkit"
)

func TestAddr(t *testing.T) {
	t.Parallel()
	got := make(map[string]bool)
	for range 100 {
		addr := testkit.FreeAddr(t)
		if got[addr] {
			t.Fatalf("%s was given twice", addr)
		}
		got[addr] = true
		l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
	}
}
