package rest

import (
	"net/http"
	"strings"
	"time"
)

// ListForm selects the format of lists in answers.
type ListForm string

// Values of ListForm.
const (
	ListsShown ListForm = "shown" // the format that document 1 shows for the operation
	ListsPaged ListForm = "paged" // {"result": [...], "tot": n} for all operations
	ListsArray ListForm = "array" // an array without a total
	ListsOther ListForm = "other" // {"hits": {"items": [...]}}, which document 1 does not define
)

// Lists holds the behaviour of lists and paths that document 1 leaves open. The zero
// value follows the examples of document 1.
type Lists struct {
	Form ListForm // default shown
	// MaxRows, if positive, limits the size of a page, whatever size the request
	// demands. With OffsetByRequestedSize the next page starts as if pages had the requested
	// size.
	MaxRows               int
	OffsetByRequestedSize bool
	// MovedPaths serves the dialer operations of edition 1.4.0 beside its campaign operation.
	// Document 1 does not show their paths.
	MovedPaths bool
}

// page returns the range of a page in a list of n elements.
func (l Lists) page(n, number, size int) (from, to int) {
	from = (number - 1) * l.pageSize(size)
	if l.OffsetByRequestedSize {
		from = (number - 1) * size
	}
	return l.cut(n, from, size)
}

// cut returns the range of up to size elements from a position in a list of n
// elements.
func (l Lists) cut(n, from, size int) (begin, end int) {
	begin = min(max(from, 0), n)
	return begin, min(n, begin+max(l.pageSize(size), 0))
}

func (l Lists) pageSize(requested int) int {
	if l.MaxRows > 0 {
		return min(requested, l.MaxRows)
	}
	return requested
}

// route returns the path of an operation.
func (l Lists) route(e Edition, documented string) string {
	if l.MovedPaths && e == Edition140 {
		return strings.Replace(documented, "/rest/powerdialer/phone/", "/rest/powerdialer/", 1)
	}
	return documented
}

// listAnswer is an answer that contains a list.
type listAnswer struct {
	rows       []object
	total      int
	documented any // in the format of document 1
}

// inForm returns the answer in the given format.
func (a listAnswer) inForm(form ListForm) any {
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
	return a.documented
}

// listChange is a change of all lists between two pages.
type listChange struct {
	kind       string
	pageServed bool // a page was served since the change was ordered
}

// Kinds of list changes.
const (
	RowAppears    = "comes" // the first row appears after the first page
	RowDisappears = "goes"  // the first row disappears after the first page
)

// ChangeLists changes the lists of the REST service and of the statistical data
// service after the next page of one of them: [RowAppears] or [RowDisappears]. "" restores
// the lists.
func (f *Faults) ChangeLists(kind string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.listChange = listChange{kind: kind}
}

// MissingRows returns the number of rows that are currently missing at the start of a list.
func (f *Faults) MissingRows() (rows int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	served := f.listChange.pageServed
	f.listChange.pageServed = true
	if f.listChange.kind == RowAppears && !served || f.listChange.kind == RowDisappears && served {
		return 1
	}
	return 0
}

// currentRows returns a list without the rows that are currently missing.
func currentRows[T any](c *call, list []T) []T { return list[min(c.missingRows(), len(list)):] }

// RateLimit answers the next REST requests with 429 and a Retry-After header. times is
// the number of affected requests.
func (f *Faults) RateLimit(after time.Duration, times int) {
	f.Status(http.StatusTooManyRequests, "", times)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.retryAfter = after
}

// PassFirst executes this many requests before the faults of [Faults.Status] and
// [Faults.RateLimit] start.
func (f *Faults) PassFirst(requests int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.passFirst = requests
}
