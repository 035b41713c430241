package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/form"
	"wallboard/ui/look"
)

// outcome is the dialog that waits for what becomes of an order. It closes by
// itself when the platform has done it; whoever closes it before finds the
// outcome in the log of actions.
type outcome struct {
	order  order
	sc     *scene
	before dialog // what the order was filled in with, to be corrected; nil: nothing
	asked  time.Time
	report *resource.Report // nil while it is under way
	text   scroller
}

// send carries an order out in place of the dialog it was given in, which comes
// back only when the platform did nothing.
func (m *Model) send(o order, before dialog) tea.Cmd {
	if before != nil {
		m.dismiss(before)
	}
	d := &outcome{order: o, sc: m.scene, before: before, asked: m.scene.floor.Ours}
	return tea.Batch(m.openDialog(d), m.act(d, o))
}

func (d *outcome) title(*scene) string { return capital(verbName(d.order.verb)) }

func (d *outcome) restyle(*scene) {}

func (d *outcome) cursor() (x, y int, ok bool) { return 0, 0, false }

func (d *outcome) size(maxW, maxH int) (w, h int) {
	w = min(questionWidth, maxW)
	h = len(d.words(w))
	if d.again() {
		h += hintRows
	}
	return w, min(h, maxH)
}

// hintRows is the room for the keys of a dialog: a blank line and theirs.
const hintRows = 2

func (d *outcome) words(w int) []string {
	sc := d.sc
	out := sc.said(themes.Title, d.order.target, w)
	if d.report == nil {
		out = append(out, sc.said(themes.Pending, sc.noAnswer(d.asked), w)...)
		return append(out, sc.said(themes.Dim, "Closing this stops nothing: the outcome will be in the log of my actions.", w)...)
	}
	token := outcomeToken(d.report.Outcome)
	out = append(out, sc.said(token, outcomeGlyph(d.report.Outcome, sc.ASCII)+" "+capital(outcomeWord(d.report.Outcome)), w)...)
	for _, l := range form.Wrap(d.report.Text, w) {
		out = append(out, sc.look.Style(themes.Text).Render(l))
	}
	return out
}

// noAnswer says that an action has not come to an end.
func (sc *scene) noAnswer(asked time.Time) string {
	const slow = 5 * time.Second
	if sc.floor.Ours.Sub(asked) < slow {
		return "Waiting for the platform's answer, for " + sc.floor.Age(sc.look, asked) + " now."
	}
	return "No answer yet, for " + sc.floor.Age(sc.look, asked) + " now. If none comes, it is found out whether it was done."
}

// again reports whether what was filled in may be corrected and sent once more:
// only when the platform is known to have done nothing.
func (d *outcome) again() bool {
	return d.before != nil && d.report != nil &&
		(d.report.Outcome == resource.Rejected || d.report.Outcome == resource.NotSent)
}

func (d *outcome) view(sc *scene, w, h int) []string {
	if !d.again() {
		return d.text.view(d.words(w), 0, 0, w, h)
	}
	out := d.text.view(d.words(w), 0, 0, w, max(h-1, 0))
	return append(out, sc.hints(w, hint{"enter", "correct it"}))[:h]
}

func (d *outcome) update(m *Model, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case reportMsg:
		d.report = &msg.report
		if msg.report.Outcome != resource.Confirmed {
			return nil
		}
		m.dismiss(d)
		if d.order.then != nil {
			return d.order.then(m)
		}
	case tea.KeyPressMsg:
		if msg.String() != "enter" {
			d.text.press(msg)
			return nil
		}
		if d.report != nil {
			m.dismiss(d)
		}
		if d.again() {
			cmd := m.openDialog(d.before)
			if f, ok := d.before.(*deskForm); ok {
				f.form.Rewind() // the button must not have the keyboard
			}
			m.mute("enter")
			return cmd
		}
	case tea.MouseWheelMsg:
		d.text.wheel(msg)
	}
	return nil
}

// outcomeGlyph is the mark of an outcome, one cell wide.
func outcomeGlyph(o resource.Outcome, ascii bool) string {
	switch o {
	case resource.Confirmed:
		return markConfirmed.look(ascii).Glyph
	case resource.Rejected, resource.NotSent:
		return markRejected.look(ascii).Glyph
	case resource.Unknown:
	}
	return markUnconfirmed.look(ascii).Glyph
}

// hint is a key and what it does, for the last line of a dialog.
type hint struct{ key, does string }

// hints is the last line of a dialog: its keys, the most important first, as many
// as there is room for. The footer names esc.
func (sc *scene) hints(w int, keys ...hint) string {
	l := look.NewLine(w, sc.look.Glyphs.Ellipsis)
	for _, k := range keys {
		if l.Used() > 0 {
			l.Space(themes.Style{}, 2)
		}
		if look.Width(k.key)+1+look.Width(k.does) > l.Room() {
			break
		}
		l.Add(sc.look.Style(themes.Key), k.key).Add(sc.look.Style(themes.KeyText), " "+k.does)
	}
	return l.End(themes.Style{})
}

// settleTime is how long a warning ignores keys: whoever is typing when it
// comes up has not read it.
const settleTime = time.Second

// warning is what must not be overlooked. It stays until it is acknowledged.
type warning struct {
	sc    *scene
	name  string
	lines []string
	since time.Time
	text  scroller
}

// warn shows a report's warning, and its text, on top of everything.
func (m *Model) warn(name string, r resource.Report) tea.Cmd {
	return m.openDialog(&warning{sc: m.scene, name: name, lines: []string{r.Warning, r.Text}, since: m.scene.floor.Ours})
}

func (d *warning) title(*scene) string { return d.name }

func (d *warning) restyle(*scene) {}

func (d *warning) cursor() (x, y int, ok bool) { return 0, 0, false }

func (d *warning) size(maxW, maxH int) (w, h int) {
	w = min(questionWidth, maxW)
	return w, min(len(d.words(w))+2, maxH)
}

func (d *warning) words(w int) []string {
	sc := d.sc
	st := sc.look.Style(themes.BadgeCritical)
	var out []string
	for _, l := range form.Wrap(sc.look.Glyphs.Broken+" "+d.lines[0], w-2) {
		out = append(out, look.NewLine(w, sc.look.Glyphs.Ellipsis).Space(st, 1).Add(st, l).End(st))
	}
	if d.lines[1] != "" {
		out = append(append(out, ""), sc.said(themes.Text, d.lines[1], w)...)
	}
	return out
}

func (d *warning) view(sc *scene, w, h int) []string {
	out := d.text.view(d.words(w), 0, 0, w, max(h-1, 0))
	return append(out, sc.hints(w, hint{"enter", "I have read this"}))[:h]
}

func (d *warning) update(m *Model, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if msg.String() != "enter" {
			d.text.press(msg)
		} else if d.read() {
			m.dismiss(d)
		}
	case tea.MouseWheelMsg:
		d.text.wheel(msg)
	}
	return nil
}

// read reports whether there was time to read it.
func (d *warning) read() bool { return d.sc.floor.Ours.Sub(d.since) >= settleTime }
