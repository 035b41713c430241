package control

import (
	"strings"
	"time"

	names "wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
)

// liveFeed provides live snapshots, which may confirm an outcome that the service cannot confirm.
type liveFeed struct {
	feed         func() *model.Snapshot
	noFeedReason func() words.Text // returns the reason why there is no feed, as the end of a sentence
}

// personName returns the display name of a user in the live snapshot. If the user is not in the
// snapshot, it returns the user name. For the user name "" it returns "the logged-in user".
func (p *liveFeed) personName(username string) words.Text {
	if username == "" {
		return words.ControlLoginUser()
	}
	return words.Name(names.PersonName(p.feed(), nil, username, model.Call))
}

// clockTolerance is the tolerance in comparing local times with times in the platform's records. The
// platform's clock is known only to the second.
const clockTolerance = 2 * time.Second

// showsOutgoingCall reports whether the live snapshot shows a user in an outgoing call that began
// between from and to on the local clock, give or take clockTolerance.
func (p *liveFeed) showsOutgoingCall(username string, from, to time.Time) bool {
	snapshot := p.currentSnapshot(model.OpUserStats)
	if snapshot == nil {
		return false
	}
	u := snapshot.UserStats.Get(model.UserStatKey{Username: username, Channel: model.Call})
	if u == nil || u.Status != model.BusyDNCallOut && u.Status != model.BusyDNCallOutPrivate {
		return false
	}
	since, known := u.TimeInState.Get()
	since = since.Add(-snapshot.Health.ClockOffset)
	return known && !since.Before(from.Add(-clockTolerance)) && !since.After(to.Add(clockTolerance))
}

// currentSnapshot returns the latest snapshot if the data of the given subscription is current.
// Otherwise it returns nil, because old data proves nothing.
func (p *liveFeed) currentSnapshot(subscription model.Op) *model.Snapshot {
	snapshot := p.feed()
	if snapshot == nil || snapshot.Health.Link.State != model.LinkUp {
		return nil
	}
	if s := snapshot.Health.Subscription(subscription); s == nil || !s.State.IsCurrent() {
		return nil
	}
	return snapshot
}

// campaignFigures returns the live figures of a campaign, or nil if there are no current ones.
func (p *liveFeed) campaignFigures(id int) *model.Campaign {
	if snapshot := p.currentSnapshot(model.OpCampaigns); snapshot != nil {
		return snapshot.Campaigns.Get(int64(id))
	}
	return nil
}

// noFiguresReason explains, as the end of a sentence, why there are no live figures of a campaign.
func (p *liveFeed) noFiguresReason(id int) words.Text {
	snapshot := p.feed()
	switch {
	case snapshot == nil:
		return p.noFeedReason()
	case snapshot.Health.Link.State != model.LinkUp && snapshot.Health.Link.Reason == "":
		return words.ControlFeedNotConnected()
	case snapshot.Health.Link.State != model.LinkUp:
		return words.ControlFeedNotConnectedBecause(snapshot.Health.Link.Reason)
	case p.currentSnapshot(model.OpCampaigns) == nil:
		return words.ControlFiguresNotLive()
	case snapshot.Campaigns.Get(int64(id)) == nil:
		return words.ControlCampaignNotSent()
	}
	return words.ControlChannelsNotSent()
}

// isPositive reports whether a counter is known and above 0.
func isPositive(n model.Int) bool { return n.Or(0) > 0 }

// isStopped reports whether a campaign is known to have no channels.
func isStopped(c *model.Campaign) bool {
	return c != nil && c.AllocatedChannels.Known() && !isPositive(c.AllocatedChannels) && !isPositive(c.UsedChannels)
}

// hasStarted reports whether a campaign that was stopped before is running now.
func hasStarted(before, now *model.Campaign) bool {
	return isStopped(before) && now != nil && isPositive(now.AllocatedChannels)
}

// hasStopped reports whether a campaign that was running before is stopped now.
func hasStopped(before, now *model.Campaign) bool {
	return before != nil && isPositive(before.AllocatedChannels) && isStopped(now)
}

// wereStatsReset reports whether a campaign's number of tried contacts has decreased, as it does
// when its statistics are reset.
func wereStatsReset(before, now *model.Campaign) bool {
	return before != nil && now != nil && now.TriedContacts.Known() &&
		now.TriedContacts.Or(0) < before.TriedContacts.Or(0)
}

// sameNumber reports whether two telephone numbers are equal apart from their notation and a prefix
// that only one of them has. If there is such a prefix, at least 7 digits must be equal.
func sameNumber(a, b string) bool {
	a, b = onlyDigits(a), onlyDigits(b)
	const minDigits = 7 // fewer equal digits at the end prove nothing
	return a != "" && a == b ||
		len(a) >= minDigits && strings.HasSuffix(b, a) || len(b) >= minDigits && strings.HasSuffix(a, b)
}

func onlyDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}

// describeCall returns a description of a call that fits into a sentence.
func describeCall(c resource.Call) words.Text {
	switch {
	case c.Service != "" && c.CLID != "":
		return words.ControlServiceCallWith(c.Service, c.CLID)
	case c.CLID != "" && c.DNIS != "":
		return words.ControlCallFromTo(c.CLID, c.DNIS)
	case c.Service != "":
		return words.ControlServiceCall(c.Service)
	case c.CLID != "" || c.DNIS != "":
		return words.ControlCallWith(c.CLID + c.DNIS)
	}
	return words.ControlOtherCall()
}
