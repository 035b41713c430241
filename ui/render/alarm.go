package render

import (
	"cmp"

	"wallboard/model"
	"wallboard/ui/table"
)

// Alarm is what is wrong with something: all reasons, the most urgent first.
// What can be helped now, because people wait, comes before the figures of the
// day, which no one can change any more, however bad these are.
type Alarm struct {
	Level Level // the worst of the reasons'

	reasons [maxReasons]reason
	n       int
}

// maxReasons is how many reasons there can be at once: a queue is either
// unstaffed or has nobody ready.
const maxReasons = 4

type reason struct {
	level Level
	why   why
}

// why names a reason. Of reasons equally urgent the later one comes first.
type why uint8

const (
	tooManyAbandon why = iota
	belowTarget
	nobodyReady // from here on somebody waits
	longWait
	unstaffed
)

func (w why) word() string {
	return [...]string{
		tooManyAbandon: "abandon", belowTarget: "SL", nobodyReady: "nobody", longWait: "wait", unstaffed: "unstaffed",
	}[w]
}

// urgency orders reasons: what is live first, and of that what is critical.
func (r reason) urgency() int {
	if r.why >= nobodyReady {
		return int(Critical) + int(r.level)
	}
	return int(r.level)
}

// add takes a reason in, unless its level is normal.
func (a *Alarm) add(l Level, w why) {
	if l == Normal {
		return
	}
	a.Level = max(a.Level, l)
	r := reason{l, w}
	i := a.n
	for ; i > 0; i-- {
		before := a.reasons[i-1]
		if cmp.Or(cmp.Compare(before.urgency(), r.urgency()), cmp.Compare(before.why, w)) >= 0 {
			break
		}
		a.reasons[i] = before
	}
	a.reasons[i] = r
	a.n++
}

// urgency is that of the most urgent reason, 0 for none.
func (a *Alarm) urgency() int {
	if a.n == 0 {
		return 0
	}
	return a.reasons[0].urgency()
}

// words passes on what a filter finds the alarm by.
func (a *Alarm) words(add func(string)) {
	for _, r := range a.reasons[:a.n] {
		add(r.why.word())
	}
}

// append appends the alarm's glyph and words.
func (a *Alarm) append(dst []byte, ascii bool) []byte {
	if a.n == 0 {
		return dst
	}
	dst = append(dst, a.Level.Glyph(ascii)...)
	for _, r := range a.reasons[:a.n] {
		dst = append(append(dst, ' '), r.why.word()...)
	}
	return dst
}

// ServiceAlarm returns what is wrong with a service: somebody waits and no
// agent is logged in ("unstaffed") or ready ("nobody"), somebody waits for too
// long ("wait"), the service level is below its target ("SL"), or too many
// callers leave ("abandon").
func ServiceAlarm(o *Options, r *model.Service) Alarm {
	c := &r.ChannelStats
	var a Alarm
	a.add(o.ServiceLevel(c.ServiceLevel(o.Formula)), belowTarget)
	a.add(o.Limits.Abandon(c.AbandonRate()), tooManyAbandon)
	a.add(o.Limits.waiting(c))
	a.add(o.Limits.staffing(serviceQueue(r)))
	return a
}

// GroupAlarm returns what is wrong with a group: somebody waits and no agent
// is logged in ("unstaffed") or ready ("nobody"), or too many callers leave
// ("abandon").
func GroupAlarm(o *Options, r *model.Group) Alarm {
	var a Alarm
	a.add(o.Limits.Abandon(r.ChannelStats.AbandonRate()), tooManyAbandon)
	a.add(o.Limits.staffing(groupQueue(r)))
	return a
}

// waiting is the alarm of the longest wait. It counts only while somebody
// waits: what the platform sends otherwise is the wait of somebody who has
// gone.
func (l *Limits) waiting(c *model.ServiceCalls) (Level, why) {
	wait, ok := c.MaxTimeCallOnQueue.Get()
	if !ok || c.QueuedCalls.Or(0) <= 0 {
		return Normal, longWait
	}
	return l.Wait.Level(secondsOf(wait)), longWait
}

// queue is who waits, and who is there for them. The longest wait of a group is
// not told by the platform.
type queue struct{ waiting, longest, logged, ready model.Int }

func serviceQueue(r *model.Service) queue {
	c, u := &r.ChannelStats, &r.UserStats
	return queue{c.QueuedCalls, c.MaxTimeCallOnQueue, u.LoggedUsers.Count, u.ReadyUsers.Count}
}

func groupQueue(r *model.Group) queue {
	return queue{
		waiting: r.ChannelStats.QueuedCalls,
		logged:  r.UserStats.LoggedUsers.Count, ready: r.UserStats.ReadyUsers.Count,
	}
}

// staffing is the alarm of a queue that nobody is there for. A moment without
// anybody ready is no alarm, or it would come and go with every call.
func (l *Limits) staffing(q queue) (Level, why) {
	switch {
	case q.waiting.Or(0) <= 0:
		return Normal, nobodyReady
	case q.logged == model.IntOf(0):
		return Critical, unstaffed
	case q.ready != model.IntOf(0):
		return Normal, nobodyReady
	}
	n, ok := q.longest.Get()
	if !ok {
		return Warn, nobodyReady
	}
	wait := secondsOf(n)
	if l.Wait.Level(wait) == Critical {
		return Critical, nobodyReady
	}
	return l.Nobody.Level(wait), nobodyReady
}

// alarmColumn sorts by urgency, what is equally urgent by name.
func alarmColumn[R any](priority int, of func(*Options, *R) Alarm) column[R] {
	return column[R]{
		Column: table.Column{
			ID: "alarm", Title: "Alarm", Min: 14, Ideal: 18, Priority: priority, Align: table.Left, Desc: true,
		},
		cell: func(v *View, r *row[R], dst *table.Cell) {
			a := of(v.Options, r.rec)
			dst.Text = a.append(dst.Text, v.Options.ASCII)
			dst.Style = v.level(a.Level)
		},
		order: func(v *View, a, b *row[R]) int {
			x, y := of(v.Options, a.rec), of(v.Options, b.rec)
			return cmp.Or(cmp.Compare(x.urgency(), y.urgency()), anyway(compareNames(a, b)))
		},
	}
}
