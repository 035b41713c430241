package breaks

import (
	"time"

	"wallboard/internal/words"
)

// Lines describes the break in sentences. code is the display name of the activity code. Times are
// in zone.
func (a *AgentOnBreak) Lines(code string, now time.Time, zone *time.Location) []words.Text {
	clock := func(t time.Time) words.Clock { return words.ClockOf(t, zone) }
	var out []words.Text
	switch {
	case a.Since.IsZero():
		out = append(out, words.BreakOn(code))
	case a.OverBreakLimit > 0:
		out = append(out, words.BreakOnTooLong(code, clock(a.Since), words.Minutes(now.Sub(a.Since)), words.Minutes(a.OverBreakLimit)))
	default:
		out = append(out, words.BreakOnSince(code, clock(a.Since), words.Minutes(now.Sub(a.Since))))
	}
	if l := &a.Limit; l.PerBreak > 0 && l.Source != "" {
		out = append(out, words.BreakAllowance(words.Minutes(l.PerBreak), l.basis()))
	}
	if a.Limit.PerDay > 0 {
		out = append(out, a.todayText())
	}
	switch b := a.Return; {
	case b.IsOverdue && b.fromAllowance:
		out = append(out, words.BreakReturnUnknown())
	case b.IsOverdue:
		out = append(out, words.BreakReturnLate(b.Basis))
	case b.Likely.IsZero():
	case b.IsOneMinute():
		out = append(out, words.BreakReturn(clock(b.Likely), b.Basis))
	default:
		out = append(out, words.BreakReturnBetween(clock(b.Likely), clock(b.From), clock(b.To), b.Basis))
	}
	return out
}

// basis says where the limit per break comes from.
func (l *Limit) basis() words.Text {
	if l.Kind == "" {
		return l.Source.Text()
	}
	return words.BreakBasis(l.Kind.Text(), l.Source.Text())
}

// todayText compares the total time with the code today with the limit per day.
func (a *AgentOnBreak) todayText() words.Text {
	limit := words.Minutes(a.Limit.PerDay)
	used, ok := a.UsedToday.Seconds()
	switch {
	case !ok:
		return words.BreakTodayUnknown(limit)
	case a.OverDayLimit > 0:
		return words.BreakTodayOver(words.Minutes(used), words.Minutes(a.OverDayLimit), limit)
	}
	return words.BreakToday(words.Minutes(used), limit)
}
