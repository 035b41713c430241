package control

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// contactFigures compares the number of contacts in the items' campaigns before and after an
// action, according to the live feed. Document 2 does not define this number, and other users may
// add contacts at the same time. So the comparison is only shown to the user and proves nothing.
type contactFigures struct {
	lists   *Lists
	items   []resource.Item
	phrases phrases

	before *model.Snapshot // nil: the live feed was not available
}

// storeSnapshot stores the live snapshot before the action. It always returns nil, so the action
// continues.
func (c *contactFigures) storeSnapshot(context.Context) *resource.Report {
	c.before = c.lists.feed.currentSnapshot(model.OpCampaigns)
	return nil
}

// resolve returns a report with an unknown outcome and a text about how the figures have changed.
func (c *contactFigures) resolve(ctx context.Context, err error) *resource.Report {
	told := reasonText(err, nil)
	switch {
	case c.before == nil && c.lists.feed.feed() == nil:
		told += ". It could not be looked up: " + c.lists.feed.noFeed()
	case c.before == nil:
		told += ". It could not be looked up: the campaigns' real-time figures are not live"
	default:
		told += ". " + c.compareFigures(ctx)
	}
	r := c.phrases.unknownReport(told)
	return &r
}

// compareFigures returns a text with each campaign's number of contacts before and after the
// action. It waits some seconds for a change.
func (c *contactFigures) compareFigures(ctx context.Context) string {
	ids := c.campaignIDs(ctx)
	var figures []string
	c.lists.executor.poll(ctx, func() (changed bool) {
		now := c.lists.feed.currentSnapshot(model.OpCampaigns)
		if now == nil {
			return false
		}
		figures = figures[:0]
		for _, id := range ids {
			then, present := c.before.Campaigns.Get(id), now.Campaigns.Get(id)
			if then == nil || present == nil || !then.TotalContacts.Known() || !present.TotalContacts.Known() {
				continue
			}
			n, m := then.TotalContacts.Or(0), present.TotalContacts.Or(0)
			figures = append(figures, fmt.Sprintf("campaign %d had %d contacts and has %d now", id, n, m))
			changed = changed || n != m
		}
		return changed
	})
	if len(figures) == 0 {
		return "It could not be looked up: the live picture has no campaign that they belong to"
	}
	return "In the live picture " + strings.Join(figures, ", ")
}

// campaignIDs returns the IDs of the items' campaigns: those that the items name, and those that
// use the items' lists.
func (c *contactFigures) campaignIDs(ctx context.Context) []int64 {
	var ids []int64
	lists := make(map[int]bool)
	for _, item := range c.items {
		if item.CampaignID != nil {
			ids = append(ids, int64(*item.CampaignID))
		} else if item.ListID != nil {
			lists[*item.ListID] = true
		}
	}
	if len(lists) > 0 {
		for campaign, err := range c.lists.campaigns.AllCampaigns(ctx, restclient.CampaignTerm{}) {
			if err != nil {
				break // report only the campaigns found so far
			}
			has := func(l resource.CampaignList) bool { return l.ListID != nil && lists[*l.ListID] }
			if campaign.ID != nil && slices.ContainsFunc(campaign.Lists, has) {
				ids = append(ids, int64(*campaign.ID))
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
