package panes

import (
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/model/past"
	"wallboard/situation/breaks"
	"wallboard/situation/forecast"
)

// Outlook knows where the day ends, and who is likely back from a break. It belongs to
// one goroutine.
type Outlook struct {
	recent forecast.Watch
	breaks breaks.Watch
	second int64 // of the last look
	made   map[model.ServiceKey]made
}

// made is a forecast and when it was made, from what is usual of a day.
type made struct {
	forecast.Forecast

	at, day time.Time
}

// forecastFor is how long a forecast stands: it costs more than a page, and tells of
// hours.
const forecastFor = 5 * time.Second

// Allow sets what breaks may take.
func (o *Outlook) Allow(limits []breaks.Limit) { o.breaks.Limit(limits) }

// Restart forgets what was watched: the floor is of another platform. What breaks may
// take stays.
func (o *Outlook) Restart() { *o = Outlook{breaks: o.breaks.Anew()} }

// Look takes in a picture, at a time of the server's clock, once a second.
func (o *Outlook) Look(s *model.Snapshot, now time.Time, goal func(service string) alert.Goal) {
	if s == nil || now.Unix() == o.second {
		return
	}
	o.second = now.Unix()
	o.recent.Look(s, now, func(code string) model.ServiceLevelFormula { return goal(code).Formula })
	o.breaks.Look(s, now)
}

// breakOf is the break of an agent, in sentences; none where they are on none, and in
// a frozen picture.
func (sc *Scene) breakOf(username string) []string {
	now := sc.Floor.Server(sc.Floor.Ours)
	if sc.Outlook == nil || !sc.Floor.Frozen.IsZero() {
		return nil
	}
	away, ok := sc.Outlook.breaks.Of(username, now)
	if !ok {
		return nil
	}
	return away.Lines(sc.Floor.Names.Of(model.NameActivity, away.Code), now, sc.Look.Zone())
}

// outlook is where the day of some calls ends, of a service or, for "", of the floor;
// ok is false where the channel is not one that can be compared. Of a frozen picture
// it is where the day was to end then.
func (sc *Scene) outlook(service string, ch model.Channel, c *model.ServiceCalls) (f forecast.Forecast, ok bool) {
	kind, some := KindOn(ch)
	if !some || sc.Baseline == nil || sc.Outlook == nil || sc.Floor.Shown == nil {
		return f, false
	}
	day, _ := sc.today(kind)
	now, key := sc.Floor.Now().In(zoneOf(day)), model.ServiceKey{Code: service, Channel: ch}
	if kept, ok := sc.Outlook.made[key]; ok && now.Sub(kept.at).Abs() < forecastFor && kept.day.Equal(day.Day.At) {
		return kept.Forecast, true
	}
	goal := sc.Alarms.Engine.Goal(service)
	in := forecast.Input{
		Now: now, Contacts: c.ReceivedCalls.Figure(), Target: goal.ServiceLevel, Recent: sc.recent(service, ch),
	}
	in.Close, _ = goal.Close(in.Now)
	in.Curve = forecast.CurveOf(day.Usual, in.Now.Location())
	if inTime, all, ok := c.Counted(goal.Formula); ok {
		in.InTime, in.Counted = model.FigureOf(float64(inTime)), model.FigureOf(float64(all))
	}
	f = forecast.Of(in)
	if service != "" && f.ContactsKnown {
		f.Basis += "; the curve is that of the whole floor"
	}
	if sc.Outlook.made == nil {
		sc.Outlook.made = make(map[model.ServiceKey]made)
	}
	sc.Outlook.made[key] = made{f, now, day.Day.At}
	return f, true
}

// zoneOf is the zone of the contact center's days.
func zoneOf(day past.Comparison) *time.Location {
	if day.Day.Date.IsZero() {
		return time.Local
	}
	return day.Day.Date.Location()
}

// recent is what was missed lately of a service, or for "" of the floor.
func (sc *Scene) recent(service string, ch model.Channel) forecast.Recent {
	if service != "" {
		return sc.Outlook.recent.Recent(model.ServiceKey{Code: service, Channel: ch})
	}
	var sum forecast.Recent
	for r := range sc.Floor.Shown.Services.All() {
		if r.Channel == ch {
			one := sc.Outlook.recent.Recent(r.Key())
			sum.Missed, sum.Counted, sum.Over = sum.Missed+one.Missed, sum.Counted+one.Counted, max(sum.Over, one.Over)
		}
	}
	return sum
}

// RecentMisses is what was missed lately on each channel; nil where nobody knows.
func (sc *Scene) RecentMisses() map[model.Channel]forecast.Recent {
	if sc.Outlook == nil || sc.Floor.Shown == nil {
		return nil
	}
	out := make(map[model.Channel]forecast.Recent)
	for _, ch := range sc.Floor.Channels() {
		out[ch] = sc.recent("", ch)
	}
	return out
}

// ofService is where the day of a service ends, in sentences; none where nothing can
// be said about its channel.
func (sc *Scene) ofService(r *model.Service) []string {
	f, ok := sc.outlook(r.Key().Code, r.Channel, &r.ChannelStats)
	if !ok {
		return nil
	}
	return f.Lines(sc.Alarms.Engine.Goal(r.Key().Code).ServiceLevel)
}
