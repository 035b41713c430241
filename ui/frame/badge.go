package frame

import (
	"math"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/floorview"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// Badge is a short colored text on the status line.
type Badge struct {
	Token       themes.Token
	Text        string
	dropRank    int    // if there is too little room, the badge with the lowest rank is dropped first; alwaysShownRank is never dropped
	clickAction string // one of the Click constants; "": a click has no effect
}

const (
	alwaysShownRank = 100
	clockRank       = 30
)

// statusLine draws the first line of the screen: the name of the site, the channel and the badges
// that fit. spots are the areas of the line that can be clicked.
func (m *Frame) statusLine(channel string, badges []Badge) (text string, spots style.ClickAreas) {
	w, bar, title := m.Width, m.Look.Style(themes.StatusBar), m.Site()
	total := 0
	for _, b := range badges {
		total += style.Width(b.Text) + 2
	}
	const leastTitle = 6
	for total > w-leastTitle-2 {
		i := lowestRanked(badges)
		if badges[i].dropRank == alwaysShownRank {
			break
		}
		total -= style.Width(badges[i].Text) + 2
		badges = append(badges[:i], badges[i+1:]...)
	}
	l := style.NewLine(w, m.Look.Glyphs.Ellipsis)
	left := max(w-total, 0)
	name := style.NewLine(left, m.Look.Glyphs.Ellipsis).Space(bar, 1)
	const around = 5 // cells of the separator and of the spaces at both ends
	switch both := style.Width(title) + style.Width(channel) + around; {
	case channel == "":
		name.Add(m.Look.BarTextStyle(themes.Title), style.Truncate(title, left-2, m.Look.Glyphs.Ellipsis))
	case both <= left:
		name.Add(m.Look.BarTextStyle(themes.Title), title).Add(bar, " "+m.Look.Glyphs.Dot+" ").Add(m.Look.BarTextStyle(themes.Accent), channel)
	case m.Floor.Channel != model.Call && style.Width(channel)+2 <= left: // the channel is more important than the name of the site
		name.Add(m.Look.BarTextStyle(themes.Accent), channel)
	default:
		name.Add(m.Look.BarTextStyle(themes.Title), style.Truncate(title, left-2, m.Look.Glyphs.Ellipsis))
	}
	l.AddRaw(name.Finish(bar), left)
	spots = append(spots, style.ClickArea{To: left, Name: ClickChannel})
	for _, b := range badges {
		spots = append(spots, style.ClickArea{From: l.UsedWidth(), To: l.UsedWidth() + style.Width(b.Text) + 2, Name: b.clickAction})
		l.Add(m.Look.Style(b.Token), " "+b.Text+" ")
	}
	return l.Finish(bar), spots
}

// Results of [Lines.BadgeAt] for a click on the first line.
const (
	ClickNothing    = ""
	ClickChannel    = "channel" // shows the next channel
	ClickSituations = "situations"
	ClickFeed       = "feed"
	ClickFreeze     = "freeze"   // shows new snapshots again
	ClickNow        = "now"      // ends the replay
	ClickPlatform   = "platform" // prefix of the index of the platform to show
)

func lowestRanked(badges []Badge) int {
	minimum := 0
	for i, b := range badges {
		if b.dropRank < badges[minimum].dropRank {
			minimum = i
		}
	}
	return minimum
}

// badges returns the badges of the status line, from left to right. alarmMark is the text about
// critical situations on other channels, or "".
func (m *Frame) badges(alarmMark string) []Badge {
	w, h := m.Width, m.Floor.Health()
	var out []Badge
	if h.Link.InsecureTLS || m.Insecure || m.Control.Insecure {
		text := words.BadgeTls()
		if w < 60 {
			text = words.BadgeTlsShort()
		}
		out = append(out, Badge{Token: themes.BadgeCritical, Text: m.translate(text), dropRank: alwaysShownRank})
	}
	if m.IsWall { // a wall shows only the state of the data and the time, because its ticker shows the situations
		return append(append(out, m.dataBadges()...), Badge{Token: themes.StatusBar, Text: m.clockText(), dropRank: clockRank})
	}
	// Temporary badges are on the left, where they replace only spaces, so that the permanent
	// badges do not move.
	isOnlySituation := m.OpenSituations == SituationCounts{Critical: 1} // if true, alarmMark can only be about this situation
	if alarmMark != "" && !isOnlySituation {
		out = append(out, Badge{Token: themes.BadgeCritical, Text: alarmMark, dropRank: 40, clickAction: ClickSituations})
	}
	if b, known := m.silenceBadge(); known {
		out = append(out, b)
	}
	if b, known := m.situationsBadge(); known {
		if isOnlySituation {
			b.Text += strings.TrimPrefix(alarmMark, render.Critical.Glyph(m.Look.ASCII))
		}
		out = append(out, b)
	}
	for i := range m.Platforms {
		out = append(out, m.Platforms[i].badge(m.Look))
	}
	if m.OtherViewers != "" {
		out = append(out, Badge{Token: themes.StatusBar, Text: m.OtherViewers, dropRank: 15})
	}
	out = append(out, m.controlBadges()...)
	out = append(out, m.dataBadges()...)
	return append(out, Badge{Token: themes.StatusBar, Text: m.clockText(), dropRank: clockRank})
}

// dataBadges returns the badges about the data: the time of a replay, how long the screen has been
// frozen, the state of the connection, and how long ago the figures were verified, or received if
// they were never verified. Stale or unverified figures have a banner instead.
func (m *Frame) dataBadges() []Badge {
	link := m.connectionBadge()
	link.clickAction = ClickFeed
	if m.Floor.Replay {
		if link.Token == themes.BadgeOK { // a replay must never look live
			link = Badge{Token: themes.StatusBar, Text: m.translate(words.BadgeWasLive()), dropRank: 35}
		}
		if m.Floor.ReplayAge > 0 {
			at := string(m.Look.Format.Clock(nil, m.Floor.ToServerTime(m.Floor.LocalNow)))
			text := words.BadgeRewound(at, words.BadgeAgo(m.Floor.ReplayAge))
			return []Badge{{Token: themes.BadgeReplay, Text: m.translate(text), dropRank: alwaysShownRank, clickAction: ClickNow}, link}
		}
		date := words.Date(m.Look.Format.Local(m.Floor.ToServerTime(m.Floor.LocalNow)))
		text := words.BadgeRecording(date)
		if m.Zone != "" {
			text = words.BadgeRecordingZone(date, m.Zone)
		}
		return []Badge{{Token: themes.BadgeReplay, Text: m.translate(text), dropRank: alwaysShownRank}, link}
	}
	if !m.Floor.FrozenAt.IsZero() {
		if link.Token == themes.BadgeOK { // a green badge beside an old snapshot would mislead viewers
			link = Badge{Token: themes.StatusBar, Text: m.translate(words.BadgeFeedLive()), dropRank: 35}
		}
		return []Badge{{Token: themes.BadgeReplay, Text: m.translate(words.BadgeFrozen(m.frozenDuration())), dropRank: 90, clickAction: ClickFreeze}, link}
	}
	if m.IsWall || m.Floor.LastData.IsZero() || m.doubt().Stale {
		return []Badge{link}
	}
	if proof, known := m.verifiedBadge(); known {
		return []Badge{link, proof}
	}
	return []Badge{link, {Token: themes.StatusBar, Text: m.translate(words.BadgeUpdated(m.timeSinceText(m.Floor.LastData))), dropRank: 20, clickAction: ClickFeed}}
}

// driftHighlight is how long the badge stays highlighted after figures have been corrected.
const driftHighlight = 10 * time.Minute

// verifiedBadge returns the badge that says how long ago the figures were verified against the
// platform, and how many were corrected. The bool result is false if the figures were never
// verified or the connection is down. The page Feed shows the details.
func (m *Frame) verifiedBadge() (Badge, bool) {
	h := m.Floor.Health()
	at := h.VerifiedAt()
	if at.IsZero() || h.Link.State != model.LinkUp {
		return Badge{}, false
	}
	text := words.BadgeVerified(m.timeSinceText(at))
	if drift := h.Drift().Total(); drift > 0 {
		text = words.BadgeVerifiedCorrected(m.timeSinceText(at), int(min(drift, math.MaxInt32)))
	}
	b := Badge{Token: themes.StatusBar, Text: m.translate(text), dropRank: 25, clickAction: ClickFeed}
	if last := h.DriftAt(); !last.IsZero() && m.Floor.LocalNow.Sub(last) < driftHighlight {
		b.Token, b.dropRank = themes.BadgeWarn, 38
	}
	return b, true
}

// translate returns a text in the language of the look.
func (m *Frame) translate(t words.Text) string {
	return textformat.ToASCII(t.In(m.Look.Format.Words), m.Look.ASCII)
}

// frozenDuration returns how long the screen has been frozen.
func (m *Frame) frozenDuration() time.Duration { return m.Floor.LocalNow.Sub(m.Floor.FrozenAt) }

// timeSinceText returns the time since t in words. Seconds have a fixed width, so that the badges before the
// text do not move every ten seconds.
func (m *Frame) timeSinceText(t time.Time) words.Text {
	d := m.Floor.LocalNow.Sub(t)
	if d < 100*time.Second {
		return words.BadgeSecondsAgo(style.PadLeft(strconv.Itoa(int(max(d, 0)/time.Second)), 2))
	}
	return words.BadgeAgo(d)
}

// clockTolerance is the maximum difference between the platform's clock and the local clock at
// which the word "platform" is omitted before the time of day.
const clockTolerance = 2 * time.Second

// clockText returns the time of day. Like all times on the board, it is on the platform's clock.
func (m *Frame) clockText() string {
	text := string(m.Look.Format.Clock(nil, m.Floor.ToServerTime(m.Floor.LocalNow)))
	if m.Floor.Health().ClockOffset.Abs() > clockTolerance && !m.IsWall {
		return m.translate(words.BadgePlatformClock(text))
	}
	return text
}

func (m *Frame) connectionBadge() Badge { return ConnectionBadge(m.Look, m.Floor) }

// ConnectionBadge returns a badge that shows the state of the connection as a glyph and a word.
func ConnectionBadge(lk *style.Look, view *floorview.View) Badge {
	g := lk.Glyphs
	h := view.Health()
	badge := func(token themes.Token, glyph string, text words.Text) Badge {
		return Badge{Token: token, Text: glyph + " " + text.In(lk.Format.Words), dropRank: alwaysShownRank}
	}
	switch {
	case view.Newest == nil:
		return badge(themes.BadgeWarn, g.Busy, words.BadgeConnecting())
	case h.Link.State == model.LinkUp && h.Live() && h.Link.PollEvery > 0:
		return badge(themes.BadgeWarn, g.Busy, words.BadgePollingEvery(int(h.Link.PollEvery/time.Second)))
	case h.Link.State == model.LinkUp && h.Live() && h.HasUnreadableRecords():
		return badge(themes.BadgeWarn, g.Busy, words.BadgePartlyKnown())
	case h.Link.State == model.LinkUp && h.Live() && h.IsMostlyPolled():
		return badge(themes.BadgeWarn, g.Busy, words.BadgePolling())
	case h.Link.State == model.LinkUp && h.Live():
		return badge(themes.BadgeOK, g.Live, words.BadgeLive())
	case h.Link.State == model.LinkUp:
		return badge(themes.BadgeWarn, g.Busy, notLiveReason(h))
	}
	switch h.Link.State {
	case model.LinkConnecting:
		return badge(themes.BadgeWarn, g.Busy, words.BadgeConnecting())
	case model.LinkBackoff:
		return badge(themes.BadgeCritical, g.Failed, words.BadgeRetrying())
	case model.LinkRefused:
		return badge(themes.BadgeCritical, g.Failed, words.BadgeRefused())
	case model.LinkStopped:
		return badge(themes.BadgeCritical, g.Stopped, words.BadgeStopped())
	case model.LinkUnrecorded:
		return badge(themes.BadgeWarn, g.Stopped, words.BadgeNotRecorded())
	case model.LinkUp:
	}
	return badge(themes.BadgeCritical, g.Failed, words.BadgeDown())
}

// notLiveReason returns a word for the state of a connection that is up but not live.
func notLiveReason(h *model.Health) words.Text {
	word := words.BadgeSyncing()
	for i := range h.Subscriptions {
		switch h.Subscriptions[i].State {
		case model.SubRefused, model.SubStale, model.SubBackoff:
			if !h.HadData() {
				return words.BadgeNoData()
			}
			return words.BadgePartlyStale()
		case model.SubUnverified:
			word = words.BadgeUnverified()
		case model.SubWaiting, model.SubConnecting, model.SubSyncing, model.SubLive,
			model.SubPolling:
		}
	}
	return word
}

// silenceBadge returns a badge that reminds viewers of silenced alerts: "silent until 14:15:
// Contracts PT, by Anna". The bool result is false if no alert is silenced.
func (m *Frame) silenceBadge() (Badge, bool) {
	if len(m.Silences) == 0 {
		return Badge{}, false
	}
	first := m.Silences[0]
	for _, q := range m.Silences {
		if q.Title == "" && !q.PartlyHidden { // all alerts are silenced
			first = q
		}
	}
	until := words.ClockOf(first.Until, m.Look.Zone())
	what := words.Name(first.Title)
	switch {
	case first.PartlyHidden:
		what = words.HubPartlyHidden()
	case first.Title == "":
		what = words.BadgeEverything()
	}
	if n := len(m.Silences); n > 1 {
		what = words.BadgeAndMore(what, n-1)
	}
	title := style.Truncate(m.translate(what), silenceTitleWidth, m.Look.Glyphs.Ellipsis)
	text := words.BadgeSilentWhat(until, title)
	if first.By != "" {
		text = words.BadgeSilentBy(until, title, style.Truncate(first.By, silencerNameWidth, m.Look.Glyphs.Ellipsis))
	}
	b := Badge{Token: themes.BadgeWarn, dropRank: alwaysShownRank, clickAction: ClickSituations}
	switch {
	case m.Width < narrowWidth:
		b.Text = render.SilencedGlyph + " " + m.translate(words.TimeClock(until))
	case m.Width < silenceWide:
		b.Text = m.translate(words.BadgeSilent(until))
	default:
		b.Text = m.translate(text)
	}
	return b, true
}

// WallBadges returns the labels of the badges that the header of a wall does not show: the active
// silence, and platforms with problems.
func (m *Frame) WallBadges() []string {
	var out []string
	if b, known := m.silenceBadge(); known {
		out = append(out, b.Text)
	}
	for i := range m.Platforms {
		if p := &m.Platforms[i]; p.OpenSituations != (SituationCounts{}) || p.ConnectionBadge.Token != themes.BadgeOK {
			out = append(out, p.badge(m.Look).Text)
		}
	}
	return out
}

// Sizes that determine the form of the silence badge, in cells.
const (
	silenceTitleWidth = 30  // maximum width of the title
	silencerNameWidth = 16  // maximum width of the user's name
	silenceWide       = 100 // minimum width of the screen for showing the title
	narrowWidth       = 60  // minimum width of the screen for showing the words "silent until"
)

// situationsBadge returns a badge with the numbers of critical situations and of warnings that need
// action: "▲ 2 △ 1". They are from the newest snapshot, even while the screen is frozen. The bool
// result is false if no situation needs action.
func (m *Frame) situationsBadge() (Badge, bool) {
	if m.OpenSituations == (SituationCounts{}) {
		return Badge{}, false
	}
	text, level := m.Look.AttentionCountsText(m.OpenSituations.Critical, m.OpenSituations.Warning)
	b := Badge{Token: themes.BadgeWarn, Text: text, dropRank: 60, clickAction: ClickSituations}
	if level == render.Critical {
		b.Token = themes.BadgeCritical
	}
	return b, true
}
