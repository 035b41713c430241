//go:build !linux

package testkit

import "time"

var start = time.Now()

// processorTime returns the elapsed time, because the CPU time is not available here.
func processorTime() time.Duration { return time.Since(start) }
