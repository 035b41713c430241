package breaks

import (
	"strconv"
	"strings"
	"time"
)

func countText(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// Lines describes a break in sentences. code is the display name of its code; times are
// shown in zone.
func (a *Away) Lines(code string, now time.Time, zone *time.Location) []string {
	clock := func(t time.Time) string { return t.In(zone).Format("15:04") }
	line := "On " + code
	if a.Since.IsZero() {
		line += ", since when is not known"
	} else {
		line += " since " + clock(a.Since) + ", for " + minutes(now.Sub(a.Since))
	}
	if a.OverTime > 0 {
		line += ": " + minutes(a.OverTime) + " longer than allowed"
	}
	out := []string{line + "."}
	if l := &a.Limit; l.PerTime > 0 && l.Source != "" {
		out = append(out, "Allowed: "+minutes(l.PerTime)+" ("+strings.TrimPrefix(string(l.Kind)+", ", ", ")+string(l.Source)+").")
	}
	if a.Limit.PerDay > 0 {
		day := "Today's time with it is not known; " + minutes(a.Limit.PerDay) + " are allowed."
		if s, ok := a.Used.Seconds(); ok {
			day = "Today " + minutes(s) + " of " + minutes(a.Limit.PerDay) + "."
			if a.OverDay > 0 {
				day = "Today " + minutes(s) + ": " + minutes(a.OverDay) + " more than the " + minutes(a.Limit.PerDay) + " allowed."
			}
		}
		out = append(out, day)
	}
	switch b := a.Back; {
	case b.Late && b.Basis == limitBasis:
		out = append(out, "When it ends nobody knows: too few breaks with it were watched.")
	case b.Late:
		out = append(out, "Longer than all of "+b.Basis+": nobody knows when it ends.")
	case b.Likely.IsZero():
	case b.From.Equal(b.To):
		out = append(out, "Likely back about "+clock(b.Likely)+", by "+b.Basis+".")
	default:
		out = append(out, "Likely back about "+clock(b.Likely)+" ("+clock(b.From)+" to "+clock(b.To)+"), by "+b.Basis+".")
	}
	return out
}

// minutes formats a duration: "18 min", "1 h 05 min".
func minutes(d time.Duration) string {
	m := int(d.Round(time.Minute) / time.Minute)
	const hour = 60
	if m < hour {
		return strconv.Itoa(m) + " min"
	}
	return strconv.Itoa(m/hour) + " h " + strconv.Itoa(m%hour/10) + strconv.Itoa(m%10) + " min"
}
