package rest

import (
	"net/http"
	"strings"
	"time"

	"wallboard/internal/simulator/webservice"
)

// ListForm is a format of lists in answers.
type ListForm string

// Values of ListForm.
const (
	ListsDocumented ListForm = "shown" // the format that document 1 shows for the operation
	ListsPaged      ListForm = "paged" // {"result": [...], "tot": n} for all operations
	ListsArray      ListForm = "array" // an array without a total
	ListsOther      ListForm = "other" // {"hits": {"items": [...]}}, which document 1 does not define
)

// ListOptions selects the form and the paths of lists where document 1 leaves them open. The zero
// value follows the examples of document 1.
type ListOptions struct {
	Form    ListForm // default [ListsDocumented]
	MaxRows int      // maximum number of rows on a page, whatever the request demands; 0: no limit
	// OffsetByRequestedSize makes page n start after n-1 times the requested number of rows,
	// even if MaxRows makes pages smaller.
	OffsetByRequestedSize bool
	// MovedPaths serves the dialer operations of edition 1.4.0 below /rest/powerdialer/ instead of
	// /rest/powerdialer/phone/. Document 1 does not show their paths for this edition.
	MovedPaths bool
}

// pageRange returns the range [from, to) of a page in a list of n elements. number is the
// number of the page, counted from 1. size is the requested number of rows.
func (l ListOptions) pageRange(n, number, size int) (from, to int) {
	from = (number - 1) * l.pageSize(size)
	if l.OffsetByRequestedSize {
		from = (number - 1) * size
	}
	return l.rangeFrom(n, from, size)
}

// rangeFrom returns the range [begin, end) of up to size elements that starts at the index
// from, in a list of n elements.
func (l ListOptions) rangeFrom(n, from, size int) (begin, end int) {
	begin = min(max(from, 0), n)
	return begin, min(n, begin+max(l.pageSize(size), 0))
}

func (l ListOptions) pageSize(requested int) int {
	if l.MaxRows > 0 {
		return min(requested, l.MaxRows)
	}
	return requested
}

// operationPath returns the path of an operation. documented is its path in document 1.
func (l ListOptions) operationPath(e Edition, documented string) string {
	if l.MovedPaths && e == Edition140 {
		return strings.Replace(documented, "/rest/powerdialer/phone/", "/rest/powerdialer/", 1)
	}
	return documented
}

// listAnswer is an answer with a list.
type listAnswer struct {
	rows       []object
	total      int
	documented any // the answer in the format that document 1 shows
}

// inForm returns the answer in the given list format.
func (a listAnswer) inForm(form ListForm) any {
	rows := append([]object{}, a.rows...)
	switch form {
	case ListsPaged:
		return object{"result": rows, "tot": a.total}
	case ListsArray:
		return rows
	case ListsOther:
		return object{"hits": object{"items": rows}, "took": 3}
	case ListsDocumented:
	}
	return a.documented
}

// listChange is a fault that changes all lists after a page has been served.
type listChange struct {
	kind         string
	isPageServed bool // a page was served since the fault was injected
}

// Kinds of list changes.
const (
	RowAppears    = "comes" // the first row appears after the first page
	RowDisappears = "goes"  // the first row disappears after the first page
)

// ChangeLists makes the first row of all lists appear or disappear after the next page of any
// list was served. kind is [RowAppears] or [RowDisappears]; "" ends the fault. It affects the
// lists of the REST service and of the statistical data service.
func (f *Faults) ChangeLists(kind string) {
	webservice.SetLocked(&f.mu, &f.listChange, listChange{kind: kind})
}

// NextMissingRows returns the number of rows that are missing at the start of the list that is
// being served. It records that a page was served.
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

// dropMissingRows returns a list without the rows that the fault of [Faults.ChangeLists] hides.
func dropMissingRows[T any](c *apiRequest, list []T) []T {
	return list[min(c.nextMissingRows(), len(list)):]
}

// RateLimit makes the service answer the next times REST requests with status 429. after is
// the time in the header Retry-After.
func (f *Faults) RateLimit(after time.Duration, times int) {
	f.AnswerWithStatus(http.StatusTooManyRequests, "", times)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.retryAfter = after
}

// ExecuteFirst sets the number of requests to execute before the faults of [Faults.AnswerWithStatus]
// and [Faults.RateLimit] start.
func (f *Faults) ExecuteFirst(requests int) { webservice.SetLocked(&f.mu, &f.passFirst, requests) }
