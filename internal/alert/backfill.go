package alert

import (
	"slices"
	"time"

	"wallboard/model"
)

// Backfill replays recorded snapshots on an engine. The history of this engine is later applied to
// another one. A Backfill must not be used concurrently.
type Backfill struct{ engine *Engine }

// NewBackfill returns a Backfill that uses e, which must not be used for anything else.
func NewBackfill(e *Engine) *Backfill { return &Backfill{e} }

// Observe takes the samples of a recorded snapshot without judging rules, because the time since
// the previous snapshot may be long.
func (p *Backfill) Observe(s *model.Snapshot, now time.Time) {
	e := p.engine
	e.serverTime, e.lastSecond, e.newSecond = now.Round(0), now.Unix(), true
	for _, scope := range Scopes() {
		of := e.rowsByScope[scope]
		if of.isFresh = of.library.isFresh(&s.Health); !of.isFresh {
			continue
		}
		e.updateRows(of, s)
		for _, r := range of.rows {
			if r.samples != nil {
				r.samples.sampleIfDue(of.library, e.loadFrame(of, r))
			}
		}
	}
	e.changes = nil
}

// EachFigure calls visit for each known figure of [Engine.ChartedKPIs] and each record of the last
// observed snapshot. It skips agents and the feed.
func (p *Backfill) EachFigure(visit func(name string, k Key, v float64)) {
	e := p.engine
	for _, scope := range []Scope{Floor, Service, Group, Campaign} {
		of := e.rowsByScope[scope]
		if !of.isFresh {
			continue
		}
		var names []string
		var programs []*program
		for _, figure := range e.ChartedKPIs(scope) {
			if _, prog := of.library.findKPI(figure.Name); prog != nil {
				names, programs = append(names, figure.Name), append(programs, prog)
			}
		}
		for _, r := range of.rows {
			f := e.loadFrame(of, r)
			for i, prog := range programs {
				if v, ok := prog.number(f).Get(); ok {
					visit(names[i], r.key, v)
				}
			}
		}
	}
}

// Forget removes the records of a scope and their samples.
func (p *Backfill) Forget(s Scope) { p.engine.Forget(s) }

// ApplyTo passes the observed history to the engine e. p must not be used afterwards.
//
// The samples of the history are inserted before those of e, also for records that appear later.
// The time between the history and the first evaluation of e becomes a gap. If the gap is no longer
// than [Options.MaxGap], conditions that were met when e started get their earlier start. ApplyTo
// raises and clears no alerts. Callers with several histories must apply the latest one first.
func (p *Backfill) ApplyTo(e *Engine) {
	past := p.engine
	for _, scope := range Scopes() {
		if scope != Feed { // the state of the feed belongs to another connection
			e.rowsByScope[scope].insertHistory(past.rowsByScope[scope], e.maxGap)
		}
	}
}

// insertHistory adds the history past to p: the samples of its records and, if the gap in between is
// at most maxGap, the start of conditions that were already met.
func (p *scopeRows) insertHistory(past *scopeRows, maxGap time.Duration) {
	pause := p.observedSince.Sub(past.lastFresh)
	unbroken := !p.observedSince.IsZero() && !past.observedSince.IsZero() && pause >= 0 && pause <= maxGap
	known := &pastRecords{past.library, p.library.matchSeries(past.library), past.rowsByKey}
	p.pastRecords = append(p.pastRecords, known)
	for _, r := range p.rows {
		if was := past.rowsByKey[r.key]; was != nil && unbroken {
			r.backdateAlerts(p, was, past)
		}
		known.addSamples(r)
		r.dirty = true
	}
	if unbroken {
		p.observedSince = past.observedSince
	}
	for _, r := range past.rowsByKey { // from here on, only the samples of the past records are needed
		r.record, r.states, r.rules = nil, nil, nil
	}
}

// pastRecords holds the recorded samples of records that may not have appeared in the engine yet.
type pastRecords struct {
	lib           *expressionLibrary
	seriesOrigins []matchedSeries
	records       map[Key]*row
}

// addSamples moves the recorded samples of r's record, if there are any, from m to r.
func (m *pastRecords) addSamples(r *row) {
	was := m.records[r.key]
	delete(m.records, r.key)
	if was == nil || was.samples == nil || r.samples == nil {
		return
	}
	r.samples.insertHistory(was.samples, m.seriesOrigins, r.goal.Goal == was.goal.Goal)
	clear(r.cache)
}

// adoptPastRecords copies from old the recorded samples of records that have not appeared yet.
func (p *scopeRows) adoptPastRecords(old *scopeRows) {
	for _, m := range old.pastRecords {
		p.pastRecords = append(p.pastRecords, &pastRecords{m.lib, p.library.matchSeries(m.lib), m.records})
	}
}

// backdateAlerts moves back the start of conditions that were already met when the engine started, and of
// their alerts. was is the row of the same record in the history past, which contains the earlier start.
func (r *row) backdateAlerts(p *scopeRows, was *row, past *scopeRows) {
	for i, now := range r.rules {
		at := slices.IndexFunc(was.rules, func(old *rule) bool { return old.Name == now.Name })
		if at < 0 || r.goal.Goal != was.goal.Goal || now.ruleCriteria(p.library) != was.rules[at].ruleCriteria(past.library) {
			continue
		}
		st, before := r.state(i), was.state(at)
		for l := range st.since {
			if st.since[l] != 0 && st.since[l] <= instantOf(p.startedAt) && before.since[l] != 0 {
				st.since[l] = before.since[l]
			}
		}
		st.isStartRecorded = before.since[0] != 0 && before.since[0] > instantOf(past.startedAt)
		if a := st.alert; a != nil && a.FromStart && before.since[0] != 0 {
			a.Since, a.FromStart = st.since[0].timeIn(a.Since), before.since[0] <= instantOf(past.startedAt)
		}
		r.setState(i, st)
	}
}

// insertHistory inserts recorded samples before the current ones. same holds the position of each
// series in past. If sameGoal is false, insertHistory skips the series that depend on the goal of a
// service.
func (s *samples) insertHistory(past *samples, same []matchedSeries, sameGoal bool) {
	s.fine.AdvanceTo(past.fine.Latest())
	s.coarse.AdvanceTo(past.coarse.Latest())
	for i, was := range same {
		if was.index < 0 || was.dependsOnGoal && !sameGoal {
			continue
		}
		by := s.counters[i].continueFrom(past.counters[was.index])
		insertSeriesHistory(&s.fine, i, &past.fine, was.index, by)
		insertSeriesHistory(&s.coarse, i, &past.coarse, was.index, by)
	}
}

// continueFrom makes c continue the earlier counter past. It returns the number that must be added
// to the totals of c so far: the total of past plus the growth between past and c.
func (c *counter) continueFrom(past counter) (offset float64) {
	switch {
	case !past.started:
	case !c.started:
		*c = past
	default:
		offset = past.addValue(c.first)
		c.total, c.first = c.total+offset, past.first
	}
	return offset
}

// insertSeriesHistory inserts the recorded samples of a series before the present ones. i is the index of
// the series in r, at that in past. offset is added to the present samples; see [counter.continueFrom].
func insertSeriesHistory(r *model.SeriesStore, i int, past *model.SeriesStore, at int, offset float64) {
	if past.IsEmpty(at) {
		return
	}
	r.Update(i, func(step int64, own float32) float32 {
		if v := past.Get(at, step); !model.IsGap(v) {
			return v // for a step that both have, the recorded sample replaces the present one
		}
		return own + float32(offset) // if the sample is a gap or n/a, so is the sum
	})
}
