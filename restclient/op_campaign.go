package restclient

import (
	"context"
	"iter"
	"net/url"
	"strconv"

	"wallboard/model/resource"
)

// Campaigns accesses the campaigns of the dialer (document 1, section Power Dialer).
type Campaigns struct{ session *Session }

// CreateCampaign creates a campaign and returns it as stored by the platform (document 1, section
// Power Dialer). [ErrExists] means that the campaign already exists.
func (c *Campaigns) CreateCampaign(ctx context.Context, campaign resource.Campaign) (resource.Campaign, error) {
	if err := checkCampaign(resource.OpCampaignCreate, campaign); err != nil {
		return resource.Campaign{}, err
	}
	return getSameObject(ctx, c.session, request{op: resource.OpCampaignCreate, body: campaign}, campaign, sameCampaign)
}

// UpdateCampaign changes a campaign and returns it as stored by the platform. If resetStats is
// true, the platform clears the campaign's statistics after the update, and restarts the campaign
// if it is active. If resetStats is nil, the parameter is not sent.
func (c *Campaigns) UpdateCampaign(ctx context.Context, campaign resource.Campaign, resetStats *bool) (resource.Campaign, error) {
	if err := checkCampaign(resource.OpCampaignUpdate, campaign); err != nil {
		return resource.Campaign{}, err
	}
	q := url.Values{}
	setBool(q, "resetStats", resetStats)
	return getSameObject(ctx, c.session, request{op: resource.OpCampaignUpdate, query: q, body: campaign}, campaign, sameCampaign)
}

// CampaignTerm holds the search terms for campaigns.
type CampaignTerm struct {
	Term     string // matches the ID or the name; "" matches all
	Priority *int
}

// SearchCampaigns returns page p of the campaigns that match t.
func (c *Campaigns) SearchCampaigns(ctx context.Context, t CampaignTerm, p Page) (Result[resource.Campaign], error) {
	ck := requestCheck{op: resource.OpCampaignSearch}
	ck.checkPage(p)
	ck.checkInt32("priority", "the priority", t.Priority)
	if err := ck.err(); err != nil {
		return Result[resource.Campaign]{}, err
	}
	q := p.query()
	setText(q, "term", t.Term)
	setInt(q, "priority", t.Priority)
	var found Result[resource.Campaign]
	err := c.session.send(ctx, request{op: resource.OpCampaignSearch, query: q, decodeInto: &found})
	return found, err
}

// AllCampaigns returns all campaigns that match t. It reads them page by page.
func (c *Campaigns) AllCampaigns(ctx context.Context, t CampaignTerm) iter.Seq2[resource.Campaign, error] {
	return allPages(resource.OpCampaignSearch, func(at pagePosition) (Result[resource.Campaign], error) {
		return c.SearchCampaigns(ctx, t, at.page())
	})
}

// StartCampaign starts a campaign and returns the platform's answer. If resetStats is true, the
// platform clears the campaign's statistics first. If resetStats is nil, the parameter is not sent.
func (c *Campaigns) StartCampaign(ctx context.Context, id int, resetStats *bool) (bool, error) {
	return c.switchCampaign(ctx, resource.OpCampaignStart, id, resetStats)
}

// StopCampaign stops a campaign and returns the platform's answer. If resetStats is true, the
// platform clears the campaign's statistics afterwards. If resetStats is nil, the parameter is
// not sent.
func (c *Campaigns) StopCampaign(ctx context.Context, id int, resetStats *bool) (bool, error) {
	return c.switchCampaign(ctx, resource.OpCampaignStop, id, resetStats)
}

func (c *Campaigns) switchCampaign(ctx context.Context, op resource.Operation, id int, resetStats *bool) (bool, error) {
	ck := requestCheck{op: op}
	ck.checkID("id", "the id of the campaign", &id)
	if err := ck.err(); err != nil {
		return false, err
	}
	q := url.Values{}
	setBool(q, "resetStats", resetStats)
	return c.session.getBool(ctx, request{op: op, path: []string{strconv.Itoa(id)}, query: q})
}

func sameCampaign(expected, received resource.Campaign) bool {
	return hasIDOrName(received.ID, received.Name, expected.Name)
}
