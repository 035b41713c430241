package floor

import (
	"strings"
	"time"

	"wallboard/model"
	"wallboard/ui/look"
	"wallboard/ui/render"
)

// Doubt is what makes figures less than the platform's present values. The
// zero doubt is none.
type Doubt struct {
	Stale bool      // the figures are old and must look old
	Part  bool      // some are not known, and the others are the present ones
	since time.Time // when data last came, on our clock; zero: never
	why   []string  // in words; none: there is no doubt
}

// Any reports whether there is something to say.
func (d Doubt) Any() bool { return len(d.why) > 0 }

// Words says why, in one line.
func (d Doubt) Words(lk *look.Look) string {
	return strings.Join(d.why, " "+lk.Glyphs.Dot+" ")
}

// LinkUp reports whether the picture shown has a connection to the platform.
func (v *View) LinkUp() bool { return v.Health().Link.State == model.LinkUp }

// Unrecorded reports whether the picture shown is of a time of which a recording has nothing.
func (v *View) Unrecorded() bool { return v.Health().Link.State == model.LinkUnrecorded }

// DoubtAbout returns the gravest doubt about figures that come from the named
// subscriptions.
func (v *View) DoubtAbout(subs ...model.Op) Doubt {
	if v.Newest == nil {
		return Doubt{}
	}
	h := v.Health()
	if !v.LinkUp() {
		return Doubt{Stale: true, since: v.heardOf(subs...), why: linkTrouble(h)}
	}
	var worst Doubt
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
func (d Doubt) graver(than Doubt) bool {
	switch {
	case !d.Any() || !than.Any():
		return d.Any()
	case d.Stale != than.Stale:
		return d.Stale
	case d.Part != than.Part:
		return than.Part
	case d.since.IsZero() || than.since.IsZero():
		return than.since.IsZero() && !d.since.IsZero()
	}
	return d.since.Before(than.since)
}

// heardOf is until when figures from the named subscriptions were fresh, without
// a connection: a cut makes none of them younger.
func (v *View) heardOf(subs ...model.Op) time.Time {
	until := v.Heard
	for _, name := range subs {
		if s := v.Health().Subscription(name); s != nil && !s.FreshUntil.IsZero() && s.FreshUntil.Before(until) {
			until = s.FreshUntil
		}
	}
	return until
}

// Trouble says in words why what a subscription brings may not be the present
// values, "" if it is.
func Trouble(s model.SubState) string {
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
		return "refused by the platform"
	case model.SubBackoff:
		return "interrupted, will be asked for again"
	case model.SubWaiting, model.SubLive, model.SubPolling:
	}
	return ""
}

func subDoubt(s *model.Subscription) Doubt {
	since := s.FreshUntil // updates that come since do not make the rest any younger
	if since.IsZero() {
		since = s.LastData
		if s.VerifiedAt.After(since) {
			since = s.VerifiedAt
		}
	}
	why := s.Name.Noun() + " " + Trouble(s.State)
	if s.Reason != "" {
		why += ": " + s.Reason
	}
	switch s.State {
	case model.SubWaiting, model.SubLive, model.SubPolling:
		if s.Unknown == "" {
			return Doubt{}
		}
		return Doubt{Part: true, since: since, why: []string{s.Name.Noun() + " partly known: this platform has " + s.Unknown}}
	case model.SubUnverified:
		return Doubt{since: since, why: []string{why}}
	case model.SubConnecting, model.SubSyncing, model.SubStale, model.SubRefused, model.SubBackoff:
	}
	return Doubt{Stale: true, since: since, why: []string{why}}
}

// How old figures may be before they look old, and before they are not shown any
// more: a number of five minutes ago is read as one of now.
const (
	FadeAfter  = 15 * time.Second
	BlankAfter = 5 * time.Minute
)

// faded reports whether figures from the named subscriptions have to look old.
func (v *View) faded(subs ...model.Op) bool {
	d := v.DoubtAbout(subs...)
	return d.Stale && v.Ours.Sub(d.since) >= FadeAfter
}

// Blanked reports whether figures from the named subscriptions are too old to be
// shown.
func (v *View) Blanked(subs ...model.Op) bool {
	d := v.DoubtAbout(subs...)
	return d.Stale && !v.LastValues && !d.since.IsZero() && v.Ours.Sub(d.since) >= BlankAfter
}

// FormatOf prints figures from the named subscriptions: as unknown, once they
// are too old to be shown.
func (v *View) FormatOf(lk *look.Look, subs ...model.Op) render.Format {
	return v.OptionsOf(lk, subs...).Format()
}

// OptionsOf draws records of the named subscriptions in the same way.
func (v *View) OptionsOf(lk *look.Look, subs ...model.Op) *render.Options {
	if v.Blanked(subs...) {
		return lk.Blank
	}
	return lk.Render
}

// FadeOld makes drawn text look as old as the figures in it are.
func (v *View) FadeOld(lk *look.Look, lines []string, subs ...model.Op) {
	if v.faded(subs...) {
		lk.FadeOld(lines)
	}
}

// linkTrouble says why there is no connection. What needs a person is said
// instead of the reason that it was concluded from.
func linkTrouble(h *model.Health) []string {
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
		parts = append(parts, "the platform refuses the login or the address")
	case l.State == model.LinkStopped:
		parts = append(parts, "the feed has stopped")
	default:
		parts = append(parts, "no connection ("+string(l.State)+")")
	}
	if l.Reason != "" && !strings.Contains(h.Notice, l.Reason) {
		parts = append(parts, l.Reason)
	}
	return parts
}

// NextTry says when the connection is tried again, "" when nobody knows.
func (v *View) NextTry(lk *look.Look, l *model.Link) string {
	if l.NextTry.IsZero() {
		return ""
	}
	left := l.NextTry.Sub(v.Ours)
	if left <= 0 {
		return "trying"
	}
	return "next try in " + lk.Duration(left)
}

// StaleWord is "STALE 0:42", "NO DATA YET" when nothing ever came, or "GAP" where nothing was
// recorded.
func (v *View) StaleWord(lk *look.Look, d Doubt) string {
	if v.Unrecorded() {
		return "GAP"
	}
	if d.since.IsZero() {
		return "NO DATA YET"
	}
	return "STALE " + v.Age(lk, d.since)
}
