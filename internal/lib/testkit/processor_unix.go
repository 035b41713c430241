//go:build unix

package testkit

import (
	"syscall"
	"testing"
	"time"
)

// ProcessCPUTime returns the CPU time used by this process.
func ProcessCPUTime(tb testing.TB) time.Duration {
	tb.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
