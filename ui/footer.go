package ui

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"wallboard/themes"
	"wallboard/ui/chrome"
	"wallboard/ui/look"
	"wallboard/ui/render"
)

// footer is the last line: the prompt, a message, or the keys.
func (m *Model) footer(now *chrome.Moment) string {
	sc, w := m.scene, now.Width
	if sc.wall != nil {
		return sc.wall.Footer(now)
	}
	bar := sc.look.Style(themes.StatusBar)
	l := look.NewLine(w, sc.look.Glyphs.Ellipsis)
	switch {
	case m.filter.on:
		return m.filter.line(sc.look, w)
	case now.Notice != "":
		return m.notify(now, l)
	case m.dialogs.Top() != nil:
		return sc.look.BarHints(l, m.dialogs.Hints()...).End(bar)
	case m.mode == modePalette:
		return m.scene.look.BarHints(l, look.Hint{Key: "enter", Does: "run"}, look.Hint{Key: "esc", Does: "close"}, look.Hint{Key: "tab", Does: "complete"}).End(bar)
	case m.mode == modeHelp:
		return m.scene.look.BarHints(l, look.Hint{Key: "enter", Does: "do it"}, look.Hint{Key: "/", Does: "filter"}, look.Hint{Key: "esc", Does: "close"}).End(bar)
	}
	return m.around.Hints(now, m.pages.help(sc.panes(), sc.alerts, m.keys), m.keys.Help, m.keys.Quit)
}

// notify is the last line with a message in it, which leaves the way to help at its right.
func (m *Model) notify(now *chrome.Moment, l *look.Line) string {
	lk, bar := m.scene.look, m.scene.look.Style(themes.StatusBar)
	end, help := look.NewLine(now.Width, lk.Glyphs.Ellipsis), m.keys.Help.Help()
	const roomy = 60
	if !m.covered() && now.Width >= roomy {
		lk.BarHints(end, look.Hint{Key: help.Key, Does: help.Desc})
	}
	text := render.WholeWords(now.Notice, now.Width-2-end.Used(), m.scene.ASCII)
	l.Add(lk.OnBar(m.notice.token), " "+text+" ")
	l.Space(bar, l.Room()-end.Used())
	return l.Raw(end.String(), end.Used()).End(bar)
}

// cursor returns where the terminal's cursor is, nil where nobody types.
func (m *Model) cursor() *tea.Cursor {
	if m.width < minWidth || m.height < minHeight {
		return nil
	}
	if m.dialogs.Top() != nil {
		return m.dialogs.Cursor()
	}
	switch {
	case m.filter.on:
		return m.filter.cursor(m.width, m.height)
	case m.mode == modePalette:
		return m.palette.Cursor(m.width, m.height)
	}
	return nil
}

func itoa(n int) string { return strconv.Itoa(n) }
