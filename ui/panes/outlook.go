package panes

import (
	"wallboard/internal/alert/forecast"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/contact"
)

// breakSentences describes the current break of an agent in sentences. isOver is true if the break is
// longer than allowed. lines is nil if the agent is not on a break, if the snapshot is frozen, or if
// there are no forecasts.
func (sc *Scene) breakSentences(username string) (lines []string, isOver bool) {
	now := sc.Floor.ToServerTime(sc.Floor.LocalNow)
	if sc.Forecaster == nil || !sc.Floor.FrozenAt.IsZero() {
		return nil, false
	}
	away, ok := sc.Forecaster.CurrentBreak(username, now)
	if !ok {
		return nil, false
	}
	return words.AllIn(away.Lines(sc.Floor.Names.NameOf(model.NameActivity, away.Code), now, sc.Look.Zone()), sc.Look.Format.Words), away.OverBreakLimit > 0
}

// Forecast returns the end-of-day forecast for a service or, if service is "", for the floor. c
// holds the calls of the day so far. ok is false if the snapshot, the forecaster or the baseline is
// missing, or if contacts on the channel cannot be compared with other days.
func (sc *Scene) Forecast(service string, ch model.Channel, c *model.ServiceCalls) (f forecast.Forecast, ok bool) {
	kind, known := contact.KindForChannel(ch)
	if !known || sc.Baseline == nil || sc.Forecaster == nil || sc.Floor.Shown == nil {
		return f, false
	}
	day, _ := sc.todayComparison(kind)
	return sc.Forecaster.DayForecast(sc.Floor, day, sc.Alarms.Engine.Goal(service), service, ch, c), true
}

// RestOfDay returns the forecast for each half hour until the end of the day, for a service or, if
// service is "", for the floor. c holds the calls of the day so far. The result is nil if there is
// no such forecast.
func (sc *Scene) RestOfDay(service string, ch model.Channel, c *model.ServiceCalls) *forecast.RestOfDay {
	kind, known := contact.KindForChannel(ch)
	if !known || sc.Forecaster == nil || sc.Floor.Shown == nil {
		return nil
	}
	day, _ := sc.todayComparison(kind)
	return sc.Forecaster.RestOfDay(sc.Floor, day, sc.Alarms.Engine.Goal(service), service, ch, c)
}
