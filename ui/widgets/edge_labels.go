package widgets

import (
	"math"
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// scaleLabelWidth returns the width of the longest label of all scales, plus 1. All panels use this
// width, so that they are aligned.
func scaleLabelWidth(sc *Source, panels []panel) int {
	w := 0
	for i := range panels {
		p := &panels[i]
		for v := range p.LabelValues() {
			w = max(w, style.Width(sc.scaleLabel(p.format, v)))
		}
	}
	return w + 1
}

// minLabeledWidth is the minimum width in cells of a chart with labels at its right edge.
const minLabeledWidth = 34

// endLabelWidth returns the width of the labels at the right edge, which show the newest values and
// the targets. It returns 0 if the chart is too narrow for these labels.
func (p *Plot) endLabelWidth(sc *Source, panels []panel, w int) int {
	right := 0
	if w < minLabeledWidth {
		return 0
	}
	for i := range panels {
		for _, e := range p.endLabels(sc, &panels[i]) {
			right = max(right, style.Width(e.Text)+2) // one space before the label and one before the frame
		}
	}
	return right
}

// endLabels returns the labels at the right edge of a panel: the newest value of each line, and the
// target of the panel.
func (p *Plot) endLabels(sc *Source, group *panel) []chart.EndLabel {
	var out []chart.EndLabel
	for i := range group.lines {
		l := &group.lines[i]
		f := l.valueAt(len(l.trend.Samples) - 1)
		if v, ok := f.Get(); ok {
			out = append(out, chart.EndLabel{Value: v, Text: string(sc.Look.Format.KPI(nil, l.format.Unit(), f)), Style: sc.Look.Theme.OpenSequence(l.token)})
		}
	}
	if !math.IsNaN(group.target) {
		out = append(out, chart.EndLabel{Value: group.target, Text: sc.scaleLabel(group.format, group.target), Style: sc.Look.Theme.OpenSequence(themes.Dim)})
	}
	return out
}

// axisMarks returns the signs on the time axis, the most important last. Actions and notes on the
// floor come first, followed by warnings and critical alerts about the subjects of the chart. An
// alert is marked at the time when it was raised. The chart of the floor shows the alerts of its
// services. Alerts from before the start of the board are not marked, because their times are
// unknown.
func (p *Plot) axisMarks(sc *Source) []chart.Mark {
	var events, warnings, criticals []chart.Mark
	if sc.Events != nil {
		for _, at := range sc.Events() {
			if index, ok := p.sampleAt(at); ok {
				events = append(events, chart.Mark{Sample: index, Glyph: sc.eventSign(), Style: sc.Look.Theme.OpenSequence(themes.Accent)})
			}
		}
	}
	for _, e := range sc.Alerts.All() {
		if e.FromStart || e.Daily || !p.isAbout(sc, e.Key) {
			continue
		}
		index, ok := p.sampleAt(e.Raised)
		if !ok {
			continue
		}
		level := render.Level(e.HighestLevel)
		m := chart.Mark{Sample: index, Glyph: sc.alertSign(level), Style: sc.Look.Theme.OpenSequence(level.Token())}
		if level == render.Critical {
			criticals = append(criticals, m)
		} else {
			warnings = append(warnings, m)
		}
	}
	return slices.Concat(events, warnings, criticals)
}

// sampleAt returns the index of the sample at a time. ok is false if the chart has no sample for
// that time.
func (p *Plot) sampleAt(at time.Time) (index int, ok bool) {
	n := len(p.Window.Samples)
	index = n - 1 - int(p.Window.End.Sub(at)/max(p.Window.Step, 1))
	return index, index >= 0 && index < n
}

// eventSign returns the sign for actions and notes on the time axis.
func (sc *Source) eventSign() string {
	if sc.Look.ASCII {
		return "A"
	}
	return sc.Look.Glyphs.Action
}

// alertSign returns the sign for an alert of the level l on the time axis. On ASCII terminals it is
// a letter, because lines and scales already use the signs of alerts in tables.
func (sc *Source) alertSign(l render.Level) string {
	switch {
	case !sc.Look.ASCII:
		return l.Glyph(false)
	case l == render.Critical:
		return "C"
	default:
		return "W"
	}
}

// markLegend returns an explanation of the signs of marks. It returns "" if there are no marks.
func (sc *Source) markLegend(marks []chart.Mark) string {
	said := ""
	for _, level := range []render.Level{render.Critical, render.Warning} {
		glyph := sc.alertSign(level)
		if !slices.ContainsFunc(marks, func(m chart.Mark) bool { return m.Glyph == glyph }) {
			continue
		}
		text := words.PlotWarning()
		if level == render.Critical {
			text = words.PlotCriticalAlert()
		}
		said += "   " + glyph + " " + sc.Look.Translate(text)
	}
	if glyph := sc.eventSign(); slices.ContainsFunc(marks, func(m chart.Mark) bool { return m.Glyph == glyph }) {
		said += "   " + glyph + " " + sc.Look.Translate(words.PlotActionOrNote())
	}
	return said
}

// isAbout reports whether an alert about subject belongs to one of the subjects of the chart.
func (p *Plot) isAbout(sc *Source, subject alert.Key) bool {
	for _, k := range p.Subjects {
		if k.Channel == "" && k.Scope != alert.Campaign {
			k.Channel = sc.Floor.Channel
		}
		if k == subject || k.Scope == alert.Floor && subject.Scope == alert.Service && subject.Channel == k.Channel {
			return true
		}
	}
	return false
}
