package widgets

import (
	"math"
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/ui/chart"
	"wallboard/ui/render"
)

// drawInputs holds all values that a chart is drawn from. A chart is part of every frame, but these
// values usually change only with a new sample, every ten seconds.
type drawInputs struct {
	lines           []chartLine
	hiddenLines     int
	window          alert.Trend
	hasShortHistory bool
	spanIndex       int
	cursor          time.Time
	width, height   int
	options         *render.Options
	frozen          bool
	marks           []chart.Mark
}

// equals reports whether a chart drawn from s looks the same as a chart drawn from o.
func (s *drawInputs) equals(o *drawInputs) bool {
	return s.hiddenLines == o.hiddenLines && sameTrend(&s.window, &o.window) && s.hasShortHistory == o.hasShortHistory && s.spanIndex == o.spanIndex &&
		s.cursor.Equal(o.cursor) && s.width == o.width && s.height == o.height && s.options == o.options && s.frozen == o.frozen &&
		slices.Equal(s.marks, o.marks) &&
		slices.EqualFunc(s.lines, o.lines, chartLine.equals)
}

func (l chartLine) equals(o chartLine) bool {
	return l.name == o.name && l.subject == o.subject && l.title == o.title && l.format == o.format &&
		l.target == o.target && l.glyph == o.glyph && l.token == o.token && sameTrend(&l.trend, &o.trend) &&
		sameBaseline(&l.baseline, &o.baseline)
}

func sameTrend(a, b *alert.Trend) bool {
	return a.Step == b.Step && a.End.Equal(b.End) && sameSamples(a.Samples, b.Samples)
}

func sameSamples(a, b []float64) bool { return slices.EqualFunc(a, b, EqualSample) }

// EqualSample reports whether two samples are equal. Two NaNs, which represent gaps, are equal.
func EqualSample(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
