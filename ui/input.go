package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/dialogs"
	"wallboard/ui/history"
	"wallboard/ui/panes"
)

// press passes a key to the component that has the keyboard.
func (m *Model) press(msg tea.KeyPressMsg) tea.Cmd {
	msg = m.keyboard.latin(msg, m.typing())
	if cmd, done := m.pressTerminal(msg); done {
		return cmd
	}
	if m.scene.wall != nil {
		return m.scene.wall.Press(msg)
	}
	if msg.String() == "ctrl+c" {
		return interrupt(m.dialogs, m.actions, m.scene.platforms)
	}
	if m.dialogs.IsRepeat(msg) {
		return nil
	}
	if m.dialogs.Top() != nil {
		return m.dialogs.Press(msg)
	}
	if m.filter.on || m.mode == modePalette {
		return m.typed(msg)
	}
	if m.mode == modeHelp {
		run, closes := m.help.press(msg, m.pages.listed(m.scene, m.keys))
		if closes {
			m.mode = modeBoard
		}
		if run != "" {
			return m.press(pressed(run))
		}
		return nil
	}
	if _, is := m.pages.page().(*history.Page); !is { // the page History has its own keys for days
		if cmd, done := m.reel.Press(msg, &m.keys.Rewind.Keys); done {
			return cmd
		}
	}
	if cmd, done := m.pressLook(msg); done {
		return cmd
	}
	if p, ok := m.pages.page().(panes.KeyHandler); ok {
		if cmd, done := p.Press(m.scene.panes(), msg); done {
			return cmd
		}
	}
	if cmd, done := m.pressTable(msg); done {
		return cmd
	}
	if cmd, done := m.pages.press(m.keys, msg); done {
		return cmd
	}
	m.pages.hold()
	if cmd, done := m.attention.press(msg); done {
		return cmd
	}
	if cmd, done := m.pages.launcher(m.scene).press(msg, m.dialogs); done {
		return cmd
	}
	return m.pressTarget(msg)
}

// pressTarget offers a key to the actions on the selection, then to the page.
func (m *Model) pressTarget(msg tea.KeyPressMsg) tea.Cmd {
	target := m.pages.target(&m.scene.floor)
	if cmd, done := m.actions.Press(msg, target); done {
		return cmd
	}
	if m.actions.WouldAct(msg, target) {
		return m.say("This board is read-only: it does nothing on the platform.")
	}
	cmd := m.pages.page().Update(m.scene.panes(), msg)
	if m.keyboard.foreign(msg) {
		cmd = tea.Batch(cmd, m.say("The board has no key "+msg.Text+": switch the keyboard to Latin letters."))
	}
	return cmd
}

// pressLook handles the keys for the whole board.
func (m *Model) pressLook(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	switch k := m.keys; {
	case key.Matches(msg, k.Quit):
		return askQuit(m.dialogs, m.actions, m.scene.platforms), true
	case key.Matches(msg, k.Help):
		m.mode, m.help = modeHelp, help{}
	case key.Matches(msg, k.Palette):
		return m.openPalette(), true
	case key.Matches(msg, k.Retry):
		return m.retry(), true
	case key.Matches(msg, k.Freeze):
		return m.freeze(), true
	case key.Matches(msg, k.Last):
		m.scene.floor.LastValues = !m.scene.floor.LastValues
	case key.Matches(msg, k.Handover):
		return m.openHandover(), true
	case key.Matches(msg, k.Rewind.Compare):
		return m.scene.compare.toggle(m.scene, m.say), true
	case key.Matches(msg, k.Rewind.Open):
		m.scene.asked.Add(rewindMsg{})
	case key.Matches(msg, k.NextPlatform):
		m.scene.asked.Add(nextPlatformMsg{})
	case key.Matches(msg, k.Rewind.Save):
		return saveIncident(m.dialogs, m.scene, m.reel, m.attention.here()), true
	case key.Matches(msg, k.Baseline):
		return m.scene.baseline.Open(m.dialogs), true
	case key.Matches(msg, k.NextChannel, k.PrevChannel):
		by := 1
		if key.Matches(msg, k.PrevChannel) {
			by = -1
		}
		if !m.pages.turnChannel(by) {
			return m.say("This page is about all channels."), true
		}
	default:
		return nil, false
	}
	return nil, true
}

// pressTable handles the keys for the focused table.
func (m *Model) pressTable(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	p := m.pages.page().Focused()
	if p == nil {
		return nil, false
	}
	switch k := m.keys; {
	case key.Matches(msg, k.Filter):
		return m.filter.open(p), true
	case key.Matches(msg, k.Rows.Sort):
		p.SortNext()
	case key.Matches(msg, k.Rows.Reverse):
		p.SortReverse()
	case key.Matches(msg, k.Rows.Columns):
		return dialogs.OpenColumns(m.dialogs, p, m.scene.Tables), true
	case key.Matches(msg, k.Open):
		m.pages.hold()
		p.Open()
	case key.Matches(msg, k.Rows.Alerts):
		if !p.ToggleOnlyAlerts() {
			return m.say("There are no alerts about " + p.Noun + "."), true
		}
	case key.Matches(msg, k.Rows.Group):
		if !p.Groups() {
			return m.say("Only agents stand in groups."), true
		}
		p.NextGrouping()
	case key.Matches(msg, k.Rows.Fold, k.Rows.FoldAll):
		if !p.Fold(key.Matches(msg, k.Rows.FoldAll)) {
			return m.say("There are no groups to fold: " + k.Rows.Group.Help().Key + " groups the agents."), true
		}
	case key.Matches(msg, k.Back) && p.ClearFilter():
	default:
		return nil, false
	}
	return nil, true
}

// useTheme switches to a theme.
func (m *Model) useTheme(name string) tea.Cmd {
	m.themer.use(name)
	m.restyle()
	return m.say("Theme: " + m.scene.look.Theme.Name)
}

// click handles a mouse click: first the tabs, then the page.
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
		return m.fromPalette(nil, m.palette.Click(msg))
	}
	m.filter.end()
	if msg.Y == 1 && msg.Button == tea.MouseLeft {
		for _, t := range m.pages.tabs().Lay(m.scene.look, m.width) {
			if msg.X >= t.X && msg.X < t.To {
				m.pages.show(pageID(t.Page))
			}
		}
		return nil
	}
	return m.pages.page().Update(m.scene.panes(), msg)
}

// wheel scrolls the topmost component.
func (m *Model) wheel(msg tea.MouseWheelMsg) tea.Cmd {
	switch {
	case m.dialogs.Top() != nil:
		return m.dialogs.Wheel(msg)
	case m.mode == modePalette:
		m.palette.Wheel(msg)
	case m.mode == modeHelp:
		by := map[tea.MouseButton]int{tea.MouseWheelUp: -1, tea.MouseWheelDown: 1}
		m.help.move(by[msg.Button], len(m.help.shown(m.pages.listed(m.scene, m.keys))))
	case m.mode == modeBoard:
		return m.pages.page().Update(m.scene.panes(), msg)
	}
	return nil
}

// typed passes typed or pasted text to the open prompt.
func (m *Model) typed(msg tea.Msg) tea.Cmd {
	if top := m.dialogs.Top(); top != nil {
		return top.Update(msg)
	}
	switch {
	case m.filter.on:
		return m.filter.typed(msg, m.pages.page().Focused(), m.scene.floor.Ours)
	case m.mode == modePalette:
		return m.fromPalette(m.palette.Type(msg))
	}
	return nil
}
