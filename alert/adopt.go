package alert

import "slices"

// Adopt takes over what another engine knows, which must not be used
// afterwards: a changed configuration goes on where the one before it was.
// Samples, open alerts and acknowledgements stay where their figure or rule
// still is, whatever its levels are now; the next [Engine.Evaluate] judges them.
// It returns the alerts that ended because nothing judges their record by that
// rule any more.
func (e *Engine) Adopt(old *Engine) []Change {
	e.now, e.second, e.last, e.changes = old.now, old.second, old.last, nil
	e.ended = slices.Clone(old.ended[max(0, len(old.ended)-e.history):])
	e.departures = old.departures
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
	p.generation, p.epoch = old.generation, old.epoch
	p.fresh, p.lastFresh, p.unbroken = old.fresh, old.lastFresh, old.unbroken
	for _, was := range old.rows {
		r := e.newRow(p, was.key)
		r.rec, r.dirty, r.epoch = was.rec, true, was.epoch
		p.index[r.key] = r
		p.rows = append(p.rows, r)
		if r.samples != nil && was.samples != nil {
			r.samples.adopt(p.lib, was.samples, old.lib)
		}
		e.inherit(r, was)
	}
}

// inherit takes over what the rules of a record have come to, by their names.
func (e *Engine) inherit(r, was *row) {
	for i, before := range was.rules {
		st := was.states[i]
		at := slices.IndexFunc(r.rules, func(now *rule) bool { return now.Name == before.Name })
		if at < 0 {
			e.end(&st, Vanished)
			continue
		}
		r.states[at] = st
		if a := st.alert; a != nil {
			r.rules[at].give(a)
			e.active[a.ID] = a
		}
	}
}

// adopt takes over the samples of the series that both libraries have.
func (s *samples) adopt(l *library, old *samples, was *library) {
	s.fine.at, s.coarse.at = old.fine.at, old.coarse.at
	for i, now := range l.series {
		at := slices.IndexFunc(was.series, func(b series) bool { return b.text == now.text && b.counter == now.counter })
		if at < 0 {
			continue
		}
		s.counters[i] = old.counters[at]
		for _, ring := range []struct{ to, from *ring }{{&s.fine, &old.fine}, {&s.coarse, &old.coarse}} {
			if ring.to.values != nil && ring.from.values != nil {
				ring.to.values[i] = ring.from.values[at]
			}
		}
	}
}
