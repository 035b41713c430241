package situation

import (
	"slices"
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation/cause"
	"wallboard/situation/plainly"
)

// worst holds the peak of a queue and its causes.
type worst struct {
	waiting int
	at      time.Time
	longest time.Duration // longest wait; 0: unknown
	about   bool          // longest is an estimate
	causes  []cause.Cause
	unsaid  bool // the peak has risen since the causes were stored
}

// note updates the peak with the current queue.
func (b *worst) note(q queue, now time.Time) {
	if n, ok := q.waiting.Get(); ok && n > 0 && int(n) >= b.waiting {
		b.waiting, b.at, b.unsaid = int(n), now, true
	}
	if d, ok := q.longest.Seconds(); ok && d > b.longest {
		b.longest, b.about = d, q.longest.Estimated()
	}
}

// words describes the peak in a sentence, or returns "" if no contact waited.
func (b *worst) words(ch model.Channel) string {
	if b.waiting == 0 {
		return ""
	}
	one, many := plainly.Waiting(ch)
	text := "at the worst " + plainly.Count(b.waiting, one, many) + " waited"
	if b.longest >= time.Second {
		text += ", the longest "
		if b.about {
			text += "about "
		}
		text += plainly.Span(b.longest)
	}
	return text + "."
}

// recovered returns the headline for the ended situation.
func (sit *Situation) recovered() string {
	if text := sit.worst.words(sit.Place.Key.Channel); text != "" {
		return plainly.Sentence(text)
	}
	return sit.Headline
}

// shrunk is the share of the peak below which a queue counts as being worked off.
const shrunk = 0.75

// hindsight keeps the causes of the peak while the queue is worked off. The current
// figures no longer explain the queue then: for example, agents may have returned
// since.
func (l *life) hindsight(w *Watch, s *model.Snapshot) {
	sit, b := &l.current, &l.current.worst
	switch {
	case (b.unsaid || l.grows()) && len(sit.Causes) > 0:
		b.causes, b.unsaid = sit.Causes, false
		return
	case len(b.causes) == 0 || sit.old(s):
		return
	case len(sit.Causes) > 0 && float64(sit.Hurts) >= shrunk*float64(b.waiting):
		return
	}
	why := b.causes[0].Kind
	if slices.ContainsFunc(sit.Causes, func(c cause.Cause) bool { return c.Kind == why }) {
		return
	}
	sit.Causes, sit.Unexplained = slices.Clone(b.causes), ""
	for i := range sit.Causes {
		sit.Causes[i].Text = "When most waited, at " + w.clock(b.at) + ": " + sit.Causes[i].Text
	}
}

// eased reports whether the queue of a place is empty and all alerts are about the
// queue. The situation ends unless another contact arrives soon.
func eased(q queue, alerts []alert.Alert) bool {
	n, ok := q.waiting.Get()
	return ok && n <= 0 && !slices.ContainsFunc(alerts, func(a alert.Alert) bool {
		return a.Day || a.Key.Scope == alert.User || !slices.Contains(ofQueues, a.Rule)
	})
}

// Needs reports whether a situation needs a person: it is not taken over, and its queue
// is not empty.
func (sit *Situation) Needs() bool { return sit.Ack == (alert.Ack{}) && !sit.Eased }
