package forecast

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"wallboard/internal/phrases"
)

// Lines describes the forecast in sentences. Times are in the zone of Close.
func (f *Forecast) Lines() []string {
	if !f.ContactsKnown {
		return []string{"No forecast. " + f.MissingReason}
	}
	out := make([]string, 0, 4)
	if f.LevelKnown {
		out = append(out, f.levelLine())
		if need := f.needLine(); need != "" && (f.IsLevelRangeNarrow() || f.isFinal()) {
			out = append(out, need)
		}
	} else {
		out = append(out, f.MissingReason)
	}
	return append(out,
		"Contacts "+f.ByClosing()+": about "+FormatEstimate(f.Contacts.Likely)+" ("+f.ContactsBand()+").",
		"From "+f.Basis+". 80 % ranges: four of five days end within them.")
}

// levelLine describes the service level at closing time, with the verdict.
func (f *Forecast) levelLine() string {
	if !f.IsLevelRangeNarrow() {
		const reason = "the range is still wider than 10 points."
		verdict := NoVerdict
		t, ok := f.Target.Get()
		switch {
		case f.isFinal():
			verdict = f.Verdict
		case ok && f.Level.High < t:
			verdict = ProbablyNot
		case ok && f.Level.Low >= t:
			verdict = Probably
		}
		if verdict != NoVerdict {
			return "Target " + phrases.Points(t) + " %: " + verdict.String() + " " + f.ByClosing() + "; no figure, because " + reason
		}
		return "Service level " + f.ByClosing() + ": too early to say, because " + reason
	}
	line := phrases.Points(f.Level.Likely) + " % " + f.ByClosing() + " (" + phrases.Points(f.Level.Low) + " to " + phrases.Points(f.Level.High) + ")"
	t, ok := f.Target.Get()
	if !ok {
		return "Service level " + line + "."
	}
	line = "Target " + phrases.Points(t) + " %: " + f.Verdict.String() + ", " + line
	switch {
	case !f.MissedFrom.IsZero():
		line += ", missed from about " + f.MissedAt()
	case !f.ReachedFrom.IsZero() && f.Verdict >= Probably:
		line += ", met again from about " + phrases.Clock(f.ReachedFrom, f.Close.Location())
	}
	return line + "."
}

// needLine describes the share of the calls to come that must be answered in time.
func (f *Forecast) needLine() string {
	needed, ok := f.Needed.Get()
	switch {
	case !ok:
		return ""
	case needed > 1:
		return "Out of reach, even if all calls from now on are answered in time."
	case needed <= 0:
		return "Met even if no call from now on is answered in time."
	}
	line := "Needs " + formatPercentUp(needed) + " % from now on"
	if recent, ok := f.RecentLevel.Get(); ok {
		line += "; the last half hour had " + phrases.Points(recent) + " %"
	}
	return line + "."
}

// IsContactsRangeNarrow reports whether the range of the number of contacts is narrow enough to be
// useful: at most a quarter of the likely number.
func (f *Forecast) IsContactsRangeNarrow() bool {
	return f.ContactsKnown && f.Contacts.High-f.Contacts.Low <= f.Contacts.Likely/4
}

// Summary describes the forecast in one line, in a full and in a brief form. It omits ranges that
// are too wide to be useful, and returns empty strings if all are. contacts is the word for contacts
// of the channel.
func (f *Forecast) Summary(contacts string) (text, brief string) {
	var full, short []string
	if f.IsContactsRangeNarrow() {
		volume := f.ContactsBand() + " " + contacts
		full, short = append(full, volume), append(short, volume)
	}
	if f.IsLevelRangeNarrow() {
		full, short = append(full, "service level "+f.LevelBand()), append(short, f.LevelBand())
		if !f.MissedFrom.IsZero() {
			full = append(full, "missed from about "+f.MissedAt())
		}
	}
	if len(full) == 0 {
		return "", ""
	}
	return "forecast " + f.ByClosing() + ": " + strings.Join(full, ", "), "forecast: " + strings.Join(short, ", ")
}

// ContactsBand formats the range of the number of contacts at closing time.
func (f *Forecast) ContactsBand() string {
	return FormatEstimate(f.Contacts.Low) + " to " + FormatEstimate(f.Contacts.High)
}

// IsLevelRangeNarrow reports whether the range of the forecast service level is narrow enough to be
// useful: at most 10 percentage points.
func (f *Forecast) IsLevelRangeNarrow() bool {
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

// ByClosing formats the closing time as a phrase, such as "by 20:00".
func (f *Forecast) ByClosing() string {
	if h, m, _ := f.Close.Clock(); h == 0 && m == 0 {
		return "by midnight"
	}
	return "by " + phrases.Clock(f.Close, nil)
}

// MissedAt formats the time from which the target will be missed, such as "16:15".
func (f *Forecast) MissedAt() string { return phrases.Clock(f.MissedFrom, f.Close.Location()) }

// FormatEstimate formats a number with at most three significant digits.
func FormatEstimate(x float64) string {
	step := 1.0
	for x/step >= 1000 {
		step *= 10
	}
	return formatWhole(math.Round(x/step) * step)
}

// formatPercentUp formats a share that must be reached as a whole percentage, rounded up.
func formatPercentUp(x float64) string { return strconv.Itoa(int(math.Ceil(100*x - 1e-9))) }
