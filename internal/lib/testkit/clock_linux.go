package testkit

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadCPUTime returns the CPU time used by the current thread.
func threadCPUTime() time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now); err != nil {
		panic("linear: " + err.Error()) // every Linux has this clock
	}
	return time.Duration(now.Nano())
}
