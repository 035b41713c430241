package widgets

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/style"
	"wallboard/ui/textlayout"
)

// panelDrawing draws a [SituationPanel]. It holds the lines drawn so far.
type panelDrawing struct {
	SituationPanelData

	w          int
	panel      *SituationPanel
	focused    bool
	framed     bool // the frame around the panel shows the keys
	titleWidth int  // width of the longest place name, but not more than the panel has room for
	out        []string
}

func (d *panelDrawing) addLine(id, line string) {
	d.out = append(d.out, line)
	d.panel.lineIDs = append(d.panel.lineIDs, id)
}

// hasNumbers reports whether the situations are numbered, so that a viewer can choose one of them
// in a dialog.
func (d *panelDrawing) hasNumbers() bool { return d.Keys.Actions != "" && len(d.View.Live) > 1 }

// narrowWidth is the width in cells below which lines have a smaller indent and label.
const narrowWidth = 50

// indent returns the number of cells before the text of a line.
func (d *panelDrawing) indent() int {
	switch {
	case d.w < narrowWidth:
		return 1
	case d.hasNumbers():
		return 5
	}
	return 3
}

// numberText returns the number of a situation, followed by a space. Only the first nine situations
// have numbers; for the others, the result is two spaces. It is "" if no situation has a number.
func (d *panelDrawing) numberText(s *situation.Situation) string {
	if !d.hasNumbers() {
		return ""
	}
	if i := slices.IndexFunc(d.View.Live, func(t situation.Situation) bool { return t.ID == s.ID }); i < 9 {
		return strconv.Itoa(i+1) + " "
	}
	return "  "
}

// translate returns a text in the language of the viewer.
func (d *panelDrawing) translate(text words.Text) string { return text.In(d.Look.Format.Words) }

// toTerminalText returns text with the characters replaced that the terminal cannot show.
func (d *panelDrawing) toTerminalText(text string) string { return TerminalText(d.Look, text) }

// drawBody draws the live situations, the selected one with its causes and remedies, or says that there
// are none. If all of them fit, it also calls drawRemaining.
func (d *panelDrawing) drawBody(available int) {
	live, top := d.View.Live, len(d.out)
	if len(live) == 0 {
		d.drawAllClear(available)
		return
	}
	first, lines := d.distributeLines(d.panel.SelectedSituation(d.SituationPanelData), available)
	for i := range lines {
		d.titleWidth = max(d.titleWidth, style.Width(live[first+i].Place.Title))
	}
	d.titleWidth = min(d.titleWidth, max(d.w/4, 12))
	for i, n := range lines {
		d.drawHeadline(&live[first+i])
		d.drawDetails(&live[first+i], n-1)
	}
	left := available - (len(d.out) - top)
	if hidden := len(live) - len(lines); hidden > 0 && left > 0 {
		others := slices.Concat(live[:first], live[first+len(lines):])
		d.drawLine("", "", themes.Dim, d.overflowText(others))
		return
	}
	d.drawRemaining(left)
}

// overflowText returns the number and the names of the situations for which there is no room.
func (d *panelDrawing) overflowText(others []situation.Situation) string {
	text, end := words.NowAndMore(len(others)), ""
	if d.Keys.AllSituations != "" {
		end = " " + d.Look.Glyphs.Dot + " " + d.translate(words.NowListsAll(d.Keys.AllSituations))
	}
	names := make([]string, len(others))
	for i := range others {
		names[i] = d.toTerminalText(others[i].Place.Title)
	}
	available := d.w - d.indent() - 1
	around := words.NowNamed(text, words.Name("")) // all but the names
	if nameList, ok := d.joinFitting(names, available-style.Width(d.translate(around)+end)); ok {
		text = words.NowNamed(text, nameList)
	}
	return style.FirstFitting(available, d.translate(text)+end, d.translate(text), d.translate(words.NowAndMore(len(others))))
}

// distributeLines distributes the available lines among the live situations. The situation with the
// given index gets all the lines it needs, and each other situation gets one. The remaining lines
// go to the other situations in order. If there are too few lines, some situations get none, and
// one line is left for their names. lines[i] is the number of lines of the situation with the index
// first+i.
func (d *panelDrawing) distributeLines(index, available int) (first int, lines []int) {
	live := d.View.Live
	whole := func(i int) int { return 1 + len(d.detailLines(&live[i])) }
	selected := min(whole(index), available)
	if len(live) > 1 {
		selected = min(selected, max(available-1, 1)) // leaves at least one line for the other situations
	}
	others := min(len(live)-1, available-selected)
	spare := available - selected - others
	if others < len(live)-1 { // the last line names the situations without a line
		others, spare = max(others-1, 0), 0
	}
	lines = make([]int, others+1)
	first = max(index-others, 0)
	for i := range lines {
		lines[i] = 1
		if first+i == index {
			lines[i] = selected
			continue
		}
		more := min(whole(first+i)-1, spare)
		lines[i], spare = 1+more, spare-more
	}
	return first, lines
}

// detailLine is a line below the headline of a situation, with a label and the parts of its text.
type detailLine struct {
	label     string
	parts     []string // most important part first
	separator string
}

// detailLines returns the lines below the headline of a situation, with its causes and remedies.
func (d *panelDrawing) detailLines(s *situation.Situation) []detailLine {
	var out []detailLine
	if reasons := s.CauseLines(); len(reasons) > 0 {
		if len(s.Causes) > 0 && style.Width(reasons[0]) > d.detailWidth() {
			reasons = []string{textformat.Capitalize(s.Causes[0].ShortText()) + "."} // shorter, so that no figure is truncated
		}
		out = append(out, detailLine{d.translate(words.NowWhy()), reasons, " "})
	}
	if label, help := s.HelpPhrasesIn(d.detailWidth()); len(help) > 0 {
		out = append(out, detailLine{label, help, " " + d.Look.Glyphs.Dot + " "})
	}
	return out
}

// minAlignedWidth is the minimum width, in cells, of a panel in which all headlines start in the
// same column.
const minAlignedWidth = 100

func (d *panelDrawing) drawHeadline(s *situation.Situation) {
	lk := d.Look
	token, glyph := SituationStyle(lk, s)
	l := style.NewLine(d.w, lk.Glyphs.Ellipsis)
	mark, background := " ", themes.Style{}
	if d.focused && d.panel.Selected(d.SituationPanelData) == s {
		mark = lk.Glyphs.Pointer
		background = lk.Style(themes.Selection)
	}
	styleOf := func(t themes.Token) themes.Style {
		switch {
		case background.Open == "":
			return lk.Style(t)
		case t == themes.Dim && background.Lipgloss().GetReverse():
			return background // faint text in reverse video would be unreadable
		}
		return themes.Style{Open: background.Open + lk.Theme.OpenSequence(t) + background.Open, Close: background.Close} // [style.Look.Fade] recognizes the selection only if its sequence comes first
	}
	l.Add(styleOf(themes.Accent), mark).Add(styleOf(themes.Key), d.numberText(s)).Add(styleOf(token), glyph+" ")
	end := d.Keys.Actions != "" && !d.framed && d.focused && d.panel.Selected(d.SituationPanelData) == s && d.w >= 100
	keys := ""
	if end {
		keys = "  " + d.Keys.Actions + " "
	}
	since := d.sinceText(s)
	title := d.toTerminalText(s.Place.Title)
	if d.w >= minAlignedWidth {
		l.Add(styleOf(token), style.Fit(style.Truncate(title, d.titleWidth, lk.Glyphs.Ellipsis), d.titleWidth, lk.Glyphs.Ellipsis)).Space(background, 2)
	} else { // the name is truncated if necessary, so that the shortest headline fits
		room := max(l.RemainingWidth()-style.Width(d.toTerminalText(s.ShortHeadline()))-2, 12)
		l.Add(styleOf(token), style.Truncate(title, room, lk.Glyphs.Ellipsis)).Add(styleOf(themes.Text), ": ")
	}
	headline := d.toTerminalText(s.Headline)
	if style.Width(headline) > l.RemainingWidth()-style.Width(keys) { // the keys are omitted, because the footer also shows them
		keys = ""
	}
	available := l.RemainingWidth() - style.Width(keys)
	if style.Width(headline)+style.Width(since)+3 > available {
		since = ""
	}
	if first, _, _ := strings.Cut(headline, ". "); style.Width(first)+1 > available {
		headline = d.toTerminalText(s.ShortHeadline())
	}
	text := CutToSentences(headline, available-style.Width(since), lk.ASCII)
	t := themes.Text
	if !s.StaleSince.IsZero() || s.Ack != (alert.Ack{}) {
		t = themes.Dim
	}
	l.Add(styleOf(t), text)
	if rest := l.RemainingWidth() - style.Width(since) - style.Width(keys); rest >= 0 && since+keys != "" {
		l.Space(background, rest).Add(styleOf(themes.Dim), since).Add(styleOf(themes.Dim), keys)
	}
	d.addLine(s.ID, l.Finish(background))
}

// sinceText says since when a situation has existed or not been verified, who has taken it over, or
// how often it has occurred today.
func (d *panelDrawing) sinceText(s *situation.Situation) string {
	f := d.Look.Format
	var text words.Text
	switch {
	case !s.StaleSince.IsZero():
		text = words.NowNotVerifiedSince(string(f.Clock(nil, s.StaleSince)))
	case s.Ack != (alert.Ack{}):
		text = words.NowTakenBy(s.Ack.By)
	case s.OccurrencesToday > 1:
		text = words.NowTimesToday(s.OccurrencesToday)
	case s.FromStart:
		text = words.NowSeenSince(string(f.Clock(nil, s.Since)))
	case !s.Since.IsZero():
		text = words.NowOpenSince(string(f.Clock(nil, s.Since)))
	}
	return d.translate(text) + " "
}

// drawDetails draws the first n lines below the headline of a situation.
func (d *panelDrawing) drawDetails(s *situation.Situation, n int) {
	for _, line := range d.detailLines(s)[:n] {
		d.drawLine(s.ID, line.label, themes.Dim, d.fitParts(line))
	}
}

// Least widths of the label below a headline, in cells: normally, and on a narrow panel.
const (
	labelWidth       = 12
	narrowLabelWidth = 11
)

func (d *panelDrawing) labelWidth() int {
	least := labelWidth
	if d.w < narrowWidth {
		least = narrowLabelWidth
	}
	return labelWidthIn(d.Look.Format.Words, least)
}

// labelWidthIn returns the width, in cells, of the longest label in a language and the blank behind
// it. The result is not below least.
func labelWidthIn(l *words.Language, least int) int {
	for _, label := range []words.Text{words.NowWhy(), words.HelpLabel(), words.HelpForecast(), words.NowAlerts(), words.NowMonitoring(), words.NowResolved(), words.NowToday()} {
		least = max(least, style.Width(label.In(l))+1)
	}
	return least
}

// fitParts joins as many parts of a line as fit beside its label.
func (d *panelDrawing) fitParts(s detailLine) string { return d.fitPartsIn(s, d.detailWidth()) }

// detailWidth returns the width, in cells, of the text beside a label.
func (d *panelDrawing) detailWidth() int { return d.w - d.indent() - d.labelWidth() - 1 }

func (d *panelDrawing) fitPartsIn(s detailLine, available int) string {
	for n := len(s.parts); n > 1; n-- {
		if text := d.toTerminalText(strings.Join(s.parts[:n], s.separator)); style.Width(text) <= available {
			return text
		}
	}
	return textlayout.TruncateWords(d.toTerminalText(s.parts[0]), available, d.Look.ASCII)
}

// drawLine draws a line with a label and text. id is the ID of the situation on the line, or
// missedTargetsID. It is "" for any other line.
func (d *panelDrawing) drawLine(id, label string, token themes.Token, text string) {
	lk := d.Look
	l := style.NewLine(d.w, lk.Glyphs.Ellipsis)
	if id == missedTargetsID && d.focused && d.panel.isMissedTargetsSelected(d.SituationPanelData) {
		selection := lk.Style(themes.Selection)
		l.Add(selection, style.Fit(lk.Glyphs.Pointer, d.indent(), "")+style.Fit(label, d.labelWidth(), lk.Glyphs.Ellipsis)+text)
		d.addLine(id, l.Finish(selection))
		return
	}
	l.Space(themes.Style{}, d.indent())
	if label != "" {
		l.Add(lk.Style(token), style.Fit(label, d.labelWidth(), lk.Glyphs.Ellipsis))
		token = themes.Text
	}
	l.Add(lk.Style(token), text)
	d.addLine(id, l.Finish(themes.Style{}))
}

// drawAllClear draws the line that says that nothing needs action, or that there is no data yet. It
// then draws the remaining lines.
func (d *panelDrawing) drawAllClear(available int) {
	lk := d.Look
	token, text := themes.OK, d.View.QuietLine
	if !d.View.IsCalm() {
		token = themes.Text // the green token OK would say that all is well
	}
	if text == "" {
		token, text = themes.Dim, d.translate(words.SituationNoData())
		if d.View.At != (time.Time{}) {
			text = d.translate(words.NowNothingKnown())
		}
	}
	mark := lk.Glyphs.Check + " "
	if token != themes.OK {
		mark = ""
	}
	l := style.NewLine(d.w, lk.Glyphs.Ellipsis).Space(themes.Style{}, 1)
	if day := len(d.View.Today); day > 0 && available > 1 { // the figures of the day have their own line
		today := d.translate(words.SituationToday(words.Name(d.View.TodaySummary())))
		texts := strings.Split(text, " · ")
		texts = slices.DeleteFunc(texts, func(phrase string) bool { return phrase == today })
		text = strings.Join(texts, " · ")
	}
	l.Add(lk.Style(token), mark+CutToPhrases(d.toTerminalText(text), d.w-4, lk))
	d.addLine("", l.Finish(themes.Style{}))
	d.drawRemaining(available - 1)
}

// joinFitting joins as many names as fit into the available cells, and adds the number of the
// others. If none fits, text is only the number of names, and ok is false.
func (d *panelDrawing) joinFitting(names []string, available int) (text words.Text, ok bool) {
	for n := len(names); n > 0; n-- {
		list := strings.Join(names[:n], ", ")
		text := words.Name(list)
		if left := len(names) - n; left > 0 {
			text = words.NowAndOthers(list, left)
		}
		if style.Width(d.translate(text)) <= available {
			return text, true
		}
	}
	return words.NowPlaces(len(names)), false
}

// drawRemaining draws the watched places, the recovered situations and the figures of the day on
// the remaining lines, if there are enough.
func (d *panelDrawing) drawRemaining(available int) {
	f := d.Look.Format
	dot := " " + d.Look.Glyphs.Dot + " "
	if watched := d.View.PlacesHeldBack(); len(watched) > 0 && len(d.View.Live) > 0 && available > 0 { // without live situations, QuietLine already names them
		names := make([]string, len(watched))
		for i := range watched {
			names[i] = d.toTerminalText(watched[i].Title)
		}
		text, _ := d.joinFitting(names, d.detailWidth())
		d.drawLine("", d.translate(words.NowMonitoring()), themes.Dim, d.translate(text))
		available--
	}
	if recovered := d.View.Recovered; len(recovered) > 0 && available > 0 {
		var parts []string
		for i := range recovered {
			r := &recovered[i]
			text := words.NowEnded(string(f.Clock(nil, r.Ended)), r.Place.Title)
			if lasted := r.Lasted(); lasted >= time.Second {
				text = words.NowEndedAfter(string(f.Clock(nil, r.Ended)), r.Place.Title, lasted)
			}
			parts = append(parts, d.translate(text))
		}
		d.drawLine("", d.translate(words.NowResolved()), themes.OK, d.fitParts(detailLine{"", parts, dot}))
		available--
	}
	if len(d.View.Today) > 0 && available > 0 {
		d.drawMissedTargets()
	}
}

// drawMissedTargets draws a line about all figures of the day that miss their targets. They get only one
// line, because hardly anything can be done about them.
func (d *panelDrawing) drawMissedTargets() {
	list, label := d.View.Today, d.translate(words.NowToday())
	if len(list) == 1 {
		d.drawLine(missedTargetsID, label, themes.Dim, CutToSentences(d.toTerminalText(list[0].Text()), d.detailWidth(), d.Look.ASCII))
		return
	}
	text, end := d.View.TodaySummary(), ""
	switch {
	case d.focused && d.panel.isMissedTargetsSelected(d.SituationPanelData):
		end = " " + d.Look.Glyphs.Dot + " " + d.translate(words.NowEnterLists())
	case d.Keys.AllSituations != "":
		end = " " + d.Look.Glyphs.Dot + " " + d.translate(words.NowListsAll(d.Keys.AllSituations))
	}
	names, _ := d.View.TodayPlaces()
	for i := range names {
		names[i] = d.toTerminalText(names[i])
	}
	if nameList, ok := d.joinFitting(names, d.detailWidth()-style.Width(text+": "+end)); ok {
		text = d.translate(words.NowNamed(words.Name(text), nameList))
	}
	d.drawLine(missedTargetsID, label, themes.Dim, style.FirstFitting(d.detailWidth(), text+end, text))
}
