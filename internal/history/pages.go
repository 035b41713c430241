package history

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"wallboard/model"
	"wallboard/model/contact"
)

// maxPage is the maximum number of rows per page (document 3, section Limits).
const maxPage = 1000

// Calls yields the contacts of a query, ordered by their start and without duplicates. It uses
// an operation such as inboundCalls and reads pages as needed. If progress is not nil, Calls
// calls it for each page. The sequence ends with the first error. If contacts are missing or
// may be missing, the last error wraps a *[model.Incomplete].
//
// With Newest, Calls yields the latest contacts, newest first. If the platform does not report
// the number of contacts, Calls must read all of them to find the latest.
func (c *Client) Calls(ctx context.Context, q contact.Query, progress func(contact.Progress)) iter.Seq2[contact.Call, error] {
	return func(yield func(contact.Call, error) bool) {
		r := pageReader[contact.Call]{
			client: c, progress: progress, offset: q.Offset, limit: q.Limit, decode: readCalls,
			id: func(c contact.Call) string { return c.ID },
		}
		take := yield
		var kept []contact.Call
		if q.Newest {
			take = func(call contact.Call, _ error) bool {
				if kept = append(kept, call); r.window > 0 && len(kept) > r.window {
					kept = kept[1:]
				}
				return true
			}
		}
		err := r.readCalls(ctx, q, take)
		for _, call := range slices.Backward(kept) {
			if !yield(call, nil) {
				return
			}
		}
		if err != nil {
			yield(contact.Call{}, withOperation(err, operationsOf(q.Kind).list))
		}
	}
}

// Contacts yields the address book contacts that match a query, ordered by ID. It uses the
// operation addressBookContacts. It handles pages, progress and errors like [Client.Calls].
func (c *Client) Contacts(ctx context.Context, q contact.AddressQuery, progress func(contact.Progress)) iter.Seq2[contact.Contact, error] {
	return func(yield func(contact.Contact, error) bool) {
		r := pageReader[contact.Contact]{
			client: c, progress: progress, offset: q.Offset, limit: q.Limit, decode: readContacts,
			id: func(c contact.Contact) string { return c.UUID },
		}
		if err := r.readContacts(ctx, q, yield); err != nil {
			yield(contact.Contact{}, withOperation(err, opContacts))
		}
	}
}

func readContacts(raw json.RawMessage) (contacts []contact.Contact, n int, err error) {
	list, err := decodeList(raw, maxRows, "the contacts are not a list")
	if err != nil {
		return nil, 0, err
	}
	for _, one := range list {
		contact, ok, err := readContact(one)
		if err != nil {
			return nil, 0, err
		}
		if ok {
			contacts = append(contacts, contact)
		}
	}
	return contacts, len(list), nil
}

// pageReader reads a list page by page.
type pageReader[T any] struct {
	client   *Client
	progress func(contact.Progress)
	decode   func(json.RawMessage) ([]T, int, error)
	id       func(T) string

	offset    int // number of items that are still to be skipped
	limit     int // maximum number of items; 0: no limit
	itemsRead int
	total     int // expected number of items; 0: unknown
	window    int // number of last items that are kept while the total is unknown; 0: all

	reportedTotal optionalCount   // total that the platform reports, without the skipped items
	seenIDs       map[string]bool // IDs of the items read so far
	lastID        string          // ID of the last row
	lastPage      json.RawMessage // last page of a list of unknown length
	changed       bool            // the list changed while it was read
}

// endReason is the reason why a list was not read further.
type endReason int

const (
	endOfList     endReason = iota // the list is complete
	endOfLimit                     // the maximum number of items was read
	endOfConsumer                  // the consumer of the items has stopped
)

// incompleteError returns an error if the list that was read is or may be incomplete,
// otherwise nil. end is the reason why reading ended.
func (r *pageReader[T]) incompleteError(end endReason) error {
	if end == endOfList && r.window > 0 && r.itemsRead > r.window {
		r.reportedTotal, r.itemsRead = optionalCount{n: r.itemsRead, known: true}, r.window
	}
	s := &model.Incomplete{Got: r.itemsRead, Total: max(r.reportedTotal.n, r.itemsRead), Changed: r.changed}
	switch {
	case end == endOfConsumer:
		return nil
	case end == endOfLimit && !r.reportedTotal.known:
		s.Total = -1
	case !r.reportedTotal.known:
		s.Total = r.itemsRead
	}
	if s.Total == s.Got && !s.Changed {
		return nil
	}
	return &Error{Err: s}
}

// readCalls reads the contacts of a query, month by month.
func (r *pageReader[T]) readCalls(ctx context.Context, q contact.Query, yield func(T, error) bool) error {
	o := operationsOf(q.Kind)
	if err := r.checkLimits(o.list); err != nil {
		return err
	}
	if err := r.client.checkRange(o.list, q.Range); err != nil {
		return err
	}
	list, err := r.client.serverName(ctx, o.list)
	if err != nil {
		return err
	}
	months, totals, err := r.countByMonth(ctx, q)
	if err != nil {
		return err
	}
	end := endOfList
	for i, m := range months {
		if total := totals[i]; total.known && total.n <= r.offset { // the offset skips all contacts of the month
			r.offset -= total.n
			continue
		}
		end, err = r.readList(ctx, totals[i], yield, func(offset, limit int) rootField {
			text := fmt.Sprintf("%s(%s) %s", list, searchArgument(m, q.Range, ", "+paginationArguments("START_TIME", offset, limit)), stepsSelection)
			return rootField{op: o.list, form: formList, text: text, period: q.Range}
		})
		if err != nil {
			return err
		}
		if end != endOfList {
			break
		}
	}
	return r.incompleteError(end)
}

// countByMonth returns the months of a query, and the number of contacts in each of them. It
// sets the totals of r. With Newest, it makes r skip the oldest contacts.
func (r *pageReader[T]) countByMonth(ctx context.Context, q contact.Query) ([]month, []optionalCount, error) {
	op := operationsOf(q.Kind).count
	name, err := r.client.serverName(ctx, op)
	if err != nil {
		return nil, nil, err
	}
	months := monthsOf(q.Range, r.client.location)
	fields := make([]rootField, len(months))
	for i, m := range months {
		fields[i] = rootField{op: op, form: formCount, text: fmt.Sprintf("%s(%s)", name, searchArgument(m, q.Range, "")), period: q.Range}
	}
	raw, err := r.client.fetch(r.reportWaits(ctx), fields...)
	if err != nil {
		return nil, nil, err
	}
	totals := make([]optionalCount, len(months))
	for i, value := range raw {
		t := &totals[i]
		if t.n, t.known, err = readCount(value); err != nil {
			return nil, nil, err
		}
		r.reportedTotal.n, r.reportedTotal.known = r.reportedTotal.n+t.n, (i == 0 || r.reportedTotal.known) && t.known
	}
	r.reportedTotal.n = max(r.reportedTotal.n-r.offset, 0)
	r.total = r.reportedTotal.n
	if r.limit > 0 {
		r.total = min(r.total, r.limit)
	}
	switch {
	case q.Newest && r.reportedTotal.known:
		r.offset += r.reportedTotal.n - r.total // skip the oldest contacts
	case q.Newest:
		r.limit, r.window, r.total = 0, r.limit, 0
	}
	return months, totals, nil
}

func (r *pageReader[T]) readContacts(ctx context.Context, q contact.AddressQuery, yield func(T, error) bool) error {
	if err := r.checkLimits(opContacts); err != nil {
		return err
	}
	list, err := r.client.serverName(ctx, opContacts)
	if err != nil {
		return err
	}
	filters := contactFilters(q)
	end, err := r.readList(ctx, optionalCount{}, yield, func(offset, limit int) rootField {
		parts := append([]string{paginationArguments("ID", offset, limit)}, filters...)
		return rootField{op: opContacts, form: formList, text: fmt.Sprintf("%s(search: {%s}) %s", list, strings.Join(parts, ", "), personSelection), secret: true}
	})
	if err != nil {
		return err
	}
	return r.incompleteError(end)
}

// readList reads a list page by page until it has read total items. If total is unknown, the
// list ends with the first page that is empty or shorter than an earlier one. A page that is
// shorter than the requested size does not end the list, because a platform may use smaller
// pages. If total is unknown, a page without a new row also ends the list, because the
// platform may ignore the offset; in that case the list counts as changed.
//
// Each page is requested so that it begins with the last row of the previous page. If it
// begins with another row, the list has changed in the meantime.
func (r *pageReader[T]) readList(ctx context.Context, total optionalCount, yield func(T, error) bool, page func(offset, limit int) rootField) (endReason, error) {
	offset, usual, again := r.offset, 0, 0
	r.lastID = ""
	for r.offset = 0; ; {
		limit := r.client.pageSize()
		if again = 0; r.lastID != "" && limit > 1 {
			again = 1
		}
		if r.limit > 0 {
			limit = min(limit, r.limit-r.itemsRead+again)
		}
		raw, err := r.client.fetch(r.reportWaits(ctx), page(offset-again, limit))
		if errors.Is(err, ErrPageSize) && r.client.reducePageSize(limit) {
			continue
		}
		if err != nil {
			return endOfList, err
		}
		items, n, err := r.decode(raw[0])
		if err != nil {
			return endOfList, err
		}
		r.reportedTotal.n -= n - len(items) // the platform's total includes items without content
		if again > 0 {
			items, n = r.dropOverlap(items), max(n-again, 0)
		}
		if !total.known {
			items, n = r.dropRepeatedPage(raw[0], items, n)
		}
		offset += n
		if !r.yieldNew(items, yield) {
			return endOfConsumer, nil
		}
		switch {
		case r.limit > 0 && r.itemsRead >= r.limit:
			return endOfLimit, nil
		case isListEnd(n, offset, min(usual, limit)-again, total):
			return endOfList, nil
		}
		usual = max(usual, n)
	}
}

// isListEnd reports whether a page with n rows is the last one. offset is the number of rows
// up to the end of the page. usual is the number of rows of the other pages.
func isListEnd(n, offset, usual int, total optionalCount) bool {
	if total.known {
		return n == 0 || offset >= total.n
	}
	return n == 0 || n < usual
}

// dropRepeatedPage returns no items, and sets r.changed, if a page repeats the previous one or
// contains only rows that were read before. Otherwise it returns items and n, the number of
// rows of the page.
func (r *pageReader[T]) dropRepeatedPage(page json.RawMessage, items []T, n int) ([]T, int) {
	isNew := func(item T) bool { return !r.seenIDs[r.id(item)] }
	isRepeated := bytes.Equal(page, r.lastPage) || len(items) > 0 && !slices.ContainsFunc(items, isNew)
	r.lastPage = page
	if n == 0 || !isRepeated {
		return items, n
	}
	r.changed = true
	return nil, 0
}

// dropOverlap removes the first item of a page if it repeats the last item of the previous
// page. Otherwise it sets r.changed, because the list has changed.
func (r *pageReader[T]) dropOverlap(items []T) []T {
	if len(items) > 0 && r.id(items[0]) == r.lastID {
		return items[1:]
	}
	r.changed = true
	return items
}

// yieldNew yields the items that were not yielded before. It returns false if the consumer has
// stopped.
func (r *pageReader[T]) yieldNew(items []T, yield func(T, error) bool) bool {
	if r.seenIDs == nil {
		r.seenIDs = make(map[string]bool)
	}
	for _, item := range items {
		if r.lastID = r.id(item); r.lastID != "" {
			id := r.lastID
			if r.seenIDs[id] {
				r.changed = true
				continue
			}
			r.seenIDs[id] = true
		}
		r.itemsRead++
		if !yield(item, nil) {
			return false
		}
	}
	r.reportProgress(0)
	return true
}

func (r *pageReader[T]) checkLimits(op string) error {
	if r.offset < 0 || r.limit < 0 {
		return invalidError(op, "the offset or limit is negative")
	}
	return nil
}

func (r *pageReader[T]) reportProgress(wait time.Duration) {
	if r.progress != nil {
		r.progress(contact.Progress{Read: r.itemsRead, Total: r.total, Wait: wait})
	}
}

// reportWaits returns a context that passes waits for the budget to the progress function of
// the reader.
func (r *pageReader[T]) reportWaits(ctx context.Context) context.Context {
	return contact.WithProgress(ctx, func(p contact.Progress) { r.reportProgress(p.Wait) })
}

// pageSize returns the number of rows to request per page.
func (c *Client) pageSize() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pageLimit
}

// reducePageSize reduces the page size after the server has rejected a page of refused rows.
// It returns false if no smaller size is possible.
func (c *Client) reducePageSize(refused int) bool {
	const least = 10
	c.mu.Lock()
	defer c.mu.Unlock()
	if refused <= least {
		return false
	}
	c.pageLimit = max(refused/10, least)
	return true
}
