package form

import (
	"errors"
	"fmt"
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
)

// field is a Field with its current value.
type field struct {
	Field

	options *Options
	initial string
	touched bool // its problem is shown
	edited  bool // it has received a key or a paste
	refused bool // the last paste did not fit

	in      textinput.Model // for the kinds with one line
	area    *textarea.Model // for a Body
	choices []string        // for a Choice and a Toggle
	chosen  int

	scroll int // cells scrolled off at the left

	// A Body is drawn once per change, because it may have thousands of lines.
	lines            []string // nil: must be drawn
	width            int      // width of lines
	cursorX, cursorY int
}

// bodyRows is the largest number of visible lines of a Body.
const bodyRows = 5

// maxLines is the largest number of lines of a Body, a limit of [textarea].
const maxLines = 10_000

func newField(of Field, o *Options) *field {
	x := &field{Field: of, options: o}
	if x.Max == 0 {
		x.Max = defaultMax
		if x.Kind == Body {
			x.Max = defaultMaxBody
		}
	}
	x.Max = max(x.Max, utf8.RuneCountInString(of.Value)) // the initial value must not be cut
	switch {
	case x.picks():
		x.choices = choicesOf(of)
	case x.Kind == Body:
		area := textarea.New()
		area.Prompt, area.ShowLineNumbers = "", false
		area.CharLimit, area.MaxHeight, area.MaxWidth = x.Max, 0, 0
		area.SetVirtualCursor(false)
		area.KeyMap.Paste.Unbind() // it reads the clipboard of the machine that runs the program; terminals paste themselves
		area.KeyMap.CopySelection.Unbind()
		x.area = &area
	default:
		x.in = textinput.New()
		x.in.Prompt = ""
		x.in.CharLimit = x.Max
		x.in.SetVirtualCursor(false)
		x.in.KeyMap.Paste.Unbind()
	}
	x.set(of.Value)
	x.touched = false
	x.initial = x.value()
	return x
}

// choicesOf returns all possible values of a field.
func choicesOf(of Field) []string {
	out := slices.Clone(of.Choices)
	if of.Kind == Toggle {
		out = []string{Yes, No}
	}
	if !slices.Contains(out, of.Value) && of.Value != "" {
		out = append(out, of.Value)
	}
	if !slices.Contains(out, "") && (!of.Required || of.Value == "") {
		out = append([]string{""}, out...)
	}
	return out
}

// picks reports whether a value is picked, not typed.
func (x *field) picks() bool { return x.Kind == Toggle || x.Kind == Choice && !x.Free }

func (x *field) value() string {
	switch {
	case x.picks():
		if x.chosen < len(x.choices) {
			return x.choices[x.chosen]
		}
		return ""
	case x.Kind == Body:
		return x.area.Value()
	case x.Kind == Secret:
		return x.in.Value()
	}
	return strings.TrimSpace(x.in.Value())
}

func (x *field) set(v string) {
	x.touched, x.refused, x.lines = true, false, nil
	switch {
	case x.picks():
		if at := slices.Index(x.choices, v); at >= 0 {
			x.chosen = at
		}
	case x.Kind == Body:
		x.area.SetValue(x.cleanLines(v))
	default:
		x.in.SetValue(x.clean(v))
		x.in.CursorEnd()
	}
}

// clean cleans one line.
func (x *field) clean(s string) string {
	if x.options.Clean == nil {
		return s
	}
	return x.options.Clean(s, x.Max)
}

// cleanLines cleans a text and keeps its lines.
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
	case x.picks():
	case x.Kind == Body:
		x.area.Focus()
	default:
		x.in.Focus()
	}
}

func (x *field) blur() {
	x.touched, x.lines = true, nil
	switch {
	case x.picks():
	case x.Kind == Body:
		x.area.Blur()
	default:
		x.in.Blur()
	}
}

func (x *field) restyle(s Styles) {
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
	errNeeded = errors.New("needed")
	errNumber = errors.New("a whole number is needed")
	errRange  = errors.New("the number is too large: 2147483647 is the most")
)

// check returns the problem of the value.
func (x *field) check() error {
	v := x.value()
	switch {
	case x.ReadOnly:
		return nil
	case x.refused:
		return fmt.Errorf("what was pasted does not fit and was left out: at most %d characters", x.Max)
	case strings.TrimSpace(v) == "":
		if x.Required {
			return errNeeded
		}
		return nil
	case v == x.initial: // initial values are always accepted
		return nil
	case x.Kind == Number:
		switch _, err := strconv.ParseInt(v, 10, 32); {
		case errors.Is(err, strconv.ErrRange):
			return errRange
		case err != nil:
			return errNumber
		}
	case x.Kind == Date:
		if _, err := x.options.date(v); err != nil {
			return err
		}
	}
	if x.Check != nil {
		return x.Check(v)
	}
	return nil
}

// update passes a key or a paste to the field.
func (x *field) update(msg tea.Msg) tea.Cmd {
	before := x.value()
	x.refused, x.lines = false, nil
	var cmd tea.Cmd
	if p, ok := msg.(tea.PasteMsg); ok && !x.picks() {
		if !x.fits(p.Content) {
			x.refused, x.touched = true, true
			return nil
		}
	}
	switch {
	case x.picks():
		if k, ok := msg.(tea.KeyPressMsg); ok {
			x.pick(k)
		}
	case x.Kind == Body:
		if p, ok := msg.(tea.PasteMsg); ok {
			msg = tea.PasteMsg{Content: x.cleanLines(textnorm.Line(p.Content))}
		}
		*x.area, cmd = x.area.Update(msg)
	default:
		if x.Free && x.propose(msg) {
			break
		}
		if x.replaces(msg) {
			x.in.SetValue("")
		}
		cmd = UpdateInput(&x.in, msg)
		x.tidy()
	}
	if x.value() != before {
		x.touched = true
	}
	return cmd
}

// replaces reports whether input replaces the proposed date instead of extending it,
// because the field has not been edited yet.
func (x *field) replaces(msg tea.Msg) bool {
	if x.Kind != Date || x.edited {
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

// fits reports whether a text fits. Texts are not cut: half a phone number would be a
// different one.
func (x *field) fits(text string) bool {
	if x.area == nil {
		return utf8.RuneCountInString(x.in.Value())+utf8.RuneCountInString(text) <= x.Max
	}
	text = x.cleanLines(text)
	return x.area.Length()+utf8.RuneCountInString(text) <= x.Max && x.area.LineCount()+strings.Count(text, "\n") <= maxLines
}

// tidy removes characters that the line must not contain.
func (x *field) tidy() {
	v := x.in.Value()
	if clean := x.clean(v); clean != v {
		x.in.SetValue(clean)
		return
	}
	if x.Kind == Number && strings.ContainsFunc(v, notInNumber) {
		at := x.in.Position()
		typed := string([]rune(v)[:at])
		kept := strings.Map(keepNumber, typed)
		x.in.SetValue(strings.Map(keepNumber, v))
		x.in.SetCursor(utf8.RuneCountInString(kept))
	}
}

func notInNumber(r rune) bool { return (r < '0' || r > '9') && r != '-' }

func keepNumber(r rune) rune {
	if notInNumber(r) {
		return -1
	}
	return r
}

// pick changes the picked choice.
func (x *field) pick(k tea.KeyPressMsg) {
	n := len(x.choices)
	if n == 0 {
		return
	}
	switch k.String() {
	case "right", "space":
		x.chosen = (x.chosen + 1) % n
	case "left":
		x.chosen = (x.chosen + n - 1) % n
	case "home":
		x.chosen = 0
	case "end":
		x.chosen = n - 1
	case "backspace", "delete":
		x.set("")
	default:
		x.jump(k.Text)
	}
}

// jump picks the next choice that begins with a letter.
func (x *field) jump(letter string) {
	if letter == "" {
		return
	}
	for i := range x.choices {
		at := (x.chosen + 1 + i) % len(x.choices)
		if strings.HasPrefix(textnorm.Fold(x.choices[at]), textnorm.Fold(letter)) {
			x.chosen = at
			return
		}
	}
}

// propose inserts the next proposal on its key.
func (x *field) propose(msg tea.Msg) bool {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok || len(x.Choices) == 0 || !key.Matches(k, x.in.KeyMap.NextSuggestion, x.in.KeyMap.PrevSuggestion) {
		return false
	}
	at := slices.Index(x.Choices, x.value())
	n := len(x.Choices)
	switch {
	case key.Matches(k, x.in.KeyMap.NextSuggestion):
		at = (at + 1) % n
	case at < 0:
		at = n - 1
	default:
		at = (at + n - 1) % n
	}
	x.set(x.Choices[at])
	return true
}
