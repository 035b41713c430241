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
	Form    ListForm // default shown
	MaxRows int      // maximum size of a page, whatever the request demands; 0 means no limit
	// OffsetByRequestedSize starts a page at a multiple of the requested size, even if
	// MaxRows makes pages smaller.
	OffsetByRequestedSize bool
	// MovedPaths serves the dialer operations of edition 1.4.0 below /rest/powerdialer/
	// instead of /rest/powerdialer/phone/. Document 1 does not show these paths.
	MovedPaths bool
}

// pageRange returns the range of a page, counted from 1, in a list of n elements.
func (l Lists) pageRange(n, number, size int) (from, to int) {
	from = (number - 1) * l.pageSize(size)
	if l.OffsetByRequestedSize {
		from = (number - 1) * size
	}
	return l.rangeFrom(n, from, size)
}

// rangeFrom returns the range of up to size elements from a position in a list of n
// elements.
func (l Lists) rangeFrom(n, from, size int) (begin, end int) {
	begin = min(max(from, 0), n)
	return begin, min(n, begin+max(l.pageSize(size), 0))
}

func (l Lists) pageSize(requested int) int {
	if l.MaxRows > 0 {
		return min(requested, l.MaxRows)
	}
	return requested
}

// operationPath returns the path of an operation.
func (l Lists) operationPath(e Edition, documented string) string {
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
	kind         string
	isPageServed bool // a page was served since the change was injected
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

// NextMissingRows returns the number of rows to leave out at the start of the list that is
// being served, and counts the page as served.
func (f *Faults) NextMissingRows() (rows int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	served := f.listChange.isPageServed
	f.listChange.isPageServed = true
	if f.listChange.kind == RowAppears && !served || f.listChange.kind == RowDisappears && served {
		return 1
	}
	return 0
}

// dropMissingRows returns a list without the rows that are to be left out.
func dropMissingRows[T any](c *call, list []T) []T { return list[min(c.nextMissingRows(), len(list)):] }

// RateLimit makes the service answer the next REST requests with 429 and a Retry-After
// header. times is the number of affected requests.
func (f *Faults) RateLimit(after time.Duration, times int) {
	f.AnswerStatus(http.StatusTooManyRequests, "", times)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.retryAfter = after
}

// PassFirst sets the number of requests that are executed before the faults of
// [Faults.Status] and [Faults.RateLimit] start.
func (f *Faults) PassFirst(requests int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.passFirst = requests
}
