package situation

import (
	"strconv"
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation/cause"
)

// explain says why a situation is as it is, and what would help.
func (w *Watch) explain(s *model.Snapshot, sit *Situation, now time.Time) {
	sit.Causes, sit.Unexplained, sit.Help = nil, "", Help{}
	k := sit.Place.Key
	switch {
	case allOfDay(sit.Alerts): // of what the day adds up to, no moment is the cause
	case k.Scope == alert.Feed:
		sit.Causes = []cause.Cause{cause.OfFeed(&s.Health)}
		return
	case !sit.Stale.IsZero() || !fresh(s):
		sit.Unexplained = "The figures are not the present ones: nothing can be told of causes."
		return
	case k.Scope == alert.Campaign:
		sit.Causes = w.ofCampaign(s, sit)
	case k.Scope == alert.Service:
		sit.Causes, sit.Unexplained = cause.Why(w.track, s, cause.Input{
			Key: model.ServiceKey{Code: k.Code, Channel: k.Channel}, Since: sit.Since, Now: now,
			Activity: func(code string) string { return w.names.Of(model.NameActivity, code) },
			Service:  func(code string) string { return w.names.Of(model.NameService, code) },
			Clock:    w.clock,
			Usual:    w.usual,
		})
	}
	if !allOfDay(sit.Alerts) {
		sit.Help = w.help(s, sit, now)
	}
}

// ofCampaign returns why a campaign is as it is, where its figures say so.
func (w *Watch) ofCampaign(s *model.Snapshot, sit *Situation) []cause.Cause {
	id, err := strconv.ParseInt(sit.Place.Key.Code, 10, 64)
	if err != nil {
		return nil
	}
	r := s.Campaigns.Get(id)
	if r == nil {
		return nil
	}
	return cause.OfCampaign(r)
}

// clock writes a time of the day.
func (w *Watch) clock(t time.Time) string {
	if w.zone != nil {
		t = t.In(w.zone)
	}
	return t.Format("15:04")
}
