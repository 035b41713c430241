package operations

import (
	"context"
	"log/slog"
	"slices"
	"strings"

	"wallboard/feeds/dialect"
	"wallboard/internal/app"
	"wallboard/model"
	"wallboard/model/resource"
)

// openCampaignFeed opens a live feed of campaigns, which is closed when the command ends. If
// it cannot be opened, the action still takes place, and [control.CampaignFeed.MissingReason] returns the reason.
func (s *invocation) openCampaignFeed(ctx context.Context, campaigns []int64) {
	l := &s.campaignFeed
	if s.config.RTD.URL == "" {
		l.Unavailable = "there is no [rtd] in the configuration"
		return
	}
	if len(campaigns) == 0 {
		l.Unavailable = "no campaign is named, in the items or as rtd.campaigns"
		return
	}
	c, err := s.loadFullConfig()
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		l.Unavailable = "the real-time service cannot be used: " + first
		return
	}
	o := app.FeedOptions(c)
	o.Campaigns, o.FindCampaigns, o.Operations = campaigns, nil, []model.Op{model.OpCampaigns}
	o.Logger = slog.New(slog.DiscardHandler)
	if o.Profiles != nil {
		o.Profiles = readOnlyProfile{o.Profiles}
	}
	feed, err := app.NewFeed(o)
	if err != nil {
		l.Unavailable = "the real-time service cannot be used: " + err.Error()
		return
	}
	l.Feed, l.Campaigns = feed, campaigns
	_, stop := app.RunFeed(ctx, feed)
	s.cleanups = append(s.cleanups, stop)
}

// readOnlyProfile is a store of server profiles that saves nothing, because a connection of a
// few seconds must not overwrite the profile of the server.
type readOnlyProfile struct{ dialect.ProfileStore }

// Save implements [dialect.ProfileStore]; it does nothing.
func (readOnlyProfile) Save(dialect.Profile) error { return nil }

// itemCampaigns returns the IDs of the campaigns that items may belong to: the campaigns named
// by the items, and the configured campaigns, which may use the lists of the items.
func (s *invocation) itemCampaigns(items []resource.Item) []int64 {
	var ids []int64
	for _, id := range s.config.RTD.Campaigns {
		ids = append(ids, int64(id))
	}
	for _, item := range items {
		if item.CampaignID != nil {
			ids = append(ids, int64(*item.CampaignID))
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
