package ui

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"wallboard/themes"
	"wallboard/ui/floor"
	"wallboard/ui/form"
	"wallboard/ui/look"
)

// question is what is asked before something that is hard to undo. No key that
// led here answers it: the button that does nothing has the keyboard first.
type question struct {
	name   string // the title
	text   string
	lines  []string     // what is to be known before it is answered, styles included
	about  floor.Target // what it does now is said, and when it goes away
	yes    string       // the button that does it
	no     string       // the button that does not; "" is "Cancel"
	word   string       // must be typed before; "" is nothing
	option string       // can be switched on besides; "" is nothing
	// live are lines that change; when there are none any more, the question is
	// closed. Only the one about quitting has them.
	live    func() []string
	then    func(m *Model, on bool) tea.Cmd
	reloads bool // it is about a configuration that changed; the next change closes it
}

// ask opens a question. Whatever the answer, it is closed by it.
func (m *Model) ask(q question) tea.Cmd {
	d := &questionDialog{question: q, sc: m.scene, at: onNo}
	d.waits = func() string { return m.marks.waiting(m.scene, q.about) }
	if d.no == "" {
		d.no = "Cancel"
	}
	d.in = newPrompt()
	d.in.SetStyles(promptStyles(m.scene.look.Theme))
	if q.word != "" {
		d.focus(onWord)
	}
	return m.openDialog(d)
}

// questionStop is what has the keyboard in a question.
type questionStop int

const (
	onWord questionStop = iota
	onOption
	onYes
	onNo
)

type questionDialog struct {
	question
	sc    *scene
	at    questionStop
	in    textinput.Model
	wrong bool // something else than the word was typed
	on    bool // the option
	text  scroller
	waits func() string         // what was asked for before and is not done yet
	rows  map[questionStop]span // where the stops were drawn
}

// span is a piece of a line.
type span struct{ y, from, to int }

func (d *questionDialog) title(*scene) string { return d.name }

func (d *questionDialog) restyle(sc *scene) { d.in.SetStyles(promptStyles(sc.look.Theme)) }

// questionWidth is how wide a question is easy to read.
const questionWidth = 64

func (d *questionDialog) size(maxW, maxH int) (w, h int) {
	w = min(questionWidth, maxW)
	return w, min(len(d.words(w, maxH))+1+len(d.feet()), maxH)
}

// stops returns what can have the keyboard, in order.
func (d *questionDialog) stops() []questionStop {
	var out []questionStop
	if d.word != "" {
		out = append(out, onWord)
	}
	if d.option != "" {
		out = append(out, onOption)
	}
	return append(out, onYes, onNo)
}

// words is what is to be read, wrapped. Where h lines do not hold it and what is
// under it, what has to be known comes before what the target does now.
func (d *questionDialog) words(w, h int) []string {
	sc := d.sc
	out := sc.said(themes.Text, d.question.text, w)
	var now []string
	if gone := sc.floor.Gone(d.about); gone != "" {
		out = append(out, sc.said(themes.Warn, gone, w)...)
	} else if doing := sc.floor.DoingNow(sc.look, d.about); doing != "" {
		now = sc.said(themes.Dim, "Now: "+doing, w)
	}
	lines := d.lines
	if d.live != nil {
		lines = d.live()
	}
	var known []string
	if waits := d.waits(); waits != "" {
		known = sc.said(themes.Pending, waits, w)
	}
	for _, l := range lines {
		known = append(known, form.Wrap(l, w)...)
	}
	switch {
	case len(known) == 0:
		return append(out, now...)
	case len(out)+len(now)+len(known)+2+len(d.feet()) > h:
		return append(append(out, known...), now...)
	}
	return append(append(append(out, now...), ""), known...)
}

func (d *questionDialog) view(sc *scene, w, h int) []string {
	d.rows = map[questionStop]span{}
	feet := d.feet()
	room := max(h-len(feet), 0)
	out := d.text.view(d.words(w, h), 0, 0, w, room)
	for i, draw := range feet {
		out = append(out, draw(w, room+i))
	}
	return look.FitLines(out, w, h, sc.look.Glyphs.Ellipsis)
}

// feet draw the lines under the words.
func (d *questionDialog) feet() []func(w, y int) string {
	var out []func(w, y int) string
	if d.word != "" {
		out = append(out, d.drawWord)
	}
	if d.wrong {
		out = append(out, d.drawWrong)
	}
	if d.option != "" {
		out = append(out, d.drawOption)
	}
	return append(out, d.drawButtons)
}

func (d *questionDialog) drawWord(w, y int) string {
	const room = 12 // to type in
	sc := d.sc
	label := "Type " + d.word + " to go on: "
	if look.Width(label) > w-room {
		const around = len("Type : ") + 1 // the pointer
		label = "Type " + look.Cut(d.word, max(w-room-around, 1), sc.look.Glyphs.Ellipsis) + ": "
	}
	l := d.begin(w, onWord).Add(sc.look.Style(d.token(onWord, themes.Text)), label)
	d.rows[onWord] = span{y, l.Used(), w}
	d.in.SetWidth(max(l.Room()-1, 1))
	return l.Raw(d.in.View(), min(d.in.Width()+1, l.Room())).End(themes.Style{})
}

func (d *questionDialog) drawWrong(w, _ int) string {
	l := look.NewLine(w, d.sc.look.Glyphs.Ellipsis).Space(themes.Style{}, 1)
	return l.Add(d.sc.look.Style(themes.Warn), "That is not the name.").End(themes.Style{})
}

// begin begins the line of a stop. The mark, not the colour alone, tells what
// has the keyboard.
func (d *questionDialog) begin(w int, s questionStop) *look.Line {
	return look.NewLine(w, d.sc.look.Glyphs.Ellipsis).Add(d.sc.look.Style(themes.Accent), d.mark(s))
}

func (d *questionDialog) mark(s questionStop) string {
	if d.at == s {
		return d.sc.look.Glyphs.Pointer
	}
	return " "
}

func (d *questionDialog) drawOption(w, y int) string {
	sc := d.sc
	box := "[ ] "
	if d.on {
		box = "[x] "
	}
	l := d.begin(w, onOption).Add(sc.look.Style(d.token(onOption, themes.Text)), box+d.option)
	d.rows[onOption] = span{y, 0, l.Used()}
	return l.End(themes.Style{})
}

func (d *questionDialog) drawButtons(w, y int) string {
	const around = 12 // the marks, the brackets and the blanks between
	l := look.NewLine(w, d.sc.look.Glyphs.Ellipsis)
	yes, no := d.label(d.yes, "y"), d.label(d.no, "n")
	if look.Width(yes)+look.Width(no)+around > w {
		yes, no = d.yes, d.no // the keys work all the same
	}
	for _, b := range []struct {
		stop questionStop
		text string
	}{{onYes, yes}, {onNo, no}} {
		from := l.Used()
		st := d.sc.look.Style(d.token(b.stop, themes.Button))
		if b.stop == onYes && !d.ready() {
			st = d.sc.look.Style(themes.Dim)
		}
		l.Add(d.sc.look.Style(themes.Accent), d.mark(b.stop)).Add(st, "[ "+b.text+" ]")
		d.rows[b.stop] = span{y, from, l.Used()}
		l.Space(themes.Style{}, 2)
	}
	return l.End(themes.Style{})
}

// label names the key of a button, where keys are not typed into a field.
func (d *questionDialog) label(text, key string) string {
	if d.word != "" {
		return text
	}
	return text + " (" + key + ")"
}

// token returns what a stop is drawn with.
func (d *questionDialog) token(s questionStop, without themes.Token) themes.Token {
	switch {
	case d.at != s:
		return without
	case without == themes.Button:
		return themes.ButtonActive
	}
	return themes.Accent
}

// ready reports whether yes may be answered.
func (d *questionDialog) ready() bool {
	return d.word == "" || strings.EqualFold(strings.TrimSpace(d.in.Value()), strings.TrimSpace(d.word))
}

func (d *questionDialog) cursor() (x, y int, ok bool) {
	c := d.in.Cursor()
	if d.at != onWord || c == nil {
		return 0, 0, false
	}
	return d.rows[onWord].from + c.X, d.rows[onWord].y, true
}

func (d *questionDialog) update(m *Model, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return d.press(m, msg)
	case tea.PasteMsg:
		if d.at == onWord {
			d.wrong = false
			return typeClean(&d.in, msg)
		}
	case tea.MouseWheelMsg:
		d.text.wheel(msg)
	case tea.MouseClickMsg:
		return d.click(m, msg)
	}
	return nil
}

func (d *questionDialog) press(m *Model, msg tea.KeyPressMsg) tea.Cmd {
	switch k := msg.String(); {
	case d.way(k) != 0:
		d.step(d.way(k))
	case k == "pgup" || k == "pgdown":
		d.text.press(msg)
	case k == "enter" && d.at == onWord:
		d.named()
	case k == "enter" && d.at == onOption: // only space changes it
		d.step(1)
	case k == "enter" || k == "space" && d.at != onWord:
		return d.choose(m)
	case d.at == onWord:
		d.wrong = false
		return typeClean(&d.in, msg)
	case k == "y" && d.word == "":
		d.focus(onYes)
		return d.choose(m)
	case k == "n" && d.word == "":
		m.dismiss(d)
	}
	return nil
}

// way is where a key leads among the stops, 0 is nowhere.
func (d *questionDialog) way(key string) int {
	switch key {
	case "tab", "down":
		return 1
	case "shift+tab", "up":
		return -1
	}
	if d.at == onWord { // they move in what is typed
		return 0
	}
	return map[string]int{"left": -1, "right": 1}[key]
}

// named goes on to the button when the word is the right one.
func (d *questionDialog) named() {
	if d.wrong = !d.ready(); d.wrong {
		d.focus(onWord)
	} else {
		d.focus(onYes)
	}
}

func (d *questionDialog) step(by int) {
	stops := d.stops()
	at := 0
	for i, s := range stops {
		if s == d.at {
			at = i
		}
	}
	d.focus(stops[(at+by+len(stops))%len(stops)])
}

func (d *questionDialog) focus(s questionStop) {
	d.at = s
	if s == onWord {
		d.in.Focus()
	} else {
		d.in.Blur()
	}
}

// choose does what the stop with the keyboard says.
func (d *questionDialog) choose(m *Model) tea.Cmd {
	switch d.at {
	case onOption:
		d.on = !d.on
	case onYes:
		if d.named(); d.wrong {
			return nil
		}
		m.dismiss(d)
		return d.then(m, d.on)
	case onNo:
		m.dismiss(d)
	case onWord:
	}
	return nil
}

// advice names the keys that only some questions have.
func (d *questionDialog) advice() []hint {
	var out []hint
	if d.word != "" || d.option != "" {
		out = append(out, hint{"tab", "next"})
	}
	if d.at == onOption {
		out = append(out, hint{"space", "tick"})
	}
	return out
}

func (d *questionDialog) click(m *Model, msg tea.MouseClickMsg) tea.Cmd {
	if msg.Button != tea.MouseLeft {
		return nil
	}
	for s, at := range d.rows {
		if msg.Y == at.y && msg.X >= at.from && msg.X < at.to {
			d.focus(s)
			if s == onWord {
				return nil
			}
			return d.choose(m)
		}
	}
	return nil
}
