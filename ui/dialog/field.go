package dialog

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textarea"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"wallboard/internal/lib/textnorm"
	"wallboard/internal/words"
)

// field is a [Field] of a form with its current value.
type field struct {
	definition   Field
	options      *FieldOptions
	initial      string
	showsProblem bool // the problem of the value is shown below the field
	edited       bool // the field has received a key or a paste; used only for a DateField
	pasteRefused bool // the last paste was refused because it was too long

	input       textinput.Model // input of all kinds that have a single line
	area        *textarea.Model // input of a BodyField
	choices     []string        // all possible values of a ChoiceField or a ToggleField
	choiceIndex int

	scroll int // number of cells of the text that are scrolled out on the left

	// Lines of a BodyField, cached until the value, the focus, the width or the styles change.
	lines            []string // nil: not drawn yet
	width            int      // width of lines in cells
	cursorX, cursorY int
}

// maxBodyRows is the maximum number of lines of a BodyField that are visible at the same time.
const maxBodyRows = 5

// maxBodyLines is the maximum number of lines in the text of a BodyField. It equals the maximum of
// [textarea].
const maxBodyLines = 10_000

func newField(def Field, o *FieldOptions) *field {
	x := &field{definition: def, options: o}
	if x.definition.MaxLength == 0 {
		x.definition.MaxLength = defaultFieldLength
		if x.definition.Kind == BodyField {
			x.definition.MaxLength = defaultBodyLength
		}
	}
	x.definition.MaxLength = max(x.definition.MaxLength, utf8.RuneCountInString(def.Value)) // keeps the initial value from being cut
	switch {
	case x.hasChoiceList():
		x.choices = choicesOf(def)
	case x.definition.Kind == BodyField:
		area := textarea.New()
		area.Prompt, area.ShowLineNumbers = "", false
		area.CharLimit, area.MaxHeight, area.MaxWidth = x.definition.MaxLength, 0, 0
		area.SetVirtualCursor(false)
		area.KeyMap.Paste.Unbind() // Paste would read the clipboard of the machine that runs the program; terminals paste on their own
		area.KeyMap.CopySelection.Unbind()
		x.area = &area
	default:
		x.input = textinput.New()
		x.input.Prompt = ""
		x.input.CharLimit = x.definition.MaxLength
		x.input.SetVirtualCursor(false)
		x.input.KeyMap.Paste.Unbind()
	}
	x.setValue(def.Value)
	x.showsProblem = false
	x.initial = x.value()
	return x
}

// choicesOf returns the possible values of a field with choices. They include "" unless the field
// is required and has an initial value.
func choicesOf(def Field) []string {
	out := slices.Clone(def.Choices)
	if def.Kind == ToggleField {
		out = []string{Yes, No}
	}
	if !slices.Contains(out, def.Value) && def.Value != "" {
		out = append(out, def.Value)
	}
	if !slices.Contains(out, "") && (!def.Required || def.Value == "") {
		out = append([]string{""}, out...)
	}
	return out
}

// hasChoiceList reports whether the user selects the value from a list instead of typing it.
func (x *field) hasChoiceList() bool {
	return x.definition.Kind == ToggleField || x.definition.Kind == ChoiceField && !x.definition.AnyText
}

func (x *field) value() string {
	switch {
	case x.hasChoiceList():
		if x.choiceIndex < len(x.choices) {
			return x.choices[x.choiceIndex]
		}
		return ""
	case x.definition.Kind == BodyField:
		return x.area.Value()
	case x.definition.Kind == SecretField:
		return x.input.Value()
	}
	return strings.TrimSpace(x.input.Value())
}

func (x *field) setValue(v string) {
	x.showsProblem, x.pasteRefused, x.lines = true, false, nil
	switch {
	case x.hasChoiceList():
		if index := slices.Index(x.choices, v); index >= 0 {
			x.choiceIndex = index
		}
	case x.definition.Kind == BodyField:
		x.area.SetValue(x.cleanLines(v))
	default:
		x.input.SetValue(x.clean(v))
		x.input.CursorEnd()
	}
}

// clean returns s as a single line without characters that are unsafe for a terminal.
func (x *field) clean(s string) string {
	if x.options.Clean == nil {
		return s
	}
	return x.options.Clean(s, x.definition.MaxLength)
}

// cleanLines returns s without characters that are unsafe for a terminal. It preserves line breaks.
func (x *field) cleanLines(s string) string {
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n", "\t", "    ").Replace(s), "\n")
	for i, l := range lines {
		lines[i] = x.clean(l)
	}
	return strings.Join(lines, "\n")
}

func (x *field) focus() {
	x.lines = nil
	switch {
	case x.hasChoiceList():
	case x.definition.Kind == BodyField:
		x.area.Focus()
	default:
		x.input.Focus()
	}
}

func (x *field) blur() {
	x.showsProblem, x.lines = true, nil
	switch {
	case x.hasChoiceList():
	case x.definition.Kind == BodyField:
		x.area.Blur()
	default:
		x.input.Blur()
	}
}

func (x *field) restyle(s FieldStyles) {
	if x.area == nil {
		return
	}
	state := func(text lipgloss.Style) textarea.StyleState {
		return textarea.StyleState{
			Text: text, CursorLine: text, EndOfBuffer: text, Placeholder: s.Dim,
			Prompt: text, Selection: s.ButtonFocused,
		}
	}
	x.lines = nil
	x.area.SetStyles(textarea.Styles{Focused: state(s.Input), Blurred: state(s.Text)})
}

var (
	errRequired = words.NewError(words.DialogNeeded(), nil)
	errNumber   = words.NewError(words.DialogNeedNumber(), nil)
	errRange    = words.NewError(words.DialogNumberTooLarge(), nil)
)

// check returns an error if the current value is invalid. The initial value is valid unless it is
// empty and the field is required.
func (x *field) check() error {
	v := x.value()
	switch {
	case x.definition.ReadOnly:
		return nil
	case x.pasteRefused:
		return words.NewError(words.DialogPasteTooLong(x.definition.MaxLength), nil)
	case strings.TrimSpace(v) == "":
		if x.definition.Required {
			return errRequired
		}
		return nil
	case v == x.initial: // the initial value needs no further check
		return nil
	case x.definition.Kind == NumberField:
		switch _, err := strconv.ParseInt(v, 10, 32); {
		case errors.Is(err, strconv.ErrRange):
			return errRange
		case err != nil:
			return errNumber
		}
	case x.definition.Kind == DateField:
		if _, err := x.options.parseDate(v); err != nil {
			return err
		}
	}
	if x.definition.Check != nil {
		return x.definition.Check(v)
	}
	return nil
}

// update passes a key or a paste to the input of the field.
func (x *field) update(msg tea.Msg) tea.Cmd {
	previous := x.value()
	x.pasteRefused, x.lines = false, nil
	var cmd tea.Cmd
	if p, ok := msg.(tea.PasteMsg); ok && !x.hasChoiceList() {
		if !x.fitsText(p.Content) {
			x.pasteRefused, x.showsProblem = true, true
			return nil
		}
	}
	switch {
	case x.hasChoiceList():
		if k, ok := msg.(tea.KeyPressMsg); ok {
			x.chooseByKey(k)
		}
	case x.definition.Kind == BodyField:
		if p, ok := msg.(tea.PasteMsg); ok {
			msg = tea.PasteMsg{Content: x.cleanLines(textnorm.NormalizeLine(p.Content))}
		}
		*x.area, cmd = x.area.Update(msg)
	default:
		if x.definition.AnyText && x.insertProposal(msg) {
			break
		}
		if x.replacesDefault(msg) {
			x.input.SetValue("")
		}
		cmd = UpdateInput(&x.input, msg)
		x.removeForbidden()
	}
	if x.value() != previous {
		x.showsProblem = true
	}
	return cmd
}

// replacesDefault reports whether a key or a paste replaces the proposed date instead of extending
// it. Only text that is the first input of a DateField does.
func (x *field) replacesDefault(msg tea.Msg) bool {
	if x.definition.Kind != DateField || x.edited {
		return false
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		x.edited = true
		return msg.Text != ""
	case tea.PasteMsg:
		x.edited = true
		return true
	}
	return false
}

// fitsText reports whether pasted text fits into the field. Text that does not fit is refused and
// not cut, because a part of a phone number would be another number.
func (x *field) fitsText(text string) bool {
	if x.area == nil {
		return utf8.RuneCountInString(x.input.Value())+utf8.RuneCountInString(text) <= x.definition.MaxLength
	}
	text = x.cleanLines(text)
	return x.area.Length()+utf8.RuneCountInString(text) <= x.definition.MaxLength && x.area.LineCount()+strings.Count(text, "\n") <= maxBodyLines
}

// removeForbidden removes characters that are unsafe for a terminal from the input. In a
// NumberField, it removes all characters except digits and minus signs.
func (x *field) removeForbidden() {
	v := x.input.Value()
	if clean := x.clean(v); clean != v {
		x.input.SetValue(clean)
		return
	}
	if x.definition.Kind == NumberField && strings.ContainsFunc(v, isNotInNumber) {
		index := x.input.Position()
		typed := string([]rune(v)[:index])
		kept := strings.Map(numberRune, typed)
		x.input.SetValue(strings.Map(numberRune, v))
		x.input.SetCursor(utf8.RuneCountInString(kept))
	}
}

func isNotInNumber(r rune) bool { return (r < '0' || r > '9') && r != '-' }

func numberRune(r rune) rune {
	if isNotInNumber(r) {
		return -1
	}
	return r
}

// chooseByKey selects another value. Left and right select the previous and the next value, and a
// letter the next value that begins with it.
func (x *field) chooseByKey(k tea.KeyPressMsg) {
	n := len(x.choices)
	if n == 0 {
		return
	}
	switch k.String() {
	case "right", "space":
		x.choiceIndex = (x.choiceIndex + 1) % n
	case "left":
		x.choiceIndex = (x.choiceIndex + n - 1) % n
	case "home":
		x.choiceIndex = 0
	case "end":
		x.choiceIndex = n - 1
	case "backspace", "delete":
		x.setValue("")
	default:
		x.jumpTo(k.Text)
	}
}

// jumpTo selects the next value that begins with the given letter, regardless of case and accents.
func (x *field) jumpTo(letter string) {
	if letter == "" {
		return
	}
	for i := range x.choices {
		index := (x.choiceIndex + 1 + i) % len(x.choices)
		if strings.HasPrefix(textnorm.Fold(x.choices[index]), textnorm.Fold(letter)) {
			x.choiceIndex = index
			return
		}
	}
}

// insertProposal replaces the text with the next or the previous choice if msg is a key for that.
// It returns false for all other messages.
func (x *field) insertProposal(msg tea.Msg) bool {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok || len(x.definition.Choices) == 0 || !key.Matches(k, x.input.KeyMap.NextSuggestion, x.input.KeyMap.PrevSuggestion) {
		return false
	}
	index := slices.Index(x.definition.Choices, x.value())
	n := len(x.definition.Choices)
	switch {
	case key.Matches(k, x.input.KeyMap.NextSuggestion):
		index = (index + 1) % n
	case index < 0:
		index = n - 1
	default:
		index = (index + n - 1) % n
	}
	x.setValue(x.definition.Choices[index])
	return true
}
