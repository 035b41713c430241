package kiosk

import (
	"cmp"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/frame"
	"wallboard/ui/style"
	"wallboard/ui/textlayout"
)

// ReplacesPage reports whether the screen shows [Kiosk.ReplacementScreen] instead of a page.
func (w *Kiosk) ReplacesPage() bool { return w != nil && (w.isDark || w.hasNoData()) }

// ReplacementScreen draws the screen that replaces a page: a dark screen, or a screen that says why there is no
// data.
func (w *Kiosk) ReplacementScreen(frameData *frame.Frame, frameLines *frame.Lines) []string {
	if w.isDark {
		return w.darkScreen(frameData)
	}
	return w.waitingScreen(frameData, frameLines)
}

// IsDark reports whether the screen is dark.
func (w *Kiosk) IsDark() bool { return w != nil && w.isDark }

// hasNoData reports whether the board has not received any data yet.
func (w *Kiosk) hasNoData() bool { return w.floor.Shown == nil || w.floor.Shown.IsEmpty() }

// darkScreen draws a black screen with a clock, which moves to prevent burn-in.
func (w *Kiosk) darkScreen(frameData *frame.Frame) []string {
	width := frameData.Width
	text := textformat.Clock(w.floor.LocalNow, frameData.Look.Zone())
	minute := int(w.floor.LocalNow.Unix() / 60)
	x := bouncePosition(minute, width-len(text)-2)
	y := bouncePosition(minute/2, frameData.Height-2)
	lines := make([]string, frameData.Height)
	for i := range lines {
		line := style.Blanks(width)
		if i == y+1 {
			line = style.Blanks(x+1) + text + style.Blanks(width-x-1-len(text))
		}
		lines[i] = darkStyle(frameData.Look.Mono) + line + ansi.ResetStyle
	}
	return lines
}

// bouncePosition returns the position, between 0 and n-1, of a point that moves back and forth,
// after step steps.
func bouncePosition(step, n int) int {
	if n < 2 {
		return 0
	}
	index := step % (2 * (n - 1))
	if index >= n {
		index = 2*(n-1) - index
	}
	return index
}

// darkStyle returns the escape sequence for gray on black. It is the same for every theme, because
// the background of a theme would light the screen. mono means that the terminal has no colors.
func darkStyle(mono bool) string {
	if mono {
		return ansi.SGR(ansi.AttrFaint)
	}
	return ansi.SGR(ansi.AttrBrightBlackForegroundColor, ansi.AttrBlackBackgroundColor)
}

// waitingScreen draws a screen that says in large letters why there is no data yet.
func (w *Kiosk) waitingScreen(frameData *frame.Frame, frameLines *frame.Lines) []string {
	lk, width := frameData.Look, frameData.Width
	token, problem := w.dataProblem()
	word := problem.In(lk.Format.Words)
	spaced := strings.Join(strings.Split(word, ""), " ")
	if style.Width(spaced) > width-4 {
		spaced = word
	}
	lines := w.Header(frameData, frameLines)
	centre := func(st themes.Style, text string) string {
		text = style.Truncate(text, width-2, lk.Glyphs.Ellipsis)
		return style.NewLine(width, "").Space(st, (width-style.Width(text))/2).Add(st, text).Finish(st)
	}
	band := lk.Style(token)
	body := []string{centre(band, ""), centre(band, spaced), centre(band, ""), style.Blanks(width)}
	for _, t := range w.problemLines(lk) {
		for l := range strings.SplitSeq(ansi.Wrap(style.OneLine(t), max(min(width-8, 90), 20), ""), "\n") {
			body = append(body, centre(lk.Style(themes.Text), l))
		}
	}
	for range max((frameData.Height-len(body))/2-len(lines), 0) {
		lines = append(lines, style.Blanks(width))
	}
	lines = append(lines, body...)
	lines = style.FillLines(lines, width, frameData.Height-1)
	return append(lines, w.Footer(frameData))
}

// dataProblem says in a few words why there is no data, and returns the color token of the words.
func (w *Kiosk) dataProblem() (themes.Token, words.Text) {
	h := w.floor.Health()
	switch h.Link.State {
	case model.LinkUp:
		return themes.BadgeWarn, words.KioskWaitingForData()
	case model.LinkBackoff:
		return themes.BadgeCritical, words.KioskNoConnection()
	case model.LinkRefused:
		return themes.BadgeCritical, words.KioskRefused()
	case model.LinkStopped:
		return themes.BadgeCritical, words.KioskStopped()
	case model.LinkUnrecorded:
		return themes.BadgeWarn, words.BadgeNotRecorded()
	case model.LinkConnecting:
	}
	return themes.BadgeWarn, words.BadgeConnecting()
}

// problemLines returns sentences that say why there is no data and what the board will do next.
func (w *Kiosk) problemLines(lk *style.Look) []string {
	h := w.floor.Health()
	var out []string
	if h.Notice != "" {
		out = append(out, h.Notice)
	}
	if h.Link.Reason != "" && !strings.Contains(h.Notice, h.Link.Reason) {
		out = append(out, h.Link.Reason)
	}
	add := func(text words.Text) { out = append(out, text.In(lk.Format.Words)) }
	if h.Link.Endpoint != "" {
		add(words.KioskEndpoint(h.Link.Endpoint))
	}
	switch next := w.floor.NextAttemptText(lk, &h.Link); {
	case h.Link.State == model.LinkConnecting && h.Link.Trying != "":
		add(words.KioskConnectingFor(w.floor.LocalNow.Sub(h.Link.Since), h.Link.Trying))
	case h.Link.State == model.LinkUp:
		add(words.KioskNothingSent())
	case next != "":
		add(words.KioskKeepsTryingNext(next))
	default:
		add(words.KioskKeepsTrying())
	}
	return out
}

// Footer draws the name of the current page, a progress bar, badges and the name of the next page.
// A notice replaces all of them.
func (w *Kiosk) Footer(frameData *frame.Frame) string {
	lk, width, r := frameData.Look, frameData.Width, &w.rotation
	bar, on := lk.Style(themes.StatusBar), lk.BarTextStyle
	if hasCritical(frameData) { // the footer is the bottom of the frame
		bar = lk.Style(themes.BadgeCritical)
		on = func(themes.Token) themes.Style { return bar }
	}
	if frameData.Notice != "" {
		return style.NewLine(width, lk.Glyphs.Ellipsis).Add(on(themes.Accent), " "+textlayout.TruncateWords(frameData.Notice, width-2, lk.ASCII)).Finish(bar)
	}
	name, nextName := r.pages.Title(r.pages.Current()), cmp.Or(w.platforms.nextPlatform(w), r.pages.Title(r.next().page))
	if r.front != nil {
		name = words.KioskAlertPage(name).In(lk.Format.Words)
	}
	currentName, next := " "+name+" ", " "+words.KioskNext(nextName).In(lk.Format.Words)+" "
	if len(r.rotationPages) == 1 && r.front == nil && w.platforms.nextPlatform(w) == "" {
		next = " "
	}
	available := width - style.Width(currentName) - style.Width(next)
	const leastBar = 10
	for _, said := range frameData.WallBadges() {
		if said = " " + said + " " + lk.Glyphs.Dot; style.Width(said)+leastBar <= available {
			next = said + next
			available -= style.Width(said)
		}
	}
	if available < 4 {
		return style.NewLine(width, lk.Glyphs.Ellipsis).Add(on(themes.Title), currentName).Finish(bar)
	}
	done := int(r.elapsed() * time.Duration(available) / r.dwell())
	overlay, left := "━", "─"
	if lk.ASCII {
		overlay, left = "=", "-"
	}
	if hasNoColors(lk) && hasCritical(frameData) && width+2*frameSideWidth >= framedWidth {
		overlay, left = "█", heavyRule(lk)
		if lk.ASCII {
			overlay = "="
		}
	}
	return style.NewLine(width, lk.Glyphs.Ellipsis).Add(on(themes.Title), currentName).
		Add(on(themes.Accent), strings.Repeat(overlay, done)).Add(on(themes.Faint), strings.Repeat(left, available-done)).
		Add(on(themes.Text), next).Finish(bar)
}
