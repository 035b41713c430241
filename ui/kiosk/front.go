package kiosk

import (
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/model"
	"wallboard/ui/floorview"
)

// interruptingPage is a page that interrupts the rotation to show a situation.
type interruptingPage struct {
	rowKey        string // key of the row to which tables scroll
	dwell         time.Duration
	returnChannel model.Channel // channel to show after the interruption
}

// interruptionTracker tracks the situations that have already brought a page to the front.
type interruptionTracker struct {
	shownLevels map[string]alert.Level // highest level at which a page was in front, by situation ID
}

// urgentSituations returns the current situations that need action and have at least the level
// minimum. If minimum is Normal, it returns none.
func urgentSituations(v *situation.View, minimum alert.Level) []*situation.Situation {
	if v == nil || minimum == alert.Normal {
		return nil
	}
	var out []*situation.Situation
	for i := range v.Live {
		if s := &v.Live[i]; s.NeedsAction() && s.Level >= minimum {
			out = append(out, s)
		}
	}
	return out
}

// dropEnded forgets the situations that are not in open. If such a situation occurs again, it is
// considered new.
func (f *interruptionTracker) dropEnded(open []*situation.Situation) {
	still := make(map[string]alert.Level, len(f.shownLevels))
	for _, s := range open {
		if level, ok := f.shownLevels[s.ID]; ok {
			still[s.ID] = level
		}
	}
	f.shownLevels = still
}

// nextSituation returns the first open situation for which no page has been in front at its current
// level, and the page that must come to the front for it. It records that this page has been in
// front for all open situations that the page shows. It returns a nil situation if there is none.
func (f *interruptionTracker) nextSituation(open []*situation.Situation, r *rotation) (*situation.Situation, rotationPage) {
	for _, s := range open {
		if level, ok := f.shownLevels[s.ID]; ok && level >= s.Level {
			continue
		}
		f.shownLevels[s.ID] = s.Level
		current, ok := r.pageForSubject(s.FocusKey())
		if !ok {
			continue // only the ticker shows the situation
		}
		for _, other := range open { // the page also shows the other situations
			if target, ok := r.pageForSubject(other.FocusKey()); ok && target == current && other.Place.Key.Channel == s.Place.Key.Channel {
				f.shownLevels[other.ID] = other.Level
			}
		}
		return s, current
	}
	return nil, rotationPage{}
}

// pageForSubject returns the page that shows the subject of a situation. If several pages of the rotation
// show it, pageForSubject returns the one with the fewest subscriptions; if none does, the standard page.
// The bool result is false if no page shows the subject, for example if it is the feed or the whole
// floor.
func (r *rotation) pageForSubject(subject alert.Key) (rotationPage, bool) {
	kind, _, ok := floorview.SubjectOf(subject)
	if !ok {
		return rotationPage{}, false
	}
	sub := [...]model.Op{model.OpServices, model.OpGroups, model.OpUserStats, model.OpCampaigns}[kind]
	var best *rotationPage
	for i, s := range r.rotationPages {
		subs := r.pages.Subscriptions(s.page)
		if slices.Contains(subs, sub) && (best == nil || len(subs) < len(r.pages.Subscriptions(best.page))) {
			best = &r.rotationPages[i]
		}
	}
	if best != nil {
		return *best, true
	}
	p, ok := r.standardIndex([...]string{"Services", "Groups", "Agents", "Campaigns"}[kind])
	return rotationPage{p, r.currentPage().dwell}, ok
}

// showSituation interrupts the rotation and shows target, the page with the situation s.
func (r *rotation) showSituation(s *situation.Situation, target rotationPage) {
	r.recordScreenCount()
	subject := s.FocusKey()
	r.front = &interruptingPage{rowKey: subject.Code, dwell: target.dwell, returnChannel: r.floor.Channel}
	if subject.Channel != "" {
		r.floor.SetChannel(subject.Channel)
	}
	r.showPage(target.page)
}
