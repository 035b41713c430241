package forecast

import (
	"fmt"
	"math"
	"strconv"

	"wallboard/internal/phrases"
	"wallboard/model"
)

// Lines describes the forecast in sentences. Times are shown in the zone of Close.
func (f *Forecast) Lines(target model.Float) []string {
	if !f.ContactsKnown {
		return []string{"No forecast: " + f.Missing}
	}
	out := []string{"Forecast " + f.By() + ": about " + Number(f.Contacts.Likely) + " contacts (" + f.ContactsBand() + ")."}
	if f.LevelKnown {
		line := "Service level then about " + percent(f.Level.Likely) + " % (" + percent(f.Level.Low) + " to " + percent(f.Level.High) + " %)"
		if t, ok := target.Get(); ok {
			line += ", target " + percent(t) + " %"
		}
		switch {
		case !f.Missed.IsZero():
			line += ": missed from about " + f.MissedAt()
		case !f.Reached.IsZero():
			line += ": met again from about " + phrases.Clock(f.Reached, f.Close.Location())
		case target.Known() && math.Abs(f.Level.Likely-target.Or(0)) < (f.Level.High-f.Level.Low)*tooCloseShare:
			line += ": it may go either way"
		case f.Level.High < target.Or(0):
			line += ": not reached today"
		case f.Level.Likely < target.Or(0):
			line += ": probably not reached today"
		}
		out = append(out, line+".")
	} else {
		out = append(out, f.Missing)
	}
	return append(out, "From "+f.Basis+". Four of five days end within these ranges.")
}

// Summary describes the forecast in a line, in full and in brief. contacts is the word for them.
func (f *Forecast) Summary(contacts string) (text, brief string) {
	brief = ": " + f.ContactsBand() + " " + contacts
	text = "forecast " + f.By() + brief
	brief = "forecast" + brief
	if f.HasNarrowLevel() {
		text += ", service level " + f.LevelBand()
		if !f.Missed.IsZero() {
			text += ", missed from about " + f.MissedAt()
		}
		brief += ", " + f.LevelBand()
	}
	return text, brief
}

// ContactsBand formats the range of contacts at closing time.
func (f *Forecast) ContactsBand() string {
	return Number(f.Contacts.Low) + " to " + Number(f.Contacts.High)
}

// HasNarrowLevel reports whether the forecast of the service level says anything: whether its
// range is at most five points above and below its middle.
func (f *Forecast) HasNarrowLevel() bool {
	const widest = 0.10
	return f.LevelKnown && f.Level.High-f.Level.Low <= widest
}

// LevelBand formats the range of the service level at closing time in whole percent.
func (f *Forecast) LevelBand() string {
	low, high := fmt.Sprintf("%.0f", 100*f.Level.Low), fmt.Sprintf("%.0f", 100*f.Level.High)
	if low == high {
		return "about " + low + " %"
	}
	return low + " to " + high + " %"
}

// By formats the closing time: "by 20:00".
func (f *Forecast) By() string {
	if h, m, _ := f.Close.Clock(); h == 0 && m == 0 {
		return "by midnight"
	}
	return "by " + phrases.Clock(f.Close, nil)
}

// MissedAt formats the time at which the target is missed: "16:15".
func (f *Forecast) MissedAt() string { return phrases.Clock(f.Missed, f.Close.Location()) }

// tooCloseShare is the part of the 80 % range around the estimate within which the outcome is
// too close to call: half of the days end there.
const tooCloseShare = 0.26

// Number formats an estimate with at most three significant digits.
func Number(x float64) string {
	step := 1.0
	for x/step >= 1000 {
		step *= 10
	}
	return wholeNumber(math.Round(x/step) * step)
}

// percent formats a share with at most one decimal.
func percent(x float64) string {
	return strconv.FormatFloat(math.Round(1000*x)/10, 'f', -1, 64)
}
