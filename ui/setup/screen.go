package setup

import (
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/ui/dialog"
)

type paragraph struct {
	kind paragraphKind
	text string
}

// paragraphKind determines how a paragraph is drawn.
type paragraphKind int

const (
	paragraphPlain paragraphKind = iota
	paragraphGood
	paragraphNotice
	paragraphFailure
	paragraphRemark
)

type option struct {
	label, detail string
	onChoose      func() tea.Cmd
}

type field struct {
	label string
	input textinput.Model
}

// screen shows one question: text and either options, input lines, or the progress of a connection
// test. The zero value is the screen of a running connection test.
type screen struct {
	title            string
	text             []paragraph
	options          []option
	fields           []field
	cursor           int // selected option or field
	problem          string
	confirmedAddress string         // address on another host that the next enter accepts
	submit           func() tea.Cmd // called when the viewer presses enter in a field
	preview          func(i int)    // called when option i is selected; nil: there is no preview

	progress words.Text // last text about the progress of the connection test
	seconds  int        // duration of the connection test so far

	offset      int  // first visible line
	hasScrolled bool // the viewer has scrolled, so that the cursor need not be visible
}

// newField returns an input line. It hides the input if it is a secret.
func newField(label, value string, isSecret bool) field {
	in := dialog.NewPrompt()
	in.CharLimit = maxInput
	in.SetValue(value)
	in.CursorEnd()
	if isSecret {
		in.EchoMode = textinput.EchoPassword
	}
	return field{label, in}
}

// maxInput is the maximum length of an input in characters, enough for an access token.
const maxInput = 16 << 10

// newInputScreen returns a screen with one input line.
func newInputScreen(title, value string, isSecret bool) screen {
	s := screen{title: title, fields: []field{newField("", value, isSecret)}}
	s.fields[0].input.Focus()
	return s
}

// value returns the text of the only input line.
func (s *screen) value() string { return s.fields[0].input.Value() }

func (s *screen) press(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "pgup":
		s.offset, s.hasScrolled = max(s.offset-pageLines, 0), true
		return nil
	case "pgdown":
		s.offset, s.hasScrolled = s.offset+pageLines, true
		return nil
	case "enter":
		switch {
		case len(s.options) > 0:
			return s.options[s.cursor].onChoose()
		case s.submit != nil:
			return s.submit()
		}
		return nil
	case "up", "shift+tab":
		s.moveTo(s.cursor - 1)
		return nil
	case "down", "tab":
		s.moveTo(s.cursor + 1)
		return nil
	}
	if n := len(s.options); n > 0 {
		if d := int(msg.Code - '1'); d >= 0 && d < n {
			return s.options[d].onChoose()
		}
		return nil
	}
	return s.typeInto(msg)
}

// pageLines is the number of lines that pgup and pgdown scroll.
const pageLines = 5

func (s *screen) moveTo(i int) {
	s.hasScrolled = false
	n := max(len(s.options), len(s.fields))
	if i < 0 || i >= n {
		return
	}
	if len(s.fields) > 0 {
		s.fields[s.cursor].input.Blur()
		s.fields[i].input.Focus()
	}
	s.cursor = i
	if s.preview != nil {
		s.preview(i)
	}
}

func (s *screen) typeInto(msg tea.Msg) tea.Cmd {
	if len(s.fields) == 0 {
		return nil
	}
	s.problem, s.hasScrolled = "", false
	in := &s.fields[s.cursor].input
	if in.EchoMode == textinput.EchoPassword { // the characters of a secret are not changed
		return dialog.UpdateInput(in, msg)
	}
	return dialog.UpdateCleanInput(in, msg)
}
