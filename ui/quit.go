package ui

import tea "charm.land/bubbletea/v2"

// askQuit ends the board; while an action is under way, it asks.
func (m *Model) askQuit() tea.Cmd {
	if len(m.deeds.underWay()) == 0 {
		return tea.Quit
	}
	return m.ask(question{
		name: "Quit", text: "Not everything is done yet. Whoever quits now does not hear what becomes of it:",
		live: m.deeds.underWay, yes: "Quit", no: "Stay", then: func(*Model, bool) tea.Cmd { return tea.Quit },
	})
}

// interrupt asks the same wherever ctrl+c is pressed; pressed again, it ends the
// board at once.
func (m *Model) interrupt() tea.Cmd {
	for _, p := range m.dialogs.stack {
		if q, ok := p.dialog.(*questionDialog); ok && q.live != nil {
			return tea.Quit
		}
	}
	return m.askQuit()
}

// closeMoot closes the question about quitting when everything has ended.
func (m *Model) closeMoot() {
	for _, p := range m.dialogs.stack {
		if q, ok := p.dialog.(*questionDialog); ok && q.live != nil && len(q.live()) == 0 {
			m.dismiss(q)
			m.muteAfter("enter")
			return
		}
	}
}
