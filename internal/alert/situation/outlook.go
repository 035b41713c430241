package situation

import (
	"time"

	"wallboard/internal/words"
)

// Limits for statements about when a queue clears. On 14 simulated floors, 92 % of the statements
// below exactLimit and 95 % of those up to clearsLimit are right (TestQueueEstimatesAreRight). The
// board does not state that a queue stays for an hour or that most callers hang up, because only 0
// % and 47 % of these statements were right.
const (
	neededHold  = time.Minute      // how long a number of agents is shown while later estimates are within its range
	minOutlook  = time.Minute      // how long an estimate must have existed before it is shown
	exactLimit  = 3 * time.Minute  // below this estimate, the time itself is stated, unless more agents may be needed
	clearsLimit = 10 * time.Minute // up to this estimate, twice the time is stated as a limit, or three times if more agents may be needed
)

// ClearEstimate is a statement about when a queue clears without help. The zero value makes no
// statement.
type ClearEstimate struct {
	Duration     time.Duration
	IsUpperLimit bool // Duration is an upper limit; otherwise the queue clears after about Duration
}

// Text returns the estimate as a phrase, such as "should clear on its own in about 2 min". For
// the zero value it returns the zero Text.
func (e ClearEstimate) Text() words.Text {
	switch {
	case e.Duration == 0:
		return words.Text{}
	case e.IsUpperLimit:
		return words.HelpClearsWithin(words.Approx(e.Duration))
	}
	return words.HelpClearsIn(words.Approx(e.Duration))
}

// String returns [ClearEstimate.Text] in English.
func (e ClearEstimate) String() string { return e.Text().In(nil) }

// IsRightAfter reports whether the estimate was right if the queue cleared after the time took. An
// upper limit may be exceeded by a minute. Otherwise the time may be between half and twice the
// estimate, with a minute of tolerance on each side.
func (e ClearEstimate) IsRightAfter(took time.Duration) bool {
	if e.IsUpperLimit {
		return took <= e.Duration+time.Minute
	}
	return took >= e.Duration/2-time.Minute && took <= 2*e.Duration+time.Minute
}

// clears reports whether the queue is expected to clear because its contacts are answered. While an
// agent is ready, it returns false, because such a queue should have cleared already.
func (h *Help) clears() bool { return h.ClearsInKnown && !h.ClearsByHangUps && !h.agentsReady }

// holdNeeded keeps the number of agents of earlier, the previous Help of the situation, for up to
// neededHold while the new number is within its range. Otherwise the advice would change every few
// seconds, and a supervisor could not follow it.
func (h *Help) holdNeeded(earlier *Help, now time.Time) {
	h.neededSince = now
	was, is := earlier.Needed, h.Needed
	switch age := now.Sub(earlier.neededSince); {
	case was == (Staffing{}) || was.OnePerContact || is.OnePerContact || age < 0 || age >= neededHold:
	case is == (Staffing{}) && !h.clears(): // the number is unknown or not realistic
	case is.MoreAgents >= was.MinMoreAgents && is.MoreAgents <= was.MaxMoreAgents:
		h.Needed, h.neededSince = was, earlier.neededSince
	}
}

// setEstimate sets Estimate if the queue has been expected to clear for at least minOutlook. earlier is
// the previous Help of the situation.
func (h *Help) setEstimate(earlier *Help, now time.Time) {
	if !h.clears() {
		return // the next estimate must hold for minOutlook again
	}
	if h.clearsSince = earlier.clearsSince; h.clearsSince.IsZero() {
		h.clearsSince = now
	}
	switch {
	case now.Sub(h.clearsSince).Abs() < minOutlook || h.ClearsIn <= 0:
	case h.ClearsIn < exactLimit && h.Needed.MaxMoreAgents == 0:
		h.Estimate = ClearEstimate{Duration: h.ClearsIn}
	case h.ClearsIn <= clearsLimit && h.Needed.MaxMoreAgents == 0:
		h.Estimate = ClearEstimate{Duration: 2 * h.ClearsIn, IsUpperLimit: true}
	case h.ClearsIn <= clearsLimit:
		h.Estimate = ClearEstimate{Duration: 3 * h.ClearsIn, IsUpperLimit: true}
	}
}
