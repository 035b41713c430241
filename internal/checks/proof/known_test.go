package proof_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator/rtd"
	"wallboard/model"
)

// dateForms returns all formats of the scalar Date.
func dateForms() []rtd.DateForm {
	return append(rtd.InstantForms(), rtd.DateElapsed, rtd.DateElapsedFraction, rtd.DateElapsedMillis, rtd.DateElapsedMicros, rtd.DateElapsedClock)
}

const (
	// knownWithin is the time after the first LIVE within which every field that the
	// platform sends must be known or presumed.
	knownWithin = 2 * time.Second
	// liveWithin is the time within which a generated platform must be LIVE.
	liveWithin = 90 * time.Second
)

// mendedKnown lists seeds that once revealed an unknown field without a report: the list
// of the fields that the server lacks was cut.
var mendedKnown = []int{102, 119, 441}

// TestEveryFieldIsKnown generates platforms with every Date format and every unit of
// durations, with both protocols. Within two seconds of the first LIVE every field
// that the platform sends must be known or presumed. KNOWN_SEEDS is the number of
// platforms (default 12).
func TestEveryFieldIsKnown(t *testing.T) {
	t.Parallel()
	seeds := setting(t, "KNOWN_SEEDS", 12)
	if testkit.Race {
		seeds = min(seeds, 2)
	}
	var live atomic.Int32
	t.Run("seeds", func(t *testing.T) {
		all := slices.Clone(mendedKnown)
		for seed := range seeds {
			all = append(all, seed)
		}
		slices.Sort(all)
		for _, seed := range slices.Compact(all) {
			o := randomOptions(uint64(seed) + 3600)
			forms := dateForms()
			o.Switches.DateForm = forms[seed%len(forms)]
			o.Switches.DurationUnit = []rtd.DurationUnit{rtd.DurationsInSeconds, rtd.DurationsInMilliseconds}[seed/2%2]
			r := &run{
				seed: uint64(seed), protocol: []string{rtd.SubprotocolTransport, rtd.SubprotocolLegacy}[seed%2],
				dialect: dialect{
					name: fmt.Sprintf("%+v, arrivals %s", o.Switches, o.Arrivals), Switches: o.Switches,
					lag: o.ReplicaLag, perMessage: o.UpdatesPerMessage, arrivals: o.Arrivals, gather: o.GatherTime,
				},
			}
			t.Run(fmt.Sprintf("%d %s %s", seed, o.Switches.DateForm, o.Switches.DurationUnit), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					if r.playStart(t) {
						live.Add(1)
					}
				})
			})
		}
	})
	if n := int(live.Load()); seeds >= 12 && 4*n < 3*seeds { // with few seeds, all platforms may be of the kind that cannot be LIVE
		t.Errorf("only %d of %d platforms were LIVE within %v", n, seeds, liveWithin)
	}
}

// playStart starts a board, reports whether it was LIVE in time, and checks that
// every field is known then.
func (r *run) playStart(t *testing.T) bool {
	r.t = t
	r.network = newNetwork(r.seed)
	r.ledger = newLedger(t, r.dialect.DateForm == rtd.DateSeconds)
	pass(opening)
	r.startPlatform()
	defer func() { r.stopSrv(); r.network.close() }()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	r.feed = r.newFeed()
	go func() { defer close(done); _ = r.feed.Run(ctx) }()
	defer func() { cancel(); <-done }()
	const step = 100 * time.Millisecond
	for range liveWithin / step {
		pass(step)
		synctest.Wait()
		if s := r.feed.Latest(); s != nil && s.Health.Live() {
			r.allKnown(step)
			return true
		}
	}
	r.t.Logf("not LIVE within %v: %s", liveWithin, notLive(r.feed.Latest()))
	return false
}

// allKnown waits up to two seconds until every field is known.
func (r *run) allKnown(step time.Duration) {
	var lacking []string
	for range knownWithin / step {
		pass(step)
		synctest.Wait()
		if lacking = r.lacking(); len(lacking) == 0 {
			return
		}
	}
	s := r.feed.Latest()
	r.t.Errorf("%d fields are unknown %v after the first LIVE: %s\n%s\nthe platform: %s", len(lacking), knownWithin,
		strings.Join(lacking[:min(len(lacking), 8)], ", "), states(s, time.Now()), r.dialect.name)
}

// lacking returns the fields that the platform sends but a LIVE board neither knows
// nor reports as unknown.
func (r *run) lacking() (fields []string) {
	now, s := time.Now(), r.feed.Latest()
	r.note(now)
	r.ledger.update(r.ledger.shown, now, func(f func(string, any, func() []byte)) { each(r.t, s, f) })
	for at, truth := range r.ledger.truth {
		shown := r.ledger.shown[at].leaves
		if shown == nil || marked(s, at.operation) || s.Health.Subscription(model.Op(at.operation)).Unknown != "" {
			continue
		}
		for path, value := range truth.leaves {
			if !unknown(value) && unknown(shown[path]) && !admits(s, at.operation, element.ReplaceAllString(path, "")) {
				fields = append(fields, fmt.Sprintf("%s %s %s is %s", at.operation, at.key, path, value))
			}
		}
	}
	slices.Sort(fields)
	return fields
}
