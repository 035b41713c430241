package dialog

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
)

// Saver writes a file that a viewer has requested, and returns its path. It is called from
// commands, which run in other goroutines.
type Saver func(name string, data []byte) (path string, err error)

// NoticeMsg makes the board show a message in the footer for a while.
type NoticeMsg struct{ Text string }

// Save returns a command that writes a file and shows its path in the footer. If saver is nil, the
// footer says that saving is not possible.
func Save(host Host, saver Saver, name string, data []byte) tea.Cmd {
	language := host.Look().Format.Words
	if saver == nil {
		return host.ShowMessage(words.DialogNothingToSaveTo().In(language))
	}
	return RecoverPanic(func() tea.Msg { return SaveFile(language, saver, name, data) })
}

// SaveFile writes a file and returns a message with its path or with the error, in the given
// language. It is called from commands.
func SaveFile(language *words.Language, saver Saver, name string, data []byte) NoticeMsg {
	path, err := saver(name, data)
	if err != nil {
		return NoticeMsg{words.DialogNotSaved(words.TextOf(err)).In(language)}
	}
	return NoticeMsg{words.DialogSavedAs(path).In(language)}
}
