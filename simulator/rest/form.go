package rest

import (
	"net/http"
	"strings"
	"time"
)

// ListForm is the form in which the REST service answers with a list.
type ListForm string

// The forms of a list.
const (
	ListsShown ListForm = "shown" // as document 1 shows it for each operation
	ListsPaged ListForm = "paged" // {"result": [...], "tot": n} for all of them
	ListsArray ListForm = "array" // just an array, without a total
	ListsOther ListForm = "other" // {"hits": {"items": [...]}}, which document 1 does not know
)

// Lists settle what document 1 leaves open about lists and paths. The zero
// value is as it shows them.
type Lists struct {
	Form ListForm // default shown
	// MostRows, when positive, is the most that a page has, whatever is asked
	// for. With RowsAsAsked the next page begins where it would begin if pages
	// were as large as they were asked for.
	MostRows    int
	RowsAsAsked bool
	// Moved has the dialer operations of edition 1.4.0, whose paths document 1
	// does not show, beside its campaign operation.
	Moved bool
}

// page cuts the page of a number and size out of a list of n.
func (l Lists) page(n, number, size int) (from, to int) {
	from = (number - 1) * l.size(size)
	if l.RowsAsAsked {
		from = (number - 1) * size
	}
	return l.cut(n, from, size)
}

// cut cuts up to size elements from a position on out of a list of n.
func (l Lists) cut(n, from, size int) (begin, end int) {
	begin = min(max(from, 0), n)
	return begin, min(n, begin+max(l.size(size), 0))
}

func (l Lists) size(asked int) int {
	if l.MostRows > 0 {
		return min(asked, l.MostRows)
	}
	return asked
}

// route returns where an operation is.
func (l Lists) route(e Edition, shown string) string {
	if l.Moved && e == Edition140 {
		return strings.Replace(shown, "/rest/powerdialer/phone/", "/rest/powerdialer/", 1)
	}
	return shown
}

// listAnswer is a list to be answered with.
type listAnswer struct {
	rows  []object
	total int
	shown any // as document 1 shows it
}

// in returns the answer in a form.
func (a listAnswer) in(form ListForm) any {
	rows := append([]object{}, a.rows...)
	switch form {
	case ListsPaged:
		return object{"result": rows, "tot": a.total}
	case ListsArray:
		return rows
	case ListsOther:
		return object{"hits": object{"items": rows}, "took": 3}
	case ListsShown:
	}
	return a.shown
}

// listChange is a change of all lists between two of their pages.
type listChange struct {
	kind   string
	served bool // a page since it was ordered
}

// The ways in which lists may change while they are read.
const (
	RowComes = "comes" // the first row is not there before the first page was read
	RowGoes  = "goes"  // the first row is not there any more after it
)

// ChangeLists makes the lists of the REST service and of the statistical data
// service change after the next page of one: [RowComes] or [RowGoes]; "" makes
// them as they were.
func (f *Faults) ChangeLists(kind string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.change = listChange{kind: kind}
}

// Gone returns how many rows of a list are not there now, at its beginning.
func (f *Faults) Gone() (rows int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	served := f.change.served
	f.change.served = true
	if f.change.kind == RowComes && !served || f.change.kind == RowGoes && served {
		return 1
	}
	return 0
}

// now returns a list as it is after the changes that are due.
func now[T any](c *call, list []T) []T { return list[min(c.gone(), len(list)):] }

// Limit refuses the next REST requests, so many times, with 429, and says
// with Retry-After when to come back.
func (f *Faults) Limit(after time.Duration, times int) {
	f.Status(http.StatusTooManyRequests, "", times)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.retryAfter = after
}

// Later lets so many requests pass before the faults of [Faults.Status]
// and [Faults.Limit] begin.
func (f *Faults) Later(requests int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.later = requests
}
