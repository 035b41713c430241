//go:build !unix

package testkit

import (
	"testing"
	"time"
)

// ProcessCPUTime skips the calling test, because the CPU time of a process is not available on this
// system.
func ProcessCPUTime(tb testing.TB) time.Duration {
	tb.Helper()
	tb.Skip("the processor time is not known on this system")
	return 0
}
