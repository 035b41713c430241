package dialog

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/lib/textnorm"
	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/style"
)

// Question asks for confirmation of an action that is hard to undo. When the question opens, the
// button for no has the keyboard focus, so a repeated key does not confirm. If a word must be
// typed, the input line has the keyboard focus instead.
type Question struct {
	Topic         string // identifies the question in [Stack.OpenQuestion]; "": not needed
	Name          string // title of the dialog
	Text          string
	Lines         []string // facts that matter for the answer, with styles
	Subject       Subject  // the record of the question; nil: none
	YesLabel      string   // label of the button for yes
	NoLabel       string   // label of the button for no; "" means "Cancel"
	ConfirmWord   string   // word that the user must type to confirm; "": none
	CheckboxLabel string   // label of the checkbox; "": no checkbox
	// LiveLines returns facts that replace Lines. It is called at each drawing, so the facts may
	// change. LiveLines may be nil. See also [Stack.CloseEmptyQuestions].
	LiveLines func() []string
	// OnYes is called if the answer is yes. enabled is the state of the checkbox.
	OnYes func(enabled bool) tea.Cmd
	// OnNo is called if the answer is no. The key esc also means no. OnNo may be nil.
	OnNo func()
}

// OpenQuestionDialog opens a question. The question closes when it is answered.
func (s *Stack) OpenQuestionDialog(q Question) tea.Cmd {
	d := &QuestionDialog{Question: q, dialogs: s, focused: focusNo, input: NewPrompt()}
	if d.Subject == nil {
		d.Subject = noSubject{}
	}
	if d.NoLabel == "" {
		d.NoLabel = d.translate(words.DialogCancel())
	}
	d.Restyle()
	if q.ConfirmWord != "" {
		d.focus(focusConfirmWord)
	}
	return s.Open(d)
}

// focusStop is a part of a question that can have the keyboard focus: a button, the input line or
// the checkbox.
type focusStop int

const (
	focusConfirmWord focusStop = iota
	focusCheckbox
	focusYes
	focusNo
)

// QuestionDialog is an open question.
type QuestionDialog struct {
	Question

	dialogs   *Stack
	focused   focusStop
	input     textinput.Model
	wrongWord bool // the user has tried to confirm with a wrong word
	checked   bool // the checkbox is checked
	text      Scroller
	stopAreas map[focusStop]lineSpan // areas of the stops at the last drawing
}

// lineSpan is a part of the line y, from column from to column to-1.
type lineSpan struct{ y, from, to int }

// translate returns a text in the language of the viewer.
func (d *QuestionDialog) translate(t words.Text) string { return t.In(d.dialogs.Look().Format.Words) }

// Title implements [Dialog].
func (d *QuestionDialog) Title() string { return d.Name }

// Restyle implements [Restyler].
func (d *QuestionDialog) Restyle() { d.input.SetStyles(PromptStyles(d.dialogs.Look().Theme)) }

// Size implements [Dialog].
func (d *QuestionDialog) Size(maxW, maxH int) (w, h int) {
	w = min(QuestionWidth, maxW)
	return w, min(len(d.textLines(w, maxH))+1+len(d.footerDrawers()), maxH)
}

// focusStops returns the stops of the question, from top to bottom.
func (d *QuestionDialog) focusStops() []focusStop {
	var out []focusStop
	if d.ConfirmWord != "" {
		out = append(out, focusConfirmWord)
	}
	if d.CheckboxLabel != "" {
		out = append(out, focusCheckbox)
	}
	return append(out, focusYes, focusNo)
}

// textLines returns the lines above the input and the buttons: the text, the state of the subject
// or why actions on it are impossible, a pending action on it, and the facts. If they do not fit
// into h lines, the state comes last.
func (d *QuestionDialog) textLines(w, h int) []string {
	lk := d.dialogs.Look()
	out := lk.Wrap(themes.Text, d.Text, w)
	var state []string
	if missing := d.Subject.MissingReason(); missing != "" {
		out = append(out, lk.Wrap(themes.Warn, missing, w)...)
	} else if text := d.Subject.State(); text != "" {
		state = lk.Wrap(themes.Dim, d.translate(words.DialogNow(text)), w)
	}
	lines := d.Lines
	if d.LiveLines != nil {
		lines = d.LiveLines()
	}
	var facts []string
	if pending := d.Subject.PendingText(); pending != "" {
		facts = lk.Wrap(themes.Pending, pending, w)
	}
	for _, l := range lines {
		facts = append(facts, style.WrapText(l, w)...)
	}
	switch {
	case len(facts) == 0:
		return append(out, state...)
	case len(out)+len(state)+len(facts)+2+len(d.footerDrawers()) > h:
		return append(append(out, facts...), state...)
	}
	return append(append(append(out, state...), ""), facts...)
}

// View implements [Dialog].
func (d *QuestionDialog) View(w, h int) []string {
	d.stopAreas = map[focusStop]lineSpan{}
	footer := d.footerDrawers()
	available := max(h-len(footer), 0)
	out := d.text.View(d.textLines(w, h), 0, 0, w, available)
	for i, draw := range footer {
		out = append(out, draw(w, available+i))
	}
	return style.FitLines(out, w, h, d.dialogs.Look().Glyphs.Ellipsis)
}

// footerDrawers returns the functions that draw the lines below the text. Each draws one line, w
// cells wide, which is line y of the dialog.
func (d *QuestionDialog) footerDrawers() []func(w, y int) string {
	var out []func(w, y int) string
	if d.ConfirmWord != "" {
		out = append(out, d.drawConfirmWord)
	}
	if d.wrongWord {
		out = append(out, d.drawWrongWord)
	}
	if d.CheckboxLabel != "" {
		out = append(out, d.drawCheckbox)
	}
	return append(out, d.drawButtons)
}

func (d *QuestionDialog) drawConfirmWord(w, y int) string {
	const room = 12 // cells for typing the word
	lk := d.dialogs.Look()
	label := d.translate(words.DialogTypeWord(d.ConfirmWord)) + " "
	if style.Width(label) > w-room {
		around := style.Width(d.translate(words.DialogTypeWordBrief(""))) + 2 // width of the rest of the line in cells
		label = d.translate(words.DialogTypeWordBrief(style.Truncate(d.ConfirmWord, max(w-room-around, 1), lk.Glyphs.Ellipsis))) + " "
	}
	l := d.beginLine(w, focusConfirmWord).Add(lk.Style(d.stopToken(focusConfirmWord, themes.Text)), label)
	d.stopAreas[focusConfirmWord] = lineSpan{y, l.UsedWidth(), w}
	d.input.SetWidth(max(l.RemainingWidth()-1, 1))
	return l.AddRaw(d.input.View(), min(d.input.Width()+1, l.RemainingWidth())).Finish(themes.Style{})
}

func (d *QuestionDialog) drawWrongWord(w, _ int) string {
	l := style.NewLine(w, d.dialogs.Look().Glyphs.Ellipsis).Space(themes.Style{}, 1)
	return l.Add(d.dialogs.Look().Style(themes.Warn), d.translate(words.DialogWrongWord())).Finish(themes.Style{})
}

// beginLine returns the start of a line with a stop. A pointer on the left marks the focused stop,
// because a color alone would not be visible enough.
func (d *QuestionDialog) beginLine(w int, s focusStop) *style.Line {
	return style.NewLine(w, d.dialogs.Look().Glyphs.Ellipsis).Add(d.dialogs.Look().Style(themes.Accent), d.focusMark(s))
}

func (d *QuestionDialog) focusMark(s focusStop) string {
	if d.focused == s {
		return d.dialogs.Look().Glyphs.Pointer
	}
	return " "
}

func (d *QuestionDialog) drawCheckbox(w, y int) string {
	lk := d.dialogs.Look()
	box := "[ ] "
	if d.checked {
		box = "[x] "
	}
	l := d.beginLine(w, focusCheckbox).Add(lk.Style(d.stopToken(focusCheckbox, themes.Text)), box+d.CheckboxLabel)
	d.stopAreas[focusCheckbox] = lineSpan{y, 0, l.UsedWidth()}
	return l.Finish(themes.Style{})
}

func (d *QuestionDialog) drawButtons(w, y int) string {
	const around = 12 // width of the pointers, the brackets and the spaces around the labels
	l := style.NewLine(w, d.dialogs.Look().Glyphs.Ellipsis)
	yes, no := d.labelWithKey(d.YesLabel, "y"), d.labelWithKey(d.NoLabel, "n")
	if style.Width(yes)+style.Width(no)+around > w {
		yes, no = d.YesLabel, d.NoLabel // the keys do not fit beside the labels, but y and n still work
	}
	for _, b := range []struct {
		stop focusStop
		text string
	}{{focusYes, yes}, {focusNo, no}} {
		from := l.UsedWidth()
		st := d.dialogs.Look().Style(d.stopToken(b.stop, themes.Button))
		if b.stop == focusYes && !d.canConfirm() {
			st = d.dialogs.Look().Style(themes.Dim)
		}
		l.Add(d.dialogs.Look().Style(themes.Accent), d.focusMark(b.stop)).Add(st, "[ "+b.text+" ]")
		d.stopAreas[b.stop] = lineSpan{y, from, l.UsedWidth()}
		l.Space(themes.Style{}, 2)
	}
	return l.Finish(themes.Style{})
}

// labelWithKey returns the label of a button, followed by its key. In a question with an input
// line, it omits the key, which would be typed into that line.
func (d *QuestionDialog) labelWithKey(text, key string) string {
	if d.ConfirmWord != "" {
		return text
	}
	return text + " (" + key + ")"
}

// stopToken returns the theme token for the text of a stop. If the stop is not focused, it is
// plain.
func (d *QuestionDialog) stopToken(s focusStop, plain themes.Token) themes.Token {
	switch {
	case d.focused != s:
		return plain
	case plain == themes.Button:
		return themes.ButtonActive
	}
	return themes.Accent
}

// canConfirm reports whether the answer can be yes, that is, no word is needed or the user has
// typed the right word.
func (d *QuestionDialog) canConfirm() bool {
	return d.ConfirmWord == "" || textnorm.SameName(strings.TrimSpace(d.input.Value()), strings.TrimSpace(d.ConfirmWord))
}

// Cursor implements [CursorOwner].
func (d *QuestionDialog) Cursor() (x, y int, ok bool) {
	c := d.input.Cursor()
	if d.focused != focusConfirmWord || c == nil {
		return 0, 0, false
	}
	return d.stopAreas[focusConfirmWord].from + c.X, d.stopAreas[focusConfirmWord].y, true
}

// Update implements [Dialog].
func (d *QuestionDialog) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return d.press(msg)
	case tea.PasteMsg:
		if d.focused == focusConfirmWord {
			d.wrongWord = false
			return UpdateCleanInput(&d.input, msg)
		}
	case tea.MouseWheelMsg:
		d.text.Wheel(msg)
	case tea.MouseClickMsg:
		return d.click(msg)
	}
	return nil
}

func (d *QuestionDialog) press(msg tea.KeyPressMsg) tea.Cmd {
	switch k := msg.String(); {
	case d.stopDirection(k) != 0:
		d.moveFocus(d.stopDirection(k))
	case k == "pgup" || k == "pgdown":
		d.text.Press(msg)
	case k == "enter" && d.focused == focusConfirmWord:
		d.confirmWord()
	case k == "enter" && d.focused == focusCheckbox: // only space changes the checkbox
		d.moveFocus(1)
	case k == "enter" || k == "space" && d.focused != focusConfirmWord:
		return d.activateFocused()
	case d.focused == focusConfirmWord:
		d.wrongWord = false
		return UpdateCleanInput(&d.input, msg)
	case k == "y" && d.ConfirmWord == "":
		d.focus(focusYes)
		return d.activateFocused()
	case k == "n" && d.ConfirmWord == "":
		d.answerNo()
	}
	return nil
}

// stopDirection returns 1 for a key that moves to the next stop, -1 for a key that moves to the
// previous stop, and 0 for all other keys.
func (d *QuestionDialog) stopDirection(key string) int {
	switch key {
	case "tab", "down":
		return 1
	case "shift+tab", "up":
		return -1
	}
	if d.focused == focusConfirmWord { // left and right move the cursor in the input line
		return 0
	}
	return map[string]int{"left": -1, "right": 1}[key]
}

// confirmWord gives the keyboard focus to the button for yes if the user has typed the right word.
// Otherwise it shows that the word is wrong.
func (d *QuestionDialog) confirmWord() {
	if d.wrongWord = !d.canConfirm(); d.wrongWord {
		d.focus(focusConfirmWord)
	} else {
		d.focus(focusYes)
	}
}

func (d *QuestionDialog) moveFocus(delta int) {
	stops := d.focusStops()
	index := 0
	for i, s := range stops {
		if s == d.focused {
			index = i
		}
	}
	d.focus(stops[(index+delta+len(stops))%len(stops)])
}

func (d *QuestionDialog) focus(s focusStop) {
	d.focused = s
	if s == focusConfirmWord {
		d.input.Focus()
	} else {
		d.input.Blur()
	}
}

// activateFocused activates the stop that has the keyboard focus: a button answers the question, and the
// checkbox changes its state.
func (d *QuestionDialog) activateFocused() tea.Cmd {
	switch d.focused {
	case focusCheckbox:
		d.checked = !d.checked
	case focusYes:
		if d.confirmWord(); d.wrongWord {
			return nil
		}
		d.dialogs.Close(d)
		return d.OnYes(d.checked)
	case focusNo:
		d.answerNo()
	case focusConfirmWord:
	}
	return nil
}

// HandleEsc implements [EscHandler]. The key esc means no.
func (d *QuestionDialog) HandleEsc() bool {
	d.answerNo()
	return true
}

func (d *QuestionDialog) answerNo() {
	d.dialogs.Close(d)
	if d.OnNo != nil {
		d.OnNo()
	}
}

// Hints implements [Hinter]. It returns hints only for keys that are specific to some questions.
func (d *QuestionDialog) Hints() []style.KeyHint {
	var out []style.KeyHint
	if d.ConfirmWord != "" || d.CheckboxLabel != "" {
		out = append(out, style.KeyHint{Key: "tab", Description: d.translate(words.DialogKeyNext())})
	}
	if d.focused == focusCheckbox {
		out = append(out, style.KeyHint{Key: "space", Description: d.translate(words.DialogKeyTick())})
	}
	return out
}

func (d *QuestionDialog) click(msg tea.MouseClickMsg) tea.Cmd {
	if msg.Button != tea.MouseLeft {
		return nil
	}
	for s, area := range d.stopAreas {
		if msg.Y == area.y && msg.X >= area.from && msg.X < area.to {
			d.focus(s)
			if s == focusConfirmWord {
				return nil
			}
			return d.activateFocused()
		}
	}
	return nil
}
