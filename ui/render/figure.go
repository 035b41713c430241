package render

import (
	"slices"

	"wallboard/internal/alert"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/kpi"
	"wallboard/themes"
	"wallboard/ui/table"
	"wallboard/ui/textlayout"
)

// figureSet draws the built-in figures of one kind of record in columns and detail views.
type figureSet[R any] struct {
	scope   model.Scope
	compute func(v *View, f *kpi.Figure, form *kpi.ScopeFigure, r *R) model.Figure
}

func serviceFigureSet() figureSet[model.Service] {
	return figureSet[model.Service]{alert.Service, func(v *View, f *kpi.Figure, form *kpi.ScopeFigure, r *model.Service) model.Figure {
		var goal alert.Goal
		if f.DependsOnGoal {
			goal = v.Options.targetsOf(r.Key().Code)
		}
		return form.ServiceValue(r, goal)
	}}
}

func groupFigureSet() figureSet[model.Group] {
	return figureSet[model.Group]{alert.Group, func(_ *View, _ *kpi.Figure, form *kpi.ScopeFigure, r *model.Group) model.Figure {
		return form.Group(r)
	}}
}

func agentFigureSet() figureSet[model.AgentFigures] {
	return figureSet[model.AgentFigures]{alert.User, func(_ *View, _ *kpi.Figure, form *kpi.ScopeFigure, r *model.AgentFigures) model.Figure {
		return form.AgentValue(r)
	}}
}

func campaignFigureSet() figureSet[model.Campaign] {
	return figureSet[model.Campaign]{alert.Campaign, func(_ *View, _ *kpi.Figure, form *kpi.ScopeFigure, r *model.Campaign) model.Figure {
		return form.Campaign(r)
	}}
}

// column returns the column with the given ID for the figure with the given name.
func (c figureSet[R]) column(id, name string, priority int) column[R] {
	return figureColumn(c, id, name, priority, func(r *R) *R { return r })
}

// defaultPriority is the priority of columns added by appendOtherFigures.
const defaultPriority = 45

// appendOtherFigures appends to placed a column for every other figure of the catalog that may have one.
// A new figure therefore needs only an entry in the catalog to be shown.
func appendOtherFigures[R any](c figureSet[R], placed []column[R]) []column[R] {
	return appendPartFigures(c, func(r *R) *R { return r }, placed)
}

// appendPartFigures is like appendOtherFigures, but the figures are computed from the part of a record that
// part returns.
func appendPartFigures[R, Part any](c figureSet[Part], part func(*R) *Part, placed []column[R]) []column[R] {
	for _, figure := range kpi.Figures() {
		if form := figure.FormFor(c.scope); form != nil && form.HasColumn &&
			!slices.ContainsFunc(placed, func(p column[R]) bool { return p.figure == figure.Name }) {
			placed = append(placed, figureColumn(c, figure.Name, figure.Name, defaultPriority, part))
		}
	}
	return placed
}

// figureColumn returns the column with the given ID for the figure with the given name. The figure
// is computed from the part of a record that part returns.
func figureColumn[R, Part any](c figureSet[Part], id, name string, priority int, part func(*R) *Part) column[R] {
	figure := kpi.FigureNamed(name)
	form := figure.FormFor(c.scope)
	get := func(v *View, r *R) model.Figure { return c.compute(v, figure, form, part(r)) }
	var out column[R]
	heading := words.FigureHeading(name)
	switch figure.Unit {
	case kpi.Percent:
		out = percentColumn(numberColumn(id, heading, 7, priority), get)
	case kpi.Duration:
		out = durationColumn(numberColumn(id, heading, 6, priority), get)
	default:
		out = figuresColumn(numberColumn(id, heading, 6, priority), table.NumberValue, get, textformat.Format.Figure)
	}
	out.figure, out.direction = name, figure.Better
	return out.withAlarmLevel(figureAlertNames(name)...)
}

// withSmallSampleMark returns a copy of the column of a figure of the day. If a figure is worse
// than its target, but based on too few calls to be judged, the cell is dimmed and gets the mark
// "~" to distinguish it from a figure on target.
func withSmallSampleMark(c column[model.Service]) column[model.Service] {
	figure, inner := kpi.FigureNamed(c.figure), c.cell
	form := figure.FormFor(alert.Service)
	c.cell = func(v *View, r *row[model.Service], dst *table.Cell) {
		inner(v, r, dst)
		if v.Options.BlankFigures || r.alarm.MissesTarget(figureAlertNames(c.figure)...) {
			return
		}
		goal := v.Options.targetsOf(r.key).WithTolerance()
		x, known := form.ServiceValue(r.record, goal).Get()
		target, hasTarget := figure.Target(goal).Get()
		if worse := figure.WorseBy(x, target); known && hasTarget && worse > 0 && !alert.IsSignificant(r.record.ChannelStats.ReceivedCalls, worse) {
			v.Options.addMark("~", dst)
			dst.Style = v.sgr(themes.Dim)
		}
	}
	return c
}

// pair returns the label and the value of the figure with the given name, for a detail view.
func (c figureSet[R]) pair(v *View, r *R, name string) textlayout.LabeledValue {
	figure := kpi.FigureNamed(name)
	form := figure.FormFor(c.scope)
	x := c.compute(v, figure, form, r)
	return textlayout.NewLabeledValue(v.translate(words.FigureLabel(name, c.scope)), knownSpan(v.Options.Format().KPI(nil, figure.Unit, x), x.Known()))
}

// pairs returns the figures with the given names, followed by all others that the catalog assigns to
// detail views, except those in elsewhere, which another part of the detail view shows.
func (c figureSet[R]) pairs(v *View, r *R, alarm *Alarm, names []string, elsewhere ...string) []textlayout.LabeledValue {
	var out []textlayout.LabeledValue
	add := func(name string) {
		p := c.pair(v, r, name)
		p.Value = v.withAlarm(p.Value, alarm, kpi.FigureNamed(name).Better, figureAlertNames(name)...)
		out = append(out, p)
	}
	for _, name := range names {
		add(name)
	}
	for _, figure := range kpi.Figures() {
		if form := figure.FormFor(c.scope); form != nil && form.InDetail &&
			!slices.Contains(names, figure.Name) && !slices.Contains(elsewhere, figure.Name) {
			add(figure.Name)
		}
	}
	return out
}
