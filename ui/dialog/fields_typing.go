package dialog

import (
	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/lib/textnorm"
)

// UpdateInput passes a message to an input line. It then normalizes the text, except in an input
// for secrets. It also works around a bug of textinput (bubbles 2.2.1): if a single character
// follows the cursor, deleting the next word reads beyond the end of the text.
func UpdateInput(input *textinput.Model, msg tea.Msg) tea.Cmd {
	if k, ok := msg.(tea.KeyPressMsg); ok && key.Matches(k, input.KeyMap.DeleteWordForward) && input.Position() == len([]rune(input.Value()))-1 {
		msg = tea.KeyPressMsg{Code: tea.KeyDelete}
	}
	var cmd tea.Cmd
	*input, cmd = input.Update(msg)
	if line := textnorm.NormalizeLine(input.Value()); input.EchoMode == textinput.EchoNormal && line != input.Value() {
		input.SetValue(line)
	}
	return cmd
}
