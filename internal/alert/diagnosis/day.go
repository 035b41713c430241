package diagnosis

import (
	"time"

	"wallboard/internal/words"
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
	Zone                           *time.Location // zone of times of day; nil: the zone of Now
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
func DayCause(history *History, d DayInput) (c Cause, missing words.Text) {
	from := d.Now.Add(-recentPeriod)
	if history.Since().After(from) {
		from = history.Since()
	}
	span := history.PeriodTotals(d.Key, from, d.Now)
	if span.Seconds < minObservedDay.Seconds() {
		return c, words.CauseDayTooShort()
	}
	calls := span.Calls()
	inTime, counted, okLevel := calls.ServiceLevelCounts(d.Formula)
	gaveUp, okGaveUp := calls.HangupCalls.Get()
	received, okReceived := calls.ReceivedCalls.Get()
	level, asksLevel := d.TargetLevel.Get()
	most, asksGiveUp := d.TargetAbandonRate.Get()
	unknown := asksLevel && !okLevel || asksGiveUp && (!okGaveUp || !okReceived)
	if unknown || !asksLevel && !asksGiveUp {
		return c, words.CauseDayUnknown()
	}
	goesOn := asksLevel && float64(inTime) < level*float64(counted) || asksGiveUp && float64(gaveUp) > most*float64(received)
	since := words.ClockOf(from, d.Zone)
	what := func(n int64) words.Text { return words.CountContactsOn(int(n), d.Key.Channel) }
	var text words.Text
	kind := BeganEarlier
	switch ended := max(counted, received); {
	case ended == 0:
		text = words.CauseDayBeforeNone(since, words.ContactNouns(d.Key.Channel))
	case ended < minDayCalls:
		text = words.CauseDayBeforeFew(since, int(ended))
	default:
		share := words.CauseDayAbandoned(int(gaveUp), what(received))
		switch {
		case asksLevel && asksGiveUp:
			share = words.CauseDayLevelAbandoned(int(inTime), what(counted), int(gaveUp))
		case asksLevel:
			share = words.CauseDayLevel(int(inTime), what(counted))
		}
		if text = words.CauseDayBefore(since, share); goesOn {
			kind, text = StillOngoing, words.CauseDayGoesOn(since, share)
		}
	}
	return setEnglishTexts(Cause{Kind: kind, Messages: CauseMessages{Text: text}})[0], words.Text{}
}
