package proof_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// report is what a run found.
type report struct {
	seconds   int // compared
	live      int // of these, everything was live
	count     map[string]int
	cuts      int // faults that end the connection
	healed    int // after which everything was live again
	worst     time.Duration
	worstWhat string        // of what is shown without a mark
	markedAge time.Duration // of what is marked
	presumed  differing     // figures whose unit is presumed
	decided   differing     // states that the board decides, as busy elsewhere
	repaired  uint64        // drift that was found and repaired
	imagined  uint64        // drift where none can have been
	end       string        // how much is known in the end, where the run waits for that
	ended     map[string]int
}

func (r *report) made(name string) {
	if r.count == nil {
		r.count = make(map[string]int)
	}
	r.count[name]++
}

func (r *report) merge(o *report) {
	r.seconds, r.live = r.seconds+o.seconds, r.live+o.live
	for name, n := range o.count {
		for range n {
			r.made(name)
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

// String tells the report in words.
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

// ends tells how many runs ended how.
func (r *report) ends() string {
	var b strings.Builder
	for _, end := range slices.Sorted(maps.Keys(r.ended)) {
		fmt.Fprintf(&b, "  %6d  %s\n", r.ended[end], end)
	}
	return b.String()
}

// finish lets the run end well: what is broken at its end has as long as the
// slow lane is, which a session that expired twice within a minute leads into.
func (r *run) finish() {
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

// countDrift counts what the audits found.
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
