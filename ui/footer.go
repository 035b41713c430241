package ui

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/themes"
	"wallboard/ui/frame"
	"wallboard/ui/keymap"
	"wallboard/ui/style"
)

// footer returns the last line of the screen: the filter prompt, a message or the key hints.
func (m *Model) footer(frameData *frame.Frame) string {
	sc, w := m.scene, frameData.Width
	if sc.kiosk != nil {
		return sc.kiosk.Footer(frameData)
	}
	bar := sc.look.Style(themes.StatusBar)
	l := style.NewLine(w, sc.look.Glyphs.Ellipsis)
	switch {
	case m.filter.Focused:
		return m.filter.Line(sc.look, w)
	case frameData.Notice != "" && (m.isCovered() || !m.notice.FitsBesideKeys(w)):
		return m.notice.Draw(sc.look, frameData, l, !m.isCovered(), m.keys.Help.Help())
	case m.dialogs.Top() != nil:
		return sc.look.AddBarHints(l, m.dialogs.Hints()...).End(bar)
	case m.mode == modePalette:
		return m.scene.look.AddBarHints(l, style.KeyHint{Key: "enter", Description: "run"}, style.KeyHint{Key: "esc", Description: "close"}, style.KeyHint{Key: "tab", Description: "complete"}).End(bar)
	case m.mode == modeHelp:
		return m.scene.look.AddBarHints(l, style.KeyHint{Key: "enter", Description: "run"}, style.KeyHint{Key: "/", Description: "filter"}, style.KeyHint{Key: "esc", Description: "close"}).End(bar)
	}
	if keys := m.pages.SortChoice.Keys(m.pages.CurrentPage().Focused(), sc.Now()); keys != nil {
		return m.frameLines.Hints(frameData, keys, m.keys.Help, m.keys.Quit)
	}
	return m.frameLines.Hints(frameData, m.pages.FooterKeys(sc.paneScene(), sc.alerts, m.keys), m.keys.Help, m.keys.Quit)
}

// cursor returns the terminal's cursor in the text field that has the keyboard, or nil if there is
// no such field.
func (m *Model) cursor() *tea.Cursor {
	if !frame.Fits(m.width, m.height) {
		return nil
	}
	if m.dialogs.Top() != nil {
		return m.dialogs.Cursor()
	}
	switch {
	case m.filter.Focused:
		return m.filter.Cursor(m.width, m.height)
	case m.mode == modePalette:
		return m.palette.Cursor(m.width, m.height)
	}
	return nil
}

// isCovered reports whether a dialog, the help or the palette covers the page.
func (m *Model) isCovered() bool {
	return m.dialogs.Top() != nil || m.mode == modeHelp || m.mode == modePalette
}

// helpKeys returns the keys that the help lists on the current page, in groups.
func (m *Model) helpKeys() []keymap.Group {
	sc := m.scene
	return m.keys.HelpGroups(m.pages.FooterKeys(sc.paneScene(), sc.alerts, m.keys), sc.Actions.Controller != nil, sc.floor.Replay)
}
