//go:build !unix

package testkit

import (
	"testing"
	"time"
)

// Processor skips the test: how much processor time a process has used is not known
// here.
func Processor(tb testing.TB) time.Duration {
	tb.Helper()
	tb.Skip("the processor time is not known on this system")
	return 0
}
