package dialog

import (
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/themes"
)

// NewPrompt returns an input line that uses the cursor of the terminal. A blinking cursor that the
// program draws would need a new frame for every blink.
func NewPrompt() textinput.Model {
	input := textinput.New()
	input.Prompt = ""
	input.CharLimit = model.MaxName
	input.SetVirtualCursor(false)
	input.KeyMap.Paste.Unbind() // Paste would read the clipboard of the machine that runs the board; terminals paste on their own
	return input
}

// PromptStyles returns the styles of an input line in the theme t.
func PromptStyles(t themes.Theme) textinput.Styles {
	input, dim := t.Style(themes.Input).Lipgloss(), t.Style(themes.Dim).Lipgloss()
	state := textinput.StyleState{Text: input, Prompt: input, Placeholder: dim, Suggestion: dim}
	return textinput.Styles{Focused: state, Blurred: state}
}

// UpdateCleanInput passes a message to an input line. It then removes characters that are unsafe
// for a terminal, because pasted text may contain any character.
func UpdateCleanInput(input *textinput.Model, msg tea.Msg) tea.Cmd {
	cmd := UpdateInput(input, msg)
	if clean := model.CleanText(input.Value(), model.MaxName); clean != input.Value() {
		input.SetValue(clean)
	}
	return cmd
}
