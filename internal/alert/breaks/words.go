package breaks

import (
	"strings"
	"time"

	"wallboard/internal/phrases"
)

// Lines describes the break in sentences. code is the display name of the activity code. Times are
// in zone.
func (a *Away) Lines(code string, now time.Time, zone *time.Location) []string {
	clock := func(t time.Time) string { return phrases.Clock(t, zone) }
	line := "On " + code
	if a.Since.IsZero() {
		line += ", start unknown"
	} else {
		line += " since " + clock(a.Since) + ", for " + phrases.Minutes(now.Sub(a.Since))
	}
	if a.OverBreakLimit > 0 {
		line += ": " + phrases.Minutes(a.OverBreakLimit) + " longer than allowed"
	}
	out := []string{line + "."}
	if l := &a.Limit; l.PerBreak > 0 && l.Source != "" {
		out = append(out, "Allowance "+phrases.Minutes(l.PerBreak)+" ("+strings.TrimPrefix(string(l.Kind)+", ", ", ")+string(l.Source)+").")
	}
	if a.Limit.PerDay > 0 {
		day := "Today's total is unknown; the allowance is " + phrases.Minutes(a.Limit.PerDay) + "."
		if s, ok := a.Used.Seconds(); ok {
			day = "Today " + phrases.Minutes(s) + " of " + phrases.Minutes(a.Limit.PerDay) + "."
			if a.OverDayLimit > 0 {
				day = "Today " + phrases.Minutes(s) + ": " + phrases.Minutes(a.OverDayLimit) + " over the allowance of " + phrases.Minutes(a.Limit.PerDay) + "."
			}
		}
		out = append(out, day)
	}
	switch b := a.Back; {
	case b.Late && b.Basis == limitBasis:
		out = append(out, "Return time unknown: too few breaks with it were seen.")
	case b.Late:
		out = append(out, "Longer than "+b.Basis+"; return time unknown.")
	case b.Likely.IsZero():
	case b.From.Equal(b.To):
		out = append(out, "Likely back about "+clock(b.Likely)+", by "+b.Basis+".")
	default:
		out = append(out, "Likely back about "+clock(b.Likely)+" ("+clock(b.From)+" to "+clock(b.To)+"), by "+b.Basis+".")
	}
	return out
}
