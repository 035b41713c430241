package kiosk

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/frame"
	"wallboard/ui/render"
	"wallboard/ui/style"
	"wallboard/ui/textlayout"
)

// tickerSeconds is how long the ticker shows each situation, in seconds.
const tickerSeconds = 6

// hasCritical reports whether a critical situation needs action.
func hasCritical(frameData *frame.Frame) bool {
	return len(urgentSituations(frameData.Situations, alert.Critical)) > 0
}

// tickerLines draws the ticker, which shows the situations that need action one after another. While there
// are critical situations, it shows only these, and forms the top of the frame. If no situation needs
// action, it draws the same number of lines except on a small screen, so that nothing below moves.
func (w *Kiosk) tickerLines(frameData *frame.Frame) []string {
	open := urgentSituations(frameData.Situations, alert.Warning)
	if len(open) == 0 {
		return w.allClearLines(frameData)
	}
	shown := open
	if worst := urgentSituations(frameData.Situations, alert.Critical); len(worst) > 0 {
		shown = worst
	}
	s := w.tickerSituation(frameData, shown)
	lk := frameData.Look
	token, level, glyph := themes.BadgeWarn, words.KioskWarning(), render.Warning
	if s.Level == alert.Critical {
		token, level, glyph = themes.BadgeCritical, words.KioskCritical(), render.Critical
	}
	if !s.StaleSince.IsZero() {
		level = words.KioskNotVerified(level)
	}
	word := level.In(lk.Format.Words)
	if isRecent(frameData, s.Since) && !s.FromStart {
		word = words.KioskNew().In(lk.Format.Words) + " " + lk.Glyphs.Dot + " " + word
	}
	b := newTickerBand(frameData, token)
	b.otherCount = len(open) - 1
	headlines, reasons := headlineAndCause(lk, s)
	helps := remedyTexts(lk, s, frameData.Width-4)
	reasons = append(combineCausesAndRemedies(reasons, helps), alternateTexts(w.floor.LocalNow.Unix()/tickerSeconds/int64(len(shown)), reasons, helps)...)
	if b.largeLetters {
		word += " " + lk.Glyphs.Dot + " "
		return b.drawLetters(glyph.Glyph(lk.ASCII), largeLetterTexts(lk, s), combineHeadlinesAndCauses(lk, word, headlines, reasons)...)
	}
	previous := glyph.Glyph(lk.ASCII) + " " + word + " " + lk.Glyphs.Dot + " " + s.Place.Title + ": "
	if b.rows == 2 {
		for i := range headlines {
			headlines[i] = previous + headlines[i]
		}
		first := b.draw(headlines...)
		b.otherCount = 0
		return append(first, b.draw(indentTexts(reasons)...)...)
	}
	return b.draw(combineHeadlinesAndCauses(lk, previous, headlines, reasons)...)
}

// largeLetterTexts returns the texts about a situation in large letters, longest first.
func largeLetterTexts(lk *style.Look, s *situation.Situation) []string {
	const gap = "   "
	title, out := s.Place.Title, make([]string, 0, 3)
	out = append(out, title+gap+shortDescription(s).In(lk.Format.Words))
	if isUnstaffed(s) {
		out = append(out, title+gap+words.KioskNoAgents().In(lk.Format.Words))
	}
	return append(out, title)
}

// isUnstaffed reports whether contacts are waiting at a place where no agent is logged in.
func isUnstaffed(s *situation.Situation) bool {
	return s.Affected > 0 && slices.ContainsFunc(s.Alerts, func(a alert.Alert) bool { return a.Rule == alert.RuleUnstaffed })
}

// shortDescription describes a situation in a few words: by the number of waiting contacts, or by
// the title of the most urgent rule.
func shortDescription(s *situation.Situation) words.Text {
	if isUnstaffed(s) {
		return words.KioskWaitingNoAgents(s.Affected)
	}
	if s.Affected > 0 && s.Place.Key.Scope != alert.Campaign {
		return words.KioskWaiting(s.Affected)
	}
	worst := slices.MaxFunc(s.Alerts, func(a, b alert.Alert) int { return cmp.Compare(a.Level, b.Level) })
	return alert.RuleTitle(worst.Rule)
}

// combineHeadlinesAndCauses returns versions of a line of the ticker, longest first: each headline
// with each cause, followed by the headlines alone. All of them start with before.
func combineHeadlinesAndCauses(lk *style.Look, before string, headlines, reasons []string) []string {
	var texts []string
	for _, a := range headlines {
		for _, because := range reasons {
			if because != "" {
				because = " " + lk.Glyphs.Dot + " " + because
			}
			texts = append(texts, before+a+because)
		}
	}
	for _, a := range headlines {
		texts = append(texts, before+a)
	}
	return texts
}

// tickerSituation returns the situation that the ticker must show: a new situation, otherwise the
// situation whose page is in front, otherwise the next situation in turn.
func (w *Kiosk) tickerSituation(frameData *frame.Frame, open []*situation.Situation) *situation.Situation {
	if i := slices.IndexFunc(open, func(s *situation.Situation) bool { return isRecent(frameData, s.Since) && !s.FromStart }); i >= 0 {
		return open[i]
	}
	if k := w.rotation.front; k != nil {
		if i := slices.IndexFunc(open, func(s *situation.Situation) bool { return s.FocusKey().Code == k.rowKey }); i >= 0 {
			return open[i]
		}
	}
	return open[int(w.floor.LocalNow.Unix()/tickerSeconds)%len(open)]
}

// isRecent reports whether the time at, on the server's clock, is less than [render.ChangeSignDuration]
// ago.
func isRecent(frameData *frame.Frame, at time.Time) bool {
	return !at.IsZero() && frameData.Floor.ToServerTime(frameData.Floor.LocalNow).Sub(at) < render.ChangeSignDuration
}

// allClearLines draws the ticker while no situation needs action. It returns nil on a small screen,
// which has no lines for it.
func (w *Kiosk) allClearLines(frameData *frame.Frame) []string {
	const small = 24
	lk := frameData.Look
	if frameData.Height < small {
		return nil
	}
	token, glyph, parts, calmFor := w.allClearText(frameData)
	b := newTickerBand(frameData, token)
	if b.largeLetters {
		large := []string{parts[0]}
		if calmFor != "" {
			large = []string{parts[0] + " " + calmFor, parts[0]}
		}
		details := strings.Join(parts[1:], " · ")
		return b.drawLetters(glyph, large, details, parts[len(parts)-1])
	}
	if glyph != "" {
		parts[0] = glyph + " " + parts[0]
	}
	var out []string
	for len(out) < b.rows {
		n := len(parts)
		for n > 1 && !b.fits(strings.Join(parts[:n], " · ")) {
			n--
		}
		out = append(out, b.draw(strings.Join(parts[:n], " "+lk.Glyphs.Dot+" "))...)
		parts = indentTexts(parts[n:])
		if len(parts) == 0 {
			parts = []string{""}
		}
	}
	return out
}

// allClearText returns the parts of the ticker's text while no situation needs action, the color
// token of the text and the glyph before it. calmFor says for how long no situation has needed
// action. It is the second part, or "" if there is no such part.
func (w *Kiosk) allClearText(frameData *frame.Frame) (token themes.Token, glyph string, parts []string, calmFor string) {
	v, lk := frameData.Situations, frameData.Look
	l := lk.Format.Words
	glyph = lk.Glyphs.Check
	switch {
	case v == nil:
		return themes.Dim, "", []string{words.SituationNoData().In(l)}, ""
	case len(v.Recovered) > 0 && isRecent(frameData, v.Recovered[0].Ended):
		r := &v.Recovered[0]
		return themes.OK, glyph, []string{words.KioskResolved(r.Place.Title).In(l), words.KioskAfter(r.Lasted()).In(l)}, ""
	case len(v.Live) > 0:
		var places []string
		for i := range v.Live {
			places = append(places, v.Live[i].Place.Title)
		}
		return themes.Text, "", []string{words.KioskTaken(lk.JoinFirst(places, 3, ", ")).In(l), w.TakenOverText(v.Live[0].Ack.By)}, ""
	case !v.IsCalm():
		return themes.Text, "", strings.Split(v.QuietLine, " · "), ""
	}
	parts = strings.Split(v.QuietLine, " · ")
	if !v.AllOnTarget {
		parts[0] = words.KioskAllClear().In(l)
	}
	if d := w.allClear.duration(v.AllOnTarget, w.floor.LocalNow); d >= time.Minute {
		calmFor = words.KioskCalmFor(words.Minutes(d.Truncate(time.Minute))).In(l)
		parts = slices.Insert(parts, 1, calmFor)
	}
	return themes.OK, glyph, parts, calmFor
}

// indentTexts returns texts, indented like the ticker's second line.
func indentTexts(texts []string) []string {
	out := slices.Clone(texts)
	for i := range out {
		out[i] = "  " + out[i]
	}
	return out
}

// tickerBand draws the lines of the ticker: one line on a wide screen, and two lines on a narrow
// one. On a large screen, it draws five lines: a margin, three lines of large letters, and the
// details.
type tickerBand struct {
	look         *style.Look
	style        themes.Style
	width        int
	rows         int
	largeLetters bool // the place is drawn in large letters
	hasTopBorder bool // the first line is the top of a frame on a screen without colors
	otherCount   int  // number of further situations, drawn at the right end
}

func newTickerBand(frameData *frame.Frame, token themes.Token) tickerBand {
	const wide = 120 // minimum width of the screen for the headline and the cause on one line
	b := tickerBand{look: frameData.Look, style: frameData.Look.Style(token), width: frameData.Width, rows: 1}
	b.hasTopBorder = hasNoColors(frameData.Look) && token == themes.BadgeCritical && frameData.Width+2*frameSideWidth >= framedWidth
	switch width := frameData.Width + 2*frameSideWidth; {
	case width >= wide && frameData.Height >= largeClockHeight:
		b.rows, b.largeLetters = chart.HalfDigitRows+2, true
	case width < wide:
		b.rows = 2
	}
	return b
}

// othersText returns the number of further situations as text, or "" if there are none.
func (b tickerBand) othersText() string {
	if b.otherCount <= 0 {
		return ""
	}
	return "  +" + b.look.FormatCount(b.otherCount)
}

// fits reports whether text fits into a line together with the number of further situations.
func (b tickerBand) fits(text string) bool { return style.Width(text+b.othersText()) <= b.width-2 }

// draw returns a line with the first of the texts that fits, and with the number of further
// situations at the right end. If none of the texts fits, it truncates the last one.
func (b tickerBand) draw(texts ...string) []string {
	text := texts[len(texts)-1]
	if index := slices.IndexFunc(texts, b.fits); index >= 0 {
		text = texts[index]
	}
	available := b.width - 2 - style.Width(b.othersText())
	text = textlayout.TruncateWords(textformat.ToASCII(text, b.look.ASCII), available, b.look.ASCII)
	if b.otherCount > 0 {
		text += style.Blanks(available-style.Width(text)) + b.othersText()
	}
	return []string{b.line(text, b.hasTopBorder)}
}

// drawLetters returns a margin, the first of the names that fits in large letters, and a line with
// the first of the details that fits. If no name fits, the first name is drawn in ordinary capital
// letters.
func (b tickerBand) drawLetters(glyph string, names []string, details ...string) []string {
	end := ""
	if b.otherCount > 0 {
		end = "+" + b.look.FormatCount(b.otherCount)
	}
	lines := b.largeName(glyph, names, end)
	out := make([]string, 0, b.rows)
	out = append(out, b.line("", b.hasTopBorder))
	for _, l := range lines {
		out = append(out, b.line(l, false))
	}
	b.otherCount, b.hasTopBorder = 0, false
	return append(out, b.draw(indentTexts(details)...)...)
}

// largeName returns three lines with the first of the names that fits in large letters, and with
// end at the right.
func (b tickerBand) largeName(glyph string, names []string, end string) []string {
	const margin, gap = 2, 3
	if glyph != "" {
		glyph += " "
	}
	before := margin + style.Width(glyph)
	tail, tailWidth, _ := chart.LargeLetters(end, b.look.ChartGlyphs())
	available := b.width - 2*margin - before - tailWidth - gap
	out := make([]string, chart.HalfDigitRows)
	for _, name := range names {
		lines, width, ok := chart.LargeLetters(name, b.look.ChartGlyphs())
		if !ok || width > available {
			continue
		}
		for i := range out {
			mark := style.Blanks(before)
			if i == len(out)/2 {
				mark = style.Blanks(margin) + glyph
			}
			out[i] = mark + lines[i]
			if tailWidth > 0 {
				out[i] += style.Blanks(available-width+gap) + tail[i]
			}
		}
		return out
	}
	name := strings.ToUpper(textformat.ToASCII(names[0], b.look.ASCII))
	available = b.width - 2*margin - before - style.Width(end) - gap
	if spaced := strings.Join(strings.Split(name, ""), " "); style.Width(spaced) <= available && b.look.ASCII {
		name = spaced
	}
	name = textlayout.TruncateWords(name, available, b.look.ASCII)
	out[len(out)/2] = style.Blanks(margin) + glyph + name + style.Blanks(available-style.Width(name)+gap) + end
	return out
}

func (b tickerBand) line(text string, ruled bool) string {
	if ruled {
		text = replaceBlanksWithRule(b.look, style.Fit(text, b.width-1, b.look.Glyphs.Ellipsis))
	}
	return style.NewLine(b.width, b.look.Glyphs.Ellipsis).Space(b.style, 1).Add(b.style, text).Finish(b.style)
}

// headlineAndCause returns the headline and the main cause of a situation, each in a long and a
// short form. If the cause is unknown, reasons contains only an empty string.
func headlineAndCause(lk *style.Look, s *situation.Situation) (headlines, reasons []string) {
	headline := strings.TrimSuffix(s.Headline, ".")
	headlines = []string{headline}
	if first, _, ok := strings.Cut(headline, ". "); ok {
		headlines = append(headlines, first)
	}
	if len(s.Causes) == 0 {
		return headlines, []string{""}
	}
	why := func(cause string) string { return words.KioskWhy(cause).In(lk.Format.Words) }
	return headlines, []string{why(strings.TrimSuffix(s.MainCause(), ".")), why(s.Causes[0].ShortText())}
}

// remedyTexts returns descriptions of the remedies for a situation, longest first, for the given
// number of cells. It returns nil if no remedy is known.
func remedyTexts(lk *style.Look, s *situation.Situation, available int) []string {
	label, helps := s.HelpPhrasesIn(available)
	var out []string
	for n := range helps {
		out = slices.Insert(out, 0, words.KioskHelp(label, strings.Join(helps[:n+1], ", ")).In(lk.Format.Words))
	}
	return out
}

// combineCausesAndRemedies returns each cause combined with each remedy.
func combineCausesAndRemedies(reasons, helps []string) []string {
	var out []string
	for _, a := range reasons {
		for _, b := range helps {
			out = append(out, strings.TrimPrefix(a+" · "+b, " · "))
		}
	}
	return out
}

// alternateTexts returns the causes if n is even and a cause is known, otherwise the remedies. It
// is used for lines without room for both.
func alternateTexts(n int64, reasons, helps []string) []string {
	if len(helps) > 0 && (n%2 == 1 || reasons[0] == "") {
		return helps
	}
	return reasons
}
