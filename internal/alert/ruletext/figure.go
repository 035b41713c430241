package ruletext

import (
	"math"
	"strconv"
	"time"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/kpi"
)

// maxSeconds limits durations in texts.
const maxSeconds = 1e9

// Figure returns a figure: "4", "4.5", "87.4 %", "1:05", "n/a" or "–". "~" precedes an estimated
// duration, and "?" follows one whose unit is presumed.
func Figure(unit kpi.Unit, v model.Figure) words.Text {
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
	d := time.Duration(min(math.Abs(x), maxSeconds)+0.5) * time.Second
	text := words.Duration(d)
	if v.Estimated() {
		text = words.RuleEstimate(d)
	}
	if x < 0 {
		text = words.RuleMinus(text)
	}
	if v.UnitPresumed() {
		text = words.RulePresumed(text)
	}
	return text
}

// Spoken returns a figure in words for reading aloud: "4", "87.4 percent", "1 minute 5 seconds", "not
// applicable" or "unknown".
func Spoken(unit kpi.Unit, v model.Figure) words.Text {
	x, ok := v.Get()
	switch {
	case v.IsNotApplicable():
		return words.SpeakNotApplicable()
	case !ok:
		return words.SpeakUnknown()
	case unit == kpi.Duration:
		text := spokenDuration(x)
		if v.Estimated() {
			text = words.SpeakAbout(text)
		}
		if v.UnitPresumed() {
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

// spokenDuration returns a duration in words, with its two largest nonzero units.
func spokenDuration(x float64) words.Text {
	if x < 0 {
		return words.SpeakMinus(spokenDuration(-x))
	}
	s := int(min(x, maxSeconds) + 0.5)
	if s >= 3600 {
		s = (s + 30) / 60 * 60 // round to minutes because seconds are omitted next to hours
	}
	var parts []words.Text
	for _, u := range []struct {
		text func(n int) words.Text
		of   int
	}{{words.SpeakDays, 24 * 3600}, {words.SpeakHours, 3600}, {words.SpeakMinutes, 60}, {words.SpeakSeconds, 1}} {
		if n := s / u.of; n > 0 && len(parts) < 2 {
			parts = append(parts, u.text(n))
		}
		s %= u.of
	}
	switch len(parts) {
	case 0:
		return words.SpeakSeconds(0)
	case 1:
		return parts[0]
	}
	return words.SpeakUnits(parts[0], parts[1])
}
