package proof_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/model"
	"wallboard/simulator"
)

// mended are seeds that once showed that the board can be wrong without a word.
var mended = []int{95, 215, 218, 302}

// TestAnyPlatform draws a platform from every seed, lets two minutes of churn
// and faults pass on it, and expects the board to end in the truth, or to say
// of every field that it cannot know that it cannot. DRAWN_SEEDS says how many
// seeds (20), DRAWN_FIRST which is the first (1).
func TestAnyPlatform(t *testing.T) {
	t.Parallel()
	first, seeds := setting(t, "DRAWN_FIRST", 1), setting(t, "DRAWN_SEEDS", 20)
	if raceEnabled {
		seeds = min(seeds, 4)
	}
	sum := &total{}
	t.Run("seeds", func(t *testing.T) {
		all := slices.Clone(mended)
		if raceEnabled {
			all = nil
		}
		for seed := first; seed < first+seeds; seed++ {
			all = append(all, seed)
		}
		slices.Sort(all)
		for _, seed := range slices.Compact(all) {
			o := simulator.Draw(uint64(seed))
			r := &run{
				seed: uint64(seed), length: 2 * time.Minute, haste: 10,
				dialect: dialect{
					name:     fmt.Sprintf("%+v, arrivals %s, gathers %v", o.Switches, o.Arrivals, o.Gather),
					Switches: o.Switches, lag: o.ReplicaLag, perMessage: o.UpdatesPerMessage, arrivals: o.Arrivals, gather: o.Gather,
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
				synctest.Test(t, r.playDrawn)
			})
		}
	})
	t.Logf("%d platforms drawn from seed %d on, and those that once showed a defect\n%s%s", seeds, first, sum.ends(), sum.String())
}

// playDrawn is a stretch with faults, and what is left when they have ended.
func (r *run) playDrawn(t *testing.T) {
	r.settle = true
	r.play(t)
}

// settled is how long after the last fault everything has to be right: two
// audits, and the longest wait of a connection that failed often.
const settled = 150 * time.Second

// inTheTruth waits until nothing differs from the truth of a platform that
// stands still. What is marked then says why.
func (r *run) inTheTruth() {
	var wrong []string
	for range int(settled / time.Second) {
		pass(time.Second)
		r.due()
		r.look()
	}
	r.srv.Pause()
	for range 75 {
		pass(time.Second)
		if wrong = r.differs(); len(wrong) == 0 {
			break
		}
	}
	for _, w := range wrong {
		r.t.Errorf("after all is quiet: %s", w)
	}
	s := r.feed.Latest()
	if len(wrong) > 0 {
		r.t.Log(states(s, time.Now()))
	}
	r.end = endOf(s)
}

// inPart begins what is told of a platform of which something is marked in the
// end.
const inPart = "marked in part: "

// endOf tells how much of a platform is known in the end.
func endOf(s *model.Snapshot) string {
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

// differs tells what is shown without a mark and is not true, and what is marked
// without a reason.
func (r *run) differs() []string {
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
