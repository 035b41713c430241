package dialog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"wallboard/internal/words"
)

// FieldKind is the type of a field's value.
type FieldKind int

// The kinds of fields, by the type of their values.
const (
	TextField   FieldKind = iota // one line of text
	NumberField                  // a whole number in the range of an int32
	ChoiceField                  // one of several values
	ToggleField                  // "" (not set), [Yes] or [No]
	DateField                    // a day and a time: see [ParseDate]
	BodyField                    // several lines of text
	SecretField                  // one line that is shown as asterisks
)

// Yes and No are the values of a [ToggleField] that is set. The value of a ToggleField that is not
// set is "".
const (
	Yes = "yes"
	No  = "no"
)

// Field describes one field of a form.
type Field struct {
	ID    string // identifies the field in [Fields.Value]
	Label string
	Hint  string // shown below the field while it has the keyboard focus
	Kind  FieldKind
	Value string // initial value
	// Choices lists the values of a ChoiceField. Value is added if it is not in the list. "" is
	// added unless the field is Required and has a Value.
	Choices []string
	// AnyText makes a ChoiceField accept any text. Choices are then suggestions.
	AnyText   bool
	Required  bool
	MaxLength int // maximum number of characters; 0: 256, for a BodyField 4096
	// Check returns an error if a value is invalid. The error is shown below the field. Check is
	// not called for an empty value or the initial value.
	Check          func(string) error
	Hidden         bool // shown only after the user has asked for more fields
	ReadOnly       bool
	SubmitsOnEnter bool // the enter key in this field submits the form
}

// Default values of [Field.MaxLength]: defaultBodyLength for a BodyField, and defaultFieldLength for all other
// fields.
const (
	defaultFieldLength = 256
	defaultBodyLength  = 4096
)

// FieldStyles holds the styles of a form.
type FieldStyles struct {
	Label, LabelFocused   lipgloss.Style
	Text                  lipgloss.Style // values of the fields that do not have the keyboard focus
	Input                 lipgloss.Style // the value of the field that has the keyboard focus
	Dim                   lipgloss.Style // hints, and choices that are not selected
	Error                 lipgloss.Style
	Button, ButtonFocused lipgloss.Style // buttons and the selected choice
}

// FieldOptions determines the look of a form, and how the user submits it.
type FieldOptions struct {
	Styles FieldStyles
	ASCII  bool // only ASCII characters are drawn
	// Words is the language of the form; nil means English.
	Words *words.Language
	// Clean returns a typed or pasted line without characters that are unsafe for a terminal, cut
	// to limit characters. If Clean is nil, lines are not changed.
	Clean func(line string, limit int) string
	// Submit is the label of the button below the fields. If Submit is "", there is no button, and
	// enter in the last field submits the form.
	Submit string
	// Location is the time zone of dates; nil means local time.
	Location *time.Location
	// ParseDay returns the day meant by a word such as "yesterday". If ParseDay is nil, words are
	// not accepted.
	ParseDay func(text string) (time.Time, bool)
}

// Fields is a list of input fields, one of which has the keyboard focus. [NewFields] creates a
// Fields.
type Fields struct {
	fields         []*field
	options        FieldOptions
	glyphs         fieldGlyphs
	focusedTabStop int  // stop that has the keyboard focus, see [Fields.tabStops]
	showsHidden    bool // hidden fields are shown as well
	submitted      bool

	offset        int  // number of the first visible line
	scrollToFocus bool // the next drawing scrolls to focusedTabStop
	lastLayout    formLayout
}

// NewFields returns a list of fields with the given definitions. The first field that is not
// read-only has the keyboard focus.
func NewFields(fields []Field, o FieldOptions) *Fields {
	if o.Location == nil {
		o.Location = time.Local
	}
	f := &Fields{options: o, glyphs: fieldGlyphsFor(o.ASCII), scrollToFocus: true}
	for i := range fields {
		f.fields = append(f.fields, newField(fields[i], &f.options))
	}
	if !slices.ContainsFunc(f.fields, func(x *field) bool { return x.definition.Hidden }) {
		f.showsHidden = true
	}
	f.Restyle(o.Styles)
	f.FocusFirst()
	return f
}

// Restyle replaces the styles of all fields.
func (f *Fields) Restyle(s FieldStyles) {
	f.options.Styles = s
	for _, x := range f.fields {
		x.restyle(s)
	}
}

// FocusFirst gives the keyboard focus to the first stop, see [Fields.tabStops].
func (f *Fields) FocusFirst() {
	if s := f.tabStops(); len(s) > 0 {
		f.focus(s[0])
	}
}

// field returns the field with an ID, or nil if there is none.
func (f *Fields) field(id string) *field {
	for _, x := range f.fields {
		if x.definition.ID == id {
			return x
		}
	}
	return nil
}

// Value returns the value of the field with the given ID, or "" if there is no such field. Blanks
// around the value are removed, except in a SecretField or a BodyField.
func (f *Fields) Value(id string) string {
	if x := f.field(id); x != nil {
		return x.value()
	}
	return ""
}

// Int returns the number in the field with the given ID. The bool result is false if the field does
// not contain a number in the range of an int32.
func (f *Fields) Int(id string) (int, bool) {
	n, err := strconv.ParseInt(f.Value(id), 10, 32)
	return int(n), err == nil
}

// Bool reports whether the [ToggleField] with the given ID has the value [Yes]. It returns nil if
// the field is not set.
func (f *Fields) Bool(id string) *bool {
	v := f.Value(id)
	if v == "" {
		return nil
	}
	enabled := v == Yes
	return &enabled
}

// Date returns the time in the field with the given ID. The bool result is false if the field does
// not contain a date.
func (f *Fields) Date(id string) (time.Time, bool) {
	t, err := f.options.parseDate(f.Value(id))
	return t, err == nil
}

// SetValue changes the value of the field with the given ID. If the value has a problem, the field
// shows it, as if a user had typed the value.
func (f *Fields) SetValue(id, v string) {
	if x := f.field(id); x != nil {
		x.setValue(v)
	}
}

// Changed returns the IDs of the fields whose values differ from their initial values.
func (f *Fields) Changed() []string {
	var out []string
	for _, x := range f.fields {
		if x.value() != x.initial {
			out = append(out, x.definition.ID)
		}
	}
	return out
}

// HasChanges reports whether the value of any field differs from its initial value.
func (f *Fields) HasChanges() bool { return len(f.Changed()) > 0 }

// Err returns an error with the label and the problem of the first field with an invalid value. It
// returns nil if all values are valid. After an error, all fields show their problems.
func (f *Fields) Err() error {
	x, err := f.firstProblem()
	if x == nil {
		return nil
	}
	for _, x := range f.fields {
		x.showsProblem = true
	}
	return fmt.Errorf("%s: %w", x.definition.Label, err)
}

// firstProblem returns the first field with an invalid value, and its problem. It returns nil if
// all values are valid.
func (f *Fields) firstProblem() (*field, error) {
	for _, x := range f.fields {
		if err := x.check(); err != nil {
			return x, err
		}
	}
	return nil, nil //nolint:nilnil // no field has a problem
}

// Submitted reports whether the user has submitted the form since the last call. A form with an
// invalid value cannot be submitted.
func (f *Fields) Submitted() bool {
	handled := f.submitted
	f.submitted = false
	return handled
}

// submit submits the form if all values are valid. Otherwise it gives the keyboard focus to the
// first field with an invalid value.
func (f *Fields) submit() {
	x, _ := f.firstProblem()
	if x == nil {
		f.submitted = true
		return
	}
	_ = f.Err() // makes all fields show their problems
	if x.definition.Hidden {
		f.showsHidden = true
	}
	f.focus(slices.Index(f.fields, x))
}

// dateFormats returns the formats of dates that [ParseDate] accepts.
func dateFormats() []string {
	return []string{
		"2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02",
		"2006-01-02T15:04:05", "2006-01-02T15:04", time.RFC3339Nano,
	}
}

var errDate = words.NewError(words.DialogNeedDate(), nil)

// ParseDate parses "2026-01-31", "2026-01-31 14:30" or "2026-01-31 14:30:05" as a time in the time
// zone loc. It also parses a time in the format RFC 3339, which contains its own time zone.
func ParseDate(s string, loc *time.Location) (time.Time, error) {
	for _, form := range dateFormats() {
		if t, err := time.ParseInLocation(form, strings.TrimSpace(s), loc); err == nil {
			return t, nil
		}
	}
	return time.Time{}, errDate
}

// parseDate parses a date or, if ParseDay is set, a word such as "yesterday".
func (o *FieldOptions) parseDate(s string) (time.Time, error) {
	if o.ParseDay != nil {
		if day, ok := o.ParseDay(s); ok {
			return day, nil
		}
	}
	return ParseDate(s, o.Location)
}

// FormatDate formats a time in the time zone loc with a precision of a second. [ParseDate] parses
// the result.
func FormatDate(t time.Time, loc *time.Location) string {
	return t.In(loc).Format("2006-01-02 15:04:05")
}
