package situation

import (
	"time"

	"wallboard/internal/words"
)

// Limits for statements about when a queue clears. On 14 simulated floors, 92 % of the statements
// below exactEstimateLimit and 95 % of those up to maxClearEstimate are right (TestQueueEstimatesAreRight). The
// board does not state that a queue stays for an hour or that most callers hang up, because only 0
// % and 47 % of these statements were right.
const (
	neededHoldTime     = time.Minute      // how long a number of agents is shown while later estimates are within its range
	minEstimateAge     = time.Minute      // how long an estimate must have existed before it is shown
	exactEstimateLimit = 3 * time.Minute  // below this estimate, the time itself is stated, unless more agents may be needed
	maxClearEstimate   = 10 * time.Minute // up to this estimate, twice the time is stated as a limit, or three times if more agents may be needed
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
		return words.HelpClearsWithin(words.ApproxDuration(e.Duration))
	}
	return words.HelpClearsIn(words.ApproxDuration(e.Duration))
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

// isClearing reports whether the queue is expected to clear because its contacts are answered. While an
// agent is ready, it returns false, because such a queue should have cleared already.
func (h *Help) isClearing() bool { return h.ClearTimeKnown && !h.ClearsByHangUps && !h.agentsReady }

// keepNeededAgents keeps the number of agents of earlier, the previous Help of the situation, for up to
// neededHoldTime while the new number is within its range. If the advice changed every few seconds, a
// supervisor could not follow it.
func (h *Help) keepNeededAgents(earlier *Help, now time.Time) {
	h.neededSince = now
	was, is := earlier.Needed, h.Needed
	switch age := now.Sub(earlier.neededSince); {
	case was == (Staffing{}) || was.OnePerContact || is.OnePerContact || age < 0 || age >= neededHoldTime:
	case is == (Staffing{}) && !h.isClearing(): // the number is unknown or not realistic
	case is.MoreAgents >= was.MinMoreAgents && is.MoreAgents <= was.MaxMoreAgents:
		h.Needed, h.neededSince = was, earlier.neededSince
	}
}

// setEstimate sets Estimate if the queue has been expected to clear for at least minEstimateAge. earlier is
// the previous Help of the situation.
func (h *Help) setEstimate(earlier *Help, now time.Time) {
	if !h.isClearing() {
		return // the next estimate must hold for minEstimateAge again
	}
	if h.clearsSince = earlier.clearsSince; h.clearsSince.IsZero() {
		h.clearsSince = now
	}
	switch {
	case now.Sub(h.clearsSince).Abs() < minEstimateAge || h.ClearTime <= 0:
	case h.ClearTime < exactEstimateLimit && h.Needed.MaxMoreAgents == 0:
		h.Estimate = ClearEstimate{Duration: h.ClearTime}
	case h.ClearTime <= maxClearEstimate && h.Needed.MaxMoreAgents == 0:
		h.Estimate = ClearEstimate{Duration: 2 * h.ClearTime, IsUpperLimit: true}
	case h.ClearTime <= maxClearEstimate:
		h.Estimate = ClearEstimate{Duration: 3 * h.ClearTime, IsUpperLimit: true}
	}
}
