package hub

import (
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation"
	"wallboard/situation/breaks"
	"wallboard/situation/forecast"
)

// watch is what is remembered of a picture: what goes on, who is on a break and how long
// breaks took, and how many calls were missed lately.
type watch struct {
	*situation.Watch

	breaks breaks.Watch
	recent forecast.Watch
}

// newWatch is a watch that has seen nothing yet.
func (p *picture) newWatch(names model.Names, limits breaks.Limits) watch {
	w := watch{Watch: situation.New(situation.Options{
		Names: names, Hold: time.Minute,
		Goal: func(service string) alert.Goal { return p.engine.Goal(service) },
		Usual: func(k model.ServiceKey, at time.Time) (float64, string, bool) {
			if p.usual == nil {
				return 0, "", false
			}
			return p.usual(p.shown, k, at)
		},
	})}
	w.breaks.Limit(limits)
	return w
}

// remember takes in a picture, once a second.
func (w *watch) remember(s *model.Snapshot, now time.Time, e *alert.Engine) {
	w.breaks.Look(s, now)
	w.recent.Look(s, now, func(service string) model.ServiceLevelFormula { return e.Goal(service).Formula })
}

// Break is how long an agent is on a break, and when they are likely back; ok is false when
// they are on none.
func (v *Viewer) Break(username string, now time.Time) (away breaks.Away, ok bool) {
	p := v.picture()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.watch.breaks.Of(username, now)
}

// Recent is what was missed lately of a service.
func (v *Viewer) Recent(k model.ServiceKey) forecast.Recent {
	p := v.picture()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.watch.recent.Recent(k)
}
