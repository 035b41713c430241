package panes

import (
	"wallboard/model"
	"wallboard/model/past"
	"wallboard/situation/forecast"
)

// breakOf is the break of an agent, in sentences; none where they are on none, and in
// a frozen picture.
func (sc *Scene) breakOf(username string) []string {
	now := sc.Floor.Server(sc.Floor.Ours)
	if sc.Outlook == nil || !sc.Floor.Frozen.IsZero() {
		return nil
	}
	away, ok := sc.Outlook.Break(username, now)
	if !ok {
		return nil
	}
	return away.Lines(sc.Floor.Names.Of(model.NameActivity, away.Code), now, sc.Look.Zone())
}

// outlook is where the day of some calls ends, of a service or, for "", of the floor;
// ok is false where the channel is not one that can be compared.
func (sc *Scene) outlook(service string, ch model.Channel, c *model.ServiceCalls) (f forecast.Forecast, ok bool) {
	kind, some := past.KindOn(ch)
	if !some || sc.Baseline == nil || sc.Outlook == nil || sc.Floor.Shown == nil {
		return f, false
	}
	day, _ := sc.today(kind)
	return sc.Outlook.Day(sc.Floor, day, sc.Alarms.Engine.Goal(service), service, ch, c), true
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
