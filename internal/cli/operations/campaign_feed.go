package operations

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"

	"wallboard/feeds"
	"wallboard/feeds/dialect"
	"wallboard/internal/app"
	"wallboard/model"
	"wallboard/model/resource"
)

// snapshotTimeout limits how long an action waits for a live snapshot. The action is compared
// with the snapshot later to detect its effect.
const snapshotTimeout = 3 * time.Second

// campaignFeed is a live feed of the campaigns that an action changes. It is open while the
// action runs. The zero value is an action without a feed.
type campaignFeed struct {
	campaigns   []int64
	feed        *feeds.Feed // nil: no feed
	unavailable string      // why there is no feed, worded as the end of a sentence
}

// openCampaignFeed opens a live feed of campaigns, which is closed when the command ends. If
// it cannot be opened, the action still takes place, and missingReason returns the reason.
func (s *invocation) openCampaignFeed(ctx context.Context, campaigns []int64) {
	l := &s.campaignFeed
	if s.config.RTD.URL == "" {
		l.unavailable = "there is no [rtd] in the configuration"
		return
	}
	if len(campaigns) == 0 {
		l.unavailable = "no campaign is named, in the items or as rtd.campaigns"
		return
	}
	c, err := s.loadFull()
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		l.unavailable = "the real-time service cannot be used: " + first
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
		l.unavailable = "the real-time service cannot be used: " + err.Error()
		return
	}
	l.feed, l.campaigns = feed, campaigns
	_, stop := app.RunFeed(ctx, feed)
	s.cleanups = append(s.cleanups, stop)
}

// awaitCampaign waits until a snapshot contains at least one of the campaigns, or until
// snapshotTimeout has passed.
func (l *campaignFeed) awaitCampaign(ctx context.Context) {
	if l.feed == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, snapshotTimeout)
	defer cancel()
	for seq := uint64(0); ; {
		s, err := l.feed.Wait(ctx, seq)
		if err != nil || l.hasCampaign(s) {
			return
		}
		seq = s.Seq
	}
}

// hasCampaign reports whether s has current figures of at least one of the campaigns. It does
// not require all of them, because some may not exist.
func (l *campaignFeed) hasCampaign(s *model.Snapshot) bool {
	if sub := s.Health.Subscription(model.OpCampaigns); sub == nil || !sub.State.IsCurrent() {
		return false
	}
	return slices.ContainsFunc(l.campaigns, func(id int64) bool { return s.Campaigns.Get(id) != nil })
}

// latest returns the newest snapshot, or nil if there is none.
func (l *campaignFeed) latest() *model.Snapshot {
	if l.feed == nil {
		return nil
	}
	return l.feed.Latest()
}

// missingReason returns the reason for a missing snapshot, worded as the end of a sentence.
func (l *campaignFeed) missingReason() string {
	if l.unavailable != "" {
		return l.unavailable
	}
	return "the real-time service did not answer within " + snapshotTimeout.String()
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
