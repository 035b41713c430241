package alert

import (
	"iter"
	"slices"
	"strings"

	"wallboard/model/kpi"
)

// Adopt takes over what another engine knows, which must not be used
// afterwards: a changed configuration goes on where the one before it was.
// Open alerts and acknowledgements stay where their rule still is, whatever its
// levels are now; the next [Engine.Evaluate] judges them. How long a condition
// has been met counts on where it is the same condition, and samples stay where
// they are samples of the same figure. It returns the alerts that ended because
// nothing judges their record by that rule any more.
func (e *Engine) Adopt(old *Engine) []Change {
	for _, a := range old.active {
		old.speech.settle(a) // in its own words
	}
	e.now, e.second, e.last, e.changes = old.now, old.second, old.last, nil
	e.ended = slices.Clone(old.ended[max(0, len(old.ended)-e.history):])
	e.departures = old.departures
	e.quiet.inherit(old.quiet)
	for _, scope := range Scopes() {
		e.adopt(e.populations[scope], old.populations[scope])
	}
	e.recalled = old.recalled
	changes := e.changes
	e.changes = nil
	return changes
}

// adopt takes over the records of one scope.
func (e *Engine) adopt(p, old *population) {
	p.epoch = old.epoch
	p.fresh, p.begun, p.lastFresh, p.unbroken, p.ticked = old.fresh, old.begun, old.lastFresh, old.unbroken, old.ticked
	p.adoptPast(old)
	same := p.lib.sameSeries(old.lib)
	for _, was := range old.rows {
		r := e.newRow(p, was.key)
		r.rec, r.dirty, r.epoch = was.rec, true, was.epoch
		p.index[r.key] = r
		p.rows = append(p.rows, r)
		if r.samples != nil && was.samples != nil {
			r.samples.adopt(was.samples, same, *r.goal == *was.goal)
		}
		e.inherit(p.lib, r, was, old.lib)
	}
}

// inherit takes over what the rules of a record have come to, by their names.
func (e *Engine) inherit(lib *library, r, was *row, before *library) {
	for i, old := range was.rules {
		st := was.states[i]
		at := slices.IndexFunc(r.rules, func(now *rule) bool { return now.Name == old.Name })
		if at < 0 {
			e.end(&st, Vanished)
			continue
		}
		if *r.goal != *was.goal || r.rules[at].meaning(lib) != old.meaning(before) {
			st.since = [Critical]instant{} // of another condition nothing is proved
		}
		r.states[at] = st
		if a := st.alert; a != nil {
			r.rules[at].give(&a.Alert)
			now := e.open(a.Alert, r, r.rules[at])
			now.judged, now.said = instantOf(e.now), instantOf(e.now) // until it is judged
			r.states[at].alert = now
		}
	}
}

// meaning is what a rule judges by, but for how long that takes: two rules of the
// same find the same of a record.
type meaning struct {
	source            string
	thresholds        Thresholds
	direction         Direction
	minCalls, minOver int
}

func (r *rule) meaning(l *library) meaning {
	return meaning{
		l.meaning(r.When, r.KPI, r.Base, r.Calls), r.Thresholds, r.Direction, r.MinCalls, r.MinOver,
	}
}

// meaning is what expressions compute: with those of the KPIs of one's own that
// they name, and that these name.
func (l *library) meaning(sources ...string) string {
	var b strings.Builder
	seen := make(map[string]bool)
	var add func(source string)
	add = func(source string) {
		b.WriteString(source + "\n")
		for word := range wordsOf(source) {
			if k := l.own[word]; k != nil && !seen[word] {
				seen[word] = true
				add(k.Expr)
			}
		}
	}
	for _, source := range sources {
		add(source)
	}
	return b.String()
}

// wordsOf returns the words of an expression.
func wordsOf(source string) iter.Seq[string] {
	return strings.FieldsFuncSeq(source, func(c rune) bool { return !isWord("_" + string(c)) })
}

// inherited is where the samples of a series were in another library.
type inherited struct {
	at     int  // -1: nowhere
	ofGoal bool // they depend on what a service is measured by
}

// sameSeries finds the series that another library has as well.
func (l *library) sameSeries(old *library) []inherited {
	out := make([]inherited, len(l.series))
	for i, now := range l.series {
		is := l.meaning(now.text)
		out[i].at = slices.IndexFunc(old.series, func(was series) bool {
			return was.text == now.text && was.counter == now.counter && old.meaning(was.text) == is
		})
		for word := range wordsOf(is) {
			f := kpi.Named(word)
			out[i].ofGoal = out[i].ofGoal || f != nil && f.ByGoal
		}
	}
	return out
}

// adopt takes over the samples of the series that both have.
func (s *samples) adopt(old *samples, same []inherited, sameGoal bool) {
	s.fine.at, s.coarse.at = old.fine.at, old.coarse.at
	for i, was := range same {
		if was.at < 0 || was.ofGoal && !sameGoal {
			continue
		}
		s.counters[i] = old.counters[was.at]
		for _, ring := range []struct{ to, from *ring }{{&s.fine, &old.fine}, {&s.coarse, &old.coarse}} {
			if ring.to.values != nil && ring.from.values != nil {
				ring.to.values[i] = ring.from.values[was.at]
			}
		}
	}
}
