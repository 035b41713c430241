package task

import tea "charm.land/bubbletea/v2"

// Asked is what the parts of a board have asked of it and it has not done yet. It does
// that before anything else comes. A command would bring it after the keys that were
// typed ahead, which were meant for where it leads.
type Asked struct{ msgs []tea.Msg }

// For asks for something.
func (a *Asked) For(msg tea.Msg) { a.msgs = append(a.msgs, msg) }

// Next returns what was asked for first, nil if there is nothing.
func (a *Asked) Next() tea.Msg {
	if len(a.msgs) == 0 {
		return nil
	}
	msg := a.msgs[0]
	a.msgs = a.msgs[1:]
	return msg
}
