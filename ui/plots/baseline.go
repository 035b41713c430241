package plots

import (
	"math"
	"strings"

	"wallboard/internal/alert/forecast"
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
	if u.Days == "" {
		return
	}
	what := "typical"
	if len(p.lines) > 1 {
		what = p.lines[0].title + " typically"
	}
	if index < len(u.Low) && !math.IsNaN(u.Low[index]) {
		low, high := sc.scaleLabel(p.format, u.Low[index]), sc.scaleLabel(p.format, u.High[index])
		if what += " " + low; low != high {
			what += " to " + high
		}
	}
	days := u.Days
	if u.Trimmed {
		days = "most of " + strings.Replace(days, "last ", "the last ", 1)
	}
	band := p.baselineBand(sc)
	said := style.FirstFitting(l.Room()-1, " "+what+" at this time, "+days, " "+what+", "+days, " "+what+", "+u.Days, " "+what, "")
	if said != "" {
		l.AddRaw(band.LegendSample(), 1).Add(sc.Look.Style(themes.Dim), said)
	}
}

// BaselineText returns a note about the days of the baseline in the last view, for a chart without
// a legend. It returns "" if there is no baseline.
func (p *Plot) BaselineText() string {
	if len(p.drawnInputs.lines) == 0 || p.drawnInputs.lines[0].baseline.Days == "" {
		return ""
	}
	return "shaded: typical, " + p.drawnInputs.lines[0].baseline.Days
}

func sameBaseline(a, b *forecast.UsualBand) bool {
	return a.Days == b.Days && a.Trimmed == b.Trimmed && sameSamples(a.Low, b.Low) && sameSamples(a.High, b.High)
}
