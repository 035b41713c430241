package breaks

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"wallboard/internal/phrases"
	"wallboard/model"
)

// Record holds an agent's breaks of the day with one activity code.
type Record struct {
	Username, Code string
	Name           string // surname and name of an agent who has logged out; "": unknown, or still logged in
	Limit          Limit
	// Total is today's time with the code in seconds as the platform counts it. It is not defined
	// whether this includes a current break.
	Total   model.Figure
	OverDay time.Duration // by how much Total exceeds the limit per day; 0: it does not, or this is unknown
	// Breaks counts the breaks that were observed from their begin to their end, and a current one.
	// Overruns counts those of them that exceeded the limit per break.
	Breaks, Overruns int
	Longest          time.Duration // of these breaks
	Over             time.Duration // by how much Longest exceeds the limit per break; 0: it does not
	Away             bool          // the agent is on such a break
}

// Exceeds reports whether a limit was exceeded.
func (r *Record) Exceeds() bool { return r.Overruns > 0 || r.OverDay > 0 }

// agentDay holds the breaks of an agent by code, until the platform's totals begin again.
type agentDay struct {
	codes map[string]*codeDay
	total int64  // the platform's last total of all codes, in seconds
	name  string // as in [Record]
	// channel is that of the record with the total: the totals of channels are not comparable.
	channel model.Channel
}

// codeDay holds the breaks with one code.
type codeDay struct {
	breaks, overruns int
	longest          time.Duration
	total            model.Figure // the platform's total at the logout
}

func (d *codeDay) add(length, limit time.Duration) {
	d.breaks++
	d.longest = max(d.longest, length)
	if limit > 0 && length > limit {
		d.overruns++
	}
}

// day returns the entry of an agent and a code, and creates it if it is missing.
func (w *Tracker) day(name, code string) *codeDay {
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

// logout removes an agent who is no longer logged in, and keeps the totals of the day.
func (w *Tracker) logout(name string, a *agent) {
	delete(w.agents, name)
	for _, t := range a.record.TimeInActivityCode {
		if s, ok := t.TotalTime.Get(); ok && s > 0 {
			w.day(name, t.ActivityCode).total = t.TotalTime.Figure()
		}
	}
	if sum, ok := totalTime(a.record); ok && w.days[name] != nil {
		w.days[name].total, w.days[name].channel = sum, a.record.Channel
	}
	if d := w.days[name]; d != nil {
		d.name = phrases.FullName(a.record.Surname, a.record.Name, "")
	}
}

// totalTime returns the sum of an agent's times with activity codes, in seconds; ok is false if none
// is known.
func totalTime(r *model.UserStat) (sum int64, ok bool) {
	for _, t := range r.TimeInActivityCode {
		if s, known := t.TotalTime.Get(); known {
			sum, ok = sum+s, true
		}
	}
	return sum, ok
}

// dropOldDay drops the breaks of an agent if the platform has reset its totals.
func (w *Tracker) dropOldDay(name string, r *model.UserStat) {
	d := w.days[name]
	if d == nil {
		return
	}
	switch sum, ok := totalTime(r); {
	case !ok:
	case sum < d.total && d.channel == r.Channel:
		delete(w.days, name)
	default:
		d.total, d.channel = sum, r.Channel
	}
}

// Remember adds the breaks that another tracker has observed before this one, on the same day.
func (w *Tracker) Remember(past *Tracker) {
	if !past.updatedAt.IsZero() && !w.updatedAt.IsZero() && !sameDay(past.updatedAt, w.updatedAt) {
		return
	}
	for name, d := range past.days {
		a := w.agents[name]
		if a != nil {
			if sum, ok := totalTime(a.record); ok && sum < d.total && d.channel == a.record.Channel {
				continue // the totals have been reset since
			}
		}
		for code, c := range d.codes {
			if a != nil && c.breaks == 0 {
				continue
			}
			own := w.day(name, code)
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
	if !past.startedAt.IsZero() && (w.startedAt.IsZero() || past.startedAt.Before(w.startedAt)) {
		w.startedAt = past.startedAt
	}
}

// sameDay reports whether two times are on the same day of this machine's zone.
func sameDay(a, b time.Time) bool {
	return a.Local().Format(time.DateOnly) == b.Local().Format(time.DateOnly)
}

// Since returns the time from which breaks have been observed; zero: there were no figures yet.
func (w *Tracker) Since() time.Time { return w.startedAt }

// Day returns today's breaks of all agents who had one, sorted by user name and code. It includes
// agents who have logged out since [Tracker.Since].
func (w *Tracker) Day(now time.Time) []Record {
	var out []Record
	names := make(map[string]bool, len(w.agents))
	for name := range w.agents {
		names[name] = true
	}
	for name := range w.days {
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		out = append(out, w.recordsOf(name, now)...)
	}
	return out
}

// recordsOf returns the records of an agent, sorted by code.
func (w *Tracker) recordsOf(name string, now time.Time) []Record {
	byCode := make(map[string]*Record)
	record := func(code string) *Record {
		if byCode[code] == nil {
			byCode[code] = &Record{Username: name, Code: code, Limit: w.limits.limitOf(code)}
			if d := w.days[name]; d != nil && w.agents[name] == nil {
				byCode[code].Name = d.name
			}
		}
		return byCode[code]
	}
	if d := w.days[name]; d != nil {
		for code, c := range d.codes {
			r := record(code)
			r.Total, r.Breaks, r.Overruns, r.Longest = c.total, c.breaks, c.overruns, c.longest
		}
	}
	if a := w.agents[name]; a != nil {
		for _, t := range a.record.TimeInActivityCode {
			if s, ok := t.TotalTime.Get(); ok && s > 0 {
				record(t.ActivityCode).Total = t.TotalTime.Figure()
			}
		}
		if a.code != "" {
			r := record(a.code)
			r.Away = true
			r.Breaks++
			if length := now.Sub(a.since); !a.since.IsZero() && length > 0 {
				r.Longest = max(r.Longest, length)
				if r.Limit.PerTime > 0 && length > r.Limit.PerTime {
					r.Overruns++
				}
			}
		}
	}
	out := make([]Record, 0, len(byCode))
	for _, r := range byCode {
		if r.Limit.PerTime > 0 {
			r.Over = max(r.Longest-r.Limit.PerTime, 0)
		}
		if s, ok := r.Total.Seconds(); ok && r.Limit.PerDay > 0 {
			r.OverDay = max(s-r.Limit.PerDay, 0)
		}
		out = append(out, *r)
	}
	slices.SortFunc(out, func(a, b Record) int { return cmp.Compare(a.Code, b.Code) })
	return out
}
