package alert

import "wallboard/model"

// truth is the value of a condition.
type truth uint8

const (
	unknown truth = iota // the condition depends on something unknown
	no
	yes
	notApplicable // the condition compares a ratio whose denominator is 0
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

func (t truth) not() truth {
	switch t {
	case yes:
		return no
	case no:
		return yes
	case unknown, notApplicable:
	}
	return t
}

// and returns the conjunction: no if one operand is no, else unknown if one is unknown, else n/a if
// one is n/a.
func (t truth) and(u truth) truth {
	switch {
	case t == no || u == no:
		return no
	case t == unknown || u == unknown:
		return unknown
	case t == notApplicable || u == notApplicable:
		return notApplicable
	}
	return yes
}

func (t truth) or(u truth) truth { return t.not().and(u.not()).not() }

// finiteFigure returns v as a figure. The figure is unknown if v is infinite or NaN.
func finiteFigure(v float64) model.Figure {
	return model.FloatOf(v).Figure()
}

// unknownOrNA returns the result of an operation on two figures, at least one of which has no
// value. The result is unknown if one of them is unknown, otherwise n/a.
func unknownOrNA(a, b model.Figure) model.Figure {
	if (a.Known() || a.IsNotApplicable()) && (b.Known() || b.IsNotApplicable()) {
		return model.NotApplicable()
	}
	return model.Figure{}
}

// unknownOrNATruth returns the truth of a condition about a figure without a value.
func unknownOrNATruth(f model.Figure) truth {
	if f.IsNotApplicable() {
		return notApplicable
	}
	return unknown
}
