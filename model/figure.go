package model

import "time"

// Figure is a derived figure. It is known, unknown because the platform did not send a value that
// it depends on, or not applicable because its denominator is 0. The zero value is unknown.
type Figure struct {
	value    float64
	state    figureState
	presumed bool
}

type figureState uint8

const (
	figureUnknown figureState = iota
	figureKnown
	figureNA
	figureEstimate // known, but only estimated
)

// FigureOf returns a known figure.
func FigureOf(v float64) Figure { return Figure{value: v, state: figureKnown} }

// Get returns the figure, and whether it is known. An unknown figure is returned as 0.
func (f Figure) Get() (float64, bool) { return f.value, f.Known() }

// Known reports whether the figure is known, exactly or as an estimate.
func (f Figure) Known() bool { return f.state == figureKnown || f.state == figureEstimate }

// AsEstimate returns a copy of the figure, marked as an estimate if the figure is known.
func (f Figure) AsEstimate() Figure {
	if f.Known() {
		f.state = figureEstimate
	}
	return f
}

// IsEstimated reports whether the figure is an estimate. All outputs mark estimates.
func (f Figure) IsEstimated() bool { return f.state == figureEstimate }

// WithPresumedUnit returns a copy of the figure. If presumed is true and the figure is known, the
// copy is marked as a time whose unit is presumed.
func (f Figure) WithPresumedUnit(presumed bool) Figure {
	f.presumed = f.presumed || presumed && f.Known()
	return f
}

// IsUnitPresumed reports whether the figure is a time whose unit is presumed. All outputs mark such
// figures.
func (f Figure) IsUnitPresumed() bool { return f.presumed }

// NotApplicable returns a figure that is not applicable.
func NotApplicable() Figure { return Figure{state: figureNA} }

// IsNotApplicable reports whether the figure is not applicable because its denominator is 0.
func (f Figure) IsNotApplicable() bool { return f.state == figureNA }

// Seconds returns a figure in seconds as a duration, and whether the figure is known.
func (f Figure) Seconds() (time.Duration, bool) {
	return time.Duration(f.value * float64(time.Second)), f.Known()
}

// Figure returns the number as a figure; an unknown number is an unknown figure.
func (v Int) Figure() Figure {
	if n, ok := v.Get(); ok {
		return FigureOf(float64(n))
	}
	return Figure{}
}

// Figure returns the number as a figure; an unknown number is an unknown figure.
func (v Float) Figure() Figure {
	if x, ok := v.Get(); ok {
		return FigureOf(x)
	}
	return Figure{}
}

// divideInts returns num / den. If num or den is unknown, or num is negative, the result is
// unknown: the formulas assume counters, which are never negative. Otherwise, if den is 0 or less,
// the result is not applicable.
func divideInts(num, den Int) Figure {
	n, okN := num.Get()
	d, okD := den.Get()
	switch {
	case !okN || !okD || n < 0:
		return Figure{}
	case d <= 0:
		return Figure{state: figureNA}
	}
	return FigureOf(float64(n) / float64(d))
}

// sumInts returns the sum of the numbers. The sum is unknown if one of them is unknown.
func sumInts(vs ...Int) Int {
	var sum int64
	for _, v := range vs {
		n, ok := v.Get()
		if !ok {
			return Int{}
		}
		sum += n
	}
	return IntOf(sum)
}

// subtractInts returns a - b. The difference is unknown if a or b is unknown.
func subtractInts(a, b Int) Int {
	x, okX := a.Get()
	y, okY := b.Get()
	if !okX || !okY {
		return Int{}
	}
	return IntOf(x - y)
}
