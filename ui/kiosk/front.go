package kiosk

import (
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/model"
	"wallboard/ui/snapshot"
)

// frontPage is a page in front because of a situation.
type frontPage struct {
	key   string // key of the situation's row
	dwell time.Duration
	back  model.Channel // channel to restore
}

// frontTracker tracks the situations that qualify for the front.
type frontTracker struct {
	met map[string]alert.Level // highest level shown, by situation id
}

// urgentSituations returns the situations of at least a level that need action, in order. Daily
// figures are left out, because nothing can change them now. With least == Normal it
// returns none.
func urgentSituations(v *situation.View, least alert.Level) []*situation.Situation {
	if v == nil || least == alert.Normal {
		return nil
	}
	var out []*situation.Situation
	for i := range v.Live {
		if s := &v.Live[i]; s.NeedsAction() && s.Level >= least {
			out = append(out, s)
		}
	}
	return out
}

// forget drops ended situations, so that they count as new when they occur again.
func (f *frontTracker) forget(open []*situation.Situation) {
	still := make(map[string]alert.Level, len(f.met))
	for _, s := range open {
		if level, ok := f.met[s.ID]; ok {
			still[s.ID] = level
		}
	}
	f.met = still
}

// next returns the first situation that has not been in front, and its page; nil: none.
func (f *frontTracker) next(open []*situation.Situation, r *rotation) (*situation.Situation, stop) {
	for _, s := range open {
		if level, ok := f.met[s.ID]; ok && level >= s.Level {
			continue
		}
		f.met[s.ID] = s.Level
		at, ok := r.stopAbout(s.FocusKey())
		if !ok {
			continue // only the ticker shows it
		}
		for _, other := range open { // others on the same page are visible, too
			if to, ok := r.stopAbout(other.FocusKey()); ok && to == at && other.Place.Key.Channel == s.Place.Key.Channel {
				f.met[other.ID] = other.Level
			}
		}
		return s, at
	}
	return nil, stop{}
}

// stopAbout returns the page that shows the subject of a situation: the most specific one
// of the rotation, or else the standard page. ok is false for the feed and the whole floor,
// which every page shows.
func (r *rotation) stopAbout(about alert.Key) (stop, bool) {
	of, _, ok := snapshot.SubjectOf(about)
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

// bring shows the page of a situation.
func (r *rotation) bring(s *situation.Situation, to stop) {
	r.turned()
	about := s.FocusKey()
	r.front = &frontPage{key: about.Code, dwell: to.dwell, back: r.floor.Channel}
	if about.Channel != "" {
		r.floor.Choose(about.Channel)
	}
	r.goTo(to.page)
}
