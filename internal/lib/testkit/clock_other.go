//go:build !linux

package testkit

import "time"

var start = time.Now()

// threadCPUTime returns the elapsed time, because the CPU time is not available here.
func threadCPUTime() time.Duration { return time.Since(start) }
