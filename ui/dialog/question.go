package dialog

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/lib/textnorm"
	"wallboard/themes"
	"wallboard/ui/form"
	"wallboard/ui/style"
)

// Question is a confirmation before an action that is hard to undo. The button that
// does nothing has the keyboard first, so that a repeated key does not confirm.
type Question struct {
	Topic  string // identifies an open question: see [Stack.Asked]; "": not needed
	Name   string // the title
	Text   string
	Lines  []string // important facts, with styles
	About  Subject  // its current state is shown, and when it disappears; nil: none
	Yes    string   // label of the button that confirms
	No     string   // label of the button that does not; "" means "Cancel"
	Word   string   // must be typed to confirm; "": nothing
	Option string   // label of a checkbox; "": none
	// Live returns lines that change, instead of Lines: see [Stack.CloseEmptyQuestions]; nil:
	// Lines.
	Live func() []string
	// Then is called on yes with the state of the checkbox, Not on any kind of no; nil:
	// nothing is called.
	Then      func(on bool) tea.Cmd
	Otherwise func()
}

// Ask opens a question. Any answer closes it.
func (s *Stack) Ask(q Question) tea.Cmd {
	d := &QuestionDialog{Question: q, on: s, at: onNo, in: NewPrompt()}
	if d.About == nil {
		d.About = nothing{}
	}
	if d.No == "" {
		d.No = "Cancel"
	}
	d.Restyle()
	if q.Word != "" {
		d.focus(onWord)
	}
	return s.Open(d)
}

// questionStop is a part of a question that can have the keyboard.
type questionStop int

const (
	onWord questionStop = iota
	onOption
	onYes
	onNo
)

// QuestionDialog is an open question.
type QuestionDialog struct {
	Question

	on     *Stack
	at     questionStop
	in     textinput.Model
	wrong  bool // the typed word is wrong
	ticked bool // state of the checkbox
	text   Scroller
	rows   map[questionStop]span // where the stops were drawn
}

// span is a part of a line.
type span struct{ y, from, to int }

// Title implements [Dialog].
func (d *QuestionDialog) Title() string { return d.Name }

// Restyle implements [Restyler].
func (d *QuestionDialog) Restyle() { d.in.SetStyles(PromptStyles(d.on.Look().Theme)) }

// Size implements [Dialog].
func (d *QuestionDialog) Size(maxW, maxH int) (w, h int) {
	w = min(QuestionWidth, maxW)
	return w, min(len(d.words(w, maxH))+1+len(d.footers()), maxH)
}

// stops returns the stops in order.
func (d *QuestionDialog) stops() []questionStop {
	var out []questionStop
	if d.Word != "" {
		out = append(out, onWord)
	}
	if d.Option != "" {
		out = append(out, onOption)
	}
	return append(out, onYes, onNo)
}

// words returns the wrapped text. If h lines cannot hold it and the parts below, the
// facts come before the current state of the subject.
func (d *QuestionDialog) words(w, h int) []string {
	lk := d.on.Look()
	out := lk.Wrap(themes.Text, d.Text, w)
	var now []string
	if gone := d.About.Gone(); gone != "" {
		out = append(out, lk.Wrap(themes.Warn, gone, w)...)
	} else if doing := d.About.Doing(); doing != "" {
		now = lk.Wrap(themes.Dim, "Now: "+doing, w)
	}
	lines := d.Lines
	if d.Live != nil {
		lines = d.Live()
	}
	var known []string
	if waits := d.About.Waiting(); waits != "" {
		known = lk.Wrap(themes.Pending, waits, w)
	}
	for _, l := range lines {
		known = append(known, form.Wrap(l, w)...)
	}
	switch {
	case len(known) == 0:
		return append(out, now...)
	case len(out)+len(now)+len(known)+2+len(d.footers()) > h:
		return append(append(out, known...), now...)
	}
	return append(append(append(out, now...), ""), known...)
}

// View implements [Dialog].
func (d *QuestionDialog) View(w, h int) []string {
	d.rows = map[questionStop]span{}
	feet := d.footers()
	room := max(h-len(feet), 0)
	out := d.text.View(d.words(w, h), 0, 0, w, room)
	for i, draw := range feet {
		out = append(out, draw(w, room+i))
	}
	return style.FitLines(out, w, h, d.on.Look().Glyphs.Ellipsis)
}

// footers returns the functions that draw the lines below the text.
func (d *QuestionDialog) footers() []func(w, y int) string {
	var out []func(w, y int) string
	if d.Word != "" {
		out = append(out, d.drawWord)
	}
	if d.wrong {
		out = append(out, d.drawWrong)
	}
	if d.Option != "" {
		out = append(out, d.drawOption)
	}
	return append(out, d.drawButtons)
}

func (d *QuestionDialog) drawWord(w, y int) string {
	const room = 12 // cells to type in
	lk := d.on.Look()
	label := "Type " + d.Word + " to go on: "
	if style.Width(label) > w-room {
		const around = len("Type : ") + 1 // with the pointer
		label = "Type " + style.Cut(d.Word, max(w-room-around, 1), lk.Glyphs.Ellipsis) + ": "
	}
	l := d.begin(w, onWord).Add(lk.Style(d.token(onWord, themes.Text)), label)
	d.rows[onWord] = span{y, l.Used(), w}
	d.in.SetWidth(max(l.Room()-1, 1))
	return l.Raw(d.in.View(), min(d.in.Width()+1, l.Room())).End(themes.Style{})
}

func (d *QuestionDialog) drawWrong(w, _ int) string {
	l := style.NewLine(w, d.on.Look().Glyphs.Ellipsis).Space(themes.Style{}, 1)
	return l.Add(d.on.Look().Style(themes.Warn), "That is not the name.").End(themes.Style{})
}

// begin starts the line of a stop. A mark shows which stop has the keyboard, not the
// color alone.
func (d *QuestionDialog) begin(w int, s questionStop) *style.Line {
	return style.NewLine(w, d.on.Look().Glyphs.Ellipsis).Add(d.on.Look().Style(themes.Accent), d.mark(s))
}

func (d *QuestionDialog) mark(s questionStop) string {
	if d.at == s {
		return d.on.Look().Glyphs.Pointer
	}
	return " "
}

func (d *QuestionDialog) drawOption(w, y int) string {
	lk := d.on.Look()
	box := "[ ] "
	if d.ticked {
		box = "[x] "
	}
	l := d.begin(w, onOption).Add(lk.Style(d.token(onOption, themes.Text)), box+d.Option)
	d.rows[onOption] = span{y, 0, l.Used()}
	return l.End(themes.Style{})
}

func (d *QuestionDialog) drawButtons(w, y int) string {
	const around = 12 // cells of the marks, the brackets and the blanks between
	l := style.NewLine(w, d.on.Look().Glyphs.Ellipsis)
	yes, no := d.label(d.Yes, "y"), d.label(d.No, "n")
	if style.Width(yes)+style.Width(no)+around > w {
		yes, no = d.Yes, d.No // the keys still work
	}
	for _, b := range []struct {
		stop questionStop
		text string
	}{{onYes, yes}, {onNo, no}} {
		from := l.Used()
		st := d.on.Look().Style(d.token(b.stop, themes.Button))
		if b.stop == onYes && !d.ready() {
			st = d.on.Look().Style(themes.Dim)
		}
		l.Add(d.on.Look().Style(themes.Accent), d.mark(b.stop)).Add(st, "[ "+b.text+" ]")
		d.rows[b.stop] = span{y, from, l.Used()}
		l.Space(themes.Style{}, 2)
	}
	return l.End(themes.Style{})
}

// label adds the key of a button, unless keys are typed into a field.
func (d *QuestionDialog) label(text, key string) string {
	if d.Word != "" {
		return text
	}
	return text + " (" + key + ")"
}

// token returns the token that a stop is drawn with.
func (d *QuestionDialog) token(s questionStop, without themes.Token) themes.Token {
	switch {
	case d.at != s:
		return without
	case without == themes.Button:
		return themes.ButtonActive
	}
	return themes.Accent
}

// ready reports whether yes is possible.
func (d *QuestionDialog) ready() bool {
	return d.Word == "" || textnorm.Same(strings.TrimSpace(d.in.Value()), strings.TrimSpace(d.Word))
}

// Cursor implements [CursorOwner].
func (d *QuestionDialog) Cursor() (x, y int, ok bool) {
	c := d.in.Cursor()
	if d.at != onWord || c == nil {
		return 0, 0, false
	}
	return d.rows[onWord].from + c.X, d.rows[onWord].y, true
}

// Update implements [Dialog].
func (d *QuestionDialog) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return d.press(msg)
	case tea.PasteMsg:
		if d.at == onWord {
			d.wrong = false
			return TypeClean(&d.in, msg)
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
	case d.direction(k) != 0:
		d.step(d.direction(k))
	case k == "pgup" || k == "pgdown":
		d.text.Press(msg)
	case k == "enter" && d.at == onWord:
		d.confirmWord()
	case k == "enter" && d.at == onOption: // only space changes it
		d.step(1)
	case k == "enter" || k == "space" && d.at != onWord:
		return d.choose()
	case d.at == onWord:
		d.wrong = false
		return TypeClean(&d.in, msg)
	case k == "y" && d.Word == "":
		d.focus(onYes)
		return d.choose()
	case k == "n" && d.Word == "":
		d.no()
	}
	return nil
}

// direction returns the direction of a key among the stops, or 0.
func (d *QuestionDialog) direction(key string) int {
	switch key {
	case "tab", "down":
		return 1
	case "shift+tab", "up":
		return -1
	}
	if d.at == onWord { // these keys move in the input
		return 0
	}
	return map[string]int{"left": -1, "right": 1}[key]
}

// confirmWord moves on to the button if the word is right.
func (d *QuestionDialog) confirmWord() {
	if d.wrong = !d.ready(); d.wrong {
		d.focus(onWord)
	} else {
		d.focus(onYes)
	}
}

func (d *QuestionDialog) step(by int) {
	stops := d.stops()
	at := 0
	for i, s := range stops {
		if s == d.at {
			at = i
		}
	}
	d.focus(stops[(at+by+len(stops))%len(stops)])
}

func (d *QuestionDialog) focus(s questionStop) {
	d.at = s
	if s == onWord {
		d.in.Focus()
	} else {
		d.in.Blur()
	}
}

// choose triggers the stop that has the keyboard.
func (d *QuestionDialog) choose() tea.Cmd {
	switch d.at {
	case onOption:
		d.ticked = !d.ticked
	case onYes:
		if d.confirmWord(); d.wrong {
			return nil
		}
		d.on.Close(d)
		return d.Then(d.ticked)
	case onNo:
		d.no()
	case onWord:
	}
	return nil
}

// HandleEsc implements [EscHandler]: esc means no.
func (d *QuestionDialog) HandleEsc() bool {
	d.no()
	return true
}

func (d *QuestionDialog) no() {
	d.on.Close(d)
	if d.Otherwise != nil {
		d.Otherwise()
	}
}

// Hints implements [Hinter]. It lists keys that only some questions have.
func (d *QuestionDialog) Hints() []style.KeyHint {
	var out []style.KeyHint
	if d.Word != "" || d.Option != "" {
		out = append(out, style.KeyHint{Key: "tab", Does: "next"})
	}
	if d.at == onOption {
		out = append(out, style.KeyHint{Key: "space", Does: "tick"})
	}
	return out
}

func (d *QuestionDialog) click(msg tea.MouseClickMsg) tea.Cmd {
	if msg.Button != tea.MouseLeft {
		return nil
	}
	for s, at := range d.rows {
		if msg.Y == at.y && msg.X >= at.from && msg.X < at.to {
			d.focus(s)
			if s == onWord {
				return nil
			}
			return d.choose()
		}
	}
	return nil
}
