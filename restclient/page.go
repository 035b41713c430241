package restclient

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strconv"

	"wallboard/model"
	"wallboard/model/resource"
)

// Page selects a page of a result. A field that is 0 is not sent; the platform then chooses its
// value.
type Page struct {
	Number int // from 1
	Size   int
}

func (p Page) query() url.Values {
	q := url.Values{}
	if p.Number != 0 {
		q.Set("pageNumber", strconv.Itoa(p.Number))
	}
	if p.Size != 0 {
		q.Set("pageSize", strconv.Itoa(p.Size))
	}
	return q
}

// pageSize is the page size that the iterators request; document 1 shows no maximum. maxPages
// is the maximum number of pages that they read.
const (
	pageSize = 100
	maxPages = 1000
)

// pagePosition is the start of a page in both forms that operations use: a page number with a
// size, and a number of rows to skip.
type pagePosition struct {
	number int // page number, from 1
	size   int // page size; 0: the platform decides
	skip   int // number of rows before the page
}

func (p pagePosition) page() Page { return Page{p.number, p.size} }

// pageReader reads a list page by page.
type pageReader[T any] struct {
	op    resource.Operation
	fetch func(pagePosition) (Result[T], error)

	position     pagePosition               // of the next page
	rowsRead     int                        // number of rows, as the platform counts them
	yieldedCount int                        // number of items returned
	total        int                        // total of the newest page; -1 if unknown
	listChanged  bool                       // the list changed while it was read
	pageHashes   map[[sha256.Size]byte]bool // hashes of the pages returned
	ids          map[string]bool            // IDs of the items returned
}

// allPages returns the items of all pages in order, without duplicates. It stops at the total that the platform
// reports and at a page without new items, because some platforms ignore the parameters and return the same page
// forever. If a request fails or there are more than maxPages pages, the last pair is an error. If the result is
// incomplete, or the list changed meanwhile, the last pair is an error that wraps a [model.Incomplete].
func allPages[T any](op resource.Operation, fetch func(pagePosition) (Result[T], error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		r := pageReader[T]{
			op: op, fetch: fetch, position: pagePosition{number: 1, size: pageSize}, total: -1,
			pageHashes: make(map[[sha256.Size]byte]bool), ids: make(map[string]bool),
		}
		r.readAll(yield)
	}
}

func (r *pageReader[T]) readAll(yield func(T, error) bool) {
	var none T
	for {
		page, err := r.fetchNext()
		if err != nil {
			yield(none, err)
			return
		}
		fresh := r.markNewRows(page)
		if len(page.Items) == 0 || r.pageHashes[page.hash] || len(fresh) == 0 {
			break
		}
		r.pageHashes[page.hash] = true
		for _, i := range fresh {
			r.yieldedCount++
			if !yield(page.Items[i], nil) {
				return
			}
		}
		r.rowsRead += page.rowCount
		r.listChanged = r.listChanged || len(fresh) < len(page.Items) && page.ticketCount == 0
		if r.total >= 0 && r.rowsRead >= r.total {
			break
		}
		if r.position.number == 1 {
			// A page that is smaller than requested is the last one, unless the platform
			// limits the size. In that case, the platform may count pages in its own size or
			// in the requested one.
			r.position.size = page.itemCount()
		}
		r.position.number, r.position.skip = r.position.number+1, r.rowsRead
		if r.position.number > maxPages {
			yield(none, &Error{Operation: r.op, Status: http.StatusOK, Err: fmt.Errorf("%w: more than %d pages", ErrTooLarge, maxPages)})
			return
		}
	}
	if s := r.incomplete(); s != nil {
		yield(none, &Error{Operation: r.op, Status: http.StatusOK, Err: s})
	}
}

// fetchNext reads the next page. If the platform refuses the size requested for the first
// page, fetchNext requests the first page again without a size.
func (r *pageReader[T]) fetchNext() (Result[T], error) {
	page, err := r.fetch(r.position)
	if r.position.number == 1 && refusesSize(err) {
		r.position.size = 0
		page, err = r.fetch(r.position)
	}
	if err == nil && page.Total >= 0 {
		r.listChanged = r.listChanged || r.total >= 0 && r.total != page.Total
		r.total = page.Total
	}
	return page, err
}

func refusesSize(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Status {
	case http.StatusBadRequest, http.StatusNotAcceptable, http.StatusPreconditionFailed, http.StatusUnprocessableEntity:
		return true
	}
	return false
}

// markNewRows returns the indexes of the page's rows that no earlier page contained, and
// records their IDs. Rows without an ID count as new.
func (r *pageReader[T]) markNewRows(page Result[T]) []int {
	fresh := make([]int, 0, len(page.Items))
	for i := range page.Items {
		if id := page.rows[i].id; id != "" {
			if r.ids[id] {
				continue
			}
			r.ids[id] = true
		}
		fresh = append(fresh, i)
	}
	return fresh
}

// incomplete describes what is missing after the last page. It returns nil if the list is complete.
func (r *pageReader[T]) incomplete() *model.Incomplete {
	s := model.Incomplete{Got: r.yieldedCount, Total: max(r.total, r.yieldedCount), Changed: r.listChanged}
	if s.Total == s.Got && !s.Changed {
		return nil
	}
	return &s
}

// itemCount returns the number of items of the page, in the unit in which the platform counts
// pages. For articles of several tickets, the unit is the ticket.
func (r *Result[T]) itemCount() int {
	if r.ticketCount > 0 {
		return r.ticketCount
	}
	return len(r.Items)
}

// personPages reads pages of agents or customers. Document 1 does not show whether the index
// of a page counts rows or pages, and whether it begins with 0 or 1. personPages detects this
// from the returned rows.
type personPages struct {
	fetch     func(index *int, size int) (Result[resource.Person], error)
	firstRows []rowIdentity          // rows of the first page
	indexOf   func(pagePosition) int // returns the index of a page; nil: not known yet
}

// fetchPage reads the page at a position. The first page must be read before the second, and
// both before other pages.
func (p *personPages) fetchPage(at pagePosition) (Result[resource.Person], error) {
	switch {
	case at.number == 1:
		return p.firstPage(at.size)
	case p.indexOf == nil:
		return p.secondPage(at)
	}
	return p.fetchAt(p.indexOf(at), at.size)
}

func (p *personPages) fetchAt(index, size int) (Result[resource.Person], error) {
	return p.fetch(&index, size)
}

// firstPage reads the first page. If there are more people than fit on the page, it tries to
// read all of them in a single request.
func (p *personPages) firstPage(size int) (Result[resource.Person], error) {
	found, err := p.fetch(nil, size)
	if err == nil && found.rowCount < found.Total {
		var larger Result[resource.Person]
		if larger, err = p.fetch(nil, min(found.Total, maxPages*pageSize)); err == nil && larger.rowCount >= found.rowCount {
			found = larger
		}
		if refusesSize(err) {
			err = nil
		}
	}
	p.firstRows = found.rows
	return found, err
}

// secondPage reads the second page and detects how the platform counts the index.
func (p *personPages) secondPage(at pagePosition) (Result[resource.Person], error) {
	found, err := p.fetchAt(1, at.size)
	if err != nil || len(found.rows) == 0 {
		return found, err
	}
	switch found.rows[0] {
	case p.firstRows[0]: // the index counts from 1, or is ignored
		if found, err = p.fetchAt(2, at.size); err != nil || len(found.rows) == 0 || found.rows[0] == p.firstRows[0] {
			return found, err
		}
		if len(p.firstRows) == 1 || found.rows[0] != p.firstRows[1] {
			p.indexOf = func(at pagePosition) int { return at.number }
			return found, nil
		}
		p.indexOf = func(at pagePosition) int { return at.skip + 1 }
	case p.firstRows[min(1, len(p.firstRows)-1)]:
		p.indexOf = func(at pagePosition) int { return at.skip }
	default:
		p.indexOf = func(at pagePosition) int { return at.number - 1 }
		return found, nil
	}
	return p.fetchAt(p.indexOf(at), at.size)
}

// sizePointer returns a pointer to n, or nil, which means that no size is sent, if n is 0.
func sizePointer(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

// ticketPage is a page of tickets. If the answer consists of the articles of several tickets,
// the page counts articles, because such an answer does not contain the number of tickets.
type ticketPage struct {
	Result[resource.Ticket]
	splitArticles bool // return each article as a ticket
}

func (p *ticketPage) decode(body []byte) error {
	l, err := readListing(body)
	if err == nil {
		err = p.Result.decode(body)
	}
	if err != nil || !l.isWholeAnswer {
		return err
	}
	t := p.Items[0]
	parts := t.SplitArticles()
	p.rowCount, p.Total, p.ticketCount = len(parts), -1, len(ticketIDs(parts))
	if n := t.ArticleCount; n != nil && *n > len(parts) {
		p.Total = *n
	}
	switch {
	case len(parts) == 0:
		p.Items, p.rows = nil, nil
	case p.splitArticles:
		p.Items, p.rows = parts, make([]rowIdentity, len(parts))
		for i := range parts {
			p.rows[i].id = parts[i].Key()
		}
	}
	return nil
}

// ticketIDs returns the IDs of the tickets to which the articles belong. If no article names
// its ticket, it returns a single ID 0. The result lacks tickets without articles, so the next
// page may overlap this one.
func ticketIDs(articles []resource.Ticket) map[int]bool {
	ids := make(map[int]bool)
	for _, t := range articles {
		if t.Article != nil && t.Article.TicketID != nil {
			ids[*t.Article.TicketID] = true
		}
	}
	if len(ids) == 0 && len(articles) > 0 {
		ids[0] = true
	}
	return ids
}
