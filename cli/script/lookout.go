package script

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"

	"wallboard/cli/wiring"
	"wallboard/feeds"
	"wallboard/feeds/dialect"
	"wallboard/model"
	"wallboard/model/resource"
)

// pictureWithin bounds how long an order waits for the live picture, which proves
// what becomes of it by what changes: the picture before is needed, too.
const pictureWithin = 3 * time.Second

// lookout is the live picture of some campaigns while an order about them is
// carried out. The zero value has none.
type lookout struct {
	campaigns []int64
	feed      *feeds.Feed // nil: there is no picture
	missing   string      // why there is none, as the end of a sentence
}

// lookAt opens the live picture of campaigns, until the session ends. Where that
// is not possible the order is carried out all the same, and why says the reason
// when it is asked for.
func (s *session) lookAt(ctx context.Context, campaigns []int64) {
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
	o := wiring.FeedOptions(c)
	o.Campaigns, o.FindCampaigns, o.Only = campaigns, nil, []model.Op{model.OpCampaigns}
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
	_, stop := wiring.RunFeed(ctx, feed)
	s.cleanup = append(s.cleanup, stop)
}

// wait waits until the campaigns are seen, for a short time at most.
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

// sees reports whether a picture has the present figures of the campaigns: of one
// at least, since others may not be there.
func (l *lookout) sees(s *model.Snapshot) bool {
	if sub := s.Health.Subscription(model.OpCampaigns); sub == nil || !sub.State.Current() {
		return false
	}
	return slices.ContainsFunc(l.campaigns, func(id int64) bool { return s.Campaigns.Get(id) != nil })
}

// latest returns the newest picture, nil for none.
func (l *lookout) latest() *model.Snapshot {
	if l.feed == nil {
		return nil
	}
	return l.feed.Latest()
}

// why says why there is no picture.
func (l *lookout) why() string {
	if l.missing != "" {
		return l.missing
	}
	return "the real-time service did not answer within " + pictureWithin.String()
}

// readOnlyProfile is what is known of a server, which a look of some seconds at
// one operation does not add to.
type readOnlyProfile struct{ dialect.Store }

// Save implements [dialect.Store].
func (readOnlyProfile) Save(dialect.Profile) error { return nil }

// campaignsOf returns the campaigns that items may belong to: those that they
// name, and the configured ones, which may have their lists.
func (s *session) campaignsOf(items []resource.Item) []int64 {
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
