//go:build nonatsserver

package cluster

import (
	"errors"
	"testing"
)

// TestBuildWithoutServer checks that a node without a NATS server of its own needs existing ones.
func TestBuildWithoutServer(t *testing.T) {
	t.Parallel()
	o := Options{Name: "milan", Node: "wb1", Listen: "127.0.0.1:0", Peers: []string{"127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3"}}
	if _, err := Open(t.Context(), o); !errors.Is(err, errNoServer) {
		t.Errorf("with peers: %v", err)
	}
	o.Servers = []string{"nats://127.0.0.1:1"}
	if _, err := Open(t.Context(), o); err != nil {
		t.Errorf("with existing servers: %v", err)
	}
}
