package alert

import (
	"cmp"
	"math"
	"slices"
	"time"

	"wallboard/model"
	"wallboard/model/kpi"
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
func (e *Engine) Goal(service string) Goal { return *e.goals.of(Key{Scope: Service, Code: service}) }

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

// Trend is samples of a figure, Step apart and the oldest first. The last one
// stands for the step that began at End; NaN is a gap, +Inf is n/a.
type Trend struct {
	Samples []float64
	Step    time.Duration
	End     time.Time
}

// Peaks makes the samples of a trend at most n, each the highest of as many. They
// are counted from the clock and not from the newest one, so that a peak does
// not wobble on its way to the left. The samples are overwritten.
func (t *Trend) Peaks(n int) []float64 {
	each := max(1, (len(t.Samples)+n-1)/max(n, 1))
	first := t.End.Unix()/int64(t.Step/time.Second) - int64(len(t.Samples)) + 1
	out := t.Samples[:0]
	last := int64(-1)
	for i, s := range t.Samples {
		if group := (first + int64(i)) / int64(each); group != last {
			out, last = append(out, math.NaN()), group
		}
		if top := &out[len(out)-1]; !math.IsInf(s, 0) && (math.IsNaN(*top) || s > *top) {
			*top = s
		}
	}
	return out[max(0, len(out)-n):]
}

// Trend returns the samples of a KPI, or of another number in [Engine.Charted],
// for a record over the last span, appended to dst. They end now: what is no
// longer known is a gap and never the last value drawn on. Spans up to an hour
// have a sample every 10 seconds, longer ones and those of users every minute;
// eight hours are kept. Without such a figure there are no samples.
func (e *Engine) Trend(dst []float64, name string, k Key, span time.Duration) Trend {
	p := e.populations[k.Scope]
	if p == nil || p.index[k] == nil {
		return Trend{Samples: dst, Step: fineStep, End: e.now.Truncate(fineStep)}
	}
	return p.index[k].samples.trend(dst, p.lib, name, e.now, span)
}

// trend returns the samples of a figure up to a time.
func (s *samples) trend(dst []float64, l *library, name string, now time.Time, span time.Duration) Trend {
	out := Trend{Samples: dst, Step: fineStep, End: now.Truncate(fineStep)}
	if s == nil {
		return out
	}
	ring := s.over(span)
	out.Step, out.End = ring.step, now.Truncate(ring.step)
	i := slices.IndexFunc(l.series, func(s series) bool { return s.text == name && !s.counter })
	if i >= 0 {
		out.Samples = ring.series(dst, i, now, span)
	}
	return out
}

// Trends are the samples that an engine had at a time: they do not move.
type Trends struct {
	now    time.Time
	scopes map[Scope]heldScope
}

type heldScope struct {
	lib  *library
	rows map[Key]*samples
}

// Hold returns a copy of the samples of all records but users, who have too
// many: it takes as much memory as they do.
func (e *Engine) Hold() *Trends {
	t := &Trends{now: e.now, scopes: make(map[Scope]heldScope)}
	for scope, p := range e.populations {
		if scope == User {
			continue
		}
		rows := make(map[Key]*samples, len(p.index))
		for k, r := range p.index {
			rows[k] = r.samples.clone()
		}
		t.scopes[scope] = heldScope{p.lib, rows}
	}
	return t
}

// Trend is [Engine.Trend] as it was.
func (t *Trends) Trend(dst []float64, name string, k Key, span time.Duration) Trend {
	of := t.scopes[k.Scope]
	return of.rows[k].trend(dst, of.lib, name, t.now, span)
}

// Charted returns the figures of a scope that [Engine.Trend] has samples of: its
// KPIs, and some counts that are not KPIs. A user has only KPIs of one's own.
func (e *Engine) Charted(s Scope) []KPI {
	p := e.populations[s]
	if p == nil {
		return nil
	}
	var out []KPI
	for _, c := range charted(s) {
		out = append(out, KPI{Name: c.Name, Title: c.TitleOn(s), Scope: s, Expr: c.Name, Format: cmp.Or(Format(c.Unit), Number)})
	}
	return slices.DeleteFunc(append(out, e.KPIs(s)...), func(k KPI) bool { return s == User && k.BuiltIn })
}

// charted are the counts of a scope whose course is worth a chart.
func charted(s Scope) []kpi.Figure {
	return slices.DeleteFunc(slices.Clone(kpi.Figures()), func(f kpi.Figure) bool { return !f.Count || f.On(s) == nil })
}
