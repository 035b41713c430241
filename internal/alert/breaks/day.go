package breaks

import (
	"maps"
	"slices"
	"time"

	"wallboard/internal/textformat"
	"wallboard/model"
)

// DayTotal holds the totals of an agent's breaks with one activity code today.
type DayTotal struct {
	Username, Code string
	Name           string // surname and name of an agent who has logged out; "": unknown, or still logged in
	Limit          Limit
	// Total is the total time with the code today in seconds, as in the field UsedToday of
	// [AgentOnBreak].
	Total        model.Figure
	OverDayLimit time.Duration // by how much Total exceeds the limit per day; 0: not exceeded or unknown
	// Breaks is the number of breaks observed from beginning to end, plus the current break.
	// Overruns is how many of them exceeded the limit per break.
	Breaks, Overruns int
	Longest          time.Duration // longest of the Breaks
	LongestOverrun   time.Duration // by how much Longest exceeds the limit per break; 0: it does not
	OnBreak          bool          // the agent is on a break with the code now
}

// ExceedsLimit reports whether the agent has exceeded the limit per break or the limit per day.
func (r *DayTotal) ExceedsLimit() bool { return r.Overruns > 0 || r.OverDayLimit > 0 }

// WasObserved reports whether the breaks were observed. If it is false, the platform counts time with the
// code, or does not report its total, but no break was observed: Breaks, Overruns, Longest and
// LongestOverrun are unknown.
func (r *DayTotal) WasObserved() bool {
	total, ok := r.Total.Seconds()
	return r.Breaks > 0 || ok && total <= 0
}

// agentDay holds the breaks of an agent since the platform's last reset of the totals.
type agentDay struct {
	codes map[string]*codeDay
	total int64  // sum of the times with all codes in seconds, as last reported by the platform
	name  string // see the field Name of [DayTotal]
	// channel is the channel of total. Totals of different channels are not comparable.
	channel model.Channel
}

// codeDay holds the breaks of an agent with one code.
type codeDay struct {
	breaks, overruns int
	longest          time.Duration
	total            model.Figure // total time counted by the platform at the logout
}

func (d *codeDay) addBreak(length, limit time.Duration) {
	d.breaks++
	d.longest = max(d.longest, length)
	if limit > 0 && length > limit {
		d.overruns++
	}
}

// dayEntry returns the entry for an agent and a code. If it is missing, dayEntry creates it.
func (w *Tracker) dayEntry(name, code string) *codeDay {
	if w.days == nil {
		w.days = make(map[string]*agentDay)
	}
	d := w.days[name]
	if d == nil {
		d = &agentDay{codes: make(map[string]*codeDay)}
		w.days[name] = d
	}
	if d.codes[code] == nil {
		d.codes[code] = &codeDay{}
	}
	return d.codes[code]
}

// logout removes an agent who is no longer logged in and keeps the agent's totals of the day.
func (w *Tracker) logout(name string, a *agent) {
	delete(w.agents, name)
	for _, t := range a.record.TimeInActivityCode {
		if s, ok := t.TotalTime.Get(); ok && s > 0 {
			w.dayEntry(name, t.ActivityCode).total = t.TotalTime.Figure()
		}
	}
	if d := w.days[name]; d != nil {
		d.setTotal(a.record)
		d.name = textformat.FullName(a.record.Surname, a.record.Name, "")
	}
}

// activityCodeTime returns the sum of an agent's times with all activity codes, in seconds. If no
// time is known, ok is false.
func activityCodeTime(r *model.UserStat) (sum int64, ok bool) {
	for _, t := range r.TimeInActivityCode {
		if s, known := t.TotalTime.Get(); known {
			sum, ok = sum+s, true
		}
	}
	return sum, ok
}

// isResetBy reports whether r shows that the platform has reset the agent's totals of the day.
func (d *agentDay) isResetBy(r *model.UserStat) bool {
	sum, ok := activityCodeTime(r)
	return ok && sum < d.total && d.channel == r.Channel
}

// setTotal sets the total to the sum of the times in a record, if any is known.
func (d *agentDay) setTotal(r *model.UserStat) {
	if sum, ok := activityCodeTime(r); ok {
		d.total, d.channel = sum, r.Channel
	}
}

// dropOldDay drops the breaks of an agent if the record r shows that the platform has reset the
// totals of the day. Otherwise it updates the total of the agent.
func (w *Tracker) dropOldDay(name string, r *model.UserStat) {
	switch d := w.days[name]; {
	case d == nil:
	case d.isResetBy(r):
		delete(w.days, name)
	default:
		d.setTotal(r)
	}
}

// MergeHistory adds the breaks that another tracker observed before this one. If the two trackers
// observed different days, it does nothing.
func (w *Tracker) MergeHistory(past *Tracker) {
	if !past.updatedAt.IsZero() && !w.updatedAt.IsZero() && !sameDay(past.updatedAt, w.updatedAt) {
		return
	}
	for name, before := range past.agents {
		// If there is no gap between the two observations, the agent had no break in between.
		if a := w.agents[name]; a != nil && a.code == "" && a.workingSince.IsZero() && before.code == "" && w.startedAt.Sub(past.updatedAt) <= maxStateGap {
			a.workingSince = before.workingSince
		}
	}
	for name, d := range past.days {
		a := w.agents[name]
		if a != nil && d.isResetBy(a.record) {
			continue
		}
		w.mergeDay(name, d, a != nil)
	}
	if !past.startedAt.IsZero() && (w.startedAt.IsZero() || past.startedAt.Before(w.startedAt)) {
		w.startedAt = past.startedAt
	}
}

// mergeDay adds the breaks of an agent that another tracker has observed. present reports
// whether the agent is logged in now. If so, codes without an observed break are skipped, because
// the agent's record has their totals.
func (w *Tracker) mergeDay(name string, d *agentDay, present bool) {
	for code, c := range d.codes {
		if present && c.breaks == 0 {
			continue
		}
		own := w.dayEntry(name, code)
		own.breaks += c.breaks
		own.overruns += c.overruns
		own.longest = max(own.longest, c.longest)
		if own.total == (model.Figure{}) {
			own.total = c.total
		}
	}
	if own := w.days[name]; own != nil && own.name == "" {
		own.name = d.name
	}
}

func sameDay(a, b time.Time) bool {
	return a.Local().Format(time.DateOnly) == b.Local().Format(time.DateOnly)
}

// ObservedSince returns when the observation of breaks began, or the zero time if there were no
// figures yet.
func (w *Tracker) ObservedSince() time.Time { return w.startedAt }

// DayTotals returns today's breaks of all agents with breaks, sorted by username and code. It includes
// agents who have logged out since [Tracker.ObservedSince].
func (w *Tracker) DayTotals(now time.Time) []DayTotal {
	var out []DayTotal
	names := make(map[string]bool, len(w.agents))
	for name := range w.agents {
		names[name] = true
	}
	for name := range w.days {
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		out = append(out, w.dayTotalsOf(name, now)...)
	}
	return out
}

// dayTotalsOf returns the totals of an agent for each code used today, sorted by code.
func (w *Tracker) dayTotalsOf(name string, now time.Time) []DayTotal {
	codes, former := make(map[string]codeDay), ""
	if d := w.days[name]; d != nil {
		for code, c := range d.codes {
			codes[code] = *c
		}
		former = d.name
	}
	activityCode := ""
	if a := w.agents[name]; a != nil {
		activityCode, former = a.code, ""
		for _, t := range a.record.TimeInActivityCode {
			if s, ok := t.TotalTime.Get(); ok && s > 0 {
				c := codes[t.ActivityCode]
				c.total = t.TotalTime.Figure()
				codes[t.ActivityCode] = c
			}
		}
		if activityCode != "" {
			length := time.Duration(0) // 0: the length is unknown
			if !a.since.IsZero() {
				length = max(now.Sub(a.since), 0)
			}
			c := codes[activityCode]
			c.addBreak(length, w.limits.limitOf(activityCode).PerBreak)
			if used := usedToday(a.record, activityCode); used != (model.Figure{}) {
				c.total = addCurrentBreak(used, length)
			} // otherwise keep the total from the logout
			codes[activityCode] = c
		}
	}
	out := make([]DayTotal, 0, len(codes))
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		c := codes[code]
		r := DayTotal{
			Username: name, Code: code, Name: former, Limit: w.limits.limitOf(code), Total: c.total,
			Breaks: c.breaks, Overruns: c.overruns, Longest: c.longest, OnBreak: activityCode != "" && code == activityCode,
		}
		if r.Limit.PerBreak > 0 {
			r.LongestOverrun = max(r.Longest-r.Limit.PerBreak, 0)
		}
		if s, ok := r.Total.Seconds(); ok && r.Limit.PerDay > 0 {
			r.OverDayLimit = max(s-r.Limit.PerDay, 0)
		}
		out = append(out, r)
	}
	return out
}
