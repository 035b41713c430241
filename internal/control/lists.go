package control

import (
	"context"
	"strconv"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
)

// Lists creates and changes the lists of the dialer and their items.
type Lists struct {
	executor  *executor
	feed      *liveFeed
	service   ListService
	campaigns CampaignService // to find the campaigns that use a list
}

// FindLists returns the lists whose ID or name matches term. The term "" matches all.
func (d *Lists) FindLists(ctx context.Context, term string) (model.FetchedList[resource.List], error) {
	all, err := model.Collect(d.service.AllLists(ctx, term))
	return recordRead(d.executor.status, words.ControlReadLists, all, err)
}

// CreateList creates a list. If the outcome of the request is unknown and there is a new list with
// the name of l, CreateList reports this list as created.
func (d *Lists) CreateList(ctx context.Context, l resource.List) words.ActionReport {
	n := createAction[resource.List]{
		operation: resource.OpListCreate, kind: listKind, name: l.Name, id: func(l resource.List) string { return resource.IntText(l.ID) },
		find: func(ctx context.Context) (ids []string, err error) {
			for found, err := range d.service.AllLists(ctx, l.Name) {
				if err != nil {
					return nil, err
				}
				if found.Name == l.Name {
					ids = append(ids, resource.IntText(found.ID))
				}
			}
			return ids, nil
		},
		write: func(ctx context.Context) (resource.List, error) { return d.service.CreateList(ctx, l) },
	}
	return n.run(ctx, d.executor)
}

// findList returns the list with the given ID, or nil if there is none. It compares IDs because the
// search also matches names.
func (d *Lists) findList(ctx context.Context, id int) (*resource.List, error) {
	for l, err := range d.service.AllLists(ctx, strconv.Itoa(id)) {
		if err != nil {
			return nil, err
		}
		if l.ID != nil && *l.ID == id {
			return &l, nil
		}
	}
	return nil, nil
}

// UpdateList replaces the list before with after. It refuses the change if the platform's list is
// no longer equal to before.
func (d *Lists) UpdateList(ctx context.Context, before, after resource.List) words.ActionReport {
	u := updateAction[resource.List]{
		operation: resource.OpListUpdate, kind: listKind, id: resource.IntText(after.ID), resourceName: listKind.describe(before.Name, resource.IntText(before.ID)),
		before: before, after: after,
		read:  func(ctx context.Context) (*resource.List, error) { return d.findList(ctx, idOrZero(after.ID)) },
		write: func(ctx context.Context) (resource.List, error) { return d.service.UpdateList(ctx, after) },
	}
	return u.run(ctx, d.executor)
}
