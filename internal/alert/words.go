package alert

import (
	"math"
	"strconv"
	"strings"

	"wallboard/model"
)

// Spoken returns a figure in words for reading aloud: "4", "87.4 percent", "1 minute 5 seconds",
// "not applicable" or "unknown".
func (f Format) Spoken(v model.Figure) string {
	x, ok := v.Get()
	switch {
	case v.IsNotApplicable():
		return "not applicable"
	case !ok:
		return "unknown"
	case f == Duration:
		text := secondsInWords(x)
		if v.Estimated() {
			text = "about " + text
		}
		if v.UnitPresumed() {
			text += " (presumed)"
		}
		return text
	case f == Percent:
		return strings.TrimSuffix(strconv.FormatFloat(x*100, 'f', 1, 64), ".0") + " percent"
	case x == math.Trunc(x):
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'f', 1, 64)
}

// secondsInWords returns a duration in words, with its two largest nonzero units.
func secondsInWords(x float64) string {
	sign := ""
	if x < 0 {
		sign, x = "minus ", -x
	}
	s := int64(min(x, 1e9) + 0.5)
	if s >= 3600 {
		s = (s + 30) / 60 * 60 // round to minutes because seconds are omitted next to hours
	}
	var parts []string
	for _, u := range []struct {
		name string
		of   int64
	}{{"day", 24 * 3600}, {"hour", 3600}, {"minute", 60}, {"second", 1}} {
		if n := s / u.of; n > 0 && len(parts) < 2 {
			word := strconv.FormatInt(n, 10) + " " + u.name
			if n != 1 {
				word += "s"
			}
			parts = append(parts, word)
		}
		s %= u.of
	}
	if len(parts) == 0 {
		return "0 seconds"
	}
	return sign + strings.Join(parts, " ")
}
