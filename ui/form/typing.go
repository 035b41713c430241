package form

import (
	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/lib/textnorm"
)

// UpdateInput passes a message to an input line. It works around a bug of textinput (bubbles
// 2.2.1), whose delete-the-next-word reads past the end if one character is left. The
// text is normalized by package typed, except for secrets.
func UpdateInput(in *textinput.Model, msg tea.Msg) tea.Cmd {
	if k, ok := msg.(tea.KeyPressMsg); ok && key.Matches(k, in.KeyMap.DeleteWordForward) && in.Position() == len([]rune(in.Value()))-1 {
		msg = tea.KeyPressMsg{Code: tea.KeyDelete}
	}
	var cmd tea.Cmd
	*in, cmd = in.Update(msg)
	if line := textnorm.Line(in.Value()); in.EchoMode == textinput.EchoNormal && line != in.Value() {
		in.SetValue(line)
	}
	return cmd
}
