package situation

import (
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation/cause"
)

// explain says why a situation is as it is.
func (w *Watch) explain(s *model.Snapshot, sit *Situation, now time.Time) {
	sit.Causes, sit.Unexplained = nil, ""
	k := sit.Place.Key
	switch {
	case k.Scope == alert.Feed || allOfDay(sit.Alerts): // the headline says all that is known
	case k.Scope == alert.Service:
		sit.Causes, sit.Unexplained = cause.Why(w.track, s, cause.Input{
			Key: model.ServiceKey{Code: k.Code, Channel: k.Channel}, Since: sit.Since, Now: now,
			Activity: func(code string) string { return w.names.Of(model.NameActivity, code) },
			Service:  func(code string) string { return w.names.Of(model.NameService, code) },
			Clock:    w.clock,
		})
	}
}

// clock writes a time of the day.
func (w *Watch) clock(t time.Time) string {
	if w.zone != nil {
		t = t.In(w.zone)
	}
	return t.Format("15:04")
}
