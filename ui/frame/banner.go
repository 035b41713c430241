package frame

import (
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/floorview"
	"wallboard/ui/style"
)

// A banner is a message that viewers must not overlook. It is drawn between the tabs and the page.
// It takes as many lines as it needs, up to these limits, so that the page stays visible. The page
// Feed shows each reason in full.
const (
	bannerLines          = 3
	bannerLinesSmall     = 2  // maximum on a screen with fewer lines than bannerLinesMinHeight
	bannerLinesMinHeight = 26 // minimum height of a screen for which bannerLines applies
)

// Banners returns the lines of all current banners.
func (m *Frame) Banners() []string {
	h := m.Floor.Health()
	dot := " " + m.Look.Glyphs.Dot + " "
	var out []string
	if len(m.Notes) > 0 {
		out = append(out, m.banner(themes.StatusBar, m.Look.Glyphs.Action+" "+strings.Join(m.Notes, dot))...)
	}
	for _, text := range m.Messages {
		out = append(out, m.banner(themes.BadgeOK, text)...)
	}
	if m.ConfigProblem != "" {
		out = append(out, m.banner(themes.BadgeWarn, m.Look.Glyphs.Failed+" "+m.ConfigProblem)...)
	}
	if m.NotifyProblem != "" {
		out = append(out, m.banner(themes.BadgeWarn, m.Look.Glyphs.Failed+" "+m.NotifyProblem)...)
	}
	if h.Server.IsUnhealthy() && m.Floor.IsLinkUp() {
		out = append(out, m.banner(themes.BadgeCritical, m.Look.Glyphs.Failed+" "+m.translate(words.BadgeUnhealthy(h.Server.Status.String())))...)
	}
	if h.Notice != "" && m.Floor.IsLinkUp() {
		out = append(out, m.banner(themes.BadgeCritical, m.Look.Glyphs.Failed+" "+m.translate(words.PlatformMessage(h.Notice)))...)
	}
	switch d := m.doubt(); {
	case m.isStarting():
	case m.Floor.IsUnrecorded():
		out = append(out, m.banner(themes.BadgeWarn, m.translate(words.BadgeGap(d.ReasonsText(m.Look))))...)
	case d.Stale:
		out = append(out, m.banner(themes.BadgeCritical, m.Floor.StalenessText(m.Look, d)+dot+m.nextAttemptText()+m.blankHint()+d.ReasonsText(m.Look))...)
	case d.Partial:
		out = append(out, m.banner(themes.BadgeWarn, m.translate(words.BadgeBannerPartlyKnown(d.ReasonsText(m.Look))))...)
	case d.Any():
		out = append(out, m.banner(themes.BadgeWarn, m.translate(words.BadgeBannerUnverified(d.ReasonsText(m.Look))))...)
	}
	if !m.Floor.FrozenAt.IsZero() {
		out = append(out, m.banner(themes.BadgeReplay, m.translate(words.BadgeBannerFrozen(m.frozenDuration(), m.Keys.Freeze.Help().Key)))...)
	}
	return out
}

// startupGracePeriod is how long a new connection may take to deliver the first figures before a banner
// appears.
const startupGracePeriod = 10 * time.Second

// isStarting reports whether the first connection is being made, or has just been made without
// errors. In this case no banner about the figures is shown, because it would disappear after a
// second and move the whole page. The status line and the panes show the state instead.
func (m *Frame) isStarting() bool {
	if m.Floor.Replay {
		return false
	}
	if m.Floor.Newest == nil {
		return true
	}
	h := m.Floor.Health()
	switch h.Link.State {
	case model.LinkConnecting, model.LinkUp:
	case model.LinkBackoff, model.LinkRefused, model.LinkStopped, model.LinkUnrecorded:
		return false
	}
	for i := range h.Subscriptions {
		switch h.Subscriptions[i].State {
		case model.SubBackoff, model.SubStale, model.SubRefused, model.SubUnverified, model.SubPolling:
			return false
		case model.SubWaiting, model.SubConnecting, model.SubSyncing, model.SubLive:
		}
	}
	return h.Link.Reason == "" && h.Link.Reconnects == 0 && m.Floor.LocalNow.Sub(h.Link.Since) < startupGracePeriod
}

// doubt returns the reasons why the figures of the page may be stale, incomplete or unverified.
func (m *Frame) doubt() floorview.Doubt { return m.Floor.DoubtAbout(m.Subscriptions...) }

// blankHint names the key that shows blanked figures again. It returns "" on a wall, and if no
// figures are blanked.
func (m *Frame) blankHint() string {
	if m.IsWall || !m.Floor.IsBlanked(m.Subscriptions...) {
		return ""
	}
	return m.translate(words.BadgeShowsLast(m.Keys.LastKnown.Help().Key)) + " " + m.Look.Glyphs.Dot + " "
}

// banner returns the lines of a banner with the given text. If the text is too long, the last line
// is truncated.
func (m *Frame) banner(token themes.Token, text string) []string {
	w, st := m.Width, m.Look.Style(token)
	maximum := bannerLines
	if m.Height < bannerLinesMinHeight {
		maximum = bannerLinesSmall
	}
	lines := strings.Split(ansi.Wrap(style.OneLine(text), w-2, ""), "\n")
	if len(lines) > maximum {
		lines[maximum-1] = strings.Join(lines[maximum-1:], " ") // the joined line is truncated below
		lines = lines[:maximum]
	}
	for i, t := range lines {
		l := style.NewLine(w, m.Look.Glyphs.Ellipsis).Space(st, 1)
		lines[i] = l.Add(st, style.Truncate(t, w-2, m.Look.Glyphs.Ellipsis)).Finish(st)
	}
	return lines
}

// nextAttemptText returns the time of the next attempt to connect, and the key that connects
// immediately. It returns "" if no attempt is planned. The banner shows this text before the reason
// for the failure.
func (m *Frame) nextAttemptText() string {
	l := &m.Floor.Health().Link
	if l.State != model.LinkBackoff && l.State != model.LinkRefused {
		return ""
	}
	next := m.Floor.NextAttemptText(m.Look, l)
	if k := m.Keys.Reconnect; k.Enabled() {
		text := words.BadgeTriesNow(k.Help().Key)
		if next != "" {
			text = words.BadgeNextTry(next, text)
		}
		next = m.translate(text)
	}
	if next == "" {
		return ""
	}
	return next + " " + m.Look.Glyphs.Dot + " "
}
