package dialog

import (
	"cmp"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/model/past"
	"wallboard/themes"
	"wallboard/ui/form"
	"wallboard/ui/look"
)

// Form is a dialog to fill in.
type Form struct {
	Fields *form.Form
	About  func() string  // what is to be said about what was typed; nil: nothing
	Done   func() tea.Cmd // the form was submitted
	Off    func() string  // why what is typed could not be sent now, "" when it could; nil: it always can

	on    *Stack
	name  string
	does  string // what the button says
	brief bool   // typed again in no time: closing it asks nothing
	said  string // why nothing is done
}

// NewForm returns a form with a button. Dates are those of a time zone, nil: of the
// machine.
func NewForm(on *Stack, name, button string, fields []form.Field, zone *time.Location) *Form {
	lk := on.Look()
	return &Form{
		on: on, name: name, does: strings.ToLower(strings.TrimSuffix(button, lk.Glyphs.Ellipsis)),
		Fields: form.New(fields, form.Options{
			Styles: lk.FormStyles(), ASCII: lk.ASCII, Submit: button, Location: zone, Clean: model.CleanText,
			Day: func(text string) (time.Time, bool) { return past.DayNamed(text, on.Now().In(cmp.Or(zone, time.Local))) },
		}),
	}
}

// NewSearch returns a form that changes nothing.
func NewSearch(on *Stack, name, button string, fields []form.Field, zone *time.Location) *Form {
	d := NewForm(on, name, button, fields, zone)
	d.brief = true
	return d
}

// Title implements [Dialog].
func (d *Form) Title() string { return d.name }

// Restyle implements [Styled].
func (d *Form) Restyle() { d.Fields.Restyle(d.on.Look().FormStyles()) }

// Size implements [Dialog].
func (d *Form) Size(maxW, maxH int) (w, h int) {
	w = min(formWidth, maxW)
	return w, min(d.Fields.Height(w)+len(d.notes(w))+1, maxH)
}

// notes is what is said under the form.
func (d *Form) notes(w int) []string {
	lk := d.on.Look()
	switch {
	case d.said != "":
		return lk.Said(themes.Warn, d.said, w)
	case d.About != nil:
		return append(d.off(w), lk.Said(themes.Dim, d.About(), w)...)
	}
	return d.off(w)
}

// off says that what is typed cannot be sent now, before it is typed in vain.
func (d *Form) off(w int) []string {
	if d.Off == nil {
		return nil
	}
	why := d.Off()
	if why == "" {
		return nil
	}
	return d.on.Look().Said(themes.Warn, why, w)
}

// Advice implements [Adviser].
func (d *Form) Advice() []look.Hint {
	return []look.Hint{{Key: "tab", Does: "next"}, {Key: "ctrl+s", Does: d.does}}
}

// View implements [Dialog].
func (d *Form) View(w, h int) []string {
	notes := d.notes(w)
	notes = notes[:min(len(notes), max(h-2, 0))]
	room := h - len(notes)
	if room > d.Fields.Height(w) && len(notes) > 0 {
		room--
	}
	out := d.Fields.Lines(w, room)
	if len(out)+len(notes) < h {
		out = append(out, "")
	}
	return look.FitLines(append(out, notes...), w, h, d.on.Look().Glyphs.Ellipsis)
}

// Cursor implements [Pointer].
func (d *Form) Cursor() (x, y int, ok bool) {
	return d.Fields.Cursor()
}

// Update implements [Dialog].
func (d *Form) Update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		if msg.Button == tea.MouseLeft {
			d.Fields.Click(msg.X, msg.Y)
		}
	case tea.MouseWheelMsg:
		return d.Fields.Update(msg)
	default:
		d.said = ""
		cmd = d.Fields.Update(msg)
	}
	if d.Fields.Submitted() {
		return tea.Batch(cmd, d.Done())
	}
	return cmd
}

// Say says under the form why nothing is done.
func (d *Form) Say(text string) tea.Cmd {
	d.said = text
	return nil
}

// Typed implements [Typist].
func (d *Form) Typed() bool { return !d.brief && d.Fields.Dirty() }
