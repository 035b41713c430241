package alert

import (
	"cmp"
	"math"
	"slices"
	"time"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/kpi"
)

// KPIs returns the built-in KPIs of a scope, then the custom ones in the order of the configuration.
func (e *Engine) KPIs(s Scope) []KPI {
	p := e.rowsByScope[s]
	if p == nil {
		return nil
	}
	names := slices.DeleteFunc(slices.Clone(p.library.names), func(name string) bool { return p.library.fields[name].kpi == nil })
	for _, own := range p.library.customKPIs {
		names = append(names, own.Name)
	}
	out := make([]KPI, 0, len(names))
	for _, name := range names {
		k, _ := p.library.findKPI(name)
		out = append(out, *k)
	}
	return out
}

// Names returns the names that expressions of a scope may use, sorted and without custom KPIs.
func Names(s Scope) []Name {
	fs := fieldsOf(s)
	out := make([]Name, len(fs))
	for i, f := range fs {
		out[i] = Name{Name: f.name, Kind: f.kind.String(), Format: f.format, Counter: f.isCounter, BuiltIn: f.kpi != nil}
	}
	slices.SortFunc(out, func(a, b Name) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// Goal returns the targets of a service with the current tolerance. It may be called from any
// goroutine.
func (e *Engine) Goal(service string) Goal {
	g := e.goals.goalOf(Key{Scope: Service, Code: service}).Goal
	g.Tolerance = *e.goals.tolerance.Load()
	return g
}

// Value returns the value of a KPI or another number of the scope for a record, as of the last
// evaluation. The value is unknown if the name or the record does not exist.
func (e *Engine) Value(name string, k Key) model.Figure {
	p := e.rowsByScope[k.Scope]
	if p == nil || p.rowsByKey[k] == nil {
		return model.Figure{}
	}
	if _, prog := p.library.findKPI(name); prog != nil {
		return prog.number(e.loadFrame(p, p.rowsByKey[k]))
	}
	return model.Figure{}
}

// Trend holds samples of a figure at intervals of Step, oldest first. The last sample is that of
// the step that began at End. NaN is a gap, and +Inf is n/a.
type Trend struct {
	Samples []float64
	Step    time.Duration
	End     time.Time
}

// Peaks reduces the samples to at most n values, each the maximum of an interval. The intervals are
// aligned to the clock, so the values do not change as the trend moves on. Peaks overwrites the
// samples.
func (t *Trend) Peaks(n int) []float64 {
	groupSize := max(1, (len(t.Samples)+n-1)/max(n, 1))
	first := t.End.Unix()/int64(t.Step/time.Second) - int64(len(t.Samples)) + 1
	out := t.Samples[:0]
	last := int64(-1)
	for i, s := range t.Samples {
		if group := (first + int64(i)) / int64(groupSize); group != last {
			out, last = append(out, math.NaN()), group
		}
		if top := &out[len(out)-1]; !math.IsInf(s, 0) && (math.IsNaN(*top) || s > *top) {
			*top = s
		}
	}
	return out[max(0, len(out)-n):]
}

// Trend appends the samples of a figure over the last span to dst. name must be a figure in
// [Engine.ChartedKPIs]. Unknown values are gaps. Spans of up to an hour have a sample every 10 seconds.
// Longer spans and all spans of users have a sample every minute. The engine keeps samples for
// eight hours.
func (e *Engine) Trend(dst []float64, name string, k Key, span time.Duration) Trend {
	p := e.rowsByScope[k.Scope]
	if p == nil || p.rowsByKey[k] == nil {
		return Trend{Samples: dst, Step: fineStep, End: e.serverTime.Truncate(fineStep)}
	}
	return p.rowsByKey[k].samples.trend(dst, p.library, name, e.serverTime, span)
}

// trend returns the samples of a figure up to now.
func (s *samples) trend(dst []float64, l *expressionLibrary, name string, now time.Time, span time.Duration) Trend {
	out := Trend{Samples: dst, Step: fineStep, End: now.Truncate(fineStep)}
	if s == nil {
		return out
	}
	ring := s.ringFor(span)
	out.Step, out.End = ring.Step(), now.Truncate(ring.Step())
	i := slices.IndexFunc(l.series, func(s sampledFigure) bool { return s.source == name && !s.isCounter })
	if i >= 0 {
		out.Samples = ring.Append(dst, i, now, span)
	}
	return out
}

// FrozenTrends is a copy of the samples of an engine at one time.
type FrozenTrends struct {
	now    time.Time
	scopes map[Scope]frozenScope
}

type frozenScope struct {
	lib  *expressionLibrary
	rows map[Key]*samples
}

// FreezeTrends returns a copy of the samples of all records except users, because there are too
// many users.
func (e *Engine) FreezeTrends() *FrozenTrends {
	t := &FrozenTrends{now: e.serverTime, scopes: make(map[Scope]frozenScope)}
	for scope, p := range e.rowsByScope {
		if scope == User {
			continue
		}
		rows := make(map[Key]*samples, len(p.rowsByKey))
		for k, r := range p.rowsByKey {
			rows[k] = r.samples.clone()
		}
		t.scopes[scope] = frozenScope{p.library, rows}
	}
	return t
}

// Trend is like [Engine.Trend] but returns the samples as of the time of the copy.
func (t *FrozenTrends) Trend(dst []float64, name string, k Key, span time.Duration) Trend {
	of := t.scopes[k.Scope]
	return of.rows[k].trend(dst, of.lib, name, t.now, span)
}

// ChartedKPIs returns the figures of a scope for which [Engine.Trend] has samples: the KPIs and some
// other counts. For users, it returns only the custom KPIs. The caller must not change the result.
func (e *Engine) ChartedKPIs(s Scope) []KPI {
	p := e.rowsByScope[s]
	if p == nil {
		return nil
	}
	if p.library.charted != nil {
		return p.library.charted
	}
	out := []KPI{}
	for _, c := range kpi.Figures() {
		if isChartedCount(&c, s) {
			out = append(out, KPI{Name: c.Name, Title: words.FigureTitle(c.Name, s).In(nil), Scope: s, Expr: c.Name, Format: cmp.Or(Format(c.Unit), Number)})
		}
	}
	p.library.charted = slices.DeleteFunc(append(out, e.KPIs(s)...), func(k KPI) bool { return s == User && k.BuiltIn })
	return p.library.charted
}

// isChartedCount reports whether f, a built-in figure or nil, is a count that charts of a scope can show.
func isChartedCount(f *kpi.Figure, s Scope) bool { return f != nil && f.IsCount && f.FormFor(s) != nil }
