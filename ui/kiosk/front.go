package kiosk

import (
	"slices"
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation"
	"wallboard/ui/floor"
)

// frontage is a situation that has brought its page to the front.
type frontage struct {
	key   string // of the row that it is about
	dwell time.Duration
	back  model.Channel // what is shown afterwards
}

// front is what is known of the situations that are grave enough for the front.
type front struct {
	met map[string]alert.Level // those that were there, and how grave they were
}

// pressing returns the situations that are grave enough and need somebody, in their
// order. No figure of the day is among them: nobody can help it now. least is the
// lowest level that is; Normal: none is.
func pressing(v *situation.View, least alert.Level) []*situation.Situation {
	if v == nil || least == alert.Normal {
		return nil
	}
	var out []*situation.Situation
	for i := range v.Live {
		if s := &v.Live[i]; s.Needs() && s.Level >= least {
			out = append(out, s)
		}
	}
	return out
}

// forget forgets the situations that are over, so that they do not pile up and count as
// new when they come again.
func (f *front) forget(open []*situation.Situation) {
	still := make(map[string]alert.Level, len(f.met))
	for _, s := range open {
		if level, ok := f.met[s.ID]; ok {
			still[s.ID] = level
		}
	}
	f.met = still
}

// next returns the first situation that was not in front yet, and the page about it;
// nil: all were.
func (f *front) next(open []*situation.Situation, r *rotation) (*situation.Situation, stop) {
	for _, s := range open {
		if level, ok := f.met[s.ID]; ok && level >= s.Level {
			continue
		}
		f.met[s.ID] = s.Level
		at, ok := r.stopAbout(s.About())
		if !ok {
			continue // the line above the page says it
		}
		for _, other := range open { // those that stand on the same page are seen as well
			if to, ok := r.stopAbout(other.About()); ok && to == at && other.Place.Key.Channel == s.Place.Key.Channel {
				f.met[other.ID] = other.Level
			}
		}
		return s, at
	}
	return nil, stop{}
}

// stopAbout finds the page that shows what a situation is about: of the rotation
// the one that shows the least else, or the standard page. What is about the
// feed or the whole floor stands above every page.
func (r *rotation) stopAbout(about alert.Key) (stop, bool) {
	of, _, ok := floor.About(about)
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

// bring brings the page about a situation to the front.
func (r *rotation) bring(s *situation.Situation, to stop) {
	r.turned()
	about := s.About()
	r.front = &frontage{key: about.Code, dwell: to.dwell, back: r.floor.Channel}
	if about.Channel != "" {
		r.floor.Choose(about.Channel)
	}
	r.goTo(to.page)
}
