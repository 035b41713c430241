package proof_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// report is the result of a run.
type report struct {
	seconds   int // compared seconds
	live      int // seconds in which everything was live
	count     map[string]int
	cuts      int // faults that end the connection
	healed    int // cuts after which everything was live again
	worst     time.Duration
	worstWhat string        // the unmarked figure that was wrong for longest
	markedAge time.Duration // longest time that a marked figure was wrong
	presumed  differing     // figures whose unit is presumed
	decided   differing     // states that the board decides, as busy elsewhere
	repaired  uint64        // drift that was found and repaired
	imagined  uint64        // drift reported without a lost update
	end       string        // how much the board knows at the end, if the run waits for this
	ended     map[string]int
}

func (r *report) countFault(name string) {
	if r.count == nil {
		r.count = make(map[string]int)
	}
	r.count[name]++
}

func (r *report) merge(o *report) {
	r.seconds, r.live = r.seconds+o.seconds, r.live+o.live
	for name, n := range o.count {
		for range n {
			r.countFault(name)
		}
	}
	r.cuts, r.healed = r.cuts+o.cuts, r.healed+o.healed
	r.markedAge = max(r.markedAge, o.markedAge)
	r.presumed.merge(o.presumed)
	r.decided.merge(o.decided)
	r.repaired, r.imagined = r.repaired+o.repaired, r.imagined+o.imagined
	if o.end != "" {
		if r.ended == nil {
			r.ended = make(map[string]int)
		}
		r.ended[o.end]++
	}
	if o.worst > r.worst {
		r.worst, r.worstWhat = o.worst, o.worstWhat
	}
}

// String returns the report as text.
func (r *report) String() string {
	var b strings.Builder
	total := 0
	for _, name := range slices.Sorted(maps.Keys(r.count)) {
		fmt.Fprintf(&b, "  %6d  %s\n", r.count[name], name)
		total += r.count[name]
	}
	fmt.Fprintf(&b, "  %6d  faults in %d compared seconds\n", total, r.seconds)
	fmt.Fprintf(&b, "everything live and unmarked %.1f %% of the time\n", 100*float64(r.live)/float64(max(r.seconds, 1)))
	fmt.Fprintf(&b, "cuts healed %d/%d\n", r.healed, r.cuts)
	fmt.Fprintf(&b, "drift repaired %d, false drift %d\n", r.repaired, r.imagined)
	fmt.Fprintf(&b, "worst age without a mark %v (%s)\n", r.worst, r.worstWhat)
	fmt.Fprintf(&b, "worst age with one %v\n", r.markedAge)
	fmt.Fprintf(&b, "figures in a presumed unit: %v\n", &r.presumed)
	fmt.Fprintf(&b, "states decided by the board: %v\n", &r.decided)
	return b.String()
}

// ends returns the number of runs by result.
func (r *report) ends() string {
	var b strings.Builder
	for _, end := range slices.Sorted(maps.Keys(r.ended)) {
		fmt.Fprintf(&b, "  %6d  %s\n", r.ended[end], end)
	}
	return b.String()
}

// waitForRecovery waits until the run recovers from its last faults. The wait covers the slow
// retries after a session expired twice within a minute.
func (r *run) waitForRecovery() {
	defer r.countDrift()
	defer func() { r.presumed, r.decided = r.ledger.presumed, r.ledger.decided }()
	for range 480 {
		if !r.cut {
			return
		}
		pass(time.Second)
		r.due()
		r.look()
	}
	s := r.feed.Latest()
	r.t.Errorf("not live eight minutes after the last fault: %v, %s", s.Health.Link.State, s.Health.Link.Reason)
	for _, sub := range s.Health.Subscriptions {
		r.t.Logf("%s: %s %s", sub.Name, sub.State, sub.Reason)
	}
}

// countDrift counts the findings of the audits.
func (r *run) countDrift() {
	h := r.feed.Latest().Health
	n := h.Drift().Total()
	if !r.lossless {
		r.repaired += n
		return
	}
	if r.imagined += n; n > 0 {
		r.t.Errorf("drift where no update was lost: %+v", h.Drift())
	}
}
