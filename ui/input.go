package ui

import (
	"cmp"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/ui/boarddialogs"
	"wallboard/ui/frame"
	"wallboard/ui/history"
	"wallboard/ui/pages"
	"wallboard/ui/panes"
	"wallboard/ui/replay"
	"wallboard/ui/term"
)

// press passes a key to the part of the board that has the keyboard focus, such as a dialog, the
// palette or the page.
func (m *Model) press(msg tea.KeyPressMsg) tea.Cmd {
	msg = pages.ToUSLayout(msg, m.typing(), m.helpKeys)
	if cmd, handled := m.shownFloor.scene.pressTerminal(msg, m.shownFloor.showMessage); handled {
		return cmd
	}
	if m.shownFloor.scene.kiosk != nil {
		return m.shownFloor.scene.kiosk.Press(msg)
	}
	if msg.String() == "ctrl+c" {
		if m.shownFloor.dialogs.OpenQuestion(quitTopic) != nil {
			return tea.Quit // pressed twice
		}
		return m.askQuit()
	}
	if m.shownFloor.dialogs.IsRepeat(msg) {
		return nil
	}
	if m.shownFloor.dialogs.Top() != nil {
		return m.shownFloor.dialogs.Press(msg)
	}
	if m.filter.Focused || m.mode == modePalette {
		return m.handleText(msg)
	}
	if m.mode == modeHelp {
		run, closes := m.help.Press(msg, m.helpKeys())
		if closes {
			m.mode = modeBoard
		}
		if run != "" {
			return m.press(pages.KeyPress(run))
		}
		return nil
	}
	if cmd, handled := m.shownFloor.pressReplay(msg); handled {
		return cmd
	}
	if cmd, handled := m.pressBoard(msg); handled {
		return cmd
	}
	if p, ok := m.shownFloor.pages.CurrentPage().(panes.KeyHandler); ok {
		if cmd, handled := p.Press(m.shownFloor.scene.paneScene(), msg); handled {
			return cmd
		}
	}
	if cmd, handled := m.pressTable(msg); handled {
		return cmd
	}
	page := m.shownFloor.pages.Current
	if cmd, handled := m.shownFloor.pages.Press(m.shownFloor.keys, msg); handled {
		m.shownFloor.alertHandler.focusAfterEnter(page)
		return cmd
	}
	m.shownFloor.pages.KeepSelection()
	if cmd, handled := m.shownFloor.alertHandler.press(msg); handled {
		return cmd
	}
	if cmd, handled := m.shownFloor.scene.selectedLauncher(m.shownFloor.pages).Press(msg, m.shownFloor.dialogs); handled {
		return cmd
	}
	return m.shownFloor.pressTarget(msg)
}

// pressReplay passes a key to the replay. handled is false if the replay does not use the key, on a
// live floor, and on the page History, which has its own keys for days.
func (f *floorState) pressReplay(msg tea.KeyPressMsg) (cmd tea.Cmd, handled bool) {
	if _, ok := f.pages.CurrentPage().(*history.Page); ok {
		return nil, false
	}
	return f.replay.Press(msg, &f.keys.Rewind)
}

// pressTarget passes a key to the first of these parts that handles it: the marks of rows, the
// actions on the marked records, the actions on the selected record, and the page.
func (f *floorState) pressTarget(msg tea.KeyPressMsg) tea.Cmd {
	target := f.pages.Selection().Target(&f.scene.floor)
	if key.Matches(msg, f.keys.Actions.Mark) && !f.pages.OnSites() {
		return f.alertHandler.toggleMark(target, f.actions.CanAct())
	}
	if f.pages.Selection().Marks().Len() > 0 {
		if cmd, handled := f.actions.PressMarked(msg, f.pages.Selection().MarkedTargets()); handled {
			return cmd
		}
	}
	if cmd, handled := f.actions.Press(msg, target); handled {
		return cmd
	}
	if reason := cmp.Or(f.pages.NoEffectReason(f.keys, msg), f.actions.NoEffectReason(msg, target)); reason != "" {
		return f.showMessage(reason)
	}
	cmd := f.pages.CurrentPage().Update(f.scene.paneScene(), msg)
	if pages.IsNonLatin(msg, f.board.helpKeys) {
		cmd = tea.Batch(cmd, f.showMessage(f.scene.translate(words.BoardNoKey(msg.Text))))
	}
	return cmd
}

// pressBoard handles the keys that work on every page, such as quit, help and palette. The bool
// result is false for all other keys.
func (m *Model) pressBoard(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	switch k := m.shownFloor.keys; {
	case key.Matches(msg, k.Quit):
		return m.askQuit(), true
	case key.Matches(msg, k.Help):
		m.mode, m.help = modeHelp, pages.KeyHelp{}
	case key.Matches(msg, k.Palette):
		return m.openPalette(), true
	case key.Matches(msg, k.Reconnect):
		return m.shownFloor.scene.reconnect(m.shownFloor.showMessage), true
	case key.Matches(msg, k.Freeze):
		return m.shownFloor.scene.freeze(m.shownFloor.showMessage), true
	case key.Matches(msg, k.LastKnown):
		m.shownFloor.scene.floor.ShowsOutdated = !m.shownFloor.scene.floor.ShowsOutdated
	case key.Matches(msg, k.Handover):
		return m.shownFloor.scene.openHandover(m.shownFloor.dialogs, m.shownFloor.replay), true
	case key.Matches(msg, k.Rewind.Compare):
		return m.shownFloor.scene.comparison.Toggle(m.shownFloor.scene.archive(m.shownFloor.replay), m.shownFloor.showMessage), true
	case key.Matches(msg, k.Rewind.Open):
		m.shownFloor.scene.requests.Add(replay.RewindMsg{})
	case key.Matches(msg, k.NextPlatform):
		m.shownFloor.scene.requests.Add(nextPlatformMsg{})
	case key.Matches(msg, k.Rewind.Save):
		return m.shownFloor.scene.archive(m.shownFloor.replay).SaveIncident(m.shownFloor.dialogs, m.shownFloor.alertHandler.selectedAlerts(), m.shownFloor.alertHandler.review(m.shownFloor.replay)), true
	case key.Matches(msg, k.Baseline):
		return m.shownFloor.scene.baseline.Open(m.shownFloor.dialogs, m.shownFloor.scene.restOfDay), true
	case key.Matches(msg, k.NextChannel, k.PrevChannel):
		delta := 1
		if key.Matches(msg, k.PrevChannel) {
			delta = -1
		}
		if !m.shownFloor.pages.SelectNextChannel(delta) {
			return m.shownFloor.showMessage(m.shownFloor.scene.translate(words.BoardAllChannels())), true
		}
	default:
		return nil, false
	}
	return nil, true
}

// pressTable handles the keys for the focused table. The bool result is false for all other keys,
// and if no table is focused.
func (m *Model) pressTable(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	p := m.shownFloor.pages.CurrentPage().Focused()
	if p == nil {
		return nil, false
	}
	switch k := m.shownFloor.keys; {
	case m.shownFloor.pages.SortChoice.Press(msg, p, m.shownFloor.scene.Now()):
		return nil, true
	case key.Matches(msg, k.Filter):
		return m.filter.Open(p), true
	case key.Matches(msg, k.Rows.Sort):
		p.SortNext()
		m.shownFloor.pages.SortChoice.Open(p, m.shownFloor.scene.Now())
	case key.Matches(msg, k.Rows.Reverse):
		p.SortReverse()
	case key.Matches(msg, k.Rows.Columns):
		return boarddialogs.OpenColumns(m.shownFloor.dialogs, p, m.shownFloor.scene.Navigation.Tables), true
	case key.Matches(msg, k.Rows.Pin):
		m.shownFloor.pages.KeepSelection()
		return pages.TogglePin(p, m.shownFloor.scene.Navigation.Tables, m.shownFloor.scene.floor.Words, m.shownFloor.showMessage), true
	case key.Matches(msg, k.Open):
		m.shownFloor.pages.KeepSelection()
		p.Open()
	case key.Matches(msg, k.Rows.OnlyAlerts):
		if !p.ToggleOnlyAlerts() {
			return m.shownFloor.showMessage(m.shownFloor.scene.translate(words.BoardNoAlertsAbout(p.Noun))), true
		}
	case key.Matches(msg, k.Rows.Group):
		if !p.CanGroup() {
			return m.shownFloor.showMessage(m.shownFloor.scene.translate(words.BoardOnlyAgents())), true
		}
		p.NextGrouping()
	case key.Matches(msg, k.Rows.Fold, k.Rows.FoldAll):
		if !p.ToggleFold(key.Matches(msg, k.Rows.FoldAll)) {
			return m.shownFloor.showMessage(m.shownFloor.scene.translate(words.BoardNoGroups(k.Rows.Group.Help().Key))), true
		}
	case key.Matches(msg, k.Back) && (p.Table.Marks.Clear() || p.ClearFilter()):
	default:
		return nil, false
	}
	return nil, true
}

// click passes a mouse click to a dialog, the help, the palette, the lines around the page, or the
// page.
func (m *Model) click(msg tea.MouseClickMsg) tea.Cmd {
	switch {
	case !frame.Fits(m.width, m.height):
		return nil
	case m.shownFloor.dialogs.Top() != nil:
		return m.shownFloor.dialogs.Click(msg)
	case m.mode == modeHelp:
		m.mode = modeBoard
		return nil
	case m.mode == modePalette:
		return m.handleChoice(nil, m.palette.Click(msg))
	}
	typing := m.filter.Focused
	m.filter.End()
	switch {
	case msg.Button != tea.MouseLeft:
	case msg.Y == 0:
		badge := m.painter.lines.BadgeAt(msg.X)
		if badge == frame.ClickFreeze {
			return m.shownFloor.scene.freeze(m.shownFloor.showMessage)
		}
		m.shownFloor.alertHandler.clickBadge(badge)
		return nil
	case msg.Y == m.height-1:
		if name := m.painter.lines.HintAt(msg.X); name != "" && !typing && (m.notice.Text == "" || m.notice.FitsBesideKeys(m.width)) {
			return m.press(pages.KeyPress(name))
		}
		return nil
	case msg.Y == 1:
		for _, t := range m.shownFloor.pages.Tabs().Layout(m.shownFloor.scene.look, m.width) {
			if msg.X >= t.From && msg.X < t.To {
				page := m.shownFloor.pages.Current
				m.shownFloor.pages.Show(pages.ID(t.Page))
				m.shownFloor.alertHandler.focusAfterEnter(page)
			}
		}
		return nil
	}
	return m.shownFloor.pages.CurrentPage().Update(m.shownFloor.scene.paneScene(), msg)
}

// clickBadge handles a click on a badge of the header. badge is one of the Click constants of
// package frame, except ClickFreeze.
func (a *alertHandler) clickBadge(badge string) {
	p, sc := a.pages, a.scene
	if index, err := strconv.Atoi(strings.TrimPrefix(badge, frame.ClickPlatform)); err == nil {
		sc.requests.Add(pages.OpenPlatformMsg{Platform: index})
		return
	}
	switch badge {
	case frame.ClickSituations:
		p.JumpTo(pages.Situations, "")
	case frame.ClickFeed:
		p.JumpTo(pages.Feed, "")
	case frame.ClickChannel:
		p.SelectNextChannel(1)
	case frame.ClickNow:
		sc.requests.Add(replay.RewindMsg{})
	}
}

// wheel passes a message of the mouse wheel to the topmost part of the board: a dialog, the
// palette, the help or the page.
func (m *Model) wheel(msg tea.MouseWheelMsg) tea.Cmd {
	switch {
	case m.shownFloor.dialogs.Top() != nil:
		return m.shownFloor.dialogs.Wheel(msg)
	case m.mode == modePalette:
		m.palette.Wheel(msg)
	case m.mode == modeHelp:
		directions := map[tea.MouseButton]int{tea.MouseWheelUp: -1, tea.MouseWheelDown: 1}
		m.help.MoveSelection(directions[msg.Button], len(m.help.FilteredKeys(m.helpKeys())))
	case m.mode == modeBoard:
		return m.shownFloor.pages.CurrentPage().Update(m.shownFloor.scene.paneScene(), msg)
	}
	return nil
}

// handleText passes typed or pasted text to the text field that has the keyboard focus: that of the
// topmost dialog, of the filter prompt or of the palette.
func (m *Model) handleText(msg tea.Msg) tea.Cmd {
	if top := m.shownFloor.dialogs.Top(); top != nil {
		return top.Update(msg)
	}
	switch {
	case m.filter.Focused:
		return m.filter.HandleInput(msg, m.shownFloor.pages.CurrentPage().Focused(), m.shownFloor.scene.floor.LocalNow)
	case m.mode == modePalette:
		return m.handleChoice(m.palette.HandleInput(msg))
	}
	return nil
}

// pressTerminal handles the keys that suspend the program and repaint the screen. The bool result
// is false for all other keys. On a kiosk, it also ignores the key that suspends the program,
// because that would give access to a shell. say shows a message in the footer.
func (sc *scene) pressTerminal(msg tea.KeyPressMsg, say func(string) tea.Cmd) (tea.Cmd, bool) {
	redraw, suspend := pages.TerminalKeys(nil)
	switch {
	case key.Matches(msg, redraw):
		return requestRepaint, true
	case !key.Matches(msg, suspend) || sc.kiosk != nil:
		return nil, false
	case sc.Display.frameDriven:
		return say(sc.translate(words.BoardNoSuspend())), true
	}
	return func() tea.Msg { return term.SuspendMsg{} }, true
}

// typing reports whether a text field has the keyboard focus.
func (m *Model) typing() bool {
	switch {
	case m.shownFloor.scene.kiosk != nil:
		return false
	case m.Dialog() != nil:
		return m.shownFloor.dialogs.Typing()
	}
	return m.filter.Focused || m.mode == modePalette || m.mode == modeHelp && m.help.FilterFocused
}
