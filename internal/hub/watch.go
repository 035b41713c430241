package hub

import (
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/breaks"
	"wallboard/internal/alert/forecast"
	"wallboard/internal/alert/situation"
	"wallboard/model"
)

// viewHistory holds the history of a view: situations, breaks and recently missed calls.
type viewHistory struct {
	*situation.Tracker

	breaks breaks.Tracker
	recent forecast.MissTracker
}

// newHistory returns an empty watch.
func (p *sharedView) newHistory(names model.Names, limits breaks.Limits) viewHistory {
	w := viewHistory{Tracker: situation.New(situation.Options{
		Names: names, Hold: time.Minute,
		Goal: func(service string) alert.Goal { return p.engine.Goal(service) },
		Baseline: func(k model.ServiceKey, at time.Time) (float64, string, bool) {
			if p.typicalVolume == nil {
				return 0, "", false
			}
			return p.typicalVolume(p.shown, k, at)
		},
	})}
	w.breaks.SetLimits(limits)
	return w
}

// addSnapshot adds a snapshot, once a second.
func (w *viewHistory) addSnapshot(s *model.Snapshot, now time.Time, e *alert.Engine) {
	w.breaks.Update(s, now)
	w.recent.Update(s, now, func(service string) model.ServiceLevelFormula { return e.Goal(service).Formula })
}

// Break returns how long an agent has been on a break and when they are likely to be back;
// ok is false if they are not on one.
func (v *Viewer) Break(username string, now time.Time) (away breaks.Away, ok bool) {
	p := v.shared()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.history.breaks.Of(username, now)
}

// Recent returns the recently missed calls of a service.
func (v *Viewer) Recent(k model.ServiceKey) forecast.Recent {
	p := v.shared()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.history.recent.Recent(k)
}
