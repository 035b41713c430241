package plots

import (
	"math"
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/ui/chart"
	"wallboard/ui/render"
)

// drawInputs holds all inputs of a drawn chart. Charts are drawn with every frame, but change
// only with a sample every ten seconds.
type drawInputs struct {
	lines         []line
	hiddenLines   int
	window        alert.Trend
	isYoung       bool
	spanIndex     int
	cursor        time.Time
	width, height int
	look          *render.Options
	frozen        bool
	marks         []chart.Mark
}

// same reports whether a chart drawn from other inputs looks the same.
func (s *drawInputs) same(o *drawInputs) bool {
	return s.hiddenLines == o.hiddenLines && sameTrend(&s.window, &o.window) && s.isYoung == o.isYoung && s.spanIndex == o.spanIndex &&
		s.cursor.Equal(o.cursor) && s.width == o.width && s.height == o.height && s.look == o.look && s.frozen == o.frozen &&
		slices.Equal(s.marks, o.marks) &&
		slices.EqualFunc(s.lines, o.lines, line.same)
}

func (l line) same(o line) bool {
	return l.name == o.name && l.subject == o.subject && l.title == o.title && l.format == o.format &&
		l.target == o.target && l.glyph == o.glyph && l.token == o.token && sameTrend(&l.trend, &o.trend) &&
		sameBaseline(&l.baseline, &o.baseline)
}

func sameTrend(a, b *alert.Trend) bool {
	return a.Step == b.Step && a.End.Equal(b.End) && sameSamples(a.Samples, b.Samples)
}

func sameSamples(a, b []float64) bool { return slices.EqualFunc(a, b, EqualSample) }

// EqualSample compares two samples, including NaN for gaps.
func EqualSample(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
