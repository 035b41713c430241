package dialog

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
)

// FieldKind is the type of a field's value.
type FieldKind int

// The kinds of fields.
const (
	TextField   FieldKind = iota // one line
	NumberField                  // a whole number of 32 bits
	ChoiceField                  // one of some values
	ToggleField                  // "" (not set), [Yes] or [No]
	DateField                    // a day and a time: see [ParseDate]
	BodyField                    // several lines
	SecretField                  // one line that is not shown
)

// Yes and No are the values of a [ToggleField] that is set.
const (
	Yes = "yes"
	No  = "no"
)

// Field describes one field of a form.
type Field struct {
	ID    string // key for [Fields.Value]
	Label string
	Hint  string // shown under the field while it has the keyboard
	Kind  FieldKind
	Value string // initial value
	// Choices lists the values of a ChoiceField. A Value that is not in the list is added;
	// unless the field is Required, "" is added as well.
	Choices []string
	// AnyText makes a ChoiceField accept any text; the Choices are proposals.
	AnyText   bool
	Required  bool
	MaxLength int // maximum number of characters; 0: 256, for a BodyField 4096
	// Check validates a value that is neither empty nor the initial one; its error is
	// shown under the field.
	Check          func(string) error
	Hidden         bool // hidden until the user asks for more fields
	ReadOnly       bool
	SubmitsOnEnter bool // enter in the field submits the form
}

// Default limits of characters.
const (
	defaultMax     = 256
	defaultMaxBody = 4096
)

// FieldStyles holds the styles of a form.
type FieldStyles struct {
	Label, LabelFocused   lipgloss.Style
	Text                  lipgloss.Style // values of fields without the keyboard
	Input                 lipgloss.Style // the field with the keyboard
	Dim                   lipgloss.Style // hints, and choices that are not picked
	Error                 lipgloss.Style
	Button, ButtonFocused lipgloss.Style // also for the picked choice
}

// FieldOptions holds the appearance of a form and how it is submitted.
type FieldOptions struct {
	Styles FieldStyles
	ASCII  bool // 7-bit characters only
	// Clean makes a typed or pasted line safe for a terminal, with at most limit
	// characters; nil leaves it unchanged.
	Clean func(line string, limit int) string
	// Submit is the label of the button under the fields. "" means no button: enter in
	// the last field submits the form.
	Submit string
	// Location is the time zone of dates; nil means the local one.
	Location *time.Location
	// ParseDay returns the day for a word such as "yesterday"; nil: words are not supported.
	ParseDay func(text string) (time.Time, bool)
}

// Fields is a list of fields, one of which has the keyboard. Use [NewFields] to create it.
type Fields struct {
	fields      []*field
	options     FieldOptions
	glyphs      fieldGlyphs
	focusedStop int  // the stop that has the keyboard: see stops
	blurred     bool // no stop has the keyboard
	showsHidden bool // hidden fields are shown as well
	submitted   bool

	offset        int  // the first visible row
	scrollToFocus bool // scroll to focusedStop
	lastLayout    fieldLayout
}

// NewFields returns a list of fields; the first editable one has the keyboard.
func NewFields(fields []Field, o FieldOptions) *Fields {
	if o.Location == nil {
		o.Location = time.Local
	}
	f := &Fields{options: o, glyphs: fieldGlyphsFor(o.ASCII), scrollToFocus: true}
	for i := range fields {
		f.fields = append(f.fields, newField(fields[i], &f.options))
	}
	if !slices.ContainsFunc(f.fields, func(x *field) bool { return x.Hidden }) {
		f.showsHidden = true
	}
	f.Restyle(o.Styles)
	f.FocusFirst()
	return f
}

// Restyle changes the styles.
func (f *Fields) Restyle(s FieldStyles) {
	f.options.Styles = s
	for _, x := range f.fields {
		x.restyle(s)
	}
}

// Focus gives the form the keyboard again.
func (f *Fields) Focus() {
	f.blurred = false
	f.focus(f.focusedStop)
}

// FocusFirst gives the keyboard to the first stop.
func (f *Fields) FocusFirst() {
	if s := f.stops(); len(s) > 0 {
		f.focus(s[0])
	}
}

// Blur takes the keyboard from the form.
func (f *Fields) Blur() {
	f.blurred = true
	if x := f.focused(); x != nil {
		x.blur()
	}
}

// ShowMore shows the hidden fields.
func (f *Fields) ShowMore() { f.showsHidden = true }

// field returns the field with an id, or nil.
func (f *Fields) field(id string) *field {
	for _, x := range f.fields {
		if x.ID == id {
			return x
		}
	}
	return nil
}

// Value returns the value of a field, trimmed unless it is a SecretField or a BodyField; "" if
// there is no such field.
func (f *Fields) Value(id string) string {
	if x := f.field(id); x != nil {
		return x.value()
	}
	return ""
}

// Int returns the number in a field, and whether there is one.
func (f *Fields) Int(id string) (int, bool) {
	n, err := strconv.ParseInt(f.Value(id), 10, 32)
	return int(n), err == nil
}

// Bool returns the value of a [ToggleField], nil if it is not set.
func (f *Fields) Bool(id string) *bool {
	v := f.Value(id)
	if v == "" {
		return nil
	}
	enabled := v == Yes
	return &enabled
}

// Date returns the time in a field, and whether there is one.
func (f *Fields) Date(id string) (time.Time, bool) {
	t, err := f.options.parseDate(f.Value(id))
	return t, err == nil
}

// SetValue changes the value of a field as if it had been typed.
func (f *Fields) SetValue(id, v string) {
	if x := f.field(id); x != nil {
		x.setValue(v)
	}
}

// Changed returns the ids of the fields that differ from their initial values.
func (f *Fields) Changed() []string {
	var out []string
	for _, x := range f.fields {
		if x.value() != x.initial {
			out = append(out, x.ID)
		}
	}
	return out
}

// Dirty reports whether any field was changed.
func (f *Fields) Dirty() bool { return len(f.Changed()) > 0 }

// Err returns the first problem, with the label of its field, and makes all problems
// visible.
func (f *Fields) Err() error {
	x, err := f.firstProblem()
	if x == nil {
		return nil
	}
	for _, x := range f.fields {
		x.showsProblem = true
	}
	return fmt.Errorf("%s: %w", x.Label, err)
}

// firstProblem returns the first field with a problem, and the problem.
func (f *Fields) firstProblem() (*field, error) {
	for _, x := range f.fields {
		if err := x.check(); err != nil {
			return x, err
		}
	}
	return nil, nil //nolint:nilnil // no field has a problem
}

// Submitted reports whether the form was submitted without a problem since the last call.
func (f *Fields) Submitted() bool {
	handled := f.submitted
	f.submitted = false
	return handled
}

// submit submits the form, or moves to the first problem.
func (f *Fields) submit() {
	x, _ := f.firstProblem()
	if x == nil {
		f.submitted = true
		return
	}
	_ = f.Err() // marks all fields
	if x.Hidden {
		f.showsHidden = true
	}
	f.focus(slices.Index(f.fields, x))
}

// dateFormats returns the supported formats of dates.
func dateFormats() []string {
	return []string{
		"2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02",
		"2006-01-02T15:04:05", "2006-01-02T15:04", time.RFC3339Nano,
	}
}

var errDate = errors.New("a day like 2026-01-31, or a time like 2026-01-31 14:30")

// ParseDate parses a date: "2026-01-31", "2026-01-31 14:30" or "2026-01-31 14:30:05" in
// loc, or with a time zone as in RFC 3339.
func ParseDate(s string, loc *time.Location) (time.Time, error) {
	for _, form := range dateFormats() {
		if t, err := time.ParseInLocation(form, strings.TrimSpace(s), loc); err == nil {
			return t, nil
		}
	}
	return time.Time{}, errDate
}

// parseDate parses a date, or a word for one.
func (o *FieldOptions) parseDate(s string) (time.Time, error) {
	if o.ParseDay != nil {
		if day, ok := o.ParseDay(s); ok {
			return day, nil
		}
	}
	return ParseDate(s, o.Location)
}

// FormatDate formats a time for [ParseDate], to the second.
func FormatDate(t time.Time, loc *time.Location) string {
	return t.In(loc).Format("2006-01-02 15:04:05")
}
