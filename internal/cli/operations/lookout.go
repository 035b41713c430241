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

// pictureWithin is how long an order waits for a live snapshot. The snapshot before the
// order is needed to prove the effect by comparison.
const pictureWithin = 3 * time.Second

// lookout is a live feed of some campaigns during an order about them. The zero value has
// none.
type lookout struct {
	campaigns []int64
	feed      *feeds.Feed // nil: no feed
	missing   string      // reason for a missing feed, as the end of a sentence
}

// lookAt opens a live feed of campaigns until the session ends. If that fails, the order is
// executed anyway and why returns the reason.
func (s *invocation) lookAt(ctx context.Context, campaigns []int64) {
	l := &s.live
	if s.config.RTD.URL == "" {
		l.missing = "there is no [rtd] in the configuration"
		return
	}
	if len(campaigns) == 0 {
		l.missing = "no campaign is named, in the items or as rtd.campaigns"
		return
	}
	c, err := s.whole()
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		l.missing = "the real-time service cannot be used: " + first
		return
	}
	o := app.FeedOptions(c)
	o.Campaigns, o.FindCampaigns, o.Operations = campaigns, nil, []model.Op{model.OpCampaigns}
	o.Logger = slog.New(slog.DiscardHandler)
	if o.Profiles != nil {
		o.Profiles = readOnlyProfile{o.Profiles}
	}
	feed, err := feeds.New(o)
	if err != nil {
		l.missing = "the real-time service cannot be used: " + err.Error()
		return
	}
	l.feed, l.campaigns = feed, campaigns
	_, stop := app.RunFeed(ctx, feed)
	s.cleanup = append(s.cleanup, stop)
}

// wait waits for a snapshot with the campaigns, for at most pictureWithin.
func (l *lookout) wait(ctx context.Context) {
	if l.feed == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, pictureWithin)
	defer cancel()
	for seq := uint64(0); ; {
		s, err := l.feed.Wait(ctx, seq)
		if err != nil || l.sees(s) {
			return
		}
		seq = s.Seq
	}
}

// sees reports whether a snapshot has current figures of at least one of the campaigns;
// others may not exist.
func (l *lookout) sees(s *model.Snapshot) bool {
	if sub := s.Health.Subscription(model.OpCampaigns); sub == nil || !sub.State.Current() {
		return false
	}
	return slices.ContainsFunc(l.campaigns, func(id int64) bool { return s.Campaigns.Get(id) != nil })
}

// latest returns the newest snapshot, nil if there is none.
func (l *lookout) latest() *model.Snapshot {
	if l.feed == nil {
		return nil
	}
	return l.feed.Latest()
}

// why returns why there is no snapshot.
func (l *lookout) why() string {
	if l.missing != "" {
		return l.missing
	}
	return "the real-time service did not answer within " + pictureWithin.String()
}

// readOnlyProfile is a server profile that is not saved: a connection of some seconds for a
// single operation must not overwrite it.
type readOnlyProfile struct{ dialect.ProfileStore }

// Save implements [dialect.ProfileStore].
func (readOnlyProfile) Save(dialect.Profile) error { return nil }

// campaignsOf returns the campaigns that items may belong to: those that they name, and the
// configured ones, which may use their lists.
func (s *invocation) campaignsOf(items []resource.Item) []int64 {
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
