package history

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"time"

	"wallboard/model/past"
)

// maxPage is the largest page (document 3, section Limits).
const maxPage = 1000

// Calls yields the contacts of a query, the first to begin first, and ends with
// the first error (inboundCalls and its likes). Pages are read as they are
// needed; progress, which may be nil, is told of each. A contact that came in
// while the pages were read may be missed when the range reaches up to now.
func (c *Client) Calls(ctx context.Context, q past.Query, progress func(past.Progress)) iter.Seq2[past.Call, error] {
	return func(yield func(past.Call, error) bool) {
		r := reading[past.Call]{client: c, progress: progress, offset: q.Offset, limit: q.Limit, decode: readCalls}
		if err := r.calls(ctx, q, yield); err != nil {
			yield(past.Call{}, about(err, operationsOf(q.Kind).list))
		}
	}
}

// Contacts yields contacts of the address book in the order of their ids, and
// ends with the first error (addressBookContacts); see [Client.Calls].
func (c *Client) Contacts(ctx context.Context, q past.ContactQuery, progress func(past.Progress)) iter.Seq2[past.Contact, error] {
	return func(yield func(past.Contact, error) bool) {
		r := reading[past.Contact]{client: c, progress: progress, offset: q.Offset, limit: q.Limit, decode: readContacts}
		if err := r.contacts(ctx, q, yield); err != nil {
			yield(past.Contact{}, about(err, opContacts))
		}
	}
}

func readContacts(raw json.RawMessage) (contacts []past.Contact, n int, err error) {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, 0, &Error{Err: ErrAnswer, Message: "the contacts are not a list"}
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

// reading is the reading of a list by pages.
type reading[T any] struct {
	client   *Client
	progress func(past.Progress)
	decode   func(json.RawMessage) ([]T, int, error)

	offset int // still to leave out
	limit  int // 0: no limit
	read   int
	total  int // 0: not known
}

// calls reads month after month. How many each has comes with its first page.
func (r *reading[T]) calls(ctx context.Context, q past.Query, yield func(T, error) bool) error {
	o := operationsOf(q.Kind)
	if err := r.check(o.list); err != nil {
		return err
	}
	if err := r.client.checkRange(o.list, q.Range); err != nil {
		return err
	}
	list, err := r.client.name(ctx, o.list)
	if err != nil {
		return err
	}
	months, totals, err := r.months(ctx, q)
	if err != nil {
		return err
	}
	for i, m := range months {
		if total := totals[i]; total.known && total.n <= r.offset { // nothing of this month
			r.offset -= total.n
			continue
		}
		more, err := r.pages(ctx, totals[i].n, yield, func(offset, limit int) field {
			text := fmt.Sprintf("%s(%s) %s", list, search(m, q.Range, ", "+pagination("START_TIME", offset, limit)), steps)
			return field{op: o.list, form: formList, text: text, within: q.Range}
		})
		if err != nil || !more {
			return err
		}
	}
	return nil
}

// months returns the months of a query and how many contacts each has.
func (r *reading[T]) months(ctx context.Context, q past.Query) ([]month, []count, error) {
	op := operationsOf(q.Kind).count
	name, err := r.client.name(ctx, op)
	if err != nil {
		return nil, nil, err
	}
	months := monthsOf(q.Range, r.client.loc)
	fields := make([]field, len(months))
	for i, m := range months {
		fields[i] = field{op: op, form: formCount, text: fmt.Sprintf("%s(%s)", name, search(m, q.Range, "")), within: q.Range}
	}
	raw, err := r.client.fetch(r.told(ctx), fields...)
	if err != nil {
		return nil, nil, err
	}
	totals := make([]count, len(months))
	for i, value := range raw {
		t := &totals[i]
		if t.n, t.known, err = readCount(value); err != nil {
			return nil, nil, err
		}
		r.total += t.n
	}
	r.total = max(r.total-r.offset, 0)
	if r.limit > 0 {
		r.total = min(r.total, r.limit)
	}
	return months, totals, nil
}

func (r *reading[T]) contacts(ctx context.Context, q past.ContactQuery, yield func(T, error) bool) error {
	if err := r.check(opContacts); err != nil {
		return err
	}
	list, err := r.client.name(ctx, opContacts)
	if err != nil {
		return err
	}
	filters := contactFilters(q)
	_, err = r.pages(ctx, 0, yield, func(offset, limit int) field {
		parts := append([]string{pagination("ID", offset, limit)}, filters...)
		return field{op: opContacts, form: formList, text: fmt.Sprintf("%s(search: {%s}) %s", list, strings.Join(parts, ", "), person), secret: true}
	})
	return err
}

// pages reads one list. It ends when total have been read or, when that is 0,
// with the first page that is not full. more is false when no more are wanted.
func (r *reading[T]) pages(ctx context.Context, total int, yield func(T, error) bool, page func(offset, limit int) field) (more bool, err error) {
	offset := r.offset
	r.offset = 0
	for {
		limit := maxPage
		if r.limit > 0 {
			limit = min(limit, r.limit-r.read)
		}
		raw, err := r.client.fetch(r.told(ctx), page(offset, limit))
		if err != nil {
			return false, err
		}
		items, n, err := r.decode(raw[0])
		if err != nil {
			return false, err
		}
		offset += n
		r.read += len(items)
		r.tell(0)
		for _, item := range items {
			if !yield(item, nil) {
				return false, nil
			}
		}
		switch {
		case r.limit > 0 && r.read >= r.limit:
			return false, nil
		case n == 0, total > 0 && offset >= total, total == 0 && n < limit:
			return true, nil
		}
	}
}

func (r *reading[T]) check(op string) error {
	if r.offset < 0 || r.limit < 0 {
		return invalid(op, "where to begin or how many to read is negative")
	}
	return nil
}

func (r *reading[T]) tell(wait time.Duration) {
	if r.progress != nil {
		r.progress(past.Progress{Read: r.read, Total: r.total, Wait: wait})
	}
}

// told makes waits for the budget be told too.
func (r *reading[T]) told(ctx context.Context) context.Context {
	return past.WithProgress(ctx, func(p past.Progress) { r.tell(p.Wait) })
}
