package dialect

import (
	"time"

	"wallboard/model"
)

// WaitTracker derives the longest current wait in the queue of a service, for platforms that do not
// send it. Document 2 does not say whether maxTimeCallOnQueue is the longest current wait or the
// longest of the day. The tracker detects the meaning for each channel from the values of the
// field.
//
// If the field is the longest of the day, the tracker estimates the current wait by following the
// callers of each queue. The counters show when a caller arrived or left, but not which caller
// left. Queues are served in order of arrival, with two exceptions: an abandoned or rejected caller
// may be at any position, and a new call may be offered at once to an agent who cannot take the
// calls before it. Three assumptions about which caller left give an estimate and its bounds.
//
// A WaitTracker is not safe for concurrent use.
type WaitTracker struct {
	pinned   model.WaitMeaning // configured meaning; WaitAsSent: detect it
	services map[model.ServiceKey]*serviceState

	processed   map[model.ServiceKey]*model.Service // records as last processed
	processedAt time.Time                           // when all records were last processed
}

// NewWaitTracker returns a tracker. pinned is the configured meaning of maxTimeCallOnQueue. If it
// is [model.WaitAsSent], the meaning is detected.
func NewWaitTracker(pinned model.WaitMeaning) *WaitTracker {
	return &WaitTracker{pinned: pinned, services: make(map[model.ServiceKey]*serviceState), processed: make(map[model.ServiceKey]*model.Service)}
}

// Observe processes the figures of a service. Call it after every change of the figures, and at
// least once a second while they are fresh.
func (t *WaitTracker) Observe(r *model.Service, now time.Time) {
	l := t.services[r.Key()]
	if l == nil {
		l = newServiceState()
		t.services[r.Key()] = l
	}
	l.update(&r.ChannelStats, r.UserStats.ReadyUsers.Count, now)
}

// WaitEvidence is the meaning of maxTimeCallOnQueue on a channel and its certainty.
type WaitEvidence struct {
	Meaning      model.WaitMeaning
	Presumed     bool // fewer than two observations support the meaning
	Pinned       bool // the configuration sets the meaning
	Contradicted bool // observations contradict the pinned meaning
}

// minObservations is the number of observations after which a meaning counts as known instead of
// presumed. If observations support both meanings, one meaning must have more than minLeadRatio
// times the observations of the other.
const (
	minObservations = 2
	minLeadRatio    = 5
)

// Evidence returns the meaning of maxTimeCallOnQueue on a channel as detected so far, or the
// configured meaning.
func (t *WaitTracker) Evidence(ch model.Channel) WaitEvidence {
	var falls, excesses, current, daily int
	for k, l := range t.services {
		if k.Channel != ch {
			continue
		}
		falls, excesses = falls+l.evidence.falls, excesses+l.evidence.excesses
		current, daily = current+boolToInt(l.evidence.suggestsCurrent), daily+boolToInt(l.evidence.suggestsDaily)
	}
	found := determineMeaning(falls, excesses, current, daily)
	if t.pinned == model.WaitAsSent {
		return found
	}
	against := found.Meaning != t.pinned && !found.Presumed && found.Meaning != model.WaitUndetermined
	return WaitEvidence{Meaning: t.pinned, Pinned: true, Contradicted: against}
}

// determineMeaning determines the meaning of maxTimeCallOnQueue from numbers of observations. Falls
// within a day support a current wait. Excesses over the time since the queue was empty support a
// maximum of the day. current and daily count weaker signs of these two meanings.
func determineMeaning(falls, excesses, current, daily int) WaitEvidence {
	switch {
	case excesses > 0 && falls > excesses*minLeadRatio, excesses == 0 && falls > 0:
		return WaitEvidence{Meaning: model.WaitCurrent, Presumed: falls < minObservations}
	case falls > 0 && excesses > falls*minLeadRatio, falls == 0 && excesses > 0:
		return WaitEvidence{Meaning: model.WaitDaily, Presumed: excesses < minObservations}
	case falls > 0 && excesses > 0:
		return WaitEvidence{Meaning: model.WaitOther, Presumed: min(falls, excesses) < minObservations}
	case current > daily*minLeadRatio:
		return WaitEvidence{Meaning: model.WaitCurrent, Presumed: true}
	case daily > current*minLeadRatio:
		return WaitEvidence{Meaning: model.WaitDaily, Presumed: true}
	}
	return WaitEvidence{Meaning: model.WaitUndetermined}
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Wait returns the longest current wait of a service that was passed to [WaitTracker.Observe].
// evidence is the evidence for the channel of the service.
func (t *WaitTracker) Wait(k model.ServiceKey, evidence WaitEvidence, now time.Time) model.Wait {
	l := t.services[k]
	if l == nil {
		return model.Wait{Meaning: evidence.Meaning, Presumed: evidence.Presumed}
	}
	meaning := evidence.Meaning
	if meaning.IsCurrent() && l.calls.QueuedCalls.Or(0) > 0 {
		switch {
		case !l.calls.MaxTimeCallOnQueue.Known():
			meaning = model.WaitUndetermined
		case l.contradictsCurrent() && !evidence.Pinned:
			meaning = model.WaitOther
		}
	}
	if meaning.IsCurrent() {
		return model.Wait{Meaning: meaning, Presumed: evidence.Presumed}
	}
	w := l.estimateWait(now)
	w.Meaning, w.Presumed = meaning, evidence.Presumed
	if w.AtMost.Known() || !w.For.Known() || meaning == model.WaitOther {
		return w
	}
	// The callers were already waiting before the first observation, so the platform's value is the
	// best upper bound.
	if v, ok := l.calls.MaxTimeCallOnQueue.Get(); ok {
		w.AtMost = model.IntOf(max(v, w.For.Or(0)))
	}
	return w
}
