package control

import (
	"context"
	"slices"
	"time"

	"wallboard/internal/words"
	"wallboard/model"
)

// snapshotTimeout limits how long an action waits for a live snapshot. Later snapshots are compared
// with this one to detect the effect of the action.
const snapshotTimeout = 3 * time.Second

// CampaignFeed is a live feed of the campaigns that an action changes. A command opens it for the
// time of the action. The zero value is an action without a feed.
type CampaignFeed struct {
	Campaigns []int64
	Feed      interface { // nil: no feed
		Latest() *model.Snapshot
		Wait(ctx context.Context, seq uint64) (*model.Snapshot, error)
	}
	Unavailable string // why there is no feed, worded as the end of a sentence
}

// Await waits until a snapshot contains at least one of the campaigns, or until
// snapshotTimeout has passed.
func (l *CampaignFeed) Await(ctx context.Context) {
	if l.Feed == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, snapshotTimeout)
	defer cancel()
	for seq := uint64(0); ; {
		s, err := l.Feed.Wait(ctx, seq)
		if err != nil || l.hasCampaign(s) {
			return
		}
		seq = s.Seq
	}
}

// hasCampaign reports whether s has current figures of at least one of the campaigns. It does
// not require all of them, because some may not exist.
func (l *CampaignFeed) hasCampaign(s *model.Snapshot) bool {
	if sub := s.Health.Subscription(model.OpCampaigns); sub == nil || !sub.State.IsCurrent() {
		return false
	}
	return slices.ContainsFunc(l.Campaigns, func(id int64) bool { return s.Campaigns.Get(id) != nil })
}

// Latest returns the newest snapshot, or nil if there is none.
func (l *CampaignFeed) Latest() *model.Snapshot {
	if l.Feed == nil {
		return nil
	}
	return l.Feed.Latest()
}

// MissingReason returns the reason for a missing snapshot, worded as the end of a sentence.
func (l *CampaignFeed) MissingReason() words.Text {
	if l.Unavailable != "" {
		return words.Name(l.Unavailable)
	}
	return words.ControlFeedSilent(words.TimeSeconds(int(snapshotTimeout / time.Second)))
}
