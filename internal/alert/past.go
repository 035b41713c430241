package alert

import (
	"slices"
	"time"

	"wallboard/model"
)

// Backfill is an engine that replays recorded snapshots for another engine. It must not be
// used concurrently.
type Backfill struct{ engine *Engine }

// NewBackfill wraps an engine that is used for nothing else.
func NewBackfill(e *Engine) *Backfill { return &Backfill{e} }

// Observe takes the samples of a recorded snapshot without judging rules, because the
// gap to the previous snapshot may be long.
func (p *Backfill) Observe(s *model.Snapshot, now time.Time) {
	e := p.engine
	e.now, e.second, e.tick = now.Round(0), now.Unix(), true
	for _, scope := range Scopes() {
		of := e.populations[scope]
		if of.fresh = of.lib.isFresh(&s.Health); !of.fresh {
			continue
		}
		e.update(of, s)
		for _, r := range of.rows {
			e.sample(of, r)
		}
	}
	e.last, e.changes = s, nil
}

// Each calls do with the known figures of [Engine.Charted] for the records of the last
// observed snapshot, except agents and the feed.
func (p *Backfill) Each(do func(name string, k Key, v float64)) {
	e := p.engine
	for _, scope := range []Scope{Floor, Service, Group, Campaign} {
		of := e.populations[scope]
		if !of.fresh {
			continue
		}
		var names []string
		var programs []*program
		for _, figure := range e.Charted(scope) {
			if _, prog := of.lib.kpi(figure.Name); prog != nil {
				names, programs = append(names, figure.Name), append(programs, prog)
			}
		}
		for _, r := range of.rows {
			f := e.load(of, r)
			for i, prog := range programs {
				if v, ok := prog.number(f).Get(); ok {
					do(names[i], r.key, v)
				}
			}
		}
	}
}

// Forget removes the records of a scope.
func (p *Backfill) Forget(s Scope) { p.engine.Forget(s) }

// ApplyTo passes the observed history to an engine; p must not be used afterwards. Its
// samples precede those of the engine, also for records that appear later; times that
// neither knows are gaps. If there is hardly any gap between the two, conditions that
// held from the start are dated back. No alert is raised or cleared. If there are
// several pasts, pass the latest one first.
func (p *Backfill) ApplyTo(e *Engine) {
	past := p.engine
	for _, scope := range Scopes() {
		if scope != Feed { // it belongs to another connection
			e.populations[scope].remember(past.populations[scope], e.maxGap)
		}
	}
	gone := slices.Concat(past.departures, e.departures)
	e.departures = gone[max(0, len(gone)-maxDepartures):]
}

// remember takes over the records of another engine.
func (p *population) remember(past *population, maxGap time.Duration) {
	pause := p.unbroken.Sub(past.lastFresh)
	unbroken := !p.unbroken.IsZero() && !past.unbroken.IsZero() && pause >= 0 && pause <= maxGap
	known := &pastRecords{past.lib, p.lib.sameSeries(past.lib), past.index}
	p.past = append(p.past, known)
	for _, r := range p.rows {
		if was := past.index[r.key]; was != nil && unbroken {
			r.backdate(p, was, past)
		}
		known.giveSamples(r)
		r.dirty = true
	}
	if unbroken {
		p.unbroken = past.unbroken
	}
	for _, r := range past.index { // only the samples are needed from here on
		r.rec, r.states, r.rules = nil, nil, nil
	}
}

// pastRecords holds the history of records that have not appeared yet.
type pastRecords struct {
	lib     *library
	same    []seriesOrigin
	records map[Key]*row
}

// giveSamples gives a record its history of samples.
func (m *pastRecords) giveSamples(r *row) {
	was := m.records[r.key]
	delete(m.records, r.key)
	if was == nil || was.samples == nil || r.samples == nil {
		return
	}
	r.samples.remember(was.samples, m.same, *r.goal == *was.goal)
	clear(r.cache)
}

// adoptPast takes over remembered records for a new library.
func (p *population) adoptPast(old *population) {
	for _, m := range old.past {
		p.past = append(p.past, &pastRecords{m.lib, p.lib.sameSeries(m.lib), m.records})
	}
}

// backdate dates conditions and alerts that held from the start back to their start in the
// history.
func (r *row) backdate(p *population, was *row, past *population) {
	for i, now := range r.rules {
		at := slices.IndexFunc(was.rules, func(old *rule) bool { return old.Name == now.Name })
		if at < 0 || *r.goal != *was.goal || now.meaning(p.lib) != was.rules[at].meaning(past.lib) {
			continue
		}
		st, before := &r.states[i], &was.states[at]
		for l := range st.since {
			if st.since[l] != 0 && st.since[l] <= instantOf(p.begun) && before.since[l] != 0 {
				st.since[l] = before.since[l]
			}
		}
		st.observed = before.since[0] != 0 && before.since[0] > instantOf(past.begun)
		if a := st.alert; a != nil && a.FromStart && before.since[0] != 0 {
			a.Since, a.FromStart = st.since[0].in(a.Since), before.since[0] <= instantOf(past.begun)
		}
	}
}

// remember inserts recorded samples before the present ones.
func (s *samples) remember(past *samples, same []seriesOrigin, sameGoal bool) {
	s.fine.reach(past.fine.at)
	s.coarse.reach(past.coarse.at)
	for i, was := range same {
		if was.at < 0 || was.ofGoal && !sameGoal {
			continue
		}
		by := s.counters[i].follow(past.counters[was.at])
		s.fine.remember(i, &past.fine, was.at, by)
		s.coarse.remember(i, &past.coarse, was.at, by)
	}
}

// follow continues another counter. It returns the total of that counter plus the
// increase between the two.
func (c *counter) follow(past counter) (by float64) {
	switch {
	case !past.begun:
	case !c.begun:
		*c = past
	default:
		by = past.add(c.first)
		c.total, c.first = c.total+by, past.first
	}
	return by
}

// remember inserts recorded samples of a series before the present ones, and increases
// those by the earlier total.
func (r *ring) remember(series int, past *ring, at int, by float64) {
	if r.values == nil || past.values == nil || past.values[at] == nil {
		return
	}
	if r.values[series] == nil {
		r.values[series] = gaps(r.size)
	}
	own := r.values[series]
	for step := max(r.at-r.size, 0) + 1; step <= r.at; step++ {
		if v := past.get(at, step); !isGap(v) { // an observer takes only one sample per step
			own[step%r.size] = v
		} else {
			own[step%r.size] += float32(by) // gaps and n/a are not affected
		}
	}
}
