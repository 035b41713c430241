package ui

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"wallboard/themes"
	"wallboard/ui/form"
)

// question is what is asked before something that is hard to undo. No key that
// led here answers it: the button that does nothing has the keyboard first.
type question struct {
	name   string // the title
	text   string
	lines  []string // what is to be known before it is answered, styles included
	about  target   // what it does now is said, and when it goes away
	yes    string   // the button that does it
	no     string   // the button that does not; "" is "Cancel"
	word   string   // must be typed before; "" is nothing
	option string   // can be switched on besides; "" is nothing
	then   func(m *Model, on bool) tea.Cmd
}

// ask opens a question. Whatever the answer, it is closed by it.
func (m *Model) ask(q question) tea.Cmd {
	d := &questionDialog{question: q, sc: m.scene, at: onNo}
	if d.no == "" {
		d.no = "Cancel"
	}
	d.in = newPrompt()
	d.in.SetStyles(promptStyles(m.scene.theme))
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
	sc   *scene
	at   questionStop
	in   textinput.Model
	on   bool // the option
	text scroller
	rows map[questionStop]span // where the stops were drawn
}

// span is a piece of a line.
type span struct{ y, from, to int }

func (d *questionDialog) title(*scene) string { return d.name }

func (d *questionDialog) restyle(sc *scene) { d.in.SetStyles(promptStyles(sc.theme)) }

// questionWidth is how wide a question is easy to read.
const questionWidth = 64

func (d *questionDialog) size(maxW, maxH int) (w, h int) {
	w = min(questionWidth, maxW)
	return w, min(len(d.words(w))+len(d.stops()), maxH)
}

// stops returns what can have the keyboard, in order. Both buttons share a
// line; an empty one is above them.
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

// words is what is to be read, wrapped.
func (d *questionDialog) words(w int) []string {
	sc := d.sc
	out := sc.said(themes.Text, d.question.text, w)
	if gone := sc.gone(d.about); gone != "" {
		out = append(out, sc.said(themes.Warn, gone, w)...)
	} else if now := sc.doingNow(d.about); now != "" {
		out = append(out, sc.said(themes.Dim, "Now: "+now, w)...)
	}
	if len(d.lines) > 0 {
		out = append(out, "")
	}
	for _, l := range d.lines {
		out = append(out, form.Wrap(l, w)...)
	}
	return out
}

func (d *questionDialog) view(sc *scene, w, h int) []string {
	d.rows = map[questionStop]span{}
	var foot []string
	for _, s := range d.stops() {
		switch s {
		case onWord:
			foot = append(foot, d.drawWord(w, h-len(d.stops())+len(foot)+1))
		case onOption:
			foot = append(foot, d.drawOption(w, h-len(d.stops())+len(foot)+1))
		case onYes:
			foot = append(foot, d.drawButtons(w, h-1))
		case onNo:
		}
	}
	words := d.words(w)
	room := max(h-len(foot), 0)
	out := d.text.view(words, 0, 0, w, room)
	return fitLines(append(out, foot...), w, h, sc.glyphs.ellipsis)
}

func (d *questionDialog) drawWord(w, y int) string {
	sc := d.sc
	label := "Type " + d.word + " to go on: "
	if textWidth(label) > w-10 {
		label = "Type the name: "
	}
	l := newLine(w, sc.glyphs.ellipsis).add(sc.style(d.token(onWord, themes.Text)), label)
	d.rows[onWord] = span{y, l.used, w}
	d.in.SetWidth(max(l.room()-1, 1))
	return l.raw(d.in.View(), min(d.in.Width()+1, l.room())).end(themes.Style{})
}

func (d *questionDialog) drawOption(w, y int) string {
	sc := d.sc
	box := "[ ] "
	if d.on {
		box = "[x] "
	}
	l := newLine(w, sc.glyphs.ellipsis).add(sc.style(d.token(onOption, themes.Text)), box+d.option)
	d.rows[onOption] = span{y, 0, l.used}
	return l.end(themes.Style{})
}

func (d *questionDialog) drawButtons(w, y int) string {
	l := newLine(w, d.sc.glyphs.ellipsis)
	for _, b := range []struct {
		stop questionStop
		text string
	}{{onYes, d.label(d.yes, "y")}, {onNo, d.label(d.no, "n")}} {
		from := l.used
		st := d.sc.style(d.token(b.stop, themes.Button))
		if b.stop == onYes && !d.ready() {
			st = d.sc.style(themes.Dim)
		}
		mark := " "
		if d.at == b.stop {
			mark = d.sc.glyphs.pointer
		}
		l.add(d.sc.style(themes.Accent), mark).add(st, "[ "+b.text+" ]")
		d.rows[b.stop] = span{y, from, l.used}
		l.space(themes.Style{}, 2)
	}
	return l.end(themes.Style{})
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

// ready tells whether yes may be answered.
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
	case k == "tab" || k == "down":
		d.step(1)
	case k == "shift+tab" || k == "up":
		d.step(-1)
	case k == "pgup" || k == "pgdown":
		d.text.press(msg)
	case k == "enter" && d.at == onWord:
		d.step(1)
	case k == "enter" || k == "space" && d.at != onWord:
		return d.choose(m)
	case d.at == onWord:
		return typeClean(&d.in, msg)
	case k == "left" || k == "right":
		d.step(map[string]int{"left": -1, "right": 1}[k])
	case k == "y" && d.word == "":
		d.focus(onYes)
		return d.choose(m)
	case k == "n" && d.word == "":
		m.dismiss(d)
	}
	return nil
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
		if !d.ready() {
			d.focus(onWord)
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
