package situation

import (
	"slices"
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation/cause"
	"wallboard/situation/plainly"
)

// worst is how bad a queue has been, and why.
type worst struct {
	waiting int
	at      time.Time
	longest model.Figure // that anybody has waited
	causes  []cause.Cause
	unsaid  bool // it has become worse since it was last said why
}

// note takes in how many wait, and for how long.
func (b *worst) note(q queue, now time.Time) {
	if n, ok := q.waiting.Get(); ok && n > 0 && int(n) >= b.waiting {
		b.waiting, b.at, b.unsaid = int(n), now, true
	}
	was, _ := b.longest.Get()
	if d, ok := q.longest.Get(); ok && d > was {
		b.longest = q.longest
	}
}

// words say in a sentence how bad it has been, "" where nobody waited.
func (b *worst) words(ch model.Channel) string {
	if b.waiting == 0 {
		return ""
	}
	one, many := plainly.Waiting(ch)
	text := "at the worst " + plainly.Count(b.waiting, one, many) + " waited"
	if d, _ := b.longest.Seconds(); d >= time.Second {
		text += ", the longest " + plainly.Wait(b.longest)
	}
	return text + "."
}

// recovered says of a situation that is over how bad it was.
func (sit *Situation) recovered() string {
	if text := sit.worst.words(sit.Place.Key.Channel); text != "" {
		return plainly.Sentence(text)
	}
	return sit.Headline
}

// shrunk is the part of the worst below which a queue is being worked off.
const shrunk = 0.75

// hindsight keeps why a queue became as bad as it was. While it is worked off, what was
// so then may be so no longer: agents are back, and what is told of the present is not
// why anybody still waits.
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

// eased reports whether nobody waits at a place whose alerts are about who waits: it is
// over unless somebody comes soon.
func eased(q queue, alerts []alert.Alert) bool {
	n, ok := q.waiting.Get()
	return ok && n <= 0 && !slices.ContainsFunc(alerts, func(a alert.Alert) bool {
		return a.Day || a.Key.Scope == alert.User || !slices.Contains(ofQueues, a.Rule)
	})
}

// Needs reports whether somebody has to see to a situation: nobody has taken it over,
// and it is not as good as over.
func (sit *Situation) Needs() bool { return sit.Ack == (alert.Ack{}) && !sit.Eased }
