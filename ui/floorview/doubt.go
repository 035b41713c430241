package floorview

import (
	"strings"
	"time"

	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// Doubt describes why figures may differ from the current values of the platform. The zero Doubt
// means that there is no doubt.
type Doubt struct {
	Stale   bool         // the figures may be outdated and are faded when they are at least FadeAfter old
	Partial bool         // some figures are unknown; the others are current
	since   time.Time    // when the figures were last known to be current, on the local clock; zero: never
	reasons []words.Text // empty: there is no doubt
}

// Any reports whether there is a doubt.
func (d Doubt) Any() bool { return len(d.reasons) > 0 }

// ReasonsText returns the reasons of the doubt on one line.
func (d Doubt) ReasonsText(lk *style.Look) string {
	reasons := make([]string, len(d.reasons))
	for i := range d.reasons {
		reasons[i] = d.reasons[i].In(lk.Format.Words)
	}
	return strings.Join(reasons, " "+lk.Glyphs.Dot+" ")
}

// IsLinkUp reports whether the feed is connected to the platform, according to the newest snapshot.
func (v *View) IsLinkUp() bool { return v.Health().Link.State == model.LinkUp }

// IsUnrecorded reports whether nothing was recorded at the time of the newest snapshot.
func (v *View) IsUnrecorded() bool { return v.Health().Link.State == model.LinkUnrecorded }

// DoubtAbout returns the worst doubt about figures from the given subscriptions.
func (v *View) DoubtAbout(subs ...model.Op) Doubt {
	if v.Newest == nil {
		return Doubt{}
	}
	h := v.Health()
	if !v.IsLinkUp() {
		return Doubt{Stale: true, since: v.freshUntil(subs...), reasons: v.disconnectReasons(h)}
	}
	var worst Doubt
	for _, name := range subs {
		s := h.Subscription(name)
		if s == nil {
			continue
		}
		if d := subDoubt(s); d.isWorse(worst) {
			worst = d
		}
	}
	return worst
}

// isWorse reports whether d is worse than other. If both are of the same kind, the doubt about
// older figures is worse. A doubt about figures that have never arrived is the least bad, because
// there are no figures that could be wrong.
func (d Doubt) isWorse(other Doubt) bool {
	switch {
	case !d.Any() || !other.Any():
		return d.Any()
	case d.Stale != other.Stale:
		return d.Stale
	case d.Partial != other.Partial:
		return other.Partial
	case d.since.IsZero() || other.since.IsZero():
		return other.since.IsZero() && !d.since.IsZero()
	}
	return d.since.Before(other.since)
}

// freshUntil returns the time until which figures from the given subscriptions were current,
// for a feed that has lost its connection. The result is zero if no data has ever arrived.
func (v *View) freshUntil(subs ...model.Op) time.Time {
	if !v.Health().HadData() {
		return time.Time{}
	}
	until := v.LastData
	for _, name := range subs {
		if s := v.Health().Subscription(name); s != nil && !s.FreshUntil.IsZero() && s.FreshUntil.Before(until) {
			until = s.FreshUntil
		}
	}
	return until
}

// stateReason returns a phrase that says why the data of a subscription in the state s may not be
// current. It returns the zero Text if the data is current.
func stateReason(s model.SubState) words.Text {
	switch s {
	case model.SubConnecting:
		return words.ViewNotSubscribed()
	case model.SubSyncing:
		return words.ViewFetching()
	case model.SubUnverified:
		return words.ViewNotVerified()
	case model.SubStale:
		return words.ViewMayBeOld()
	case model.SubRefused:
		return words.ViewRefused()
	case model.SubBackoff:
		return words.ViewInterrupted()
	case model.SubWaiting, model.SubLive, model.SubPolling:
	}
	return words.Text{}
}

func subDoubt(s *model.Subscription) Doubt {
	since := s.FreshUntil // LastData would be too late, because an update refreshes only the records that it contains
	if since.IsZero() {
		since = s.LastData
		if s.VerifiedAt.After(since) {
			since = s.VerifiedAt
		}
	}
	reason := func() []words.Text {
		return []words.Text{withReason(words.ViewRecordsState(words.RecordNouns(s.Name), stateReason(s.State)), s.Reason)}
	}
	switch s.State {
	case model.SubWaiting, model.SubLive, model.SubPolling:
		if s.Unknown == "" {
			return Doubt{}
		}
		return Doubt{Partial: true, since: since, reasons: []words.Text{words.ViewPartlyKnown(words.RecordNouns(s.Name), s.Unknown)}}
	case model.SubUnverified:
		return Doubt{since: since, reasons: reason()}
	case model.SubConnecting, model.SubSyncing, model.SubStale, model.SubRefused, model.SubBackoff:
	}
	return Doubt{Stale: true, since: since, reasons: reason()}
}

// withReason appends a reason of the platform to a text, unless it is "".
func withReason(text words.Text, reason string) words.Text {
	if reason == "" {
		return text
	}
	return words.ViewWithReason(text, reason)
}

// FadeAfter is the age at which stale figures are faded, and BlankAfter the age at which they are
// hidden, so that viewers do not mistake them for current figures.
const (
	FadeAfter  = 15 * time.Second
	BlankAfter = 5 * time.Minute
)

// isFaded reports whether figures from the given subscriptions are stale and at least FadeAfter
// old.
func (v *View) isFaded(subs ...model.Op) bool {
	d := v.DoubtAbout(subs...)
	return d.Stale && v.LocalNow.Sub(d.since) >= FadeAfter
}

// IsBlanked reports whether stale figures from the given subscriptions are at least BlankAfter old
// and must be hidden. It returns false if ShowsOutdated is set or if no data has ever arrived.
func (v *View) IsBlanked(subs ...model.Op) bool {
	d := v.DoubtAbout(subs...)
	return d.Stale && !v.ShowsOutdated && !d.since.IsZero() && v.LocalNow.Sub(d.since) >= BlankAfter
}

// FormatOf returns the format for figures from the given subscriptions. If [View.IsBlanked] is true
// for them, the format shows figures as unknown.
func (v *View) FormatOf(lk *style.Look, subs ...model.Op) textformat.Format {
	return v.RenderOptionsOf(lk, subs...).Format()
}

// RenderOptionsOf returns the options for drawing records of the given subscriptions. If [View.IsBlanked]
// is true for them, the options hide the figures.
func (v *View) RenderOptionsOf(lk *style.Look, subs ...model.Op) *render.Options {
	if v.IsBlanked(subs...) {
		return lk.BlankRender
	}
	return lk.Render
}

// FadeStale fades lines, in place, if the figures from the given subscriptions are stale and at
// least FadeAfter old.
func (v *View) FadeStale(lk *style.Look, lines []string, subs ...model.Op) {
	if v.isFaded(subs...) {
		lk.FadeStale(lines)
	}
}

// connectingText says for how long the feed has been connecting, and what it does now.
func (v *View) connectingText() words.Text {
	l := &v.Health().Link
	return withReason(words.ViewConnecting(v.LocalNow.Sub(l.Since)), l.Trying)
}

// disconnectReasons returns the reasons why there is no connection: the notice for the administrator; the
// state of the connection, which a notice replaces unless the feed is connecting; and the reason
// that the feed gives, unless the notice contains it.
func (v *View) disconnectReasons(h *model.Health) []words.Text {
	l := &h.Link
	var parts []words.Text
	if h.Notice != "" {
		parts = append(parts, words.Name(h.Notice))
	}
	switch {
	case l.State == model.LinkConnecting:
		parts = append(parts, v.connectingText())
	case h.Notice != "":
	case l.State == model.LinkBackoff:
		parts = append(parts, words.ViewNoConnection())
	case l.State == model.LinkRefused:
		parts = append(parts, words.ViewLoginRefused())
	case l.State == model.LinkStopped:
		parts = append(parts, words.ViewStopped())
	default:
		parts = append(parts, words.ViewNoConnectionState(string(l.State)))
	}
	if l.Reason != "" && !strings.Contains(h.Notice, l.Reason) {
		reason := words.Name(l.Reason)
		if l.State == model.LinkConnecting {
			reason = words.ViewLastAttempt(l.Reason)
		}
		parts = append(parts, reason)
	}
	return parts
}

// NextAttemptText returns a phrase that says when the feed will try to connect again. It returns "" if
// this is unknown.
func (v *View) NextAttemptText(lk *style.Look, l *model.Link) string {
	if l.NextTry.IsZero() {
		return ""
	}
	remaining := l.NextTry.Sub(v.LocalNow)
	if remaining <= 0 {
		return words.ViewTrying().In(lk.Format.Words)
	}
	return words.ViewNextTry(remaining).In(lk.Format.Words)
}

// StalenessText returns a label with the age of stale figures, such as "STALE 0:42". It returns "NO
// DATA YET" if no data has ever arrived, and "GAP" if nothing was recorded.
func (v *View) StalenessText(lk *style.Look, d Doubt) string {
	if v.IsUnrecorded() {
		return words.ViewGap().In(lk.Format.Words)
	}
	if d.since.IsZero() {
		return words.ViewNoData().In(lk.Format.Words)
	}
	return words.ViewStale(v.LocalNow.Sub(d.since)).In(lk.Format.Words)
}

// MissingDataReason returns a message that says why the first of subs without data has none. It returns
// "" if all of them have data that is current or only unverified.
func (v *View) MissingDataReason(subs ...model.Op) string {
	for _, name := range subs {
		s := v.Health().Subscription(name)
		if s == nil || s.State.IsCurrent() || s.State == model.SubUnverified {
			continue
		}
		records := words.RecordNouns(s.Name)
		text := words.ViewLoading(records)
		switch s.State { //nolint:exhaustive // the other states need no explanation
		case model.SubRefused:
			text = words.ViewPlatformRefuses(records)
		case model.SubBackoff, model.SubStale:
			text = words.ViewLoadingState(records, stateReason(s.State))
		}
		return withReason(text, s.Reason).In(v.Words)
	}
	return ""
}
