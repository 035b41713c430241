package forecast

import (
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
)

// Tracker computes the forecasts of a floor from the snapshots that it observes. It is not safe for
// concurrent use. The zero value is ready to use.
type Tracker struct {
	// IntradayLog provides the earlier days. If it is nil, forecasts use only the curve in the input.
	IntradayLog *IntradayLog
	// RecordsShown makes the tracker store the current forecasts in IntradayLog, for
	// [IntradayLog.CheckAccuracy]. It must be set only if the tracker observes the whole floor.
	RecordsShown bool

	misses MissTracker
	// verdicts holds the last verdict for each service. A service with the code "" stands for its
	// channel.
	verdicts      map[model.ServiceKey]LastVerdict
	updatedMinute int64 // minute of the last update by UpdateEngine
}

// Observe adds the calls of a snapshot to the recent calls. goal returns the targets of a service.
func (t *Tracker) Observe(s *model.Snapshot, now time.Time, goal func(service string) alert.Goal) {
	t.misses.Update(s, now, func(code string) model.ServiceLevelFormula { return goal(code).Formula })
}

// Forecast computes the end-of-day forecast of a service. If the code of k is "", it computes a forecast of
// the given services together. If current is true, the forecast keeps the last verdict while the last verdict
// still holds; see [LastVerdict.StabilizeVerdict]. A forecast of a service without agents does not change the last
// verdict.
func (t *Tracker) Forecast(in Input, k model.ServiceKey, services []string, current bool) Forecast {
	if t.IntradayLog != nil {
		in.Earlier, in.IsHoliday = t.IntradayLog.EarlierDays(in.Now, in.ClosingTime, k.Channel, services), t.IntradayLog.IsHoliday(in.Now)
	}
	in.Recent = t.misses.RecentCalls(k.Channel, services...)
	f := Compute(in)
	if current && !in.Unstaffed {
		if t.verdicts == nil {
			t.verdicts = make(map[model.ServiceKey]LastVerdict)
		}
		last := t.verdicts[k]
		last.StabilizeVerdict(&f, in.Now)
		t.verdicts[k] = last
		if t.RecordsShown && t.IntradayLog != nil {
			t.IntradayLog.recordShown(k, &f, in.Now)
		}
	}
	return f
}

// InputOf returns the input for a forecast of a service or the floor. c holds the calls of today.
// The input does not include earlier days and recent calls.
func InputOf(now time.Time, curve Curve, goal alert.Goal, c *model.ServiceCalls) Input {
	in := Input{Now: now, Curve: curve, Contacts: c.ReceivedCalls.Figure(), Target: goal.ServiceLevel}
	in.ClosingTime, _ = goal.ClosingTime(now)
	if inTime, all, ok := c.ServiceLevelCounts(goal.Formula); ok {
		in.InTime, in.Counted = model.FigureOf(float64(inTime)), model.FigureOf(float64(all))
	}
	return in
}

// UpdateEngine passes forecasts to an engine once a minute, if the engine's rules use forecasts. It
// leaves out a service or floor if the range of the forecast service level is too wide.
func (t *Tracker) UpdateEngine(e *alert.Engine, s *model.Snapshot, now time.Time) {
	minute := now.Unix() / 60
	if t.IntradayLog == nil || minute == t.updatedMinute || !e.Forecasts().IsNeeded() || !s.Health.IsCurrent(model.OpServices) {
		return
	}
	t.updatedMinute = minute
	now = t.IntradayLog.Local(now)
	out := make(map[alert.Key]alert.Forecast)
	add := func(k model.ServiceKey, scope alert.Scope, services []string, c *model.ServiceCalls) {
		in := InputOf(now, nil, e.Goal(k.Code), c)
		in.Unstaffed = s.Services.Get(k).IsUnstaffed()
		f := t.Forecast(in, k, services, true)
		if !f.IsLevelRangeNarrow() {
			return
		}
		r := alert.Forecast{ServiceLevel: model.FigureOf(f.Level.Likely).AsEstimate(), WillMiss: f.IsMissed()}
		if r.WillMiss {
			r.TimeToMiss = max(f.MissedFrom.Sub(now), 0)
		}
		out[alert.Key{Scope: scope, Code: k.Code, Channel: k.Channel}] = r
	}
	byChannel := make(map[model.Channel][]string)
	for r := range s.Services.All() {
		k := r.Key()
		byChannel[k.Channel] = append(byChannel[k.Channel], k.Code)
		add(k, alert.Service, []string{k.Code}, &r.ChannelStats)
	}
	for ch, services := range byChannel {
		floor := model.FloorOf(s, ch, nil, nil)
		add(model.ServiceKey{Channel: ch}, alert.Floor, services, &floor.Calls)
	}
	e.Forecasts().Set(out)
}
