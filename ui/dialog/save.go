package dialog

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/task"
)

// Saver writes a file that the viewer asked for and returns where it is. It is
// called from commands.
type Saver func(name string, data []byte) (path string, err error)

// SayMsg has the board say something in the footer for a while.
type SayMsg struct{ Text string }

// Save writes a file and says where it is; a nil Saver can save nothing.
func Save(on Host, by Saver, name string, data []byte) tea.Cmd {
	if by == nil {
		return on.Say("Nothing can be saved from this board.")
	}
	return task.Guard(func() tea.Msg {
		path, err := by(name, data)
		if err != nil {
			return SayMsg{"It could not be saved: " + err.Error()}
		}
		return SayMsg{"Saved as " + path}
	})
}
