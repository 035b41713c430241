package dialog

import tea "charm.land/bubbletea/v2"

// MsgQueue holds requests of the parts of a board. The board handles them before any other
// message. A command would deliver them too late: after keys that were typed ahead and meant
// for the result.
type MsgQueue struct{ msgs []tea.Msg }

// Add adds a request.
func (a *MsgQueue) Add(msg tea.Msg) { a.msgs = append(a.msgs, msg) }

// Next removes and returns the first request, or returns nil.
func (a *MsgQueue) Next() tea.Msg {
	if len(a.msgs) == 0 {
		return nil
	}
	msg := a.msgs[0]
	a.msgs = a.msgs[1:]
	return msg
}
