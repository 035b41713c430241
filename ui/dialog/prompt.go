package dialog

import (
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/form"
)

// NewPrompt returns an input line with the terminal's own cursor: one that the
// board made blink would redraw it for ever.
func NewPrompt() textinput.Model {
	in := textinput.New()
	in.Prompt = ""
	in.CharLimit = model.MaxName
	in.SetVirtualCursor(false)
	in.KeyMap.Paste.Unbind() // it asks the machine the board runs on; terminals paste by themselves
	return in
}

// PromptStyles are what an input line looks like in a theme.
func PromptStyles(t themes.Theme) textinput.Styles {
	input, dim := t.Style(themes.Input).LG(), t.Style(themes.Dim).LG()
	state := textinput.StyleState{Text: input, Prompt: input, Placeholder: dim, Suggestion: dim}
	return textinput.Styles{Focused: state, Blurred: state}
}

// TypeClean hands a message to an input and cleans what came by it: a paste
// may hold anything.
func TypeClean(in *textinput.Model, msg tea.Msg) tea.Cmd {
	cmd := form.Type(in, msg)
	if clean := model.CleanText(in.Value(), model.MaxName); clean != in.Value() {
		in.SetValue(clean)
	}
	return cmd
}
