package widgets

import (
	"math"

	"wallboard/internal/alert/forecast"
	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/style"
)

// setBaselines sets the baseline of the first line of each unit if the chart shows a single record.
// With several records, there are no baselines, because viewers could not tell to which record a
// baseline belongs.
func (p *Plot) setBaselines(sc *Source, lines []chartLine) {
	baselines, ok := sc.Engine.(Baselines)
	if !ok || len(p.Subjects) != 1 {
		return
	}
	for i := range lines {
		if l := &lines[i]; !sameFormat(lines[:i], l) {
			l.baseline = baselines.Baseline(l.name, l.subject, l.trend)
		}
	}
}

// sameFormat reports whether one of the lines in others has the same unit as the line l.
func sameFormat(others []chartLine, l *chartLine) bool {
	for i := range others {
		if others[i].format == l.format {
			return true
		}
	}
	return false
}

// baselineBand returns a shaded area with the baseline of the first line of the panel.
func (p *panel) baselineBand(sc *Source) chart.Band {
	u := &p.lines[0].baseline
	return sc.Look.Band(u.Low, u.High)
}

// addBaseline adds to l a description of the baseline at the sample with the given index. It uses
// as many words as fit.
func (p *panel) addBaseline(sc *Source, l *style.Line, index int) {
	u := &p.lines[0].baseline
	if u.Days.IsZero() {
		return
	}
	what := words.PlotTypical()
	if len(p.lines) > 1 {
		what = words.PlotTypicalOf(p.lines[0].title)
	}
	if index < len(u.Low) && !math.IsNaN(u.Low[index]) {
		low, high := sc.scaleLabel(p.format, u.Low[index]), sc.scaleLabel(p.format, u.High[index])
		if low == high {
			what = words.PlotTypicalValue(what, low)
		} else {
			what = words.PlotTypicalRange(what, low, high)
		}
	}
	days := u.Days
	counted := days
	if u.Trimmed {
		counted = words.PlotWithoutExtremes(days)
	}
	tell := func(t words.Text) string { return " " + sc.Look.Translate(t) }
	band := p.baselineBand(sc)
	said := style.FirstFitting(l.RemainingWidth()-1, tell(words.PlotTypicalNow(what, counted)), tell(words.PlotTypicalDays(what, counted)), tell(words.PlotTypicalDays(what, days)), tell(what), "")
	if said != "" {
		l.AddRaw(band.LegendSample(), 1).Add(sc.Look.Style(themes.Dim), said)
	}
}

// BaselineText returns a note about the days of the baseline in the last view, for a chart without
// a legend. It returns the zero Text if there is no baseline.
func (p *Plot) BaselineText() words.Text {
	if len(p.drawnInputs.lines) == 0 || p.drawnInputs.lines[0].baseline.Days.IsZero() {
		return words.Text{}
	}
	return words.PlotShaded(p.drawnInputs.lines[0].baseline.Days)
}

func sameBaseline(a, b *forecast.UsualBand) bool {
	return a.Days.Equal(b.Days) && a.Trimmed == b.Trimmed && sameSamples(a.Low, b.Low) && sameSamples(a.High, b.High)
}
