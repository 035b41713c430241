package control

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// Campaigns creates, changes, starts and stops the campaigns of the dialer.
type Campaigns struct {
	executor *executor
	feed     *liveFeed
	service  CampaignService
	session  SessionService
}

// Campaign returns the campaign with the given ID. If there is none, it returns an error.
func (d *Campaigns) Campaign(ctx context.Context, id int) (resource.Campaign, error) {
	c, err := d.findCampaign(ctx, id)
	if err == nil && c == nil {
		err = noResultError(resource.OpCampaignSearch)
	}
	if c == nil {
		c = &resource.Campaign{}
	}
	return recordRead(d.executor.status, func(reason words.Text) words.Text {
		return words.ControlReadCampaign(strconv.Itoa(id), reason)
	}, *c, err)
}

// FindCampaigns returns the campaigns whose ID or name matches term. The term "" matches all.
func (d *Campaigns) FindCampaigns(ctx context.Context, term string) (model.FetchedList[resource.Campaign], error) {
	all, err := model.Collect(d.service.AllCampaigns(ctx, restclient.CampaignTerm{Term: term}))
	return recordRead(d.executor.status, words.ControlReadCampaigns, all, err)
}

// CreateCampaign creates a campaign. If the outcome of the request is unknown and there is a new
// campaign with the name of c, CreateCampaign reports this campaign as created.
func (d *Campaigns) CreateCampaign(ctx context.Context, c resource.Campaign) words.ActionReport {
	if r := d.refuseUnknownFields(ctx, resource.Campaign{}, c, words.ControlCreateOldEdition); r != nil {
		return *r
	}
	n := createAction[resource.Campaign]{
		operation: resource.OpCampaignCreate, kind: campaignKind, name: c.Name, id: func(c resource.Campaign) string { return resource.IntText(c.ID) },
		find: func(ctx context.Context) (ids []string, err error) {
			for found, err := range d.service.AllCampaigns(ctx, restclient.CampaignTerm{Term: c.Name}) {
				if err != nil {
					return nil, err
				}
				if found.Name == c.Name {
					ids = append(ids, resource.IntText(found.ID))
				}
			}
			return ids, nil
		},
		write: func(ctx context.Context) (resource.Campaign, error) {
			return d.service.CreateCampaign(ctx, c)
		},
	}
	return n.run(ctx, d.executor)
}

// UpdateCampaign replaces the campaign before with after. It refuses the change if the platform's
// campaign is no longer equal to before. If resetStats is true, the platform also resets the
// campaign's statistics.
func (d *Campaigns) UpdateCampaign(ctx context.Context, before, after resource.Campaign, resetStats bool) words.ActionReport {
	if r := d.refuseUnknownFields(ctx, before, after, words.ControlChangeOldEdition); r != nil {
		return *r
	}
	u := updateAction[resource.Campaign]{
		operation: resource.OpCampaignUpdate, kind: campaignKind, id: resource.IntText(after.ID), resourceName: describeCampaign(before),
		before: before, after: after, resetStats: resetStats,
		read: func(ctx context.Context) (*resource.Campaign, error) { return d.findCampaign(ctx, idOrZero(after.ID)) },
		write: func(ctx context.Context) (resource.Campaign, error) {
			return d.service.UpdateCampaign(ctx, after, &resetStats)
		},
	}
	return u.run(ctx, d.executor)
}

// findCampaign returns the campaign with the given ID, or nil if there is none. It compares IDs
// because the search also matches names.
func (d *Campaigns) findCampaign(ctx context.Context, id int) (*resource.Campaign, error) {
	for c, err := range d.service.AllCampaigns(ctx, restclient.CampaignTerm{Term: strconv.Itoa(id)}) {
		if err != nil {
			return nil, err
		}
		if c.ID != nil && *c.ID == id {
			return &c, nil
		}
	}
	return nil, nil
}

// refuseUnknownFields returns a report if the change affects fields that the platform's edition
// does not have, because the platform would silently ignore them. Otherwise it returns nil. text
// returns the text of the report, which names the fields.
func (d *Campaigns) refuseUnknownFields(ctx context.Context, before, after resource.Campaign, text func(fields string) words.Text) *words.ActionReport {
	var fields []string
	for _, change := range resource.Diff(before, after) {
		if slices.Contains(newFieldsEdition14, change.Field) {
			fields = append(fields, change.Field)
		}
	}
	if len(fields) == 0 {
		return nil
	}
	if edition, err := d.session.Edition(ctx); err != nil || edition != restclient.Edition102 {
		return nil // the action itself reports that the edition cannot be read
	}
	r := cleanReport(words.ActionReport{Outcome: resource.OutcomeNotSent, Text: text(strings.Join(fields, ", "))})
	return &r
}
