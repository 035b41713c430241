package trial

import (
	"cmp"
	"slices"
	"time"

	"wallboard/alert"
)

func compareKeys(a, b alert.Key) int { return cmp.Compare(a.String(), b.String()) }

// Tally is what one rule of a set comes to.
type Tally struct {
	Times  int           // alerts
	Lasted time.Duration // all of them together
	Median time.Duration // how long one of them lasted
	Red    time.Duration // in which at least one of them was critical
	// Flaps are alerts that were raised again on the same record within five minutes of
	// the end of the one before: nobody knows whether to act.
	Flaps int
}

// Line is a rule as two sets have it. Of rules that only one of them has, the other has
// no alerts.
type Line struct {
	Rule        string
	Scope       alert.Scope
	Today, Then Tally // by the first set, and by the other
	// Earlier is how much sooner the other set raises what both do, as a median; negative
	// where it is later. Both is how many that are.
	Earlier time.Duration
	Both    int
	Unseen  []Episode // of the first set, of which the other raises nothing on that record meanwhile
	New     []Episode // of the other set, likewise
}

const (
	// flap is how soon after its end an alert is raised again that flaps.
	flap = 5 * time.Minute
	// near is how far apart two alerts may begin that are about the same, where they do not
	// overlap.
	near = 2 * time.Minute
)

// Compare compares two outcomes rule by rule, in the order of names. Today may be the same
// as then.
func Compare(today, then *Outcome) []Line {
	byRule := make(map[ruleKey]*Line)
	was, is := perRule(today), perRule(then)
	for _, set := range []*Outcome{today, then} {
		for i := range set.Set.Options.Rules {
			if r := &set.Set.Options.Rules[i]; !r.Off {
				byRule[ruleKey{r.Name, r.Scope}] = &Line{Rule: r.Name, Scope: r.Scope}
			}
		}
	}
	var lines []Line
	for k, l := range byRule {
		l.Today, l.Then = tally(was[k]), tally(is[k])
		l.match(was[k], is[k])
		lines = append(lines, *l)
	}
	slices.SortFunc(lines, func(a, b Line) int { return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Scope, b.Scope)) })
	return lines
}

// ruleKey is a rule, and those of its name and scope about single records.
type ruleKey struct {
	name  string
	scope alert.Scope
}

func perRule(o *Outcome) map[ruleKey][]Episode {
	out := make(map[ruleKey][]Episode)
	for _, e := range o.Episodes {
		k := ruleKey{e.Rule, e.Key.Scope}
		out[k] = append(out[k], e)
	}
	return out
}

// tally adds up the alerts of a rule.
func tally(all []Episode) Tally {
	t := Tally{Times: len(all)}
	var lengths []time.Duration
	lastEnd := make(map[alert.Key]time.Time)
	for _, e := range all {
		t.Lasted += e.Lasted
		lengths = append(lengths, e.Lasted)
		if end, again := lastEnd[e.Key]; again && e.Raised.Sub(end) <= flap {
			t.Flaps++
		}
		lastEnd[e.Key] = e.Ended
	}
	t.Median, t.Red = median(lengths), red(all)
	return t
}

func median(of []time.Duration) time.Duration {
	if len(of) == 0 {
		return 0
	}
	slices.Sort(of)
	return of[len(of)/2]
}

// red is the time in which at least one of some alerts was critical.
func red(all []Episode) (sum time.Duration) {
	var spans []Span
	for _, e := range all {
		spans = append(spans, e.Reds...)
	}
	slices.SortFunc(spans, func(a, b Span) int { return a.From.Compare(b.From) })
	var until time.Time
	for _, s := range spans {
		if s.From.Before(until) {
			s.From = until
		}
		if s.To.After(s.From) {
			sum += s.To.Sub(s.From)
			until = s.To
		}
	}
	return sum
}

// match finds which alerts of two sets are about the same.
func (l *Line) match(was, is []Episode) {
	taken := make([]bool, len(is))
	var earlier []time.Duration
	for _, e := range was {
		at := slices.IndexFunc(is, func(o Episode) bool { return o.Key == e.Key && same(&e, &o) })
		if at < 0 {
			l.Unseen = append(l.Unseen, e)
			continue
		}
		for i := range is {
			taken[i] = taken[i] || is[i].Key == e.Key && same(&e, &is[i])
		}
		if !e.Before && !is[at].Before {
			earlier = append(earlier, e.Raised.Sub(is[at].Raised))
		}
		l.Both++
	}
	l.Earlier = median(earlier)
	for i := range is {
		if !taken[i] {
			l.New = append(l.New, is[i])
		}
	}
}

// same reports whether two alerts about one record are about the same.
func same(a, b *Episode) bool {
	return !a.Raised.After(b.Ended) && !b.Raised.After(a.Ended) || a.Raised.Sub(b.Raised).Abs() <= near
}

// Cell is how it was in a part of the day.
type Cell int

// The cells of a chart.
const (
	Unrecorded Cell = iota
	Quiet
	Warned
	WasCritical
)

// Chart is the time in so many cells: the worst of some of an outcome's alerts in each.
func (r *Result) Chart(o *Outcome, width int, of func(e *Episode) bool) []Cell {
	cells := make([]Cell, max(width, 0))
	span := r.To.Sub(r.From)
	if span <= 0 || width <= 0 {
		return cells
	}
	at := func(t time.Time) int {
		return min(max(int(float64(width)*float64(t.Sub(r.From))/float64(span)), 0), width-1)
	}
	for i := range cells {
		cells[i] = Quiet
	}
	for _, g := range r.Gaps {
		for i := at(g.From) + 1; i < at(g.To); i++ {
			cells[i] = Unrecorded
		}
	}
	mark := func(from, to time.Time, is Cell) {
		for i := at(from); i <= at(to); i++ {
			if cells[i] != Unrecorded {
				cells[i] = max(cells[i], is)
			}
		}
	}
	for _, e := range o.Episodes {
		if !of(&e) {
			continue
		}
		mark(e.Raised, e.Ended, Warned)
		for _, s := range e.Reds {
			mark(s.From, s.To, WasCritical)
		}
	}
	return cells
}
