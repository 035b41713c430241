//go:build !race && !nonatsserver

package cluster

import (
	"testing"

	"github.com/nats-io/nats-server/v2/server/pse"
)

// TestUsageIsNotSampled checks that the server's package reads the file that statFile names, which does
// not exist.
func TestUsageIsNotSampled(t *testing.T) {
	t.Parallel()
	var cpu float64
	var resident, virtual int64
	if err := pse.ProcUsage(&cpu, &resident, &virtual); err == nil {
		t.Error("the server still reads the CPU time of the process")
	}
}
