package control

import (
	"context"
	"slices"
	"strconv"

	"wallboard/internal/words"
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
func (c *contactFigures) storeSnapshot(context.Context) *words.ActionReport {
	c.before = c.lists.feed.currentSnapshot(model.OpCampaigns)
	return nil
}

// resolve returns a report with an unknown outcome and a text about how the figures have changed.
func (c *contactFigures) resolve(ctx context.Context, err error) *words.ActionReport {
	var found words.Text
	switch {
	case c.before == nil && c.lists.feed.feed() == nil:
		found = words.ControlNotFoundOut(c.lists.feed.noFeedReason())
	case c.before == nil:
		found = words.ControlNotFoundOut(words.ControlFiguresOfCampaignsNotLive())
	default:
		found = c.compareFigures(ctx)
	}
	r := c.phrases.unknownReport(reasonText(err, nil), found)
	return &r
}

// compareFigures returns a sentence with each campaign's number of contacts before and after the
// action. It waits some seconds for a change.
func (c *contactFigures) compareFigures(ctx context.Context) words.Text {
	ids := c.campaignIDs(ctx)
	var figures []words.Text
	c.lists.executor.poll(ctx, func() (changed bool) {
		now := c.lists.feed.currentSnapshot(model.OpCampaigns)
		if now == nil {
			return false
		}
		figures = figures[:0]
		for _, id := range ids {
			before, after := c.before.Campaigns.Get(id), now.Campaigns.Get(id)
			if before == nil || after == nil || !before.TotalContacts.Known() || !after.TotalContacts.Known() {
				continue
			}
			n, m := before.TotalContacts.Or(0), after.TotalContacts.Or(0)
			figures = append(figures, words.ControlCampaignContacts(strconv.FormatInt(id, 10), int(n), int(m)))
			changed = changed || n != m
		}
		return changed
	})
	if len(figures) == 0 {
		return words.ControlNotFoundOut(words.ControlNoCampaignOfItems())
	}
	return words.ControlLiveFigures(figures)
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
