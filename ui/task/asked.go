package task

import tea "charm.land/bubbletea/v2"

// Asked queues requests of the parts of a board to the board. The board handles them
// before any other message. A command would deliver them after keys that were typed
// ahead, which were meant for the result.
type Asked struct{ msgs []tea.Msg }

// For adds a request.
func (a *Asked) For(msg tea.Msg) { a.msgs = append(a.msgs, msg) }

// Next removes and returns the first request, or returns nil.
func (a *Asked) Next() tea.Msg {
	if len(a.msgs) == 0 {
		return nil
	}
	msg := a.msgs[0]
	a.msgs = a.msgs[1:]
	return msg
}
