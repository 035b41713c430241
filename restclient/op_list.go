package restclient

import (
	"context"
	"encoding/json"
	"iter"
	"net/url"

	"wallboard/model/resource"
)

// Lists accesses the lists of the dialer and their items (document 1, section Power Dialer).
type Lists struct{ session *Session }

// CreateList creates a list and returns the created list (document 1, section Power Dialer).
// The format of the answer is not documented. If the answer is not the created list, the error
// is [ErrInvalidAnswer] and the outcome is unknown.
func (l *Lists) CreateList(ctx context.Context, list resource.List) (resource.List, error) {
	if err := checkList(resource.OpListCreate, list); err != nil {
		return resource.List{}, err
	}
	return getSameObject(ctx, l.session, request{op: resource.OpListCreate, body: list}, list, sameList)
}

// UpdateList changes a list and returns it as stored by the platform.
func (l *Lists) UpdateList(ctx context.Context, list resource.List) (resource.List, error) {
	if err := checkList(resource.OpListUpdate, list); err != nil {
		return resource.List{}, err
	}
	return getSameObject(ctx, l.session, request{op: resource.OpListUpdate, body: list}, list, sameList)
}

// SearchLists returns page p of the lists whose ID or name matches term. A term of "" matches all
// lists.
func (l *Lists) SearchLists(ctx context.Context, term string, p Page) (Result[resource.List], error) {
	ck := requestCheck{op: resource.OpListSearch}
	ck.checkPage(p)
	if err := ck.err(); err != nil {
		return Result[resource.List]{}, err
	}
	q := p.query()
	setText(q, "term", term)
	var found Result[resource.List]
	err := l.session.send(ctx, request{op: resource.OpListSearch, query: q, decodeInto: &found})
	return found, err
}

// AllLists returns all lists whose ID or name matches term. It reads them page by page.
func (l *Lists) AllLists(ctx context.Context, term string) iter.Seq2[resource.List, error] {
	return allPages(resource.OpListSearch, func(at pagePosition) (Result[resource.List], error) {
		return l.SearchLists(ctx, term, at.page())
	})
}

// AddItems adds items to their lists. It returns a JSON answer as received and without cleaning, because its
// format is not documented. Another answer becomes a JSON string, and an empty one nil.
func (l *Lists) AddItems(ctx context.Context, items []resource.Item) (json.RawMessage, error) {
	if err := checkItems(resource.OpItemsAdd, items); err != nil {
		return nil, err
	}
	var u rawAnswer
	err := l.session.send(ctx, request{op: resource.OpItemsAdd, body: items, decodeInto: &u})
	return json.RawMessage(u), err
}

// DeleteItems deletes items of lists and returns the deleted items. If resetStats is true, the platform
// also clears the statistics of the lists and restarts an active campaign. Without the reset, the
// statistics still count the deleted items.
func (l *Lists) DeleteItems(ctx context.Context, items []resource.Item, resetStats *bool) ([]resource.Item, error) {
	if err := checkItems(resource.OpItemsDelete, items); err != nil {
		return nil, err
	}
	q := url.Values{}
	setBool(q, "resetStats", resetStats)
	var deleted listAnswer[resource.Item]
	err := l.session.send(ctx, request{op: resource.OpItemsDelete, query: q, body: items, decodeInto: &deleted})
	return deleted.list, err
}

// ResetItems resets the items of all lists and returns the platform's answer. Document 1 has
// no way to select lists.
func (l *Lists) ResetItems(ctx context.Context) (bool, error) {
	return l.session.getBool(ctx, request{op: resource.OpItemsReset})
}

func sameList(expected, received resource.List) bool {
	return hasIDOrName(received.ID, received.Name, expected.Name)
}
