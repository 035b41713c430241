package ui

import (
	"strings"
	"time"

	"wallboard/model"
	"wallboard/ui/render"
)

// The subscriptions that a page stands on, by the names of their operations in
// document 2.
const (
	subServices    = model.OpServices
	subGroups      = model.OpGroups
	subUsers       = model.OpUsers
	subAgents      = model.OpUserStats
	subProfiles    = model.OpProfiles
	subCampaigns   = model.OpCampaigns
	subAttendants  = model.OpAttendants
	subOperators   = model.OpOperators
	subOperatorPro = model.OpOperatorProfiles
)

// doubt is what makes figures less than the platform's present values. The
// zero doubt is none.
type doubt struct {
	stale bool      // the figures are old and must look old
	part  bool      // some are not known, and the others are the present ones
	since time.Time // when data last came, on our clock; zero: never
	why   string    // in words
}

// any reports whether there is something to say.
func (d doubt) any() bool { return d.why != "" }

func (sc *scene) linkUp() bool { return sc.health().Link.State == model.LinkUp }

// doubtAbout returns the gravest doubt about figures that come from the named
// subscriptions.
func (sc *scene) doubtAbout(subs ...string) doubt {
	if sc.newest == nil {
		return doubt{}
	}
	h := sc.health()
	if !sc.linkUp() {
		return doubt{stale: true, since: sc.heardOf(subs...), why: sc.linkTrouble(h)}
	}
	var worst doubt
	for _, name := range subs {
		s := h.Subscription(name)
		if s == nil {
			continue
		}
		if d := subDoubt(s); d.graver(worst) {
			worst = d
		}
	}
	return worst
}

// graver reports whether a doubt is worse than another: of two old figures the
// older counts, and one that never came is not there to be wrong.
func (d doubt) graver(than doubt) bool {
	switch {
	case !d.any() || !than.any():
		return d.any()
	case d.stale != than.stale:
		return d.stale
	case d.part != than.part:
		return than.part
	case d.since.IsZero() || than.since.IsZero():
		return than.since.IsZero() && !d.since.IsZero()
	}
	return d.since.Before(than.since)
}

// heardOf is until when figures from the named subscriptions were fresh, without
// a connection: a cut makes none of them younger.
func (sc *scene) heardOf(subs ...string) time.Time {
	until := sc.heard
	for _, name := range subs {
		if s := sc.health().Subscription(name); s != nil && !s.FreshUntil.IsZero() && s.FreshUntil.Before(until) {
			until = s.FreshUntil
		}
	}
	return until
}

// broughtBy names what a subscription brings: as a supervisor calls it, and as
// the Feed page does.
func broughtBy(s *model.Subscription) string {
	return model.NounOf(s.Name) + " (" + s.Name + ")"
}

// trouble says in words why what a subscription brings may not be the present
// values, "" if it is.
func trouble(s model.SubState) string {
	switch s {
	case model.SubConnecting:
		return "not subscribed yet"
	case model.SubSyncing:
		return "being fetched"
	case model.SubUnverified:
		return "not verified"
	case model.SubStale:
		return "may be old"
	case model.SubRefused:
		return "refused by the server"
	case model.SubBackoff:
		return "interrupted, will be asked for again"
	case model.SubWaiting, model.SubLive, model.SubPolling:
	}
	return ""
}

func subDoubt(s *model.Subscription) doubt {
	since := s.FreshUntil // updates that come since do not make the rest any younger
	if since.IsZero() {
		since = s.LastData
		if s.VerifiedAt.After(since) {
			since = s.VerifiedAt
		}
	}
	why := broughtBy(s) + " " + trouble(s.State)
	if s.Reason != "" {
		why += ": " + s.Reason
	}
	switch s.State {
	case model.SubWaiting, model.SubLive, model.SubPolling:
		if s.Unknown == "" {
			return doubt{}
		}
		return doubt{part: true, since: since, why: broughtBy(s) + " partly known: this platform has " + s.Unknown}
	case model.SubUnverified:
		return doubt{since: since, why: why}
	case model.SubConnecting, model.SubSyncing, model.SubStale, model.SubRefused, model.SubBackoff:
	}
	return doubt{stale: true, since: since, why: why}
}

// How old figures may be before they look old, and before they are not shown any
// more: a number of five minutes ago is read as one of now.
const (
	fadeAfter  = 15 * time.Second
	blankAfter = 5 * time.Minute
)

// faded reports whether figures from the named subscriptions have to look old.
func (sc *scene) faded(subs ...string) bool {
	d := sc.doubtAbout(subs...)
	return d.stale && sc.ours.Sub(d.since) >= fadeAfter
}

// blanked reports whether figures from the named subscriptions are too old to be
// shown.
func (sc *scene) blanked(subs ...string) bool {
	d := sc.doubtAbout(subs...)
	return d.stale && !sc.lastValues && !d.since.IsZero() && sc.ours.Sub(d.since) >= blankAfter
}

// formatOf prints figures from the named subscriptions: as unknown, once they
// are too old to be shown.
func (sc *scene) formatOf(subs ...string) render.Format {
	return sc.optionsOf(subs...).Format()
}

// optionsOf draws records of the named subscriptions in the same way.
func (sc *scene) optionsOf(subs ...string) *render.Options {
	if sc.blanked(subs...) {
		return sc.look.Blank
	}
	return sc.look.Render
}

// fadeOld makes drawn text look as old as the figures in it are.
func (sc *scene) fadeOld(lines []string, subs ...string) {
	if sc.faded(subs...) {
		sc.look.Fade(lines)
	}
}

// linkTrouble says why there is no connection. What needs a person is said
// instead of the reason that it was concluded from.
func (sc *scene) linkTrouble(h *model.Health) string {
	l := &h.Link
	var parts []string
	switch {
	case h.Notice != "":
		parts = append(parts, h.Notice)
	case l.State == model.LinkConnecting:
		parts = append(parts, "connecting")
	case l.State == model.LinkBackoff:
		parts = append(parts, "no connection")
	case l.State == model.LinkRefused:
		parts = append(parts, "the server refuses us")
	case l.State == model.LinkStopped:
		parts = append(parts, "the feed has stopped")
	default:
		parts = append(parts, "no connection ("+string(l.State)+")")
	}
	if l.Reason != "" && !strings.Contains(h.Notice, l.Reason) {
		parts = append(parts, l.Reason)
	}
	return strings.Join(parts, " "+sc.look.Glyphs.Dot+" ")
}

// nextTry says when the connection is tried again, "" when nobody knows.
func (sc *scene) nextTry(l *model.Link) string {
	if l.NextTry.IsZero() {
		return ""
	}
	left := l.NextTry.Sub(sc.ours)
	if left <= 0 {
		return "trying"
	}
	return "next try in " + sc.look.Duration(left)
}

// staleWord is "STALE 0:42", or "NO DATA YET" when nothing ever came.
func (sc *scene) staleWord(d doubt) string {
	if d.since.IsZero() {
		return "NO DATA YET"
	}
	return "STALE " + sc.age(d.since)
}
