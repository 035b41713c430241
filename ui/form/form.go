package form

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
)

// Kind is what a field takes.
type Kind int

// The kinds of fields.
const (
	Text   Kind = iota // one line
	Number             // a whole number of 32 bits
	Choice             // one of some values
	Toggle             // "" (not set), [Yes] or [No]
	Date               // a day and a time: see [ParseDate]
	Body               // several lines
	Secret             // one line that nobody else is to read
)

// Yes and No are the values of a [Toggle] that is set.
const (
	Yes = "yes"
	No  = "no"
)

// Field is one thing to fill in.
type Field struct {
	ID    string // what [Form.Value] asks for
	Label string
	Hint  string // shown under the field while it has the keyboard
	Kind  Kind
	Value string // what it starts with
	// Choices are what a Choice takes. A Value that is none of them is kept as
	// one more; unless the field is Required, "" is one too.
	Choices []string
	// Free makes the Choices proposals: any text is taken.
	Free     bool
	Required bool
	Max      int // the most characters; 0: 256, of a Body 4096
	// Check looks at a value that is neither empty nor what the field started
	// with; its error is shown under the field.
	Check    func(string) error
	More     bool // hidden until more fields are asked for
	ReadOnly bool
	Ends     bool // enter in it does what the button does: mostly it is all that is filled in
}

// How many characters a field takes that does not say it.
const (
	defaultMax     = 256
	defaultMaxBody = 4096
)

// Styles are what a form is drawn with.
type Styles struct {
	Label, LabelFocused   lipgloss.Style
	Text                  lipgloss.Style // what is in fields that have not the keyboard
	Input                 lipgloss.Style // what is typed, and the room for it
	Dim                   lipgloss.Style // hints, and choices that are not taken
	Error                 lipgloss.Style
	Button, ButtonFocused lipgloss.Style // also of the choice that is taken
}

// Options say how a form looks and ends.
type Options struct {
	Styles Styles
	ASCII  bool // 7-bit characters only
	// Clean makes a line that was typed or pasted fit for a terminal, with at
	// most limit characters; nil leaves it as it is.
	Clean func(line string, limit int) string
	// Submit is what the button under the fields says. "" is no button: enter
	// in the last field does what it would.
	Submit string
	// Location is where dates are typed; nil is the local time zone.
	Location *time.Location
	// Day returns the day that a word names, as "yesterday" does; nil knows no words.
	Day func(text string) (time.Time, bool)
}

// Form is some fields and who of them has the keyboard. Make one with [New].
type Form struct {
	fields    []*field
	options   Options
	glyphs    glyphs
	at        int  // the stop that has the keyboard: see stops
	blurred   bool // none has
	more      bool // all fields are shown
	submitted bool

	offset int  // the first visible row
	follow bool // the stop at is to be visible
	drawn  layout
}

// New returns a form with the keyboard in its first field that can be changed.
func New(fields []Field, o Options) *Form {
	if o.Location == nil {
		o.Location = time.Local
	}
	f := &Form{options: o, glyphs: glyphsFor(o.ASCII), follow: true}
	for i := range fields {
		f.fields = append(f.fields, newField(fields[i], &f.options))
	}
	if !slices.ContainsFunc(f.fields, func(x *field) bool { return x.More }) {
		f.more = true
	}
	f.Restyle(o.Styles)
	f.Rewind()
	return f
}

// Restyle has the form drawn with other styles.
func (f *Form) Restyle(s Styles) {
	f.options.Styles = s
	for _, x := range f.fields {
		x.restyle(s)
	}
}

// Focus gives the form the keyboard again.
func (f *Form) Focus() {
	f.blurred = false
	f.focus(f.at)
}

// Rewind gives the keyboard to the first stop.
func (f *Form) Rewind() {
	if s := f.stops(); len(s) > 0 {
		f.focus(s[0])
	}
}

// Blur takes the keyboard from the form.
func (f *Form) Blur() {
	f.blurred = true
	if x := f.focused(); x != nil {
		x.blur()
	}
}

// ShowMore shows the fields that were hidden.
func (f *Form) ShowMore() { f.more = true }

// field returns the field with an id, nil if there is none.
func (f *Form) field(id string) *field {
	for _, x := range f.fields {
		if x.ID == id {
			return x
		}
	}
	return nil
}

// Value returns what is in a field, without blanks around it unless it is a
// Secret or a Body; "" if there is no such field.
func (f *Form) Value(id string) string {
	if x := f.field(id); x != nil {
		return x.value()
	}
	return ""
}

// Int returns the number in a field, and whether there is one.
func (f *Form) Int(id string) (int, bool) {
	n, err := strconv.ParseInt(f.Value(id), 10, 32)
	return int(n), err == nil
}

// Bool returns what a [Toggle] is set to, nil when it is not set.
func (f *Form) Bool(id string) *bool {
	v := f.Value(id)
	if v == "" {
		return nil
	}
	on := v == Yes
	return &on
}

// Date returns the time in a field, and whether there is one.
func (f *Form) Date(id string) (time.Time, bool) {
	t, err := f.options.date(f.Value(id))
	return t, err == nil
}

// Set changes what is in a field, as if it had been typed.
func (f *Form) Set(id, v string) {
	if x := f.field(id); x != nil {
		x.set(v)
	}
}

// Changed returns the ids of the fields that hold something else than in the
// beginning.
func (f *Form) Changed() []string {
	var out []string
	for _, x := range f.fields {
		if x.value() != x.initial {
			out = append(out, x.ID)
		}
	}
	return out
}

// Dirty reports whether any field was changed.
func (f *Form) Dirty() bool { return len(f.Changed()) > 0 }

// Err returns the first problem, with the label of its field, and shows all of
// them from now on.
func (f *Form) Err() error {
	x, err := f.problem()
	if x == nil {
		return nil
	}
	for _, x := range f.fields {
		x.touched = true
	}
	return fmt.Errorf("%s: %w", x.Label, err)
}

// problem returns the first field with a problem, and which.
func (f *Form) problem() (*field, error) {
	for _, x := range f.fields {
		if err := x.check(); err != nil {
			return x, err
		}
	}
	return nil, nil //nolint:nilnil // no field has a problem
}

// Submitted tells, once, that the form was submitted by its button or by its
// keys and has no problem.
func (f *Form) Submitted() bool {
	done := f.submitted
	f.submitted = false
	return done
}

// submit ends the form, or leads to the first problem.
func (f *Form) submit() {
	x, _ := f.problem()
	if x == nil {
		f.submitted = true
		return
	}
	_ = f.Err() // marks all of them
	if x.More {
		f.more = true
	}
	f.focus(slices.Index(f.fields, x))
}

// dateForms are the forms a date may be typed in, the most exact first.
func dateForms() []string {
	return []string{
		"2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02",
		"2006-01-02T15:04:05", "2006-01-02T15:04", time.RFC3339Nano,
	}
}

var errDate = errors.New("a day like 2026-01-31, or a time like 2026-01-31 14:30")

// ParseDate reads a date as people type it: "2026-01-31", "2026-01-31 14:30",
// "2026-01-31 14:30:05" where they are, or with a time zone as in RFC 3339.
func ParseDate(s string, loc *time.Location) (time.Time, error) {
	for _, form := range dateForms() {
		if t, err := time.ParseInLocation(form, strings.TrimSpace(s), loc); err == nil {
			return t, nil
		}
	}
	return time.Time{}, errDate
}

// date reads a date, or a word for one.
func (o *Options) date(s string) (time.Time, error) {
	if o.Day != nil {
		if day, ok := o.Day(s); ok {
			return day, nil
		}
	}
	return ParseDate(s, o.Location)
}

// FormatDate writes a time so that [ParseDate] reads it, to the second.
func FormatDate(t time.Time, loc *time.Location) string {
	return t.In(loc).Format("2006-01-02 15:04:05")
}
