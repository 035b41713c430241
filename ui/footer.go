package ui

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/frame"
	"wallboard/ui/pages"
	"wallboard/ui/style"
)

// footer returns the last line of the screen: the prompt, a message or the key hints.
func (s *painter) footer(frameData *frame.Frame) string {
	m := s.board
	sc, w := m.shownFloor.scene, frameData.Width
	if sc.kiosk != nil {
		return sc.kiosk.Footer(frameData)
	}
	bar := sc.look.Style(themes.StatusBar)
	l := style.NewLine(w, sc.look.Glyphs.Ellipsis)
	run := style.KeyHint{Key: "enter", Description: sc.translate(words.BoardKeyRun())}
	switch {
	case m.filter.Focused:
		return m.filter.Line(sc.look, w)
	case frameData.Notice != "" && (m.isCovered() || !m.notice.FitsBesideKeys(w)):
		return m.notice.Draw(sc.look, frameData, l, !m.isCovered(), m.shownFloor.keys.Help.Help())
	case m.shownFloor.dialogs.Top() != nil:
		return sc.look.AddBarHints(l, m.shownFloor.dialogs.Hints()...).Finish(bar)
	case m.mode == modePalette:
		return m.shownFloor.scene.look.AddBarHints(l, run, style.KeyHint{Key: "esc", Description: sc.translate(words.DialogKeyClose())}, style.KeyHint{Key: "tab", Description: sc.translate(words.BoardKeyComplete())}).Finish(bar)
	case m.mode == modeHelp:
		return m.shownFloor.scene.look.AddBarHints(l, run, style.KeyHint{Key: "/", Description: sc.translate(words.KeysFilter())}, style.KeyHint{Key: "esc", Description: sc.translate(words.DialogKeyClose())}).Finish(bar)
	}
	if keys := m.shownFloor.pages.SortChoice.Keys(m.shownFloor.pages.CurrentPage().Focused(), sc.Now(), sc.floor.Words); keys != nil {
		return s.lines.Hints(frameData, keys, m.shownFloor.keys.Help, m.shownFloor.keys.Quit)
	}
	return s.lines.Hints(frameData, m.shownFloor.pages.FooterKeys(sc.paneScene(), sc.alerts, m.shownFloor.keys), m.shownFloor.keys.Help, m.shownFloor.keys.Quit)
}

// cursor returns the terminal's cursor, or nil if no text field has the keyboard focus.
func (s *painter) cursor() *tea.Cursor {
	m := s.board
	switch {
	case !frame.Fits(m.width, m.height):
		return nil
	case m.shownFloor.dialogs.Top() != nil:
		return m.shownFloor.dialogs.Cursor()
	case m.filter.Focused:
		return m.filter.Cursor(m.width, m.height)
	case m.mode == modePalette:
		return m.palette.Cursor(m.width, m.height)
	}
	return nil
}

// isCovered reports whether a dialog, the help or the palette covers the page.
func (m *Model) isCovered() bool {
	return m.shownFloor.dialogs.Top() != nil || m.mode == modeHelp || m.mode == modePalette
}

// helpKeys returns the keys for the help of the current page, in groups.
func (m *Model) helpKeys() []pages.KeyGroup {
	sc := m.shownFloor.scene
	return m.shownFloor.keys.HelpGroups(m.shownFloor.pages.FooterKeys(sc.paneScene(), sc.alerts, m.shownFloor.keys), sc.Actions.Controller != nil, sc.floor.Replay, sc.floor.Words)
}
