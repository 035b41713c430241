package dialog

import (
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/themes"
)

// NewPrompt returns an input line that uses the terminal's cursor. A blinking cursor drawn by the
// program would cause endless redraws.
func NewPrompt() textinput.Model {
	input := textinput.New()
	input.Prompt = ""
	input.CharLimit = model.MaxName
	input.SetVirtualCursor(false)
	input.KeyMap.Paste.Unbind() // Paste would read the clipboard of the machine that runs the board; terminals paste by themselves
	return input
}

// PromptStyles returns the styles of an input line in a theme.
func PromptStyles(t themes.Theme) textinput.Styles {
	input, dim := t.Style(themes.Input).Lipgloss(), t.Style(themes.Dim).Lipgloss()
	state := textinput.StyleState{Text: input, Prompt: input, Placeholder: dim, Suggestion: dim}
	return textinput.Styles{Focused: state, Blurred: state}
}

// UpdateCleanInput passes a message to an input line. Afterwards it removes unsafe characters from
// the text, because a paste may contain any characters.
func UpdateCleanInput(input *textinput.Model, msg tea.Msg) tea.Cmd {
	cmd := UpdateInput(input, msg)
	if clean := model.CleanText(input.Value(), model.MaxName); clean != input.Value() {
		input.SetValue(clean)
	}
	return cmd
}
