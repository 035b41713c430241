package textformat

import (
	"math"
	"strconv"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/kpi"
)

const maxFigureSeconds = 1e9 // limits durations in texts

// FigureText returns a figure: "4", "4.5", "87.4 %", "1:05", "n/a" or "–". "~" precedes an estimated
// duration, and "?" follows one whose unit is presumed.
func FigureText(unit kpi.Unit, v model.Figure) words.Text {
	x, ok := v.Get()
	switch {
	case v.IsNotApplicable():
		return words.NotApplicable()
	case !ok:
		return words.Name("–")
	case unit == kpi.Percent:
		return words.RulePercent(x)
	case unit == kpi.Duration:
		return durationText(x, v)
	case x == math.Trunc(x) && math.Abs(x) < 1<<53:
		return words.Count(int(x))
	}
	return words.Number(x)
}

// durationText returns a duration of x seconds. v says whether it is estimated or presumed.
func durationText(x float64, v model.Figure) words.Text {
	d := DurationFromSeconds(min(math.Abs(x), maxFigureSeconds))
	text := words.Duration(d)
	if v.IsEstimated() {
		text = words.RuleEstimate(d)
	}
	if x < 0 {
		text = words.RuleMinus(text)
	}
	if v.IsUnitPresumed() {
		text = words.RulePresumed(text)
	}
	return text
}

// SpokenFigure returns a figure in words for reading aloud: "4", "87.4 percent", "1 minute 5
// seconds", "not applicable" or "unknown".
func SpokenFigure(unit kpi.Unit, v model.Figure) words.Text {
	x, ok := v.Get()
	switch {
	case v.IsNotApplicable():
		return words.SpeakNotApplicable()
	case !ok:
		return words.SpeakUnknown()
	case unit == kpi.Duration:
		text := words.SpokenDuration(DurationFromSeconds(min(math.Abs(x), maxFigureSeconds)))
		if x < 0 {
			text = words.SpeakMinus(text)
		}
		if v.IsEstimated() {
			text = words.SpeakAbout(text)
		}
		if v.IsUnitPresumed() {
			text = words.Presumed(text)
		}
		return text
	case unit == kpi.Percent:
		return words.SpeakPercent(100 * x)
	case x == math.Trunc(x) && math.Abs(x) >= 10_000:
		return words.Name(strconv.FormatFloat(x, 'f', 0, 64)) // without blanks, which would be read as two numbers
	}
	return words.Number(x)
}
