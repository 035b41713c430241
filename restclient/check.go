package restclient

import (
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"wallboard/model"
	"wallboard/model/resource"
)

// Document 1 shows the types of the fields, but neither the limits of their values nor the
// required fields. Checks beyond the types are our own: they reject values that cannot be
// intended, or that would change the meaning of a request.

// Problem describes one mistake in a field of a request.
type Problem struct {
	Field string // name of the field in document 1
	Text  string // a sentence for the user, clean, without a full stop
}

// InvalidError lists the problems of a request that was not sent. It matches [ErrInvalidRequest] in
// errors.Is.
type InvalidError struct{ Problems []Problem }

// Error returns the problems, separated by semicolons.
func (e *InvalidError) Error() string {
	texts := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		texts[i] = p.Text
	}
	return strings.Join(texts, "; ")
}

// Is reports whether target is [ErrInvalidRequest].
func (e *InvalidError) Is(target error) bool { return target == ErrInvalidRequest }

// requestCheck collects the problems of a request. Each check method adds a problem if a value
// is invalid. Its parameter field is the field's name in document 1; label describes the field
// in words, such as "the name of the run".
type requestCheck struct {
	op       resource.Operation
	problems []Problem
}

func (c *requestCheck) err() error {
	if len(c.problems) == 0 {
		return nil
	}
	return notSentError(c.op, &InvalidError{c.problems})
}

func (c *requestCheck) addProblem(field, format string, args ...any) {
	c.problems = append(c.problems, Problem{field, model.CleanText(fmt.Sprintf(format, args...), model.MaxBody)})
}

// checkRequired adds a problem if value is blank. It reports whether value is not blank.
func (c *requestCheck) checkRequired(field, label, value string) bool {
	if strings.TrimSpace(value) == "" {
		c.addProblem(field, "%s is missing", label)
		return false
	}
	return true
}

// checkPathID adds a problem if value is blank or cannot be used as a segment of a path.
func (c *requestCheck) checkPathID(field, label, value string) {
	if c.checkRequired(field, label, value) && !isSafeSegment(value) {
		c.addProblem(field, "%s cannot be %q", label, value)
	}
}

// checkInt32 adds a problem if n does not fit into an int32. A nil n is valid.
func (c *requestCheck) checkInt32(field, label string, n *int) {
	if n != nil && (*n < math.MinInt32 || *n > math.MaxInt32) {
		c.addProblem(field, "%s is too large a number: %d", label, *n)
	}
}

// checkID adds a problem unless n is set, above 0 and within int32.
func (c *requestCheck) checkID(field, label string, n *int) {
	if n == nil || *n == 0 {
		c.addProblem(field, "%s is missing", label)
		return
	}
	c.checkAboveZero(field, label, n)
}

func (c *requestCheck) checkAboveZero(field, label string, n *int) {
	if c.checkInt32(field, label, n); n != nil && *n <= 0 {
		c.addProblem(field, "%s must be above 0, not %d", label, *n)
	}
}

func (c *requestCheck) checkNotNegative(field, label string, n *int) {
	if n != nil && *n < 0 {
		c.addProblem(field, "%s cannot be below 0: %d", label, *n)
	}
}

func (c *requestCheck) checkPage(p Page) {
	for _, n := range []struct {
		field, label string
		n            int
	}{{"pageNumber", "the number of the page", p.Number}, {"pageSize", "the size of the page", p.Size}} {
		if n.n != 0 {
			c.checkAboveZero(n.field, n.label, &n.n)
		}
	}
}

// checkOrder adds a problem if both times are known and the end is before the start.
func (c *requestCheck) checkOrder(field, label string, start, end resource.Time) {
	from, ok := start.Get()
	to, known := end.Get()
	if ok && known && to.Before(from) {
		c.addProblem(field, "%s ends (%s) before it starts (%s)", label, end, start)
	}
}

// maxPhoneNumberLength limits a telephone number or phone address, in characters. Real ones
// are shorter.
const maxPhoneNumberLength = 64

// checkPhoneNumber adds a problem unless value can be dialed: it is set, has no control
// characters and is not too long.
func (c *requestCheck) checkPhoneNumber(field, value string) {
	switch {
	case !c.checkRequired(field, "the number", value):
	case strings.ContainsFunc(value, unicode.IsControl) || !utf8.ValidString(value):
		c.addProblem(field, "the number contains characters that cannot be dialed: %s", value)
	case utf8.RuneCountInString(value) > maxPhoneNumberLength:
		c.addProblem(field, "the number is longer than %d characters", maxPhoneNumberLength)
	}
}
