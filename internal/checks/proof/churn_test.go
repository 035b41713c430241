package proof_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator/rtd"
)

// TestChurn logs an agent out or in every second, so that the filters change all the
// time. On a platform without faults no update may be lost between subscriptions,
// whatever the first message contains and however long the platform gathers updates.
// CHURN_MINUTES is the duration (default 3).
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
			if testkit.Race && i%8 != 0 {
				t.Skip("some are enough for the race detector")
			}
			r := &run{seed: uint64(i), length: length, churn: 60, oldest: churnOldest + d.gather, lossless: true, dialect: d}
			synctest.Test(t, r.play)
		})
	}
}

// churnOldest is the maximum age of an unmarked figure during churn: the time to
// change the filter and receive the answer.
const churnOldest = 4 * time.Second
