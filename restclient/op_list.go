package restclient

import (
	"context"
	"encoding/json"
	"iter"
	"net/url"

	"wallboard/model/resource"
)

// Lists are the lists of the dialer and their items (document 1, section Power
// Dialer).
type Lists struct{ session *Session }

// CreateList creates a list (document 1, section Power Dialer). Its answer is
// not shown: [ErrAnswer] is one that is not the list, and then its outcome is
// unknown.
func (c *Lists) CreateList(ctx context.Context, list resource.List) (resource.List, error) {
	if err := checkList(resource.OpListCreate, list); err != nil {
		return resource.List{}, err
	}
	return getOne(ctx, c.session, request{op: resource.OpListCreate, body: list}, list, sameList)
}

// UpdateList writes a list and returns it as the platform has it then.
func (c *Lists) UpdateList(ctx context.Context, list resource.List) (resource.List, error) {
	if err := checkList(resource.OpListUpdate, list); err != nil {
		return resource.List{}, err
	}
	return getOne(ctx, c.session, request{op: resource.OpListUpdate, body: list}, list, sameList)
}

// SearchLists returns a page of the lists whose id or name matches term; ""
// matches all.
func (c *Lists) SearchLists(ctx context.Context, term string, p Page) (Result[resource.List], error) {
	ck := check{op: resource.OpListSearch}
	ck.page(p)
	if err := ck.err(); err != nil {
		return Result[resource.List]{}, err
	}
	q := p.query()
	setText(q, "term", term)
	var found Result[resource.List]
	err := c.session.do(ctx, request{op: resource.OpListSearch, query: q, out: &found})
	return found, err
}

// AllLists returns all lists that match, page by page.
func (c *Lists) AllLists(ctx context.Context, term string) iter.Seq2[resource.List, error] {
	return pages(resource.OpListSearch, func(at place) (Result[resource.List], error) {
		return c.SearchLists(ctx, term, at.page())
	})
}

// AddItems adds items to their lists. The answer is not shown: it is returned
// as it came, not clean, nil when there was none.
func (c *Lists) AddItems(ctx context.Context, items []resource.Item) (json.RawMessage, error) {
	if err := checkItems(resource.OpItemsAdd, items); err != nil {
		return nil, err
	}
	var u unshown
	err := c.session.do(ctx, request{op: resource.OpItemsAdd, body: items, out: &u})
	return json.RawMessage(u), err
}

// DeleteItems deletes items of lists and returns those that were deleted.
// resetStats clears the statistics of the lists, which is needed to consolidate
// the deletion, and restarts an active campaign.
func (c *Lists) DeleteItems(ctx context.Context, items []resource.Item, resetStats *bool) ([]resource.Item, error) {
	if err := checkItems(resource.OpItemsDelete, items); err != nil {
		return nil, err
	}
	q := url.Values{}
	setBool(q, "resetStats", resetStats)
	var deleted rows[resource.Item]
	err := c.session.do(ctx, request{op: resource.OpItemsDelete, query: q, body: items, out: &deleted})
	return deleted.list, err
}

// ResetItems resets the items of the lists: document 1 shows no way to choose
// among them. It returns what the platform answered.
func (c *Lists) ResetItems(ctx context.Context) (bool, error) {
	return c.session.truth(ctx, request{op: resource.OpItemsReset})
}

func sameList(asked, told resource.List) bool {
	return recognised(told.ID, told.Name, asked.Name)
}
