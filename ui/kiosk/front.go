package kiosk

import (
	"slices"
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/ui/panes"
	"wallboard/ui/render"
)

// frontage is an alert that has brought its page to the front.
type frontage struct {
	key   string // of the row that it is about
	dwell time.Duration
	back  model.Channel // what is shown afterwards
}

// front is what is known of the alerts that are grave enough for the front.
type front struct {
	met map[string]alert.Level // those that were there, and how grave they were

	open  []*render.Entry // see pressing
	from  *render.Alerts  // what they were chosen from
	least alert.Level
}

// pressing returns the open alerts that are grave enough, the gravest first, of
// equals the newest. No figure of the day is among them: nobody can help it now. least is the lowest level that is; Normal: none is. In a storm
// there are thousands, and every frame asks.
func (f *front) pressing(alerts *render.Alerts, least alert.Level) []*render.Entry {
	if f.from == alerts && f.least == least {
		return f.open
	}
	var out []*render.Entry
	for _, e := range alerts.Active() {
		if least != alert.Normal && e.Open() && !e.Day && e.Level >= least {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b *render.Entry) int {
		if a.Level != b.Level {
			return int(b.Level) - int(a.Level)
		}
		return b.LevelSince.Compare(a.LevelSince)
	})
	f.open, f.from, f.least = out, alerts, least
	return out
}

// forget forgets the alerts that are over, so that they do not pile up and count as
// new when they come again.
func (f *front) forget(open []*render.Entry) {
	still := make(map[string]alert.Level, len(f.met))
	for _, e := range open {
		if level, ok := f.met[e.ID]; ok {
			still[e.ID] = level
		}
	}
	f.met = still
}

// next returns the first alert that was not in front yet, and the page about it;
// nil: all were.
func (f *front) next(open []*render.Entry, r *rotation) (*render.Entry, stop) {
	for _, e := range open {
		if level, ok := f.met[e.ID]; ok && level >= e.Level {
			continue
		}
		f.met[e.ID] = e.Level
		at, ok := r.stopAbout(e.Key)
		if !ok {
			continue // the line above the page says it
		}
		for _, other := range open { // those that stand on the same page are seen as well
			if to, ok := r.stopAbout(other.Key); ok && to == at && other.Key.Channel == e.Key.Channel {
				f.met[other.ID] = other.Level
			}
		}
		return e, at
	}
	return nil, stop{}
}

// stopAbout finds the page that shows what an alert is about: of the rotation
// the one that shows the least else, or the standard page. What is about the
// feed or the whole floor stands above every page.
func (r *rotation) stopAbout(about alert.Key) (stop, bool) {
	of, _, ok := panes.KindOf(about)
	if !ok {
		return stop{}, false
	}
	sub := [...]model.Op{model.OpServices, model.OpGroups, model.OpUserStats, model.OpCampaigns}[of]
	var best *stop
	for i, s := range r.stops {
		subs := r.pages.Subs(s.page)
		if slices.Contains(subs, sub) && (best == nil || len(subs) < len(r.pages.Subs(best.page))) {
			best = &r.stops[i]
		}
	}
	if best != nil {
		return *best, true
	}
	p, ok := r.standard([...]string{"Services", "Groups", "Agents", "Campaigns"}[of])
	return stop{p, r.stop().dwell}, ok
}

// showAlert brings the page about an alert to the front.
func (r *rotation) showAlert(e *render.Entry, to stop) {
	r.turned()
	r.front = &frontage{key: e.Key.Code, dwell: to.dwell, back: r.floor.Channel}
	if e.Key.Channel != "" {
		r.floor.Choose(e.Key.Channel)
	}
	r.goTo(to.page)
}
