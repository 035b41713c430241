package alert

import (
	"cmp"
	"slices"
	"time"

	"wallboard/model"
)

// KPIs returns the KPIs of a scope: the built-in ones, then one's own in their
// order.
func (e *Engine) KPIs(s Scope) []KPI {
	p := e.populations[s]
	if p == nil {
		return nil
	}
	var out []KPI
	for _, name := range p.lib.names {
		if p.lib.fields[name].kpi != nil {
			k, _ := p.lib.kpi(name)
			out = append(out, *k)
		}
	}
	for _, own := range p.lib.order {
		k, _ := p.lib.kpi(own.Name)
		out = append(out, *k)
	}
	return out
}

// Names returns the names that expressions of a scope may use, by name, without
// the KPIs of one's own.
func Names(s Scope) []Name {
	fs := fieldsOf(s)
	out := make([]Name, len(fs))
	for i, f := range fs {
		out[i] = Name{Name: f.name, Kind: f.kind.String(), Format: f.format, Counter: f.counter, BuiltIn: f.kpi != nil}
	}
	slices.SortFunc(out, func(a, b Name) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// Goal returns what a service is measured by.
func (e *Engine) Goal(service string) Goal { return *e.goalOf(Key{Scope: Service, Code: service}) }

// Value returns the present value of a KPI, or of any number of the scope, for
// a record: as of the last evaluation, unknown when there is no such thing.
func (e *Engine) Value(name string, k Key) model.Figure {
	p := e.populations[k.Scope]
	if p == nil || p.index[k] == nil {
		return model.Figure{}
	}
	if _, prog := p.lib.kpi(name); prog != nil {
		return prog.number(e.load(p, p.index[k]))
	}
	return model.Figure{}
}

// Trend appends the samples of a KPI for a record over the last span, the
// oldest first, to dst; step is the time between two, NaN a gap or n/a. Spans
// up to an hour have a sample every 10 seconds, longer ones and those of users
// every minute; eight hours are kept. Without such a KPI, dst is returned as it
// is.
func (e *Engine) Trend(dst []float64, name string, k Key, span time.Duration) (samples []float64, step time.Duration) {
	p := e.populations[k.Scope]
	if p == nil || p.index[k] == nil || p.index[k].samples == nil {
		return dst, coarseStep
	}
	ring := p.index[k].samples.over(span)
	i := slices.IndexFunc(p.lib.series, func(s series) bool { return s.text == name && !s.counter })
	if i < 0 {
		return dst, ring.step
	}
	return ring.series(dst, i, span), ring.step
}
