package ui

import (
	"math"
	"strconv"
	"time"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/look"
	"wallboard/ui/render"
)

// The header is two lines, status and tabs, and one more for each thing that
// must not be overlooked.

// badge is a labelled state on the status line.
type badge struct {
	token themes.Token
	text  string
	rank  int // lower ones go first when room is short; mustStay never do
}

const (
	mustStay  = 100
	clockRank = 30
)

// statusLine draws the site, the channel and the state of the data.
func (m *Model) statusLine(w int) string {
	badges := m.badges(w)
	channel := badge{text: render.ChannelName(m.scene.floor.Channel)}
	draw := func() string { return m.scene.statusLine(w, channel.text, badges) }
	return m.status.line(m.scene, w, draw, append(badges, channel)...)
}

func (sc *scene) statusLine(w int, channel string, badges []badge) string {
	bar := sc.look.Style(themes.StatusBar)
	title := sc.Title
	if title == "" {
		title = "Wallboard"
	}
	total := 0
	for _, b := range badges {
		total += look.Width(b.text) + 2
	}
	const leastTitle = 6
	for total > w-leastTitle-2 {
		i := leastOf(badges)
		if badges[i].rank == mustStay {
			break
		}
		total -= look.Width(badges[i].text) + 2
		badges = append(badges[:i], badges[i+1:]...)
	}
	l := look.NewLine(w, sc.look.Glyphs.Ellipsis)
	left := max(w-total, 0)
	name := look.NewLine(left, sc.look.Glyphs.Ellipsis).Space(bar, 1)
	const around = 5 // blanks at both ends, and what stands between the two
	switch both := look.Width(title) + look.Width(channel) + around; {
	case both <= left:
		name.Add(sc.look.OnBar(themes.Title), title).Add(bar, " "+sc.look.Glyphs.Dot+" ").Add(sc.look.OnBar(themes.Accent), channel)
	case sc.floor.Channel != model.Call && look.Width(channel)+2 <= left: // what the figures are of matters more
		name.Add(sc.look.OnBar(themes.Accent), channel)
	default:
		name.Add(sc.look.OnBar(themes.Title), look.Cut(title, left-2, sc.look.Glyphs.Ellipsis))
	}
	l.Raw(name.End(bar), left)
	for _, b := range badges {
		l.Add(sc.look.Style(b.token), " "+b.text+" ")
	}
	return l.End(bar)
}

func leastOf(badges []badge) int {
	least := 0
	for i, b := range badges {
		if b.rank < badges[least].rank {
			least = i
		}
	}
	return least
}

// badges returns the right side of the status line, from left to right.
func (m *Model) badges(w int) []badge {
	sc := m.scene
	h := sc.floor.Health()
	var out []badge
	if h.Link.InsecureTLS || sc.MarkInsecure || m.control.insecure {
		text := "TLS NOT VERIFIED"
		if w < 60 {
			text = "TLS UNVERIFIED"
		}
		out = append(out, badge{themes.BadgeCritical, text, mustStay})
	}
	if b, some := sc.alertBadge(); some {
		out = append(out, b)
	}
	if mark := sc.alarmsElsewhere(); mark != "" {
		out = append(out, badge{themes.BadgeCritical, mark, 40})
	}
	if sc.wall == nil { // nobody at a kiosk expects to act
		out = append(out, m.controlBadges(w)...)
	}
	out = append(out, m.dataBadges(w)...)
	if v := version(h.Version); v != "" && sc.wall == nil {
		out = append(out, badge{themes.StatusBar, v, 10})
	}
	return append(out, badge{themes.StatusBar, sc.clock(), clockRank})
}

// dataBadges say what the figures are: how old a frozen picture is, the state
// of the connection, and when data last came. Figures in doubt have a banner.
func (m *Model) dataBadges(w int) []badge {
	sc := m.scene
	link := sc.linkBadge()
	if !sc.floor.Frozen.IsZero() {
		if link.token == themes.BadgeOK { // green beside an old picture would speak for it
			link = badge{themes.StatusBar, "feed live", 35}
		}
		return []badge{{themes.BadgeWarn, "FROZEN " + sc.floor.Age(sc.look, sc.floor.Frozen), 90}, link}
	}
	if sc.floor.Heard.IsZero() || m.pageDoubt().Stale {
		return []badge{link}
	}
	out := []badge{link}
	if proof, some := sc.proof(w); some {
		if out = append(out, proof); w < proofRoom {
			return out // when data last came says less
		}
	}
	return append(out, badge{themes.StatusBar, "data " + sc.floor.Age(sc.look, sc.floor.Heard), 20})
}

// driftNews is how long drift is news.
const driftNews = 10 * time.Minute

// proof says what the figures are worth: when the last of them was held against
// the platform, what that has found, and how many breaks it has got over. A
// narrow line has the first of it only, and never half a word.
func (sc *scene) proof(w int) (badge, bool) {
	h := sc.floor.Health()
	at := h.VerifiedAt()
	if at.IsZero() || h.Link.State != model.LinkUp {
		return badge{}, false
	}
	drift, dot := h.Drift().Total(), " "+sc.look.Glyphs.Dot+" "
	b := badge{themes.StatusBar, "verified " + sc.ago(at), 25}
	if w >= proofRoom || drift > 0 {
		b.text += dot + "drift " + sc.look.Count(int(min(drift, math.MaxInt32)))
	}
	if w >= longProofRoom {
		b.text += dot + "cuts healed " + sc.look.Count(int(h.Healed)) + "/" + sc.look.Count(int(h.Cuts)) //nolint:gosec // a count of years
	}
	if last := h.DriftAt(); !last.IsZero() && sc.floor.Ours.Sub(last) < driftNews {
		b.token, b.rank = themes.BadgeWarn, 38
	}
	return b, true
}

// From how many columns on the proof says more.
const (
	proofRoom     = 100
	longProofRoom = 132
)

// ago returns how long ago a time was, in words.
func (sc *scene) ago(t time.Time) string {
	if d := sc.floor.Ours.Sub(t); d < 100*time.Second {
		return strconv.Itoa(int(max(d, 0)/time.Second)) + " s ago"
	}
	return sc.floor.Age(sc.look, t) + " ago"
}

// clockTolerance is how far the platform's clock may be from ours without being
// called the platform's.
const clockTolerance = 2 * time.Second

// clock is the time of day on the platform's clock, which all times of the
// floor are on.
func (sc *scene) clock() string {
	text := string(sc.look.Format.Clock(nil, sc.floor.Server(sc.floor.Ours)))
	if sc.floor.Health().ClockOffset.Abs() > clockTolerance {
		return "platform " + text
	}
	return text
}

// linkBadge is the state of the connection in a glyph and a word.
func (sc *scene) linkBadge() badge {
	g := sc.look.Glyphs
	h := sc.floor.Health()
	switch {
	case sc.floor.Newest == nil:
		return badge{themes.BadgeWarn, g.Busy + " CONNECTING", mustStay}
	case h.Link.State == model.LinkUp && h.Live() && h.Link.PollEvery > 0:
		return badge{themes.BadgeWarn, g.Busy + " POLLING every " + strconv.Itoa(int(h.Link.PollEvery/time.Second)) + " s", mustStay}
	case h.Link.State == model.LinkUp && h.Live() && h.Partly():
		return badge{themes.BadgeWarn, g.Busy + " PARTLY KNOWN", mustStay}
	case h.Link.State == model.LinkUp && h.Live() && h.Polled():
		return badge{themes.BadgeWarn, g.Busy + " POLLING", mustStay}
	case h.Link.State == model.LinkUp && h.Live():
		return badge{themes.BadgeOK, g.Live + " LIVE", mustStay}
	case h.Link.State == model.LinkUp:
		return badge{themes.BadgeWarn, g.Busy + " " + partlyWord(h), mustStay}
	}
	text, token := g.Broken+" DOWN", themes.BadgeCritical
	switch h.Link.State {
	case model.LinkConnecting:
		text, token = g.Busy+" CONNECTING", themes.BadgeWarn
	case model.LinkBackoff:
		text = g.Broken + " BACKOFF"
	case model.LinkRefused:
		text = g.Broken + " REFUSED"
	case model.LinkStopped:
		text = g.Stopped + " STOPPED"
	case model.LinkUp:
	}
	return badge{token, text, mustStay}
}

// partlyWord says what keeps a connection that is up from being live.
func partlyWord(h *model.Health) string {
	word := "SYNCING"
	for i := range h.Subscriptions {
		switch h.Subscriptions[i].State {
		case model.SubRefused, model.SubStale, model.SubBackoff:
			if !h.HadData() {
				return "NO DATA"
			}
			return "PARTLY STALE"
		case model.SubUnverified:
			word = "UNVERIFIED"
		case model.SubWaiting, model.SubConnecting, model.SubSyncing, model.SubLive,
			model.SubPolling:
		}
	}
	return word
}

func version(v model.ServerVersion) string {
	if !v.Major.Known() {
		return ""
	}
	num := func(n model.Int) string { return strconv.FormatInt(n.Or(0), 10) }
	return "v" + num(v.Major) + "." + num(v.Minor) + "." + num(v.Patch)
}
