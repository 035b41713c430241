package diagnosis

import (
	"fmt"
	"strconv"
	"time"

	"wallboard/internal/phrases"
	"wallboard/model"
)

// DayInput holds the parameters of [DayCause].
type DayInput struct {
	Key     model.ServiceKey
	Now     time.Time
	Formula model.ServiceLevelFormula
	// TargetLevel is the target service level and TargetAbandonRate the target abandon rate, from 0
	// to 1. A target that the problem is not about must be unknown.
	TargetLevel, TargetAbandonRate model.Float
	Clock                          func(time.Time) string // formats a time of day
}

// The last hour is compared with the target if the board has observed at least minObservedDay of
// it. If there were fewer than minDayCalls contacts, the problem is assumed to be older.
const (
	recentPeriod   = time.Hour
	minObservedDay = 10 * time.Minute
	minDayCalls    = 5
)

// DayCause returns a cause that says whether a problem in the figures of the day began before the
// last hour or continues in it. If that cannot be determined, missing is the reason.
func DayCause(history *History, d DayInput) (c Cause, missing string) {
	from := d.Now.Add(-recentPeriod)
	if history.Since().After(from) {
		from = history.Since()
	}
	span := history.PeriodTotals(d.Key, from, d.Now)
	if span.Seconds < minObservedDay.Seconds() {
		return c, "Not monitored for long enough to say when it happened."
	}
	calls := span.Calls()
	inTime, counted, okLevel := calls.ServiceLevelCounts(d.Formula)
	gaveUp, okGaveUp := calls.HangupCalls.Get()
	received, okReceived := calls.ReceivedCalls.Get()
	level, asksLevel := d.TargetLevel.Get()
	most, asksGiveUp := d.TargetAbandonRate.Get()
	unknown := asksLevel && !okLevel || asksGiveUp && (!okGaveUp || !okReceived)
	if unknown || !asksLevel && !asksGiveUp {
		return c, "The figures do not show when it happened."
	}
	goesOn := asksLevel && float64(inTime) < level*float64(counted) || asksGiveUp && float64(gaveUp) > most*float64(received)
	what, since := phrases.Contacts(d.Key.Channel), d.Clock(from)
	var text string
	switch ended := max(counted, received); {
	case ended == 0:
		return Cause{Kind: DayEarlier, Text: fmt.Sprintf("That was before %s; no %s since.", since, what)}, ""
	case ended < minDayCalls:
		return Cause{Kind: DayEarlier, Text: fmt.Sprintf("That was before %s; too few since then to tell (%d).", since, ended)}, ""
	case asksLevel:
		text = fmt.Sprintf("%d of %d %s were answered in time", inTime, counted, what)
		if asksGiveUp {
			text += " and " + noneOr(gaveUp) + " abandoned"
		}
	default:
		text = fmt.Sprintf("%s of %d %s abandoned", noneOr(gaveUp), received, what)
	}
	if goesOn {
		return Cause{Kind: DayOngoing, Text: "It continues: since " + since + " " + text + "."}, ""
	}
	return Cause{Kind: DayEarlier, Text: "That was before " + since + "; since then " + text + "."}, ""
}

// noneOr formats a number, with "none" for 0.
func noneOr(n int64) string {
	if n == 0 {
		return "none"
	}
	return strconv.FormatInt(n, 10)
}
