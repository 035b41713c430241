package app

import (
	"slices"
	"testing"
	"time"
)

// TestPhases checks that the frames of viewers are evenly distributed within the period.
func TestPhases(t *testing.T) {
	t.Parallel()
	const n = 500
	var all []time.Duration
	for i := range n {
		all = append(all, framePhase(uint64(i+1)))
	}
	slices.Sort(all)
	before := time.Duration(0)
	for _, at := range append(all, frameSpread) {
		if at < before || at > frameSpread || at-before > 2*frameSpread/n {
			t.Fatalf("a frame is due %v after the one before, at %v", at-before, at)
		}
		before = at
	}
}
