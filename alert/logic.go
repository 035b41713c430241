package alert

import "wallboard/model"

// truth is the value of a condition.
type truth uint8

const (
	unsure truth = iota // it stands on something unknown
	no
	yes
	void // it has no meaning now: it compares a ratio without a denominator
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
	case unsure, void:
	}
	return t
}

// and returns what decides: a part that is false, then one that is unknown.
func (t truth) and(u truth) truth {
	switch {
	case t == no || u == no:
		return no
	case t == unsure || u == unsure:
		return unsure
	case t == void || u == void:
		return void
	}
	return yes
}

func (t truth) or(u truth) truth { return t.not().and(u.not()).not() }

// figure returns a known figure; what is no finite number is unknown.
func figure(v float64) model.Figure {
	return model.FloatOf(v).Figure()
}

// missing returns what becomes of two figures that are not both known.
func missing(a, b model.Figure) model.Figure {
	if (a.Known() || a.NA()) && (b.Known() || b.NA()) {
		return model.NotApplicable()
	}
	return model.Figure{}
}

// doubt returns what a condition about a figure that is not known is.
func doubt(f model.Figure) truth {
	if f.NA() {
		return void
	}
	return unsure
}
