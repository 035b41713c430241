package situation

import (
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/words"
	"wallboard/model"
)

// peak holds the highest values of a queue during a situation, and the causes at that time.
type peak struct {
	waiting     int
	reachedAt   time.Time
	longestWait model.Figure // longest wait during the situation
	causes      []diagnosis.Cause
	causesDue   bool // more contacts have waited since the causes were stored
	day         dayPeak
}

// dayPeak describes the worst moment of a situation about figures of the day: when the figure of
// its first alert was worst.
type dayPeak struct {
	rule     string // rule of this alert; "": there is none
	value    float64
	headline words.Text
}

// update replaces the headline if the figure of a is as bad as before or worse. It ignores alerts
// of other rules than that of the first alert.
func (p *dayPeak) update(a *alert.Alert, headline words.Text) {
	value, ok := a.Value.Get()
	if alert.BuiltInRule(a.Rule).Column == alert.ColumnServiceLevel {
		value = -value // a lower level is worse
	}
	if ok && (p.rule == "" || p.rule == a.Rule && value >= p.value) {
		*p = dayPeak{a.Rule, value, headline}
	}
}

// update raises the peak to the values of the queue q if they exceed it.
func (b *peak) update(q queue, now time.Time) {
	if n, ok := q.waiting.Get(); ok && n > 0 && int(n) >= b.waiting {
		b.waiting, b.reachedAt, b.causesDue = int(n), now, true
	}
	was, _ := b.longestWait.Get()
	if d, ok := q.longestWait.Get(); ok && d > was {
		b.longestWait = q.longestWait
	}
}

// wait returns the longest wait, or 0 if it is unknown.
func (b *peak) wait() time.Duration {
	d, _ := b.longestWait.Seconds()
	return d
}

// figures returns the most contacts that waited, and the longest wait. A value that is not known is the zero
// Text; if no contact waited, both are.
func (b *peak) figures(ch model.Channel) (contacts, wait words.Text) {
	if b.waiting == 0 {
		return contacts, wait
	}
	if d, _ := b.longestWait.Seconds(); d >= time.Second {
		wait = words.WaitText(b.longestWait)
	}
	return words.CountWaiting(b.waiting, ch), wait
}

// phrase describes the peak in a phrase without a full stop.
func (b *peak) phrase(ch model.Channel) words.Text {
	contacts, wait := b.figures(ch)
	if wait.IsZero() {
		return words.SituationPeak(contacts)
	}
	return words.SituationPeakWait(contacts, wait)
}

// sentence describes the peak in a sentence. If no contact waited, it returns the zero Text.
func (b *peak) sentence(ch model.Channel) words.Text {
	switch contacts, wait := b.figures(ch); {
	case contacts.IsZero():
		return contacts
	case wait.IsZero():
		return words.SituationEnded(contacts)
	default:
		return words.SituationEndedWait(contacts, wait)
	}
}

// WithPeakText returns an ended alert with a text about the longest queue of its situation, because the
// text of an alert describes its last moment. It changes only alerts of built-in rules about queues,
// at the place of a situation in v whose queue was longest during the alert.
func (v *View) WithPeakText(a alert.Alert) alert.Alert {
	s := v.Find(func(s *Situation) bool { return s.Place.Key == a.Key && slices.Contains(s.alertIDs, a.ID) })
	if s == nil || s.peak.waiting == 0 || a.Ended.IsZero() || !alert.BuiltInRule(a.Rule).Column.IsQueue() ||
		s.peak.reachedAt.Before(a.Since) || s.peak.reachedAt.After(a.Ended) {
		return a
	}
	a.SetMessage(words.Name(s.Place.TitleOf(&a)), s.peak.phrase(a.Key.Channel))
	return a
}

// endedHeadline returns the headline of the situation after its end.
func (sit *Situation) endedHeadline() words.Text {
	m := &sit.messages
	if text := sit.peak.sentence(sit.Place.Key.Channel); !text.IsZero() {
		return text
	}
	if worst := sit.peak.day.headline; !worst.IsZero() && !worst.Equal(m.headline) {
		return words.SituationWorst(worst)
	}
	return m.headline
}

// shrunkShare is the share of the peak below which a queue counts as shrinking. The causes at the
// peak are then shown.
const shrunkShare = 0.75

// keepPeakCauses stores the causes while the queue grows and restores them while the queue shrinks.
// The current figures do not explain a shrinking queue, for example because agents have returned
// since the peak.
func (l *placeState) keepPeakCauses(w *Tracker, s *model.Snapshot) {
	sit, b := &l.current, &l.current.peak
	switch {
	case (b.causesDue || l.isGrowing()) && len(sit.Causes) > 0:
		b.causes, b.causesDue = sit.Causes, false
		return
	case len(b.causes) == 0 || sit.isOutdated(s):
		return
	case len(sit.Causes) > 0 && float64(sit.Affected) >= shrunkShare*float64(b.waiting):
		return
	}
	why := b.causes[0].Kind
	if slices.ContainsFunc(sit.Causes, func(c diagnosis.Cause) bool { return c.Kind == why }) {
		return
	}
	sit.Causes, sit.UnexplainedReason, sit.messages.unexplained = slices.Clone(b.causes), "", words.Text{}
	for i := range sit.Causes {
		c := &sit.Causes[i]
		c.Messages.Text = words.CauseAtPeak(words.ClockOf(b.reachedAt, w.zone), c.Messages.Text)
		c.SetTexts(nil)
	}
}

// isEased reports whether the queue is empty and all alerts are about the queue. The situation then
// ends soon unless another contact arrives.
func isEased(q queue, alerts []alert.Alert) bool {
	n, ok := q.waiting.Get()
	return ok && n <= 0 && !containsAlert(alerts, func(a *alert.Alert) bool {
		return a.Daily || a.Key.Scope == alert.User || !alert.BuiltInRule(a.Rule).Column.IsQueue()
	})
}

// NeedsAction reports whether a situation needs action. It is false if a viewer has taken the
// situation over or the queue is empty.
func (sit *Situation) NeedsAction() bool { return sit.Ack == (alert.Ack{}) && !sit.QueueEmpty }
