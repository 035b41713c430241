package render

import "wallboard/model"

// Alarm is what is wrong with something, in a word.
type Alarm struct {
	Level Level
	Word  string // "" for nothing

	rank int // orders alarms of one level
}

// orders the reasons of alarms of the same level, the worst last.
const (
	rankServiceLevel = iota + 1
	rankNobody
	rankWait
	rankUnstaffed
)

// worse returns the more urgent of two alarms.
func (a Alarm) worse(b Alarm) Alarm {
	if b.Level > a.Level || b.Level == a.Level && b.rank > a.rank {
		return b
	}
	return a
}

// append appends the alarm's glyph and word.
func (a Alarm) append(dst []byte, ascii bool) []byte {
	if a.Level == Normal {
		return dst
	}
	dst = append(dst, a.Level.Glyph(ascii)...)
	dst = append(dst, ' ')
	return append(dst, a.Word...)
}

// ServiceAlarm returns what is most wrong with a service: somebody waits and
// no agent is logged in ("unstaffed") or ready ("nobody"), waits for too long
// ("wait"), or the service level is below its target ("SL").
func ServiceAlarm(o *Options, r *model.Service) Alarm {
	c := &r.ChannelStats
	var worst Alarm
	if level := o.ServiceLevel(c.ServiceLevel(o.Formula)); level > Normal {
		worst = Alarm{level, "SL", rankServiceLevel}
	}
	if c.QueuedCalls.Or(0) <= 0 {
		return worst
	}
	if wait, ok := c.MaxTimeCallOnQueue.Get(); ok {
		if level := o.Limits.Wait.Level(secondsOf(wait)); level > Normal {
			worst = worst.worse(Alarm{level, "wait", rankWait})
		}
	}
	return worst.worse(staffing(r.UserStats.LoggedUsers.Count, r.UserStats.ReadyUsers.Count))
}

// GroupAlarm returns what is most wrong with a group: somebody waits and no
// agent is logged in ("unstaffed") or ready ("nobody").
func GroupAlarm(r *model.Group) Alarm {
	if r.ChannelStats.QueuedCalls.Or(0) <= 0 {
		return Alarm{}
	}
	return staffing(r.UserStats.LoggedUsers.Count, r.UserStats.ReadyUsers.Count)
}

// staffing is the alarm of a queue in which somebody waits.
func staffing(logged, ready model.Int) Alarm {
	switch {
	case logged == model.IntOf(0):
		return Alarm{Critical, "unstaffed", rankUnstaffed}
	case ready == model.IntOf(0):
		return Alarm{Warn, "nobody", rankNobody}
	}
	return Alarm{}
}
