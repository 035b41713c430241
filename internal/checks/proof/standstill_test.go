package proof_test

import (
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/simulator/rtd"
)

// TestStandstill suspends the board's machine while the platform silently drops the
// updates. From the first comparison afterwards, figures that were not requested
// again must be marked.
func TestStandstill(t *testing.T) {
	t.Parallel()
	for name, sw := range map[string]rtd.Switches{
		"WebSocket": {}, "keys first": {FirstMessage: rtd.FirstKeys}, "polling": {Upgrade: rtd.UpgradeStripped},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &run{seed: 7, length: 10 * time.Minute, oldest: 4 * time.Second, dialect: dialect{name: name, Switches: sw}}
			if sw.Upgrade != "" {
				r.oldest = 8 * time.Second // the time of two polls
			}
			synctest.Test(t, func(t *testing.T) {
				n := uint64(0)
				for at := opening + 2*time.Minute; at < opening+r.length; at += time.Minute {
					r.after(at, func() { r.sleepMachine(30 * time.Second) })
					r.after(at+5*time.Second, func() {
						n++
						if s := r.feed.Latest(); s.Health.Cuts < n {
							t.Error("the gap was not noticed")
						}
					})
				}
				r.play(t)
			})
		})
	}
}
