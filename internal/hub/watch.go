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
	// verdicts holds the last verdict of each service, and of each channel under the code "".
	verdicts map[model.ServiceKey]forecast.LastVerdict
}

// newHistory returns an empty watch.
func (p *sharedView) newHistory(names model.Names, limits breaks.Limits) viewHistory {
	w := viewHistory{verdicts: make(map[model.ServiceKey]forecast.LastVerdict), Tracker: situation.New(situation.Options{
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

// goal returns the goal of a service.
func (p *sharedView) goal(service string) alert.Goal {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.engine.Goal(service)
}

// WithBreaks calls f with the breaks of the agents that the viewer sees. f must not keep the
// tracker.
func (v *Viewer) WithBreaks(f func(*breaks.Tracker)) {
	p := v.shared()
	p.mu.Lock()
	defer p.mu.Unlock()
	f(&p.history.breaks)
}

// Forecast computes the end-of-day forecast of a service or, if its code is "", of the given
// services of the channel, from what the hub has observed. It keeps the verdict of a current
// forecast the same for all viewers.
func (v *Viewer) Forecast(in forecast.Input, k model.ServiceKey, services []string, current bool) forecast.Forecast {
	in.Earlier = v.hub.options.Courses.Earlier(in.Now, in.Close, k.Channel, services)
	p := v.shared()
	p.mu.Lock()
	defer p.mu.Unlock()
	in.Recent = p.history.recent.Recent(k.Channel, services...)
	f := forecast.Compute(in)
	if current {
		last := p.history.verdicts[k]
		last.Settle(&f, in.Now)
		p.history.verdicts[k] = last
	}
	return f
}
