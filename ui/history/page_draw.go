package history

import (
	"strings"

	"wallboard/internal/phrases"
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
		out = append(out, p.tabs.line(lk, p.current, x, y, w))
	}
	out = append(out, p.noteLine(lk, w))
	if h >= minSpacedHeight {
		out = append(out, style.Blanks(w))
	}
	view := p.currentView()
	view.clearClicks()
	if reason := p.emptyReason(); reason != "" {
		out = append(out, paragraph(lk, themes.Text, reason, w)...)
	} else {
		out = append(out, view.draw(view.requester.answer, x, y+len(out), w, h-len(out))...)
	}
	return style.FitLines(out, w, h, lk.Glyphs.Ellipsis)
}

// noHistoryLines explains why there is no history, and how to configure it.
func (b *Board) noHistoryLines(lk *style.Look, w int) []string {
	if b.NoReaderReason != "" {
		return append([]string{""}, paragraph(lk, themes.Text, b.NoReaderReason+" Nor is the floor recorded: with [record] on the server this page shows the day in intervals.", w)...)
	}
	var out []string
	for _, text := range []string{
		"[history] is not configured: this board knows only what it has seen since it was started. Nor is it recorded: with [record] " +
			"this page shows the day in intervals.",
		"With it, this page shows the day against the same weekday's last four, the weeks by hour, who had how many contacts, " +
			"searches for past calls, and the address book.",
		"To have it, write url and api_key under [history] in the configuration. The key is in the platform's administration " +
			"console, Advanced, data model. The board has it from then on.",
	} {
		out = append(out, "")
		out = append(out, paragraph(lk, themes.Text, text, w)...)
	}
	return out
}

// noteLine draws the line below the tabs. It shows the subject of the view and the state of the
// request.
func (p *Page) noteLine(lk *style.Look, w int) string {
	a := p.currentView().requester
	l := style.NewLine(w, lk.Glyphs.Ellipsis).Add(lk.Style(themes.Title), " "+p.currentView().subject(w))
	state := a.stateText()
	switch {
	case state == "":
	case a.phase == asking && a.answer != nil:
		l.Space(themes.Style{}, 2).Add(lk.Style(themes.Accent), state)
	case a.phase != asking && style.Width(state)+2 <= l.Room(): // omitted if it does not fit, because a truncated time would be wrong
		l.Space(themes.Style{}, 2).Add(lk.Style(themes.Dim), state)
	}
	return l.End(themes.Style{})
}

// emptyReason says why the current view is empty. It returns "" if the view is not empty.
func (p *Page) emptyReason() string {
	view := p.currentView()
	a := view.requester
	switch a.phase {
	case failed:
		return a.err + p.board.hint(" r refreshes.")
	case canceled:
		return "Called off before there was an answer." + p.board.hint(" r refreshes.")
	case asking:
		if a.answer == nil {
			return phrases.Capital(a.stateText()) + "."
		}
	case idle:
		if text := view.searchHint(); text != "" {
			return text
		}
		return "Asking the platform" + p.board.look().Glyphs.Ellipsis
	case ready:
	}
	return strings.TrimSpace(view.emptyText(a.answer))
}
