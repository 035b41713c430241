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
		Code:        keyField(d, &cur.Code),
		Channel:     keyField(d, &cur.Channel),
		UserStats:   nestedView(d, &old.Users, &cur.Users, showGroupUsers),
		CustomStats: d.customStats(old.CustomStats, cur.CustomStats),
	}
	if calls := nestedView(d, &old.Calls, &cur.Calls, showGroupCalls); calls != nil {
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
		AnsweredCalls: d.number(&old.AnsweredCalls, &cur.AnsweredCalls),
		ClosedCalls:   d.number(&old.ClosedCalls, &cur.ClosedCalls),
		HangupCalls:   d.number(&old.HangupCalls, &cur.HangupCalls),
		QueuedCalls:   d.number(&old.QueuedCalls, &cur.QueuedCalls),
		ReceivedCalls: d.number(&old.ReceivedCalls, &cur.ReceivedCalls),
		ShortCalls:    d.number(&old.ShortCalls, &cur.ShortCalls),
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
		CampaignID:         (*number)(keyField(d, &cur.CampaignID)),
		StartedCalls:       d.number(&old.StartedCalls, &cur.StartedCalls),
		AvailableResources: d.number(&old.AvailableResources, &cur.AvailableResources),
		FreeResources:      d.number(&old.FreeResources, &cur.FreeResources),
		AllocatedChannels:  d.number(&old.AllocatedChannels, &cur.AllocatedChannels),
		UsedChannels:       d.number(&old.UsedChannels, &cur.UsedChannels),
		TotalContacts:      d.number(&old.TotalContacts, &cur.TotalContacts),
		TriedContacts:      d.number(&old.TriedContacts, &cur.TriedContacts),
		RingingContacts:    d.number(&old.RingingContacts, &cur.RingingContacts),
		OkContacts:         d.number(&old.OkContacts, &cur.OkContacts),
		TalkingContacts:    d.number(&old.TalkingContacts, &cur.TalkingContacts),
		ToDoContacts:       d.number(&old.ToDoContacts, &cur.ToDoContacts),
	}
}
