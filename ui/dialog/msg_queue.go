package dialog

import tea "charm.land/bubbletea/v2"

// MsgQueue holds messages from parts of a board to the board. The board handles them before any
// other message. The message of a command would arrive later, after keys that the user typed in the
// meantime.
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
