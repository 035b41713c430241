package dialog

import tea "charm.land/bubbletea/v2"

// MsgQueue holds messages with which the parts of a board request something from the board. The
// board handles them before any other message. If a command delivered them, they would arrive too
// late: after keys that were typed ahead and are meant for the result.
type MsgQueue struct{ msgs []tea.Msg }

// Add appends a message to the queue.
func (a *MsgQueue) Add(msg tea.Msg) { a.msgs = append(a.msgs, msg) }

// Next removes the first message and returns it. It returns nil if the queue is empty.
func (a *MsgQueue) Next() tea.Msg {
	if len(a.msgs) == 0 {
		return nil
	}
	msg := a.msgs[0]
	a.msgs = a.msgs[1:]
	return msg
}
