package backtest

import (
	"cmp"
	"slices"
	"time"

	"wallboard/internal/alert"
)

// AlertTotals holds the totals of the alerts of one rule in one set of rules.
type AlertTotals struct {
	Alerts       int
	TotalTime    time.Duration // sum of the durations of the alerts
	MedianTime   time.Duration // median duration of the alerts
	CriticalTime time.Duration // total time with at least one critical alert
	// Reraised counts alerts that were raised again on the same record within five minutes after
	// the previous end.
	Reraised int
}

// RuleComparison compares the alerts that a rule raises in two sets of rules. A set without the
// rule has no alerts.
type RuleComparison struct {
	Rule           string
	Scope          alert.Scope
	Current, Other AlertTotals // alerts of the first set; alerts of the second set
	// MedianLead is the median time by which the second set raises the common alerts earlier than
	// the first set. It is negative if the second set raises them later. CommonAlerts is the number
	// of alerts that both sets raise.
	MedianLead   time.Duration
	CommonAlerts int
	LostEpisodes []Episode // alerts of the first set without a counterpart in the second
	NewEpisodes  []Episode // alerts of the second set without a counterpart in the first
}

const (
	// flapWindow is how soon after the end of an alert another alert on the same record counts as a
	// flap.
	flapWindow = 5 * time.Minute
	// maxStartDistance is the longest time between the starts of two alerts that form a pair
	// without overlapping.
	maxStartDistance = 2 * time.Minute
)

// Compare compares the alerts of two outcomes by rule. The comparisons are sorted by the name of
// the rule. current and other may be the same outcome.
func Compare(current, other *Outcome) []RuleComparison {
	byRule := make(map[ruleKey]*RuleComparison)
	currentEpisodes, otherEpisodes := episodesByRule(current), episodesByRule(other)
	for _, set := range []*Outcome{current, other} {
		for i := range set.Set.Options.Rules {
			if r := &set.Set.Options.Rules[i]; !r.Disabled {
				byRule[ruleKey{r.Name, r.Scope}] = &RuleComparison{Rule: r.Name, Scope: r.Scope}
			}
		}
	}
	var lines []RuleComparison
	for k, l := range byRule {
		l.Current, l.Other = tally(currentEpisodes[k]), tally(otherEpisodes[k])
		l.matchAlerts(currentEpisodes[k], otherEpisodes[k])
		lines = append(lines, *l)
	}
	slices.SortFunc(lines, func(a, b RuleComparison) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Scope, b.Scope))
	})
	return lines
}

// ruleKey identifies a rule by name and scope. All variants of a rule for single records have the
// same key.
type ruleKey struct {
	name  string
	scope alert.Scope
}

func episodesByRule(o *Outcome) map[ruleKey][]Episode {
	out := make(map[ruleKey][]Episode)
	for _, e := range o.Episodes {
		k := ruleKey{e.Rule, e.Key.Scope}
		out[k] = append(out[k], e)
	}
	return out
}

// tally returns the totals of all alerts of a rule. The alerts must be sorted by start.
func tally(all []Episode) AlertTotals {
	t := AlertTotals{Alerts: len(all)}
	var lengths []time.Duration
	lastEnd := make(map[alert.Key]time.Time)
	for _, e := range all {
		t.TotalTime += e.Lasted
		lengths = append(lengths, e.Lasted)
		if end, again := lastEnd[e.Key]; again && e.Raised.Sub(end) <= flapWindow {
			t.Reraised++
		}
		lastEnd[e.Key] = e.Ended
	}
	t.MedianTime, t.CriticalTime = median(lengths), criticalTime(all)
	return t
}

func median(durations []time.Duration) time.Duration {
	if len(durations) == 0 {
		return 0
	}
	slices.Sort(durations)
	return durations[len(durations)/2]
}

// criticalTime returns the time during which at least one of the alerts was critical.
func criticalTime(all []Episode) (sum time.Duration) {
	var spans []Span
	for _, e := range all {
		spans = append(spans, e.Critical...)
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

// matchAlerts pairs the alerts of two sets one to one and sets the fields of l that depend on the pairs.
// An alert without a partner is added to LostEpisodes or NewEpisodes only if it does not overlap any alert
// of the other set. If it does, the other set raised one alert instead of several.
func (l *RuleComparison) matchAlerts(current, other []Episode) {
	partners := matchPairs(current, other)
	taken := make([]bool, len(other))
	var earlier []time.Duration
	for i := range current {
		e, at := &current[i], partners[i]
		if at < 0 {
			if !slices.ContainsFunc(other, func(o Episode) bool { return o.Key == e.Key && overlap(e, &o) >= 0 }) {
				l.LostEpisodes = append(l.LostEpisodes, *e)
			}
			continue
		}
		taken[at] = true
		if !e.BeforeStart && !other[at].BeforeStart {
			earlier = append(earlier, e.Raised.Sub(other[at].Raised))
		}
		l.CommonAlerts++
	}
	l.MedianLead = median(earlier)
	for i := range other {
		o := &other[i]
		if !taken[i] && !slices.ContainsFunc(current, func(e Episode) bool { return e.Key == o.Key && overlap(&e, o) >= 0 }) {
			l.NewEpisodes = append(l.NewEpisodes, *o)
		}
	}
}

// candidatePair is a possible pair of alerts of two sets about the same record.
type candidatePair struct {
	currentIndex, otherIndex int
	overlap                  time.Duration // time that the alerts have in common; negative: length of the gap between them
	startDistance            time.Duration // time between the starts of the alerts
}

// matchPairs returns the index in other of the partner of each alert in current, or -1. It first
// pairs alerts that began at the same time, then those with the longest overlap, then those that
// began within two minutes of each other. For an alert that is raised again and again, the nearest
// neighbor may be the wrong partner, so this order matters.
func matchPairs(current, other []Episode) []int {
	byKey := make(map[alert.Key][]int)
	for i := range other {
		byKey[other[i].Key] = append(byKey[other[i].Key], i)
	}
	var candidates []candidatePair
	for i := range current {
		for _, j := range byKey[current[i].Key] {
			c := candidatePair{i, j, overlap(&current[i], &other[j]), current[i].Raised.Sub(other[j].Raised).Abs()}
			if c.overlap >= 0 || c.startDistance <= maxStartDistance {
				candidates = append(candidates, c)
			}
		}
	}
	slices.SortStableFunc(candidates, func(a, b candidatePair) int {
		if same := a.startDistance == 0; same != (b.startDistance == 0) {
			if same {
				return -1
			}
			return 1
		}
		if by := cmp.Compare(max(b.overlap, -1), max(a.overlap, -1)); by != 0 {
			return by
		}
		return cmp.Compare(a.startDistance, b.startDistance)
	})
	partners, taken := slices.Repeat([]int{-1}, len(current)), make([]bool, len(other))
	for _, c := range candidates {
		if partners[c.currentIndex] < 0 && !taken[c.otherIndex] {
			partners[c.currentIndex], taken[c.otherIndex] = c.otherIndex, true
		}
	}
	return partners
}

// overlap returns the time that two alerts have in common. If they do not overlap, it returns the
// negative length of the gap between them.
func overlap(a, b *Episode) time.Duration {
	from, to := a.Raised, a.Ended
	if b.Raised.After(from) {
		from = b.Raised
	}
	if b.Ended.Before(to) {
		to = b.Ended
	}
	return to.Sub(from)
}

// ChartCell is the state of the alerts in one cell of a chart.
type ChartCell int

// Cells of a chart, from the least to the most severe.
const (
	CellUnrecorded ChartCell = iota
	CellQuiet
	CellWarning
	CellCritical
)

// Chart divides the time of the backtest into width cells and returns the state of each cell: that
// nothing was recorded or raised, or the worst level of the alerts of o for which matches returns
// true.
func (r *Result) Chart(o *Outcome, width int, matches func(e *Episode) bool) []ChartCell {
	cells := make([]ChartCell, max(width, 0))
	span := r.To.Sub(r.From)
	if span <= 0 || width <= 0 {
		return cells
	}
	at := func(t time.Time) int {
		return min(max(int(float64(width)*float64(t.Sub(r.From))/float64(span)), 0), width-1)
	}
	for i := range cells {
		cells[i] = CellQuiet
	}
	for _, g := range r.Gaps {
		for i := at(g.From) + 1; i < at(g.To); i++ {
			cells[i] = CellUnrecorded
		}
	}
	mark := func(from, to time.Time, is ChartCell) {
		for i := at(from); i <= at(to); i++ {
			if cells[i] != CellUnrecorded {
				cells[i] = max(cells[i], is)
			}
		}
	}
	for _, e := range o.Episodes {
		if !matches(&e) {
			continue
		}
		mark(e.Raised, e.Ended, CellWarning)
		for _, s := range e.Critical {
			mark(s.From, s.To, CellCritical)
		}
	}
	return cells
}
