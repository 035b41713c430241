package dialog

import (
	tea "charm.land/bubbletea/v2"
)

// Saver writes a file for the viewer and returns its path. Commands call it.
type Saver func(name string, data []byte) (path string, err error)

// NoticeMsg asks the board to show a text in the footer for a while.
type NoticeMsg struct{ Text string }

// Save writes a file and shows its path. If saver is nil, it shows that saving is not possible.
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
