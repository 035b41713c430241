package proof_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/lib/testkit"
	"wallboard/model"
)

// mended lists seeds that once revealed a wrong figure without a mark.
var mended = []int{95, 215, 218, 302, 5040, 5242, 5386, 5424, 5437}

// TestAnyPlatform generates a platform from each seed and runs it with churn and
// faults for two minutes. Afterwards the board must show the true state, or report
// every field that it cannot know. DRAWN_SEEDS is the number of seeds (default 20),
// DRAWN_FIRST the first seed (default 1).
func TestAnyPlatform(t *testing.T) {
	t.Parallel()
	first, seeds := setting(t, "DRAWN_FIRST", 1), setting(t, "DRAWN_SEEDS", 20)
	if testkit.Race {
		seeds = min(seeds, 4)
	}
	sum := &total{}
	t.Run("seeds", func(t *testing.T) {
		all := slices.Clone(mended)
		if testkit.Race {
			all = nil
		}
		for seed := first; seed < first+seeds; seed++ {
			all = append(all, seed)
		}
		slices.Sort(all)
		for _, seed := range slices.Compact(all) {
			o := randomOptions(uint64(seed))
			r := &run{
				seed: uint64(seed), length: 2 * time.Minute, haste: 10,
				dialect: dialect{
					name:     fmt.Sprintf("%+v, arrivals %s, gathers %v", o.Switches, o.Arrivals, o.GatherTime),
					Switches: o.Switches, lag: o.ReplicaLag, perMessage: o.UpdatesPerMessage, arrivals: o.Arrivals, gather: o.GatherTime,
				},
			}
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				defer func() {
					if t.Failed() || strings.HasPrefix(r.end, inPart) {
						t.Log(r.end)
						t.Logf("the platform: %s", r.dialect.name)
					}
				}()
				defer sum.add(r)
				synctest.Test(t, r.playGenerated)
			})
		}
	})
	t.Logf("%d platforms from seed %d, and those that once revealed a defect\n%s%s", seeds, first, sum.ends(), sum.String())
}

// playGenerated runs a platform with faults, and waits for the true state after their
// end.
func (r *run) playGenerated(t *testing.T) {
	r.settle = true
	r.play(t)
}

// settled is the time after the last fault within which all figures must be right:
// two audits, and the longest delay before a reconnect.
const settled = 150 * time.Second

// waitForTruth waits until nothing differs from the state of the paused platform, and
// logs the reasons for the remaining marks.
func (r *run) waitForTruth() {
	var wrong []string
	for range int(settled / time.Second) {
		pass(time.Second)
		r.due()
		r.look()
	}
	r.srv.Pause()
	for range 75 {
		pass(time.Second)
		if wrong = r.discrepancies(); len(wrong) == 0 {
			break
		}
	}
	for _, w := range wrong {
		r.t.Errorf("after the last fault: %s", w)
	}
	s := r.feed.Latest()
	if len(wrong) > 0 {
		r.t.Log(states(s, time.Now()))
	}
	r.end = knownPart(s)
}

// inPart starts the report about a platform of which some fields stay marked.
const inPart = "marked in part: "

// knownPart reports how much of a platform is known at the end.
func knownPart(s *model.Snapshot) string {
	if !s.Health.Live() {
		return inPart + strings.TrimSuffix(notLive(s), "; ")
	}
	for _, sub := range s.Health.Subscriptions {
		if sub.Lacks != "" || sub.Unknown != "" {
			return "live, but for fields that are named"
		}
	}
	return "live and whole"
}

// discrepancies returns the unmarked figures that are wrong and the figures that are
// marked without reason.
func (r *run) discrepancies() []string {
	r.look()
	s := r.feed.Latest()
	var wrong []string
	r.ledger.check(time.Now(), func(at id, _ time.Duration, what string) {
		sub := s.Health.Subscription(model.Op(at.operation))
		switch {
		case !marked(s, at.operation):
			wrong = append(wrong, what)
		case strings.TrimSpace(sub.Reason) == "" && s.Health.Link.State == model.LinkUp:
			wrong = append(wrong, fmt.Sprintf("%s is %s without a reason: %s", at.operation, sub.State, what))
		}
	})
	return wrong
}
