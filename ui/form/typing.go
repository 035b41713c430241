package form

import (
	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/typed"
)

// Type hands a message to an input line. The library's delete-the-next-word reads past
// the end where one character is left (textinput of bubbles 2.2.1): that is deleted as a
// character is. What is typed or pasted is made what was meant (package typed), but for
// secrets.
func Type(in *textinput.Model, msg tea.Msg) tea.Cmd {
	if k, is := msg.(tea.KeyPressMsg); is && key.Matches(k, in.KeyMap.DeleteWordForward) && in.Position() == len([]rune(in.Value()))-1 {
		msg = tea.KeyPressMsg{Code: tea.KeyDelete}
	}
	var cmd tea.Cmd
	*in, cmd = in.Update(msg)
	if line := typed.Line(in.Value()); in.EchoMode == textinput.EchoNormal && line != in.Value() {
		in.SetValue(line)
	}
	return cmd
}
