package plots

import (
	"math"
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/ui/chart"
	"wallboard/ui/render"
)

// source holds all inputs of a drawn chart. Charts are drawn with every frame, but
// change only with a sample every ten seconds.
type source struct {
	lines  []line
	more   int
	window alert.Trend
	young  bool
	span   int
	cursor time.Time
	w, h   int
	look   *render.Options
	frozen bool
	marks  []chart.Mark
}

// same reports whether a chart of another source looks the same.
func (s *source) same(o *source) bool {
	return s.more == o.more && sameTrend(&s.window, &o.window) && s.young == o.young && s.span == o.span &&
		s.cursor.Equal(o.cursor) && s.w == o.w && s.h == o.h && s.look == o.look && s.frozen == o.frozen &&
		slices.Equal(s.marks, o.marks) &&
		slices.EqualFunc(s.lines, o.lines, line.same)
}

func (l line) same(o line) bool {
	return l.name == o.name && l.about == o.about && l.title == o.title && l.format == o.format &&
		l.target == o.target && l.glyph == o.glyph && l.token == o.token && sameTrend(&l.trend, &o.trend) &&
		sameBaseline(&l.baseline, &o.baseline)
}

func sameTrend(a, b *alert.Trend) bool {
	return a.Step == b.Step && a.End.Equal(b.End) && sameSamples(a.Samples, b.Samples)
}

func sameSamples(a, b []float64) bool { return slices.EqualFunc(a, b, EqualSample) }

// EqualSample compares two samples, including NaN for gaps.
func EqualSample(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
