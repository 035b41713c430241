package dialog

import (
	tea "charm.land/bubbletea/v2"
)

// Saver writes a file that a viewer has requested, and returns its path. It is called from
// commands, which run in other goroutines.
type Saver func(name string, data []byte) (path string, err error)

// NoticeMsg makes the board show a message in the footer for a while.
type NoticeMsg struct{ Text string }

// Save returns a command that writes a file and shows its path in the footer. If saver is nil, the
// footer says that saving is not possible.
func Save(host Host, saver Saver, name string, data []byte) tea.Cmd {
	if saver == nil {
		return host.Say("Nothing can be saved from this board.")
	}
	return Guard(func() tea.Msg {
		path, err := saver(name, data)
		if err != nil {
			return NoticeMsg{"It could not be saved: " + err.Error()}
		}
		return NoticeMsg{"Saved as " + path}
	})
}
