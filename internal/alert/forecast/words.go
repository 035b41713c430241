package forecast

import (
	"math"
	"strconv"
	"time"

	"wallboard/internal/words"
)

// Lines describes the forecast in sentences. Times are in the zone of ClosingTime.
func (f *Forecast) Lines() []words.Text {
	if !f.ContactsKnown {
		return []words.Text{words.ForecastNone(f.MissingReason)}
	}
	out := make([]words.Text, 0, 4)
	if f.LevelKnown {
		out = append(out, f.levelLine())
		if need := f.needLine(); !need.IsZero() && (f.IsLevelRangeNarrow() || f.isFinal()) {
			out = append(out, need)
		}
	} else {
		out = append(out, f.MissingReason)
	}
	return append(out,
		words.ForecastVolume(f.ByClosing(), roundSignificant(f.Contacts.Likely), roundSignificant(f.Contacts.Low), roundSignificant(f.Contacts.High)),
		words.ForecastBasedOn(f.Basis))
}

// levelLine describes the service level at closing time, with the verdict.
func (f *Forecast) levelLine() words.Text {
	if !f.IsLevelRangeNarrow() {
		verdict := VerdictNone
		t, ok := f.Target.Get()
		switch {
		case f.isFinal():
			verdict = f.Verdict
		case ok && f.Level.High < t:
			verdict = VerdictProbablyNot
		case ok && f.Level.Low >= t:
			verdict = VerdictProbable
		}
		if verdict != VerdictNone {
			return words.ForecastWide(100*t, verdict.Text(), f.ByClosing())
		}
		return words.ForecastTooWide(f.ByClosing())
	}
	likely, low, high := 100*f.Level.Likely, 100*f.Level.Low, 100*f.Level.High
	t, ok := f.Target.Get()
	if !ok {
		return words.ForecastLevel(likely, f.ByClosing(), low, high)
	}
	level := words.ForecastLevelPhrase(likely, f.ByClosing(), low, high)
	switch {
	case !f.MissedFrom.IsZero():
		return words.ForecastTargetMissed(100*t, f.Verdict.Text(), level, f.clock(f.MissedFrom))
	case !f.ReachedFrom.IsZero() && f.Verdict >= VerdictProbable:
		return words.ForecastTargetMet(100*t, f.Verdict.Text(), level, f.clock(f.ReachedFrom))
	}
	return words.ForecastTarget(100*t, f.Verdict.Text(), level)
}

// clock returns the time of day of t in the zone of ClosingTime.
func (f *Forecast) clock(t time.Time) words.Clock { return words.ClockOf(t, f.ClosingTime.Location()) }

// needLine describes the share of the calls to come that must be answered in time.
func (f *Forecast) needLine() words.Text {
	needed, ok := f.NeededShare.Get()
	switch {
	case !ok:
		return words.Text{}
	case f.Verdict == VerdictUnreachable:
		return words.ForecastUnreachable()
	case f.Verdict == VerdictCertain || max(needed, f.MaxNeededShare.Or(0)) <= 0:
		return words.ForecastSafe()
	case needed <= 0: // "0 %" would contradict the verdict, which holds for the whole range of calls
		needed = f.MaxNeededShare.Or(0)
	}
	percent := int(math.Ceil(100*clampShare(needed) - 1e-9))
	if recent, ok := f.RecentLevel.Get(); ok {
		return words.ForecastNeedsRecent(percent, 100*recent)
	}
	return words.ForecastNeeds(percent)
}

// IsContactsRangeNarrow reports whether the range of the number of contacts is narrow enough to be
// useful: at most a quarter of the likely number.
func (f *Forecast) IsContactsRangeNarrow() bool {
	return f.ContactsKnown && f.Contacts.High-f.Contacts.Low <= f.Contacts.Likely/4
}

// Summary describes the forecast in one line, in a full and in a brief form. It omits ranges that
// are too wide to be useful, and returns zero texts if all are. contacts is the noun for contacts of
// the channel.
func (f *Forecast) Summary(contacts words.Text) (text, brief words.Text) {
	var full, short []words.Text
	if f.IsContactsRangeNarrow() {
		volume := words.ForecastContacts(roundSignificant(f.Contacts.Low), roundSignificant(f.Contacts.High), contacts)
		full, short = append(full, volume), append(short, volume)
	}
	if f.IsLevelRangeNarrow() {
		full, short = append(full, words.ForecastServiceLevel(f.LevelBand())), append(short, f.LevelBand())
		if !f.MissedFrom.IsZero() {
			full = append(full, words.ForecastMissedFrom(f.clock(f.MissedFrom)))
		}
	}
	if len(full) == 0 {
		return words.Text{}, words.Text{}
	}
	return words.ForecastSummary(f.ByClosing(), full), words.ForecastSummaryBrief(short)
}

// ContactsBand returns the range of the number of contacts at closing time.
func (f *Forecast) ContactsBand() words.Text {
	return words.ForecastRange(roundSignificant(f.Contacts.Low), roundSignificant(f.Contacts.High))
}

// IsLevelRangeNarrow reports whether the range of the forecast service level is narrow enough to be
// useful: at most 10 percentage points.
func (f *Forecast) IsLevelRangeNarrow() bool {
	const widest = 0.10
	return f.LevelKnown && f.Level.High-f.Level.Low <= widest
}

// LevelBand returns the range of the service level at closing time in whole percent.
func (f *Forecast) LevelBand() words.Text {
	low, high := roundToInt(100*f.Level.Low), roundToInt(100*f.Level.High)
	if low == high {
		return words.ForecastAboutPercent(low)
	}
	return words.ForecastRangePercent(low, high)
}

// ByClosing returns the closing time as a phrase, such as "by 20:00".
func (f *Forecast) ByClosing() words.Text {
	if h, m, _ := f.ClosingTime.Clock(); h == 0 && m == 0 {
		return words.ForecastByMidnight()
	}
	return words.ForecastBy(words.ClockOf(f.ClosingTime, nil))
}

// MissedAt returns the time from which the target will be missed, such as "16:15".
func (f *Forecast) MissedAt() words.Text { return words.TimeClock(f.clock(f.MissedFrom)) }

// FormatEstimate formats a number with at most three significant digits.
func FormatEstimate(x float64) string { return strconv.Itoa(roundSignificant(x)) }

// roundSignificant rounds a number to three significant digits.
func roundSignificant(x float64) int {
	step := 1.0
	for x/step >= 1000 {
		step *= 10
	}
	return int(math.Round(x/step) * step)
}
