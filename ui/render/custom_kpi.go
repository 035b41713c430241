package render

import (
	"cmp"
	"slices"
	"strings"

	"wallboard/internal/alert"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/table"
	"wallboard/ui/textlayout"
)

// KPIValues provides the values of KPIs. [alert.Engine] implements it.
type KPIValues interface {
	// Value returns the value of the KPI with the given name for the record with the key k. The
	// value is unknown if there is no such KPI.
	Value(kpi string, k alert.Key) model.Figure
}

func (v *View) kpiValue(kpi string, k alert.Key) model.Figure {
	if v.KPIValues == nil {
		return model.Figure{}
	}
	return v.KPIValues.Value(kpi, k)
}

// valueKind returns the kind of the table values of a KPI with the format f.
func valueKind(f alert.Format) table.ValueKind {
	switch f {
	case alert.Percent:
		return table.PercentValue
	case alert.Duration:
		return table.DurationValue
	case alert.Number:
	}
	return table.NumberValue
}

// KPITitle returns the display name of a KPI.
func KPITitle(k alert.KPI) words.Text {
	if t := words.FigureTitle(k.Name, k.Scope); !t.IsZero() {
		return t
	}
	return words.Name(cmp.Or(k.Title, k.Name))
}

// CustomKPIPriority is the priority of the columns of configured KPIs. It is lower than the
// priority of the columns about waiting callers.
const CustomKPIPriority = 82

// customKPIPrefix is the prefix of the IDs of columns of configured KPIs.
const customKPIPrefix = "kpi."

// HasCustomKPI reports whether at least one of the columns shows a configured KPI.
func HasCustomKPI(columns []table.Column) bool {
	return slices.ContainsFunc(columns, func(c table.Column) bool { return strings.HasPrefix(c.ID, customKPIPrefix) })
}

// customKPIColumns returns a column for each of the configured KPIs. key returns the alert key of a
// record.
func customKPIColumns[R any](customKPIs []alert.KPI, key func(*R) alert.Key) []column[R] {
	const widest = 14 // maximum width of a title in cells
	out := make([]column[R], 0, len(customKPIs))
	for _, k := range customKPIs {
		title := []rune(cmp.Or(k.Title, k.Name))
		c := numberColumn(customKPIPrefix+k.Name, words.Name(string(title[:min(len(title), widest)])), 8, CustomKPIPriority)
		c.texts.meaning = words.ColumnOwn(cmp.Or(k.Title, k.Name))
		own := figuresColumn(c, valueKind(k.Format), func(v *View, r *R) model.Figure { return v.kpiValue(k.Name, key(r)) },
			func(f textformat.Format, dst []byte, x model.Figure) []byte { return f.KPI(dst, k.Format.Unit(), x) })
		own.direction = k.Direction
		out = append(out, own.withAlarmLevel(k.Name))
	}
	return out
}

// addCustomKPIs adds columns for configured KPIs. Rows with such columns are redrawn every second,
// because the KPIs may change while the records stay the same.
func (d *sourceSpec[R]) addCustomKPIs(customKPIs []alert.KPI) {
	if len(customKPIs) == 0 {
		return
	}
	d.columns = append(d.columns, customKPIColumns(customKPIs, d.alertKey)...)
	d.showsClock = func(*R) bool { return true }
	d.sortsByClock = true
}

// customKPIBlock returns a block of a detail view with the configured KPIs of the record with the
// key k. title is the title of the block.
func (v *View) customKPIBlock(title words.Text, customKPIs []alert.KPI, k alert.Key) block {
	return block{title, func(p *detailWriter) {
		f := v.Options.Format()
		alarm := v.Alerts.Alarm(k)
		pairs := make([]textlayout.LabeledValue, 0, len(customKPIs))
		for _, kpi := range customKPIs {
			x := v.kpiValue(kpi.Name, k)
			pairs = append(pairs, p.pair(KPITitle(kpi), v.withAlarm(knownSpan(f.KPI(nil, kpi.Format.Unit(), x), x.Known()), alarm, kpi.Direction, kpi.Name)))
			if t, ok := kpi.Target.Get(); ok {
				pairs = append(pairs, p.partPair(words.DetailTargetLabel(), textlayout.NewSpan(string(f.KPI(nil, kpi.Format.Unit(), model.FigureOf(t))), themes.Dim)))
			}
		}
		p.LabeledValues(pairs...)
	}}
}
