package ui

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"wallboard/themes"
	"wallboard/ui/frame"
	"wallboard/ui/style"
)

// footer draws the last line: the prompt, a message or the key hints.
func (m *Model) footer(now *frame.Frame) string {
	sc, w := m.scene, now.Width
	if sc.wall != nil {
		return sc.wall.Footer(now)
	}
	bar := sc.look.Style(themes.StatusBar)
	l := style.NewLine(w, sc.look.Glyphs.Ellipsis)
	switch {
	case m.filter.on:
		return m.filter.line(sc.look, w)
	case now.Notice != "":
		return m.notice.line(sc.look, now, l, !m.covered(), m.keys.Help.Help())
	case m.dialogs.Top() != nil:
		return sc.look.BarHints(l, m.dialogs.Hints()...).End(bar)
	case m.mode == modePalette:
		return m.scene.look.BarHints(l, style.KeyHint{Key: "enter", Does: "run"}, style.KeyHint{Key: "esc", Does: "close"}, style.KeyHint{Key: "tab", Does: "complete"}).End(bar)
	case m.mode == modeHelp:
		return m.scene.look.BarHints(l, style.KeyHint{Key: "enter", Does: "run"}, style.KeyHint{Key: "/", Does: "filter"}, style.KeyHint{Key: "esc", Does: "close"}).End(bar)
	}
	return m.around.Hints(now, m.pages.help(sc.panes(), sc.alerts, m.keys), m.keys.Help, m.keys.Quit)
}

// cursor returns the position of the terminal's cursor, nil if no text field has the
// keyboard.
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
