package rtd

import "wallboard/internal/simulator/world"

type groupView struct {
	Code, Channel *string
	ChannelStats  *groupStatsView
	UserStats     *groupUsersView
	CustomStats   *[]customStatView
}

func showGroup(d *differ, old, cur *world.GroupStat) groupView {
	v := groupView{
		Code:        key(d, &cur.Code),
		Channel:     key(d, &cur.Channel),
		UserStats:   nested(d, &old.Users, &cur.Users, showGroupUsers),
		CustomStats: d.customStats(old.CustomStats, cur.CustomStats),
	}
	if calls := nested(d, &old.Calls, &cur.Calls, showGroupCalls); calls != nil {
		v.ChannelStats = &groupStatsView{calls}
	}
	return v
}

// groupStatsView is the union GroupChannelStat.
type groupStatsView struct {
	calls *groupCallsView
}

// ToGroupCcCallStat returns the counters. The union has no other type.
func (v *groupStatsView) ToGroupCcCallStat() (*groupCallsView, bool) { return v.calls, true }

// Member returns the name of the union's only type, and its view.
func (v *groupStatsView) Member() (name string, view any) { return "GroupCcCallStat", v.calls }

type groupCallsView struct {
	AnsweredCalls, ClosedCalls, HangupCalls, QueuedCalls, ReceivedCalls, ShortCalls *number
}

func showGroupCalls(d *differ, old, cur *world.GroupCalls) groupCallsView {
	return groupCallsView{
		AnsweredCalls: d.num(&old.AnsweredCalls, &cur.AnsweredCalls),
		ClosedCalls:   d.num(&old.ClosedCalls, &cur.ClosedCalls),
		HangupCalls:   d.num(&old.HangupCalls, &cur.HangupCalls),
		QueuedCalls:   d.num(&old.QueuedCalls, &cur.QueuedCalls),
		ReceivedCalls: d.num(&old.ReceivedCalls, &cur.ReceivedCalls),
		ShortCalls:    d.num(&old.ShortCalls, &cur.ShortCalls),
	}
}

type groupUsersView struct {
	LoggedUsers, NotReadyUsers, PostCallUsers, ReadyUsers *profilesView
	NotReadyUsersOnActivityCode                           *[]activityView
}

func showGroupUsers(d *differ, old, cur *world.GroupUsers) groupUsersView {
	return groupUsersView{
		LoggedUsers:                 d.profiles(&old.LoggedUsers, &cur.LoggedUsers),
		NotReadyUsers:               d.profiles(&old.NotReadyUsers, &cur.NotReadyUsers),
		NotReadyUsersOnActivityCode: d.activities(old.NotReadyUsersOnActivityCode, cur.NotReadyUsersOnActivityCode),
		PostCallUsers:               d.profiles(&old.PostCallUsers, &cur.PostCallUsers),
		ReadyUsers:                  d.profiles(&old.ReadyUsers, &cur.ReadyUsers),
	}
}

type campaignView struct {
	CampaignID, StartedCalls, AvailableResources, FreeResources   *number
	AllocatedChannels, UsedChannels, TotalContacts, TriedContacts *number
	RingingContacts, OkContacts, TalkingContacts, ToDoContacts    *number
}

func showCampaign(d *differ, old, cur *world.CampaignStat) campaignView {
	return campaignView{
		CampaignID:         (*number)(key(d, &cur.CampaignID)),
		StartedCalls:       d.num(&old.StartedCalls, &cur.StartedCalls),
		AvailableResources: d.num(&old.AvailableResources, &cur.AvailableResources),
		FreeResources:      d.num(&old.FreeResources, &cur.FreeResources),
		AllocatedChannels:  d.num(&old.AllocatedChannels, &cur.AllocatedChannels),
		UsedChannels:       d.num(&old.UsedChannels, &cur.UsedChannels),
		TotalContacts:      d.num(&old.TotalContacts, &cur.TotalContacts),
		TriedContacts:      d.num(&old.TriedContacts, &cur.TriedContacts),
		RingingContacts:    d.num(&old.RingingContacts, &cur.RingingContacts),
		OkContacts:         d.num(&old.OkContacts, &cur.OkContacts),
		TalkingContacts:    d.num(&old.TalkingContacts, &cur.TalkingContacts),
		ToDoContacts:       d.num(&old.ToDoContacts, &cur.ToDoContacts),
	}
}
