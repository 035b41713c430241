package kiosk

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation"
	"wallboard/situation/plainly"
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

// Covers reports whether a kiosk has no page to show.
func (w *Wall) Covers() bool { return w != nil && (w.dim || w.empty()) }

// Cover returns the frame that stands for the page: a dark screen, or one that says
// why nothing is there.
func (w *Wall) Cover(now *chrome.Moment, around *chrome.Lines) []string {
	if w.dim {
		return w.darkScreen(now)
	}
	return w.waitingScreen(now, around)
}

// Dark reports whether the screen is to be dark.
func (w *Wall) Dark() bool { return w != nil && w.dim }

// empty reports whether nothing has ever come of the floor.
func (w *Wall) empty() bool { return w.floor.Shown == nil || w.floor.Shown.Empty() }

// darkScreen is black but for the time of day, which wanders: no cell of the
// screen is lit for long.
func (w *Wall) darkScreen(now *chrome.Moment) []string {
	width := now.Width
	text := w.floor.Ours.In(now.Look.Zone()).Format("15:04")
	minute := int(w.floor.Ours.Unix() / 60)
	x := wander(minute, width-len(text)-2)
	y := wander(minute/2, now.Height-2)
	lines := make([]string, now.Height)
	for i := range lines {
		line := look.Blanks(width)
		if i == y+1 {
			line = look.Blanks(x+1) + text + look.Blanks(width-x-1-len(text))
		}
		lines[i] = darkStyle(now.Look.Mono) + line + ansi.ResetStyle
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
func (w *Wall) waitingScreen(now *chrome.Moment, around *chrome.Lines) []string {
	lk, width := now.Look, now.Width
	token, word := w.trouble()
	spaced := strings.Join(strings.Split(word, ""), " ")
	if len(spaced) > width-4 {
		spaced = word
	}
	lines := w.Header(now, around)
	centre := func(st themes.Style, text string) string {
		text = look.Cut(text, width-2, lk.Glyphs.Ellipsis)
		return look.NewLine(width, "").Space(st, (width-look.Width(text))/2).Add(st, text).End(st)
	}
	band := lk.Style(token)
	body := []string{centre(band, ""), centre(band, spaced), centre(band, ""), look.Blanks(width)}
	for _, t := range w.troubleWords(lk) {
		for l := range strings.SplitSeq(ansi.Wrap(look.OneLine(t), max(min(width-8, 90), 20), ""), "\n") {
			body = append(body, centre(lk.Style(themes.Text), l))
		}
	}
	for range max((now.Height-len(body))/2-len(lines), 0) {
		lines = append(lines, look.Blanks(width))
	}
	lines = append(lines, body...)
	lines = look.FillLines(lines, width, now.Height-1)
	return append(lines, w.Footer(now))
}

// trouble is why there is nothing to see, in a word or two.
func (w *Wall) trouble() (themes.Token, string) {
	h := w.floor.Health()
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
func (w *Wall) troubleWords(lk *look.Look) []string {
	h := w.floor.Health()
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
	switch next := w.floor.NextTry(lk, &h.Link); {
	case h.Link.State == model.LinkUp:
		out = append(out, "The platform is connected and has sent nothing yet.")
	case next != "":
		out = append(out, "The board goes on trying by itself: "+next+".")
	default:
		out = append(out, "The board goes on trying by itself.")
	}
	return out
}

// Header is the site, the state of the data and the time of day, large where there
// is room, and what must not be overlooked.
func (w *Wall) Header(now *chrome.Moment, around *chrome.Lines) []string {
	out := make([]string, 0, now.Height)
	if now.Width >= bigClockWidth && now.Height >= bigClockHeight {
		out = append(out, bigHeader(now, around)...)
	} else {
		out = append(out, around.Status(now))
	}
	if w.Covers() {
		return out
	}
	return append(append(out, w.frontLine(now)...), now.Banners()...)
}

// bigHeader is the header with a clock that is read from afar.
func bigHeader(now *chrome.Moment, around *chrome.Lines) []string {
	lk, at := now.Look, now.Floor.Server(now.Floor.Ours).In(now.Look.Zone())
	set := chart.Blocks
	if lk.ASCII {
		set = chart.ASCII
	}
	digits := chart.Digits{Width: 21, Style: lk.Theme.SGR(themes.Accent), Set: set}.
		Render(at.Format("15:04"))
	left := now.Width - 21
	text := func(st themes.Style, s string) string {
		return look.NewLine(left, lk.Glyphs.Ellipsis).Space(themes.Style{}, 2).Add(st, s).End(themes.Style{})
	}
	state := look.NewLine(left, lk.Glyphs.Ellipsis).Space(themes.Style{}, 2)
	for _, b := range around.States(now) {
		if b.Token != themes.StatusBar { // how it is, not how that is known
			state.Add(lk.Style(b.Token), " "+b.Text+" ").Space(themes.Style{}, 1)
		}
	}
	lines := []string{
		look.Blanks(left), text(lk.Style(themes.Title), now.Site()),
		text(lk.Style(themes.Dim), render.ChannelName(now.Floor.Channel)+" "+lk.Glyphs.Dot+" "+at.Format("Monday 2 January")),
		state.End(themes.Style{}), look.Blanks(left),
	}
	for i := range lines {
		lines[i] += digits[i]
	}
	return lines
}

// Footer is the line of the rotation: which page this is, how much of its
// time is over, and which is next. What there is to say stands there instead.
func (w *Wall) Footer(now *chrome.Moment) string {
	lk, width, r := now.Look, now.Width, &w.rotation
	bar := lk.Style(themes.StatusBar)
	if now.Notice != "" {
		return look.NewLine(width, lk.Glyphs.Ellipsis).Add(lk.OnBar(themes.Accent), " "+render.WholeWords(now.Notice, width-2, lk.ASCII)).End(bar)
	}
	name := r.pages.Name(r.pages.Current())
	here, next := " "+name+" ", " next: "+cmp.Or(w.tour.next(w), r.pages.Name(r.next().page))+" "
	if r.front != nil {
		here = " " + name + " (alert) "
	}
	if len(r.stops) == 1 && r.front == nil && w.tour.next(w) == "" {
		next = " "
	}
	room := width - look.Width(here) - look.Width(next)
	if room < 4 {
		return look.NewLine(width, lk.Glyphs.Ellipsis).Add(lk.OnBar(themes.Title), here).End(bar)
	}
	done := int(r.elapsed() * time.Duration(room) / r.dwell())
	over, left := "━", "─"
	if lk.ASCII {
		over, left = "=", "-"
	}
	return look.NewLine(width, lk.Glyphs.Ellipsis).Add(lk.OnBar(themes.Title), here).
		Add(lk.OnBar(themes.Accent), strings.Repeat(over, done)).Add(lk.OnBar(themes.Faint), strings.Repeat(left, room-done)).
		Add(lk.OnBar(themes.Text), next).End(bar)
}

// Side is what stands at both sides of a page where there is room for it: blanks, and
// while something critical goes on the sides of a frame whose top is the line above.
func (w *Wall) Side(now *chrome.Moment) string {
	if w == nil || now.Width < bigClockWidth || now.Height < bigClockHeight {
		return ""
	}
	if len(pressing(now.Situations, max(w.setup.Front, alert.Critical))) == 0 || w.setup.Front == alert.Normal {
		return " "
	}
	bar := "█"
	if now.Look.ASCII {
		bar = "#"
	}
	return now.Look.Style(themes.GaugeCritical).Render(bar)
}

// tellsEvery is how many seconds the line above the page tells of one situation before
// it goes on to the next.
const tellsEvery = 6

// frontLine says what is wrong, above every page, for as long as it is: one situation
// after the other, and while a page is in front because of one that.
func (w *Wall) frontLine(now *chrome.Moment) []string {
	lk, width := now.Look, now.Width
	open := pressing(now.Situations, w.setup.Front)
	if len(open) == 0 {
		return nil
	}
	s := open[int(w.floor.Ours.Unix()/tellsEvery)%len(open)]
	if k := w.rotation.front; k != nil { // what the page in front is about comes first
		if i := slices.IndexFunc(open, func(s *situation.Situation) bool { return s.About().Code == k.key }); i >= 0 {
			s = open[i]
		}
	}
	token, word, glyph := themes.BadgeWarn, "WARNING", render.Warn
	if s.Level == alert.Critical {
		token, word, glyph = themes.BadgeCritical, "CRITICAL", render.Critical
	}
	st, more := lk.Style(token), ""
	if !s.Stale.IsZero() {
		more = " (not verified)"
	}
	const narrow = 60
	switch n := len(open) - 1; {
	case n > 0 && width < narrow:
		more += " +" + lk.Count(n)
	case n > 0:
		more += " and " + lk.Count(n) + " more"
	}
	line := func(text, more string) string {
		l := look.NewLine(width, lk.Glyphs.Ellipsis).Space(st, 1)
		return l.Add(st, render.WholeWords(plainly.Signs(text, lk.ASCII), width-2-look.Width(more), lk.ASCII)).Add(st, more).End(st)
	}
	before := glyph.Glyph(lk.ASCII) + " " + word + " " + lk.Glyphs.Dot + " " + s.Place.Title + ": "
	what, why := said(s)
	why = append(both(why, helping(s, width-4)), turn(w.floor.Ours.Unix()/tellsEvery/int64(len(open)), why, helping(s, width-4))...)
	if width < frontWide { // two lines, whatever is known: nothing below jumps
		for i := range what {
			what[i] = before + what[i]
		}
		return []string{line(look.Longest(width-2-look.Width(more), what...), more), line("  "+look.Longest(width-4, why...), "")}
	}
	var texts []string
	for _, a := range what {
		for _, b := range why {
			if b != "" {
				b = " " + lk.Glyphs.Dot + " " + b
			}
			texts = append(texts, before+a+b)
		}
	}
	return []string{line(look.Longest(width-2-look.Width(more), texts...), more)}
}

// frontWide is the width from which what is wrong and why stand in one line.
const frontWide = 120

// said is what is wrong, and why, each in ever fewer words; why is one empty text where
// nobody knows.
func said(s *situation.Situation) (what, why []string) {
	headline := strings.TrimSuffix(s.Headline, ".")
	what = []string{headline}
	if first, _, is := strings.Cut(headline, ". "); is {
		what = append(what, first)
	}
	if len(s.Causes) == 0 {
		return what, []string{""}
	}
	return what, []string{"why: " + strings.TrimSuffix(s.Why()[0], "."), "why: " + s.Causes[0].Short()}
}

// helping is what would help, or what comes of it by itself, in ever fewer words; none
// where nothing is known.
func helping(s *situation.Situation, room int) []string {
	label, helps := s.HelpsIn(room)
	var out []string
	for n := range helps {
		out = slices.Insert(out, 0, label+": "+strings.Join(helps[:n+1], ", "))
	}
	return out
}

// both are why something is so and what would help, in ever fewer words.
func both(why, helps []string) []string {
	var out []string
	for _, a := range why {
		for _, b := range helps {
			out = append(out, strings.TrimPrefix(a+" · "+b, " · "))
		}
	}
	return out
}

// turn is one of them where there is no room for both: each in its turn.
func turn(n int64, why, helps []string) []string {
	if len(helps) > 0 && (n%2 == 1 || why[0] == "") {
		return helps
	}
	return why
}
