package ui

import (
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/chrome"
	"wallboard/ui/look"
	"wallboard/ui/render"
)

// The big clock stands above the page where there is room for it.
const (
	bigClockWidth  = 100
	bigClockHeight = 36
)

// kioskLines returns the frame of a kiosk that has no page to show: a dark screen,
// or one that says why nothing is there. nil: it has.
func (m *Model) kioskLines(w, h int) []string {
	switch {
	case m.scene.wall == nil:
		return nil
	case m.scene.wall.dim:
		return m.darkScreen(w, h)
	case m.empty():
		return m.waitingScreen(w, h)
	}
	return nil
}

// kioskCovers reports whether a kiosk has no page to show.
func (m *Model) kioskCovers() bool { return m.scene.wall != nil && (m.scene.wall.dim || m.empty()) }

// dark reports whether the screen is to be dark.
func (m *Model) dark() bool { return m.scene.wall != nil && m.scene.wall.dim }

// empty reports whether nothing has ever come of the floor.
func (m *Model) empty() bool {
	s := m.scene.floor.Shown
	return s == nil || s.Empty()
}

// darkScreen is black but for the time of day, which wanders: no cell of the
// screen is lit for long.
func (m *Model) darkScreen(w, h int) []string {
	sc := m.scene
	text := sc.local(sc.floor.Ours).Format("15:04")
	minute := int(sc.floor.Ours.Unix() / 60)
	x := wander(minute, w-len(text)-2)
	y := wander(minute/2, h-2)
	lines := make([]string, h)
	for i := range lines {
		line := look.Blanks(w)
		if i == y+1 {
			line = look.Blanks(x+1) + text + look.Blanks(w-x-1-len(text))
		}
		lines[i] = darkStyle(sc.look.Mono) + line + ansi.ResetStyle
	}
	return lines
}

// wander goes to and fro over n places, one at a step.
func wander(step, n int) int {
	if n < 2 {
		return 0
	}
	at := step % (2 * (n - 1))
	if at >= n {
		at = 2*(n-1) - at
	}
	return at
}

// darkStyle is grey on black whatever the theme: the light of a theme's own
// background is what a dark screen is without.
func darkStyle(mono bool) string {
	if mono {
		return ansi.SGR(ansi.AttrFaint)
	}
	return ansi.SGR(ansi.AttrBrightBlackForegroundColor, ansi.AttrBlackBackgroundColor)
}

// waitingScreen says in large words why there is nothing to see yet, and what is
// being done about it.
func (m *Model) waitingScreen(w, h int) []string {
	sc := m.scene
	token, word := m.trouble()
	spaced := strings.Join(strings.Split(word, ""), " ")
	if len(spaced) > w-4 {
		spaced = word
	}
	lines := m.kioskHeader(m.moment())
	centre := func(st themes.Style, text string) string {
		text = look.Cut(text, w-2, sc.look.Glyphs.Ellipsis)
		return look.NewLine(w, "").Space(st, (w-look.Width(text))/2).Add(st, text).End(st)
	}
	band := sc.look.Style(token)
	body := []string{centre(band, ""), centre(band, spaced), centre(band, ""), look.Blanks(w)}
	for _, t := range m.troubleWords() {
		for l := range strings.SplitSeq(ansi.Wrap(look.OneLine(t), max(min(w-8, 90), 20), ""), "\n") {
			body = append(body, centre(sc.look.Style(themes.Text), l))
		}
	}
	for range max((h-len(body))/2-len(lines), 0) {
		lines = append(lines, look.Blanks(w))
	}
	lines = append(lines, body...)
	lines = look.FillLines(lines, w, h-1)
	return append(lines, m.kioskFooter(w))
}

// trouble is why there is nothing to see, in a word or two.
func (m *Model) trouble() (themes.Token, string) {
	h := m.scene.floor.Health()
	switch h.Link.State {
	case model.LinkUp:
		return themes.BadgeWarn, "WAITING FOR DATA"
	case model.LinkBackoff:
		return themes.BadgeCritical, "NO CONNECTION"
	case model.LinkRefused:
		return themes.BadgeCritical, "CONNECTION REFUSED"
	case model.LinkStopped:
		return themes.BadgeCritical, "STOPPED"
	case model.LinkConnecting:
	}
	return themes.BadgeWarn, "CONNECTING"
}

// troubleWords say why, and what happens next.
func (m *Model) troubleWords() []string {
	sc := m.scene
	h := sc.floor.Health()
	var out []string
	if h.Notice != "" {
		out = append(out, h.Notice)
	}
	if h.Link.Reason != "" && !strings.Contains(h.Notice, h.Link.Reason) {
		out = append(out, h.Link.Reason)
	}
	if h.Link.Endpoint != "" {
		out = append(out, "The platform is asked at "+h.Link.Endpoint+".")
	}
	switch next := sc.floor.NextTry(sc.look, &h.Link); {
	case h.Link.State == model.LinkUp:
		out = append(out, "The platform is connected and has sent nothing yet.")
	case next != "":
		out = append(out, "The board goes on trying by itself: "+next+".")
	default:
		out = append(out, "The board goes on trying by itself.")
	}
	return out
}

// kioskHeader is the site, the state of the data and the time of day, large where
// there is room, and what must not be overlooked.
func (m *Model) kioskHeader(now *chrome.Moment) []string {
	w := now.Width
	out := make([]string, 0, m.height)
	if w >= bigClockWidth && m.height >= bigClockHeight {
		out = append(out, m.bigHeader(now)...)
	} else {
		out = append(out, m.around.Status(now))
	}
	if m.scene.wall.dim || m.empty() {
		return out
	}
	return append(append(out, m.frontLine(w)...), now.Banners()...)
}

// bigHeader is the header with a clock that is read from afar.
func (m *Model) bigHeader(now *chrome.Moment) []string {
	sc := m.scene
	set := chart.Blocks
	if sc.ASCII {
		set = chart.ASCII
	}
	digits := chart.Digits{Width: 21, Style: sc.look.Theme.SGR(themes.Accent), Set: set}.
		Render(sc.local(sc.floor.Server(sc.floor.Ours)).Format("15:04"))
	left := now.Width - 21
	text := func(st themes.Style, s string) string {
		return look.NewLine(left, sc.look.Glyphs.Ellipsis).Space(themes.Style{}, 2).Add(st, s).End(themes.Style{})
	}
	state := look.NewLine(left, sc.look.Glyphs.Ellipsis).Space(themes.Style{}, 2)
	for _, b := range m.around.States(now) {
		st := sc.look.Style(b.Token)
		if b.Token == themes.StatusBar {
			st = sc.look.Style(themes.Dim)
		}
		state.Add(st, " "+b.Text+" ").Space(themes.Style{}, 1)
	}
	lines := []string{
		look.Blanks(left), text(sc.look.Style(themes.Title), now.Site()),
		text(sc.look.Style(themes.Dim), render.ChannelName(sc.floor.Channel)+" "+sc.look.Glyphs.Dot+" "+sc.date()),
		state.End(themes.Style{}), look.Blanks(left),
	}
	for i := range lines {
		lines[i] += digits[i]
	}
	return lines
}

// date is the day on the platform's clock.
func (sc *scene) date() string {
	return sc.local(sc.floor.Server(sc.floor.Ours)).Format("Monday 2 January")
}

// kioskFooter is the line of the rotation: which page this is, how much of its
// time is over, and which is next. What there is to say stands there instead.
func (m *Model) kioskFooter(w int) string {
	k, sc := m.scene.wall, m.scene
	bar := sc.look.Style(themes.StatusBar)
	if m.notice != "" {
		return look.NewLine(w, sc.look.Glyphs.Ellipsis).Add(sc.look.OnBar(themes.Accent), " "+render.WholeWords(sc.public(m.notice), w-2, sc.ASCII)).End(bar)
	}
	now, next := " "+m.pages.specs[m.pages.current].Name+" ", " next: "+m.pages.specs[k.next().page].Name+" "
	if k.front != nil {
		now = " " + m.pages.specs[m.pages.current].Name + " (alert) "
	}
	if len(k.stops) == 1 && k.front == nil {
		next = " "
	}
	room := w - look.Width(now) - look.Width(next)
	if room < 4 {
		return look.NewLine(w, sc.look.Glyphs.Ellipsis).Add(sc.look.OnBar(themes.Title), now).End(bar)
	}
	done := int(k.elapsed(sc.floor.Ours) * time.Duration(room) / k.dwell())
	over, left := "━", "─"
	if sc.ASCII {
		over, left = "=", "-"
	}
	return look.NewLine(w, sc.look.Glyphs.Ellipsis).Add(sc.look.OnBar(themes.Title), now).
		Add(sc.look.OnBar(themes.Accent), look.Rules(over, done)).Add(sc.look.OnBar(themes.Faint), look.Rules(left, room-done)).
		Add(sc.look.OnBar(themes.Text), next).End(bar)
}
