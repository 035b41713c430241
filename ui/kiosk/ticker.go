package kiosk

import (
	"slices"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/phrases"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/frame"
	"wallboard/ui/render"
	"wallboard/ui/style"
	"wallboard/ui/textlayout"
)

// tickerSeconds is how many seconds the ticker shows a situation.
const tickerSeconds = 6

// critical reports whether a critical situation needs action.
func critical(frameData *frame.Frame) bool {
	return len(urgentSituations(frameData.Situations, alert.Critical)) > 0
}

// ticker draws the situations that need action, one after another. A critical one hides
// lesser ones and is the top of the frame. Without situations it draws the same number of
// lines, so that nothing below jumps.
func (w *Kiosk) ticker(frameData *frame.Frame) []string {
	open := urgentSituations(frameData.Situations, alert.Warning)
	if len(open) == 0 {
		return allClearLines(frameData)
	}
	shown := open
	if worst := urgentSituations(frameData.Situations, alert.Critical); len(worst) > 0 {
		shown = worst
	}
	s := w.tickerSituation(frameData, shown)
	lk := frameData.Look
	token, word, glyph := themes.BadgeWarn, "WARNING", render.Warn
	if s.Level == alert.Critical {
		token, word, glyph = themes.BadgeCritical, "CRITICAL", render.Critical
	}
	if isRecent(frameData, s.Since) && !s.FromStart {
		word = "NEW " + lk.Glyphs.Dot + " " + word
	}
	b := newBand(frameData, token)
	more := ""
	if !s.Stale.IsZero() {
		more = " (not verified)"
	}
	const narrow = 60
	switch n := len(open) - 1; {
	case n > 0 && frameData.Width < narrow:
		more += " +" + lk.Count(n)
	case n > 0:
		more += " and " + lk.Count(n) + " more"
	}
	previous := glyph.Glyph(lk.ASCII) + " " + word + " " + lk.Glyphs.Dot + " " + s.Place.Title + ": "
	headlines, reasons := headlineAndCause(s)
	helps := remedies(s, frameData.Width-4)
	reasons = append(causesWithHelp(reasons, helps), alternate(w.floor.Ours.Unix()/tickerSeconds/int64(len(shown)), reasons, helps)...)
	if b.rows == 2 {
		for i := range headlines {
			headlines[i] = previous + headlines[i]
		}
		return append(b.draw(more, headlines...), b.draw("", indent(reasons)...)...)
	}
	var texts []string
	for _, a := range headlines {
		for _, because := range reasons {
			if because != "" {
				because = " " + lk.Glyphs.Dot + " " + because
			}
			texts = append(texts, previous+a+because)
		}
	}
	for _, a := range headlines {
		texts = append(texts, previous+a)
	}
	return b.draw(more, texts...)
}

// tickerSituation returns the situation for the ticker: a new one, the one whose page is in front, or
// the next in turn.
func (w *Kiosk) tickerSituation(frameData *frame.Frame, open []*situation.Situation) *situation.Situation {
	if i := slices.IndexFunc(open, func(s *situation.Situation) bool { return isRecent(frameData, s.Since) && !s.FromStart }); i >= 0 {
		return open[i]
	}
	if k := w.rotation.front; k != nil {
		if i := slices.IndexFunc(open, func(s *situation.Situation) bool { return s.FocusKey().Code == k.key }); i >= 0 {
			return open[i]
		}
	}
	return open[int(w.floor.Ours.Unix()/tickerSeconds)%len(open)]
}

// isRecent reports whether an instant is so recent that it is news.
func isRecent(frameData *frame.Frame, at time.Time) bool {
	return !at.IsZero() && frameData.Floor.Server(frameData.Floor.Ours).Sub(at) < render.NewsDuration
}

// allClearLines draws that nothing needs action. Small screens have no line for it.
func allClearLines(frameData *frame.Frame) []string {
	const small = 24
	v, lk := frameData.Situations, frameData.Look
	if frameData.Height < small {
		return nil
	}
	token, text := themes.OK, "Nothing is known of the floor yet"
	switch {
	case v == nil:
		token = themes.Dim
	case len(v.Recovered) > 0 && isRecent(frameData, v.Recovered[0].Ended):
		r := &v.Recovered[0]
		text = "Recovered: " + r.Place.Title + phrases.Lasting(" (", r.Ended.Sub(r.Began), ")", lk.Duration)
	case len(v.Live) > 0:
		var places []string
		for i := range v.Live {
			places = append(places, v.Live[i].Place.Title)
		}
		token, text = themes.Text, "Somebody is taking care of "+lk.JoinFirst(places, 3, ", ")
	case v.Quiet != "":
		text = v.Quiet
		if v.FiguresUnknown || len(v.HeldPlaces())+len(v.Silenced) > 0 {
			token = themes.Text
		}
	}
	if token == themes.OK {
		text = lk.Glyphs.Check + " " + text
	}
	b := newBand(frameData, token)
	var out []string
	for phrases := strings.Split(text, " · "); len(out) < b.rows; {
		n := len(phrases)
		for n > 1 && !b.fits(strings.Join(phrases[:n], " · ")) {
			n--
		}
		out = append(out, b.draw("", strings.Join(phrases[:n], " · "))...)
		phrases = indent(phrases[n:])
		if len(phrases) == 0 {
			phrases = []string{""}
		}
	}
	return out
}

// indent indents texts for a second line.
func indent(texts []string) []string {
	out := slices.Clone(texts)
	for i := range out {
		out[i] = "  " + out[i]
	}
	return out
}

// tickerBand is the lines of the ticker: one; two on narrow screens; three with large figures.
type tickerBand struct {
	look         *style.Look
	style        themes.Style
	width        int
	rows         int
	largeFigures bool
	hasRule      bool // its first line is the top of a frame without colors
}

func newBand(frameData *frame.Frame, token themes.Token) tickerBand {
	const wide = 120 // headline and cause share a line
	b := tickerBand{look: frameData.Look, style: frameData.Look.Style(token), width: frameData.Width, rows: 1}
	b.hasRule = withoutColours(frameData.Look) && token == themes.BadgeCritical && frameData.Width+2*sideWidth >= framedWidth
	switch width := frameData.Width + 2*sideWidth; {
	case width >= farWidth && frameData.Height >= farHeight:
		b.rows, b.largeFigures = chart.HalfRows, true
	case width < wide:
		b.rows = 2
	}
	return b
}

// fits reports whether a text fits into a line.
func (b tickerBand) fits(text string) bool {
	if !b.largeFigures {
		return style.Width(text) <= b.width-2
	}
	_, width := chart.Words(phrases.ASCII(text, b.look.ASCII), b.look.Chart())
	return width <= b.width-2
}

// draw draws the first of the texts that fits together with more.
func (b tickerBand) draw(more string, texts ...string) []string {
	index := slices.IndexFunc(texts, func(text string) bool { return b.fits(text + more) })
	text := texts[len(texts)-1]
	if index >= 0 {
		text = texts[index]
	}
	text = phrases.ASCII(text, b.look.ASCII)
	if !b.largeFigures {
		text = textlayout.TruncateWords(text, b.width-2-style.Width(more), b.look.ASCII)
		return []string{b.line(text+more, b.hasRule)}
	}
	for index < 0 && !b.fits(text+more) { // drop words until it fits
		cut := strings.LastIndex(strings.TrimSuffix(text, b.look.Glyphs.Ellipsis), " ")
		if cut < 0 {
			break
		}
		text = text[:cut] + b.look.Glyphs.Ellipsis
	}
	lines, _ := chart.Words(text+more, b.look.Chart())
	for i := range lines {
		lines[i] = b.line(lines[i], b.hasRule && i == 0)
	}
	return lines
}

func (b tickerBand) line(text string, ruled bool) string {
	if ruled {
		text = withRule(b.look, style.Fit(text, b.width-1, b.look.Glyphs.Ellipsis))
	}
	return style.NewLine(b.width, b.look.Glyphs.Ellipsis).Space(b.style, 1).Add(b.style, text).End(b.style)
}

// headlineAndCause returns the headline and the cause, each in ever shorter forms. An unknown cause is
// one empty text.
func headlineAndCause(s *situation.Situation) (headlines, reasons []string) {
	headline := strings.TrimSuffix(s.Headline, ".")
	headlines = []string{headline}
	if first, _, ok := strings.Cut(headline, ". "); ok {
		headlines = append(headlines, first)
	}
	if len(s.Causes) == 0 {
		return headlines, []string{""}
	}
	return headlines, []string{"why: " + strings.TrimSuffix(s.CauseLines()[0], "."), "why: " + s.Causes[0].Short()}
}

// remedies returns the remedies in ever shorter forms; none if unknown.
func remedies(s *situation.Situation, available int) []string {
	label, helps := s.HelpPhrasesIn(available)
	var out []string
	for n := range helps {
		out = slices.Insert(out, 0, label+": "+strings.Join(helps[:n+1], ", "))
	}
	return out
}

// causesWithHelp combines causes and remedies.
func causesWithHelp(reasons, helps []string) []string {
	var out []string
	for _, a := range reasons {
		for _, b := range helps {
			out = append(out, strings.TrimPrefix(a+" · "+b, " · "))
		}
	}
	return out
}

// alternate alternates between causes and remedies if there is no room for both.
func alternate(n int64, reasons, helps []string) []string {
	if len(helps) > 0 && (n%2 == 1 || reasons[0] == "") {
		return helps
	}
	return reasons
}
