package alert

import (
	"iter"
	"slices"
	"strings"

	"wallboard/model/kpi"
)

// AdoptState takes over the state of another engine, so that a changed configuration continues where the
// previous one stopped. The other engine must not be used afterwards. Open alerts and
// acknowledgements stay if their rule still exists, even if its levels have changed; the next
// [Engine.Evaluate] judges them. The time for which a condition has been met continues if the
// condition and the targets are unchanged. Samples stay if they belong to the same expression.
// AdoptState returns the changes of the alerts that ended because their record is no longer covered by
// their rule.
func (e *Engine) AdoptState(old *Engine) []Change {
	for _, a := range old.active {
		old.texts.updateText(a) // the old engine has the templates of the texts
	}
	e.serverTime, e.lastSecond, e.changes = old.serverTime, old.lastSecond, nil
	e.ended = slices.Clone(old.ended[max(0, len(old.ended)-e.maxEnded):])
	e.silencer.adoptSilences(old.silencer)
	e.forecasts.byKey = old.forecasts.byKey
	for _, scope := range Scopes() {
		e.adoptScope(e.rowsByScope[scope], old.rowsByScope[scope])
	}
	e.restoredAlerts = old.restoredAlerts
	changes := e.changes
	e.changes = nil
	return changes
}

// adoptScope copies the records of one scope, with their samples, rule states and alerts, from old
// to p.
func (e *Engine) adoptScope(p, old *scopeRows) {
	p.epoch = old.epoch
	p.isFresh, p.startedAt, p.lastFresh, p.observedSince, p.lastTick = old.isFresh, old.startedAt, old.lastFresh, old.observedSince, old.lastTick
	p.adoptPastRecords(old)
	same := p.library.matchSeries(old.library)
	for _, was := range old.rows {
		r := e.newRow(p, was.key)
		r.record, r.dirty, r.epoch = was.record, true, was.epoch
		p.rowsByKey[r.key] = r
		p.rows = append(p.rows, r)
		if r.samples != nil && was.samples != nil {
			r.samples.adoptSamples(was.samples, same, r.goal.Goal == was.goal.Goal)
		}
		e.adoptRuleStates(p.library, r, was, old.library)
	}
}

// adoptRuleStates copies the rule states of was, a row of the old engine, to r, the row of the same
// record. It matches rules by name. The alert of a rule without a match ends. lib is the library of
// r, and before the library of was.
func (e *Engine) adoptRuleStates(lib *expressionLibrary, r, was *row, before *expressionLibrary) {
	for i, old := range was.rules {
		st := was.state(i)
		at := slices.IndexFunc(r.rules, func(now *rule) bool { return now.Name == old.Name })
		if at < 0 {
			e.endAlert(&st, ChangeVanished)
			continue
		}
		if r.goal.Goal != was.goal.Goal || r.rules[at].ruleCriteria(lib) != old.ruleCriteria(before) {
			st.since = [Critical]instant{} // the condition has changed, so the time for which it was met begins again
		}
		if a := st.alert; a != nil {
			r.rules[at].setAttributes(&a.Alert)
			now := e.addActive(a.Alert, r, r.rules[at])
			now.judgedAt, now.textAt = instantOf(e.serverTime), instantOf(e.serverTime) // keep the text until the alert is judged again
			st.alert = now
		}
		r.setState(at, st)
	}
}

// ruleCriteria holds the properties of a rule that decide whether its condition is met. It contains
// neither For nor Recover, which only decide when an alert begins and ends.
type ruleCriteria struct {
	source                    string
	thresholds                Thresholds
	direction                 Direction
	minCalls, minExcessMisses int
}

func (r *rule) ruleCriteria(l *expressionLibrary) ruleCriteria {
	return ruleCriteria{
		l.expandKPIs(r.When, r.KPI, r.Base, r.Calls), r.Thresholds, r.Direction, r.MinCalls, r.MinExcessMisses,
	}
}

// expandKPIs returns the expressions in sources, one per line, followed by those of all custom KPIs
// that they use directly or indirectly. Equal results mean that the expressions have the same
// meaning.
func (l *expressionLibrary) expandKPIs(sources ...string) string {
	var b strings.Builder
	seen := make(map[string]bool)
	var add func(source string)
	add = func(source string) {
		b.WriteString(source + "\n")
		for word := range namesIn(source) {
			if k := l.customByName[word]; k != nil && !seen[word] {
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

// namesIn returns the words in an expression, which include all names that it uses.
func namesIn(source string) iter.Seq[string] {
	return strings.FieldsFuncSeq(source, func(c rune) bool { return !isIdentifier("_" + string(c)) })
}

type matchedSeries struct {
	index         int  // index of the series in the other library; -1: missing
	dependsOnGoal bool // the value depends on the goal of the service
}

// matchSeries returns the position in old of each series of l.
func (l *expressionLibrary) matchSeries(old *expressionLibrary) []matchedSeries {
	out := make([]matchedSeries, len(l.series))
	for i, now := range l.series {
		is := l.expandKPIs(now.source)
		out[i].index = slices.IndexFunc(old.series, func(was sampledFigure) bool {
			return was.source == now.source && was.isCounter == now.isCounter && old.expandKPIs(was.source) == is
		})
		for word := range namesIn(is) {
			f := kpi.FigureNamed(word)
			out[i].dependsOnGoal = out[i].dependsOnGoal || f != nil && f.DependsOnGoal
		}
	}
	return out
}

// adoptSamples copies the samples of the series that both libraries have. same holds the position of each
// series in old. If sameGoal is false, adoptSamples skips the series that depend on the goal of a service.
func (s *samples) adoptSamples(old *samples, same []matchedSeries, sameGoal bool) {
	s.fine.AdvanceTo(old.fine.Latest())
	s.coarse.AdvanceTo(old.coarse.Latest())
	for i, was := range same {
		if was.index < 0 || was.dependsOnGoal && !sameGoal {
			continue
		}
		s.counters[i] = old.counters[was.index]
		s.fine.CopySeries(i, &old.fine, was.index)
		s.coarse.CopySeries(i, &old.coarse, was.index)
	}
}
