//go:build !linux

package testkit

import "time"

var startedAt = time.Now()

// threadCPUTime returns the time since the start of the program, because the CPU time of a
// thread is not available on this system.
func threadCPUTime() time.Duration { return time.Since(startedAt) }
