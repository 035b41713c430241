package history

import (
	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/panes"
	"wallboard/ui/style"
)

// minSpacedHeight is the minimum height of the page, in lines, for a blank line below the note
// line.
const minSpacedHeight = 12

// View implements [panes.Page]. It draws the tabs of the views and, below them, the current view.
func (p *Page) View(_ *panes.Scene, x, y, w, h int) []string {
	lk := p.board.look()
	if p.board.hasNoSource() {
		return style.FitLines(p.board.noHistoryLines(lk, w), w, h, lk.Glyphs.Ellipsis)
	}
	var out []string
	if !p.board.Kiosk {
		out = append(out, p.tabs.line(lk, p.viewTitles(lk), p.current, x, y, w))
	}
	out = append(out, p.noteLine(lk, w))
	if h >= minSpacedHeight {
		out = append(out, style.Blanks(w))
	}
	view := p.currentView()
	view.clearClicks()
	if reason := p.emptyReason(); !reason.IsZero() {
		out = append(out, paragraph(lk, themes.Text, reason, w)...)
	} else {
		out = append(out, view.draw(view.requester.answer, x, y+len(out), w, h-len(out))...)
	}
	return style.FitLines(out, w, h, lk.Glyphs.Ellipsis)
}

// noHistoryLines explains why there is no history, and how to configure it.
func (b *Board) noHistoryLines(lk *style.Look, w int) []string {
	if !b.NoReaderReason.IsZero() {
		return append([]string{""}, paragraph(lk, themes.Text, words.JoinSentences(b.NoReaderReason, words.HistoryNoRecording()), w)...)
	}
	var out []string
	for _, text := range []words.Text{words.HistoryNotConfigured(), words.HistoryWhatItShows(), words.HistoryHowToConfigure()} {
		out = append(out, "")
		out = append(out, paragraph(lk, themes.Text, text, w)...)
	}
	return out
}

// noteLine draws the line below the tabs. It shows the subject of the view and the state of the
// request.
func (p *Page) noteLine(lk *style.Look, w int) string {
	a := p.currentView().requester
	l := style.NewLine(w, lk.Glyphs.Ellipsis).Add(lk.Style(themes.Title), " "+lk.Translate(p.currentView().description(w)))
	state := lk.Translate(a.stateText())
	switch {
	case state == "":
	case a.phase == phaseRequesting && a.answer != nil:
		l.Space(themes.Style{}, 2).Add(lk.Style(themes.Accent), state)
	case a.phase != phaseRequesting && style.Width(state)+2 <= l.RemainingWidth(): // omitted if it does not fit, because a truncated time would be wrong
		l.Space(themes.Style{}, 2).Add(lk.Style(themes.Dim), state)
	}
	return l.Finish(themes.Style{})
}

// viewTitles returns the titles of the views of the page.
func (p *Page) viewTitles(lk *style.Look) []string {
	titles := viewTitles()
	out := make([]string, len(p.views))
	for i := range p.views {
		out[i] = lk.Translate(titles[p.views[i].id].tab)
	}
	return out
}

// emptyReason says why the current view is empty. It returns the zero Text if the view is not empty.
func (p *Page) emptyReason() words.Text {
	view := p.currentView()
	a := view.requester
	switch a.phase {
	case phaseFailed:
		return p.board.withHint(errorText(a.err), words.HistoryPressRefresh())
	case phaseCanceled:
		return p.board.withHint(words.HistoryCanceled(), words.HistoryPressRefresh())
	case phaseRequesting:
		if a.answer == nil {
			return a.stateText()
		}
	case phaseIdle:
		if text := view.searchHint(); !text.IsZero() {
			return text
		}
		return words.DialogReading()
	case phaseReady:
	}
	return view.emptyText(a.answer)
}
