// Package verdict says what the rules of a board have been worth: how often each fired, what
// became of that, whether it came before a real miss, and which level or duration would have
// spared alarms and lost none that mattered. It is pure: it looks at pictures of what was,
// with an engine by the rules of now.
package verdict

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"wallboard/alert"
	"wallboard/model"
)

const (
	// Step is how far the pictures are apart that rules are judged by: a time that a rule
	// asks for wants proof for all of it.
	Step = 10 * time.Second
	// missLength is how long the intervals are in which a service level is a miss, missCalls
	// how many contacts have to count in one.
	missLength = 15 * time.Minute
	missCalls  = 10
	// missAfter is how long after an alarm a miss may begin that it came before.
	missAfter = 30 * time.Minute
	// Quickly is within which time an alarm was over by itself before anybody could act.
	Quickly = 2 * time.Minute
)

// Rule is what a rule has been worth.
type Rule struct {
	Name  string
	Scope alert.Scope

	Fired     int
	TakenOver int
	ByItself  int // it ended, and nobody had taken it over
	Quick     int // of these, those that were over quickly
	Open      int // it had not ended yet
	// BeforeMiss are those that came before an interval in which the service missed its
	// level; Judged reports whether the rule is about services, so that this is known.
	BeforeMiss int
	Judged     bool
	Proposal   Proposal
}

// Report is what all rules have been worth.
type Report struct {
	From, To time.Time // the first and the last picture; zero: there was none
	Misses   int       // intervals in which a service missed its level
	Rules    []Rule    // those that fired most often first
}

// Options are what a report goes by.
type Options struct {
	// Taken are alerts of which somebody has taken some over.
	Taken []alert.Alert
	// Marks are those of the recording: some are of take-overs, of whatever board.
	Marks []model.Mark
}

// fired is an alarm, and what became of it.
type fired struct {
	alert.Alert
	better alert.Direction // which values of its figure are better
	peak   float64
	known  bool // the peak is
	taken  bool
	miss   time.Time // when the missed interval that it came before ends; zero: it came before none
}

// lasted is how long an alarm was open.
func (f *fired) lasted(until time.Time) time.Duration {
	if f.Ended.IsZero() {
		return until.Sub(f.Raised)
	}
	return f.Ended.Sub(f.Raised)
}

// mattered reports whether somebody needed an alarm.
func (f *fired) mattered() bool { return f.taken || !f.miss.IsZero() }

// Judge looks at pictures in the order of time, [Step] apart, with an engine that nobody
// else uses. The error is that of the pictures, or of the context.
func Judge(ctx context.Context, pictures iter.Seq2[*model.Snapshot, error], e *alert.Engine, o Options) (Report, error) {
	j := judge{engine: e, alarms: make(map[string]*fired), begun: make(map[place]count)}
	for s, err := range pictures {
		if err != nil {
			return Report{}, err
		}
		if err := ctx.Err(); err != nil {
			return Report{}, fmt.Errorf("judge the rules: %w", err)
		}
		j.see(s)
	}
	j.taken(o.Taken)
	j.marked(o.Marks)
	return j.report(), nil
}

// judge is a report while the pictures are gone through.
type judge struct {
	engine *alert.Engine
	from   time.Time
	to     time.Time
	alarms map[string]*fired // by ID
	order  []*fired
	misses []miss

	interval time.Time // when the present one began
	counted  time.Time // of the last picture
	begun    map[place]count
	now      map[place]count
}

// place is a service on a channel; all of them without a code.
type place struct {
	code    string
	channel model.Channel
}

// count is what a service level is made of.
type count struct{ inTime, all int64 }

// miss is an interval in which a service missed its level.
type miss struct {
	place
	from, to time.Time
}

// see takes a picture over.
func (j *judge) see(s *model.Snapshot) {
	if s.At.Before(j.to) {
		return // a clock was set back
	}
	if j.from.IsZero() {
		j.from = s.At
	}
	j.to = s.At
	for _, c := range j.engine.Evaluate(s, s.At) {
		switch c.Kind {
		case alert.Raised:
			if !c.Alert.FromStart { // nobody knows when it began
				f := &fired{Alert: c.Alert, better: j.better(&c.Alert)}
				j.alarms[c.Alert.ID], j.order = f, append(j.order, f)
			}
		case alert.Cleared, alert.Vanished:
			if f := j.alarms[c.Alert.ID]; f != nil {
				f.Ended = c.Alert.Ended
			}
		case alert.Escalated, alert.Eased, alert.Resumed:
		}
	}
	for _, a := range j.engine.Active() {
		if f := j.alarms[a.ID]; f != nil {
			f.reach(a.Value)
		}
	}
	j.count(s)
}

// reach notes a value of the alarm's figure, the worst of which counts.
func (f *fired) reach(value model.Figure) {
	v, ok := value.Get()
	if !ok {
		return
	}
	if !f.known || worse(f.better, v, f.peak) {
		f.peak, f.known = v, true
	}
}

// better is which values of an alert's figure are better.
func (j *judge) better(a *alert.Alert) alert.Direction {
	for _, r := range alert.RulesOf(j.engine) {
		if r.Name == a.Rule && r.Scope == a.Key.Scope {
			return r.Direction
		}
	}
	return alert.Lower
}

// worse reports whether a is worse than b.
func worse(d alert.Direction, a, b float64) bool {
	if d == alert.Higher {
		return a < b
	}
	return a > b
}

// count follows the service levels, by intervals.
func (j *judge) count(s *model.Snapshot) {
	if at := s.At.Truncate(missLength); !at.Equal(j.interval) {
		unbroken := s.At.Sub(j.counted) <= time.Minute
		if unbroken {
			j.settle()
		}
		if j.interval, j.begun = at, j.now; !unbroken { // nobody knows how it began
			j.begun = nil
		}
	}
	j.counted = s.At
	before := j.now
	j.now = make(map[place]count)
	for r := range s.Services.All() {
		inTime, all, ok := r.ChannelStats.Counted(j.engine.Goal(r.Key().Code).Formula)
		if !ok {
			continue
		}
		for _, p := range []place{{r.Key().Code, r.Channel}, {"", r.Channel}} {
			c := j.now[p]
			j.now[p] = count{c.inTime + inTime, c.all + all}
		}
	}
	for p, was := range before {
		if now, there := j.now[p]; there && now.all < was.all { // they began anew, or a clock was set back
			j.begun = nil
		}
	}
}

// settle notes which services missed their level in the interval that is over.
func (j *judge) settle() {
	for p, was := range j.begun {
		now, there := j.now[p]
		inTime, all := now.inTime-was.inTime, now.all-was.all
		target, measured := j.engine.Goal(p.code).ServiceLevel.Get()
		if !there || !measured || inTime < 0 || all < missCalls {
			continue
		}
		if float64(inTime) <= target*float64(all)-1 { // by a contact at least
			j.misses = append(j.misses, miss{p, j.interval, j.interval.Add(missLength)})
		}
	}
}

// taken notes which alarms somebody took over: what they did is known of other alerts.
func (j *judge) taken(list []alert.Alert) {
	const near = 2 * time.Minute
	for i := range list {
		a := &list[i]
		if a.Ack == (alert.Ack{}) {
			continue
		}
		for _, f := range j.order {
			if f.Rule == a.Rule && f.Key == a.Key && f.Raised.Sub(a.Raised).Abs() <= near {
				f.taken = true
			}
		}
	}
}

// marked notes which alarms somebody took over, as the recording has it: what was open then.
func (j *judge) marked(marks []model.Mark) {
	for i := range marks {
		t, at := &marks[i].Taken, marks[i].At
		if at.After(j.to) { // what was done later has no part in it
			continue
		}
		key := alert.Key{Scope: alert.Scope(t.Scope), Code: t.Code, Channel: t.Channel}
		for _, f := range j.order {
			// An alarm is found and over as much later than it was as pictures are apart.
			open := !at.Before(f.Raised.Add(-Step)) && (f.Ended.IsZero() || !at.After(f.Ended))
			if open && f.Rule == t.Rule && f.Key == key {
				f.taken = true
			}
		}
	}
}

// report adds up.
func (j *judge) report() Report {
	out := Report{From: j.from, To: j.to}
	for _, m := range j.misses {
		if m.code != "" {
			out.Misses++
		}
	}
	by := make(map[string]*Rule)
	of := make(map[string][]*fired)
	var ids []string
	for _, r := range alert.RulesOf(j.engine) {
		id := string(r.Scope) + "\x00" + r.Name
		if by[id] == nil {
			ids = append(ids, id)
			by[id] = &Rule{Name: r.Name, Scope: r.Scope, Judged: r.Scope == alert.Service || r.Scope == alert.Floor}
		}
	}
	for _, f := range j.order {
		id := string(f.Key.Scope) + "\x00" + f.Rule
		r := by[id]
		if r == nil {
			continue
		}
		if r.Judged {
			f.miss = j.before(f)
		}
		of[id] = append(of[id], f)
		r.Fired++
		switch {
		case f.taken:
			r.TakenOver++
		case f.Ended.IsZero():
			r.Open++
		default:
			r.ByItself++
			if f.lasted(j.to) <= Quickly {
				r.Quick++
			}
		}
		if !f.miss.IsZero() {
			r.BeforeMiss++
		}
	}
	for _, id := range ids {
		by[id].Proposal = propose(j.engine, by[id], of[id], j.to)
		out.Rules = append(out.Rules, *by[id])
	}
	slices.SortStableFunc(out.Rules, func(a, b Rule) int { return cmp.Compare(b.Fired, a.Fired) })
	return out
}

// before returns when the first missed interval ends that an alarm came before, the zero time
// for none.
func (j *judge) before(f *fired) time.Time {
	p := place{channel: f.Key.Channel}
	if f.Key.Scope == alert.Service {
		p.code = f.Key.Code
	}
	if p.channel == "" {
		p.channel = model.Call
	}
	for _, m := range j.misses {
		if m.place == p && f.Raised.Before(m.to) && m.from.Sub(f.Raised) <= missAfter {
			return m.to
		}
	}
	return time.Time{}
}
