//go:build !linux

package linear

import "time"

var start = time.Now()

// processorTime is the time that has passed: nearer is not to be had here.
func processorTime() time.Duration { return time.Since(start) }
