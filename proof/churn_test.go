package proof_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/simulator/rtd"
)

// TestChurn lets somebody log out or in every second, so that the filters always
// follow somebody: on a platform without a fault nothing may be lost from one
// subscription to the next, whatever its first message holds and however long it
// gathers what it tells. CHURN_MINUTES says for how long (3).
func TestChurn(t *testing.T) {
	t.Parallel()
	var platforms []dialect
	for _, first := range []rtd.FirstMessage{rtd.FirstFull, rtd.FirstDelta, rtd.FirstNone, rtd.FirstKeys} {
		for _, arrivals := range []rtd.Arrivals{rtd.ArrivalsWhole, rtd.ArrivalsKeys} {
			for _, gather := range []time.Duration{0, 300 * time.Millisecond, time.Second} {
				platforms = append(platforms, dialect{
					name:     fmt.Sprintf("first %s, arrivals %s, gathers %v", first, arrivals, gather),
					Switches: rtd.Switches{FirstMessage: first}, arrivals: arrivals, gather: gather,
				})
			}
		}
	}
	length := time.Duration(setting(t, "CHURN_MINUTES", 3)) * time.Minute
	for i, d := range platforms {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			if raceEnabled && i%8 != 0 {
				t.Skip("some are enough for the race detector")
			}
			r := &run{seed: uint64(i), length: length, churn: 60, oldest: churnOldest + d.gather, lossless: true, dialect: d}
			synctest.Test(t, r.play)
		})
	}
}

// churnOldest is how old a figure may be without a mark while many come and go:
// what a filter takes to follow them, and the answer.
const churnOldest = 4 * time.Second
