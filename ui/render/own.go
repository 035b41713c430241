package render

import (
	"slices"
	"strings"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/sheet"
	"wallboard/ui/table"
)

// Figures are the values of KPIs; an *alert.Engine is one.
type Figures interface {
	// Value returns a KPI of a record, unknown when there is no such thing.
	Value(kpi string, k alert.Key) model.Figure
}

// value returns a KPI of a record.
func (v *View) value(kpi string, k alert.Key) model.Figure {
	if v.Figures == nil {
		return model.Figure{}
	}
	return v.Figures.Value(kpi, k)
}

// KPI appends a figure in a KPI's format.
func (f Format) KPI(dst []byte, as alert.Format, value model.Figure) []byte {
	switch as {
	case alert.Percent:
		return f.Percent(dst, value)
	case alert.Duration:
		return f.FigureSeconds(dst, value)
	case alert.Number:
	}
	return f.Figure(dst, value)
}

// KPITitle is what people call a KPI.
func KPITitle(k alert.KPI) string {
	if k.Title != "" {
		return k.Title
	}
	return k.Name
}

// OwnPriority is that of the columns of KPIs of one's own: somebody wanted to
// see them, but not rather than who waits.
const OwnPriority = 82

// ownID is what the IDs of such columns begin with.
const ownID = "kpi."

// HasOwn reports whether there is a column of a KPI of one's own among some.
func HasOwn(columns []table.Column) bool {
	return slices.ContainsFunc(columns, func(c table.Column) bool { return strings.HasPrefix(c.ID, ownID) })
}

// ownColumns are the columns of KPIs of one's own.
func ownColumns[R any](own []alert.KPI, key func(*R) alert.Key) []column[R] {
	const widest = 14 // of a title
	out := make([]column[R], 0, len(own))
	for _, k := range own {
		title := []rune(KPITitle(k))
		c := number(ownID+k.Name, string(title[:min(len(title), widest)]), 8, OwnPriority)
		c.About = KPITitle(k) + ", a figure of your own."
		out = append(out, figures(c, func(v *View, r *R) model.Figure { return v.value(k.Name, key(r)) },
			func(f Format, dst []byte, x model.Figure) []byte { return f.KPI(dst, k.Format, x) }).alarmed(k.Name))
	}
	return out
}

// own has a source show KPIs of one's own, which change without their records.
func (d *definition[R]) own(own []alert.KPI) {
	if len(own) == 0 {
		return
	}
	d.columns = append(d.columns, ownColumns(own, d.about)...)
	d.ticks = func(*R) bool { return true }
	d.moves = true
}

// ownFigures is the part of a drill-down about KPIs of one's own.
func (v *View) ownFigures(on string, own []alert.KPI, k alert.Key) block {
	return block{"Figures of your own" + on, func(p *pen) {
		f := v.Options.Format()
		alarm := v.Alerts.Alarm(k)
		pairs := make([]sheet.Pair, 0, len(own))
		for _, kpi := range own {
			x := v.value(kpi.Name, k)
			pairs = append(pairs, sheet.Of(KPITitle(kpi), leveled(known(f.KPI(nil, kpi.Format, x), x.Known()), alarm.level(kpi.Name))))
			if t, ok := kpi.Target.Get(); ok {
				pairs = append(pairs, sheet.Of("  target", sheet.Say(string(f.KPI(nil, kpi.Format, model.FigureOf(t))), themes.Dim)))
			}
		}
		p.Pairs(pairs...)
	}}
}
