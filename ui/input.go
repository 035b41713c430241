package ui

import (
	"cmp"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/dialogs"
	"wallboard/ui/frame"
	"wallboard/ui/history"
	"wallboard/ui/keymap"
	"wallboard/ui/panes"
	"wallboard/ui/replay"
)

// press passes a key to the part of the board that has the keyboard.
func (m *Model) press(msg tea.KeyPressMsg) tea.Cmd {
	msg = m.keyboard.toLatin(msg, m.typing())
	if cmd, handled := m.pressTerminal(msg); handled {
		return cmd
	}
	if m.scene.kiosk != nil {
		return m.scene.kiosk.Press(msg)
	}
	if msg.String() == "ctrl+c" {
		return handleInterrupt(m.dialogs, m.actions, m.scene.platforms)
	}
	if m.dialogs.IsRepeat(msg) {
		return nil
	}
	if m.dialogs.Top() != nil {
		return m.dialogs.Press(msg)
	}
	if m.filter.focused || m.mode == modePalette {
		return m.handleText(msg)
	}
	if m.mode == modeHelp {
		run, closes := m.help.Press(msg, m.pages.helpKeys(m.scene, m.keys))
		if closes {
			m.mode = modeBoard
		}
		if run != "" {
			return m.press(namedKeyPress(run))
		}
		return nil
	}
	if _, ok := m.pages.currentPage().(*history.Page); !ok { // the page History has its own keys for days
		if cmd, handled := m.replay.Press(msg, &m.keys.Rewind); handled {
			return cmd
		}
	}
	if cmd, handled := m.pressBoard(msg); handled {
		return cmd
	}
	if p, ok := m.pages.currentPage().(panes.KeyHandler); ok {
		if cmd, handled := p.Press(m.scene.paneScene(), msg); handled {
			return cmd
		}
	}
	if cmd, handled := m.pressTable(msg); handled {
		return cmd
	}
	page := m.pages.current
	if cmd, handled := m.pages.press(m.keys, msg); handled {
		m.alertHandler.enterPage(page)
		return cmd
	}
	m.pages.holdSelection()
	if cmd, handled := m.alertHandler.press(msg); handled {
		return cmd
	}
	if cmd, handled := m.pages.launcher(m.scene).press(msg, m.dialogs); handled {
		return cmd
	}
	return m.pressTarget(msg)
}

// pressTarget passes a key to the first of these that handles it: the marks, the actions on the
// selected record, and the page.
func (m *Model) pressTarget(msg tea.KeyPressMsg) tea.Cmd {
	target := m.pages.selectedTarget(&m.scene.floor)
	if key.Matches(msg, m.keys.Act.Mark) && !m.pages.onSites() {
		return m.alertHandler.toggleMark(target, m.actions.CanAct())
	}
	if m.pages.marks().Len() > 0 {
		if cmd, handled := m.actions.PressMarked(msg, m.pages.markedTargets()); handled {
			return cmd
		}
	}
	if cmd, handled := m.actions.Press(msg, target); handled {
		return cmd
	}
	if reason := cmp.Or(m.alertHandler.noEffectReason(msg), m.actions.NoEffectReason(msg, target)); reason != "" {
		return m.say(reason)
	}
	cmd := m.pages.currentPage().Update(m.scene.paneScene(), msg)
	if m.keyboard.isOtherLayout(msg) {
		cmd = tea.Batch(cmd, m.say("The board has no key "+msg.Text+": switch the keyboard to Latin letters."))
	}
	return cmd
}

// noEffectReason returns the reason why a key of the board has no effect at the moment, or "" for
// other keys.
func (a *alertHandler) noEffectReason(msg tea.KeyPressMsg) string {
	k, p := a.keys, a.pages
	is := func(bindings ...key.Binding) bool { // also disabled ones
		return slices.ContainsFunc(bindings, func(b key.Binding) bool { return slices.Contains(b.Keys(), msg.String()) })
	}
	page := p.currentPage()
	switch r := &k.Rows; {
	case is(k.Filter, r.Sort, r.Reverse, r.Columns, r.Pin, r.OnlyAlerts, r.Group, r.Fold, r.FoldAll) && page.Focused() == nil:
		if page.Tables() > 1 {
			return "No table has the keyboard: " + k.Pane.Next.Help().Key + " moves to one."
		}
		return "There is no table here."
	case is(k.Pane.Next, k.Pane.Prev) && page.Tables() < 2:
		return "This page has only one pane."
	case is(k.NextPlatform):
		return "There is only one platform."
	case is(k.Rewind.All()...):
		return "The board is live: " + k.Rewind.Open.Help().Key + " rewinds it."
	}
	return ""
}

// pressBoard handles the keys for the whole board. The bool result is false for other keys.
func (m *Model) pressBoard(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	switch k := m.keys; {
	case key.Matches(msg, k.Quit):
		return askQuit(m.dialogs, m.actions, m.scene.platforms), true
	case key.Matches(msg, k.Help):
		m.mode, m.help = modeHelp, keymap.Help{}
	case key.Matches(msg, k.Palette):
		return m.openPalette(), true
	case key.Matches(msg, k.Reconnect):
		return m.scene.reconnect(m.say), true
	case key.Matches(msg, k.Freeze):
		return m.freeze(), true
	case key.Matches(msg, k.LastKnown):
		m.scene.floor.ShowsOutdated = !m.scene.floor.ShowsOutdated
	case key.Matches(msg, k.Handover):
		return m.scene.openHandover(m.dialogs, m.replay), true
	case key.Matches(msg, k.Rewind.Compare):
		return m.scene.comparison.Toggle(m.scene.archive(m.replay), m.say), true
	case key.Matches(msg, k.Rewind.Open):
		m.scene.requests.Add(replay.RewindMsg{})
	case key.Matches(msg, k.NextPlatform):
		m.scene.requests.Add(nextPlatformMsg{})
	case key.Matches(msg, k.Rewind.Save):
		return m.scene.archive(m.replay).SaveIncident(m.dialogs, m.alertHandler.selectedAlerts(), m.alertHandler.review(m.replay)), true
	case key.Matches(msg, k.Baseline):
		return m.scene.baseline.Open(m.dialogs, m.scene.restOfDay), true
	case key.Matches(msg, k.NextChannel, k.PrevChannel):
		delta := 1
		if key.Matches(msg, k.PrevChannel) {
			delta = -1
		}
		if !m.pages.turnChannel(delta) {
			return m.say("This page is about all channels."), true
		}
	default:
		return nil, false
	}
	return nil, true
}

// pressTable handles the keys for the focused table. The bool result is false for other keys.
func (m *Model) pressTable(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	p := m.pages.currentPage().Focused()
	if p == nil {
		return nil, false
	}
	switch k := m.keys; {
	case m.pages.sortChoice.press(msg, p, m.scene.Now()):
		return nil, true
	case key.Matches(msg, k.Filter):
		return m.filter.open(p), true
	case key.Matches(msg, k.Rows.Sort):
		p.SortNext()
		m.pages.sortChoice.open(p, m.scene.Now())
	case key.Matches(msg, k.Rows.Reverse):
		p.SortReverse()
	case key.Matches(msg, k.Rows.Columns):
		return dialogs.OpenColumns(m.dialogs, p, m.scene.Tables), true
	case key.Matches(msg, k.Rows.Pin):
		m.pages.holdSelection()
		return togglePin(p, m.scene.Tables, m.say), true
	case key.Matches(msg, k.Open):
		m.pages.holdSelection()
		p.Open()
	case key.Matches(msg, k.Rows.OnlyAlerts):
		if !p.ToggleOnlyAlerts() {
			return m.say("There are no alerts about " + p.Noun + "."), true
		}
	case key.Matches(msg, k.Rows.Group):
		if !p.CanGroup() {
			return m.say("Only agents stand in groups."), true
		}
		p.NextGrouping()
	case key.Matches(msg, k.Rows.Fold, k.Rows.FoldAll):
		if !p.ToggleFold(key.Matches(msg, k.Rows.FoldAll)) {
			return m.say("There are no groups to fold: " + k.Rows.Group.Help().Key + " groups the agents."), true
		}
	case key.Matches(msg, k.Back) && (p.Table.Marks.Clear() || p.ClearFilter()):
	default:
		return nil, false
	}
	return nil, true
}

// useTheme selects the theme with a name and shows a message.
func (m *Model) useTheme(name string) tea.Cmd {
	m.themer.selectTheme(name)
	m.restyle()
	return m.say("Theme: " + m.scene.look.Theme.Name)
}

// click handles a mouse click: on a dialog, the palette, the lines around the page, or the page.
func (m *Model) click(msg tea.MouseClickMsg) tea.Cmd {
	switch {
	case m.width < minWidth || m.height < minHeight:
		return nil
	case m.dialogs.Top() != nil:
		return m.dialogs.Click(msg)
	case m.mode == modeHelp:
		m.mode = modeBoard
		return nil
	case m.mode == modePalette:
		return m.handleChoice(nil, m.palette.Click(msg))
	}
	typing := m.filter.focused
	m.filter.end()
	switch {
	case msg.Button != tea.MouseLeft:
	case msg.Y == 0:
		badge := m.frameLines.BadgeAt(msg.X)
		if badge == frame.ClickFreeze {
			return m.freeze()
		}
		m.alertHandler.clickBadge(badge)
		return nil
	case msg.Y == m.height-1:
		if name := m.frameLines.HintAt(msg.X); name != "" && !typing && (m.notice.Text == "" || m.notice.FitsBesideKeys(m.width)) {
			return m.press(namedKeyPress(name))
		}
		return nil
	case msg.Y == 1:
		for _, t := range m.pages.tabs().Layout(m.scene.look, m.width) {
			if msg.X >= t.X && msg.X < t.To {
				page := m.pages.current
				m.pages.showPage(pageID(t.Page))
				m.alertHandler.enterPage(page)
			}
		}
		return nil
	}
	return m.pages.currentPage().Update(m.scene.paneScene(), msg)
}

// clickBadge handles a click on a badge of the header. badge is one of the Click constants of
// package frame, except ClickFreeze.
func (a *alertHandler) clickBadge(badge string) {
	p, sc := a.pages, a.scene
	switch badge {
	case frame.ClickSituations:
		p.jumpTo(pageSituations, "")
	case frame.ClickFeed:
		p.jumpTo(pageFeed, "")
	case frame.ClickChannel:
		p.turnChannel(1)
	case frame.ClickNow:
		sc.requests.Add(replay.RewindMsg{})
	case frame.ClickPlatform:
		sc.requests.Add(nextPlatformMsg{})
	}
}

// wheel passes a message of the mouse wheel to the topmost part of the board: a dialog, the
// palette, the help or the page.
func (m *Model) wheel(msg tea.MouseWheelMsg) tea.Cmd {
	switch {
	case m.dialogs.Top() != nil:
		return m.dialogs.Wheel(msg)
	case m.mode == modePalette:
		m.palette.Wheel(msg)
	case m.mode == modeHelp:
		directions := map[tea.MouseButton]int{tea.MouseWheelUp: -1, tea.MouseWheelDown: 1}
		m.help.MoveSelection(directions[msg.Button], len(m.help.FilteredKeys(m.pages.helpKeys(m.scene, m.keys))))
	case m.mode == modeBoard:
		return m.pages.currentPage().Update(m.scene.paneScene(), msg)
	}
	return nil
}

// handleText passes typed or pasted text to the dialog on top, the prompt or the palette.
func (m *Model) handleText(msg tea.Msg) tea.Cmd {
	if top := m.dialogs.Top(); top != nil {
		return top.Update(msg)
	}
	switch {
	case m.filter.focused:
		return m.filter.handleInput(msg, m.pages.currentPage().Focused(), m.scene.floor.LocalNow)
	case m.mode == modePalette:
		return m.handleChoice(m.palette.HandleInput(msg))
	}
	return nil
}
