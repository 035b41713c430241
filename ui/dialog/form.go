package dialog

import (
	"cmp"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/themes"
	"wallboard/ui/form"
	"wallboard/ui/style"
)

// Form is a dialog with fields to fill in.
type Form struct {
	Fields *form.Form
	About  func() string  // returns a remark about the input; may be nil
	Done   func() tea.Cmd // called when the form is submitted
	Off    func() string  // returns why the form cannot be submitted now, or ""; nil: it always can

	on    *Stack
	name  string
	does  string // label of the button
	brief bool   // closing it needs no confirmation, because it is quickly typed again
	said  string // why nothing was done
}

// NewForm returns a form with a button. Dates are in a time zone; nil means the local
// one.
func NewForm(on *Stack, name, button string, fields []form.Field, zone *time.Location) *Form {
	lk := on.Look()
	return &Form{
		on: on, name: name, does: strings.ToLower(strings.TrimSuffix(button, lk.Glyphs.Ellipsis)),
		Fields: form.New(fields, form.Options{
			Styles: lk.FormStyles(), ASCII: lk.ASCII, Submit: button, Location: zone, Clean: model.CleanText,
			Day: func(text string) (time.Time, bool) {
				return contact.ParseDay(text, on.Now().In(cmp.Or(zone, time.Local)))
			},
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

// Restyle implements [Restyler].
func (d *Form) Restyle() { d.Fields.Restyle(d.on.Look().FormStyles()) }

// Size implements [Dialog].
func (d *Form) Size(maxW, maxH int) (w, h int) {
	w = min(formWidth, maxW)
	return w, min(d.Fields.Height(w)+len(d.notes(w))+1, maxH)
}

// notes returns the lines under the form.
func (d *Form) notes(w int) []string {
	lk := d.on.Look()
	switch {
	case d.said != "":
		return lk.Wrap(themes.Warn, d.said, w)
	case d.About != nil:
		return append(d.off(w), lk.Wrap(themes.Dim, d.About(), w)...)
	}
	return d.off(w)
}

// off explains early why the form cannot be submitted now.
func (d *Form) off(w int) []string {
	if d.Off == nil {
		return nil
	}
	why := d.Off()
	if why == "" {
		return nil
	}
	return d.on.Look().Wrap(themes.Warn, why, w)
}

// Hints implements [Hinter].
func (d *Form) Hints() []style.KeyHint {
	return []style.KeyHint{{Key: "tab", Does: "next"}, {Key: "ctrl+s", Does: d.does}}
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
	return style.FitLines(append(out, notes...), w, h, d.on.Look().Glyphs.Ellipsis)
}

// Cursor implements [CursorOwner].
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

// Say shows under the form why nothing was done.
func (d *Form) Say(text string) tea.Cmd {
	d.said = text
	return nil
}

// Unsaved implements [UnsavedInput].
func (d *Form) Unsaved() bool { return !d.brief && d.Fields.Dirty() }
