package dialog

import (
	"cmp"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/themes"
	"wallboard/ui/style"
)

// Form is a dialog with fields for input.
type Form struct {
	Fields   *Fields
	Remark   func() string  // returns a remark about the input, shown below the fields; may be nil
	OnSubmit func() tea.Cmd // called when the user has submitted the form
	Problem  func() string  // returns the reason why the form currently cannot be submitted, or ""; may be nil

	dialogs              *Stack
	name                 string
	buttonLabel          string
	closesWithoutConfirm bool   // closing the form needs no confirmation, because its input is quickly typed again
	message              string // message that says why the form was not submitted; "": none
}

// formStyles returns the styles of the fields of a form.
func formStyles(lk *style.Look) FieldStyles {
	lg := func(t themes.Token) lipgloss.Style { return lk.Style(t).Lipgloss() }
	return FieldStyles{
		Label: lg(themes.Dim), LabelFocused: lg(themes.Accent), Text: lg(themes.Text), Input: lg(themes.Input),
		Dim: lg(themes.Dim), Error: lg(themes.Critical), Button: lg(themes.Button), ButtonFocused: lg(themes.ButtonActive),
	}
}

// NewForm returns a form. button is the label of the button that submits the form. zone is the time
// zone of dates; a nil zone means local time.
func NewForm(dialogs *Stack, name, button string, fields []Field, zone *time.Location) *Form {
	lk := dialogs.Look()
	return &Form{
		dialogs: dialogs, name: name, buttonLabel: strings.TrimSuffix(button, lk.Glyphs.Ellipsis),
		Fields: NewFields(fields, FieldOptions{
			Styles: formStyles(lk), ASCII: lk.ASCII, Words: lk.Format.Words, Submit: button, Location: zone, Clean: model.CleanText,
			ParseDay: func(text string) (time.Time, bool) {
				return contact.ParseDay(text, dialogs.Now().In(cmp.Or(zone, time.Local)))
			},
		}),
	}
}

// NewSearch is like [NewForm], but closing the form needs no confirmation.
func NewSearch(dialogs *Stack, name, button string, fields []Field, zone *time.Location) *Form {
	d := NewForm(dialogs, name, button, fields, zone)
	d.closesWithoutConfirm = true
	return d
}

// Title implements [Dialog].
func (d *Form) Title() string { return d.name }

// Restyle implements [Restyler].
func (d *Form) Restyle() { d.Fields.Restyle(formStyles(d.dialogs.Look())) }

// Size implements [Dialog].
func (d *Form) Size(maxW, maxH int) (w, h int) {
	w = min(formWidth, maxW)
	return w, min(d.Fields.Height(w)+len(d.noteLines(w))+1, maxH)
}

// noteLines returns the lines below the fields: the message or, without one, the reason why the
// form cannot be submitted, followed by the remark.
func (d *Form) noteLines(w int) []string {
	lk := d.dialogs.Look()
	switch {
	case d.message != "":
		return lk.Wrap(themes.Warn, d.message, w)
	case d.Remark != nil:
		return append(d.problemLines(w), lk.Wrap(themes.Dim, d.Remark(), w)...)
	}
	return d.problemLines(w)
}

// problemLines returns the lines with the reason why the form currently cannot be submitted. It
// returns nil if it can be submitted.
func (d *Form) problemLines(w int) []string {
	if d.Problem == nil {
		return nil
	}
	reason := d.Problem()
	if reason == "" {
		return nil
	}
	return d.dialogs.Look().Wrap(themes.Warn, reason, w)
}

// Hints implements [Hinter].
func (d *Form) Hints() []style.KeyHint {
	return []style.KeyHint{{Key: "tab", Description: words.DialogKeyNext().In(d.dialogs.Look().Format.Words)}, {Key: "ctrl+s", Description: d.buttonLabel}}
}

// View implements [Dialog].
func (d *Form) View(w, h int) []string {
	notes := d.noteLines(w)
	notes = notes[:min(len(notes), max(h-2, 0))]
	available := h - len(notes)
	if available > d.Fields.Height(w) && len(notes) > 0 {
		available--
	}
	out := d.Fields.Lines(w, available)
	if len(out)+len(notes) < h {
		out = append(out, "")
	}
	return style.FitLines(append(out, notes...), w, h, d.dialogs.Look().Glyphs.Ellipsis)
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
		d.message = ""
		cmd = d.Fields.Update(msg)
	}
	if d.Fields.Submitted() {
		return tea.Batch(cmd, d.OnSubmit())
	}
	return cmd
}

// ShowMessage shows a message below the fields that tells the user why the form was not submitted.
func (d *Form) ShowMessage(text string) tea.Cmd {
	d.message = text
	return nil
}

// Unsaved implements [UnsavedInput].
func (d *Form) Unsaved() bool { return !d.closesWithoutConfirm && d.Fields.HasChanges() }
