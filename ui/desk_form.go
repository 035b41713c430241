package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/form"
	"wallboard/ui/look"
)

// deskForm is a dialog to fill in what the platform is asked for, or told to
// do.
type deskForm struct {
	sc    *scene
	name  string
	does  string // what the button says
	form  *form.Form
	about func() string          // what is to be said about what was typed; nil: nothing
	done  func(m *Model) tea.Cmd // the form was submitted

	local bool   // it is nothing for the platform
	brief bool   // typed again in no time: closing it asks nothing
	said  string // why nothing is done
}

// openForm opens a form with a button.
func openForm(m *Model, name, button string, fields []form.Field) (*deskForm, tea.Cmd) {
	d := &deskForm{sc: m.scene, name: name, does: strings.ToLower(strings.TrimSuffix(button, m.scene.look.Glyphs.Ellipsis))}
	d.form = form.New(fields, form.Options{
		Styles: m.scene.look.FormStyles(), ASCII: m.scene.ASCII, Submit: button, Location: m.scene.Location,
		Clean: model.CleanText,
	})
	return d, m.openDialog(d)
}

// openSearch opens a form that changes nothing.
func openSearch(m *Model, name, button string, fields []form.Field) (*deskForm, tea.Cmd) {
	d, cmd := openForm(m, name, button, fields)
	d.brief = true
	return d, cmd
}

func (d *deskForm) title(*scene) string { return d.name }

func (d *deskForm) restyle(sc *scene) { d.form.Restyle(sc.look.FormStyles()) }

// formWidth is how wide a form is easy to fill in.
const formWidth = 72

func (d *deskForm) size(maxW, maxH int) (w, h int) {
	w = min(formWidth, maxW)
	return w, min(d.form.Height(w)+len(d.notes(w))+1, maxH)
}

// notes is what is said under the form.
func (d *deskForm) notes(w int) []string {
	sc := d.sc
	switch {
	case d.said != "":
		return sc.said(themes.Warn, d.said, w)
	case d.about != nil:
		return append(d.off(w), sc.said(themes.Dim, d.about(), w)...)
	}
	return d.off(w)
}

// off says that what is typed cannot be sent now, before it is typed in vain.
func (d *deskForm) off(w int) []string {
	if d.local {
		return nil
	}
	why, ok := d.sc.Controller.State()
	if ok {
		return nil
	}
	return d.sc.said(themes.Warn, "Control is off: "+oneLine(why), w)
}

// advice implements [adviser].
func (d *deskForm) advice() []hint { return []hint{{"tab", "next"}, {"ctrl+s", d.does}} }

func (d *deskForm) view(sc *scene, w, h int) []string {
	notes := d.notes(w)
	notes = notes[:min(len(notes), max(h-2, 0))]
	room := h - len(notes)
	if room > d.form.Height(w) && len(notes) > 0 {
		room--
	}
	out := d.form.Lines(w, room)
	if len(out)+len(notes) < h {
		out = append(out, "")
	}
	return look.FitLines(append(out, notes...), w, h, sc.look.Glyphs.Ellipsis)
}

func (d *deskForm) cursor() (x, y int, ok bool) {
	return d.form.Cursor()
}

func (d *deskForm) update(m *Model, msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		if msg.Button == tea.MouseLeft {
			d.form.Click(msg.X, msg.Y)
		}
	case tea.MouseWheelMsg:
		return d.form.Update(msg)
	default:
		d.said = ""
		cmd = d.form.Update(msg)
	}
	if d.form.Submitted() {
		return tea.Batch(cmd, d.done(m))
	}
	return cmd
}

// ask asks whether the platform is to do what was filled in: see [Model.send].
func (d *deskForm) ask(m *Model, o order, q question) tea.Cmd {
	if why := m.scene.refusal(o.verb); why != "" {
		return d.say(why)
	}
	q.name = d.name
	return m.confirm(d, o, q)
}

// confirm asks whether an order is meant, and sends it.
func (m *Model) confirm(before dialog, o order, q question) tea.Cmd {
	if q.name == "" {
		q.name = capital(verbName(o.verb))
	}
	q.then = func(m *Model, _ bool) tea.Cmd { return m.send(o, before) }
	return m.ask(q)
}

// say says under the form why nothing is done.
func (d *deskForm) say(text string) tea.Cmd {
	d.said = text
	return nil
}

// typed implements [typist].
func (d *deskForm) typed() bool { return !d.brief && d.form.Dirty() }
