package rtd

import "wallboard/internal/simulator/world"

type groupView struct {
	Code, Channel *string
	ChannelStats  *groupStatsView
	UserStats     *groupUsersView
	CustomStats   *[]customStatView
}

func newGroupView(d *viewBuilder, old, cur *world.GroupStat) groupView {
	v := groupView{
		Code:        keyField(d, &cur.Code),
		Channel:     keyField(d, &cur.Channel),
		UserStats:   nestedView(d, &old.Users, &cur.Users, newGroupUsersView),
		CustomStats: d.changedCustomStats(old.CustomStats, cur.CustomStats),
	}
	if calls := nestedView(d, &old.Calls, &cur.Calls, newGroupCallsView); calls != nil {
		v.ChannelStats = &groupStatsView{calls}
	}
	return v
}

// groupStatsView is the union GroupChannelStat.
type groupStatsView struct {
	calls *groupCallsView
}

// ToGroupCcCallStat returns the counters as the only type of the union.
func (v *groupStatsView) ToGroupCcCallStat() (*groupCallsView, bool) { return v.calls, true }

// Member returns the name of the union's only type, and its view.
func (v *groupStatsView) Member() (name string, view any) { return "GroupCcCallStat", v.calls }

type groupCallsView struct {
	AnsweredCalls, ClosedCalls, HangupCalls, QueuedCalls, ReceivedCalls, ShortCalls *intScalar
}

func newGroupCallsView(d *viewBuilder, old, cur *world.GroupCalls) groupCallsView {
	return groupCallsView{
		AnsweredCalls: d.changedNumber(&old.AnsweredCalls, &cur.AnsweredCalls),
		ClosedCalls:   d.changedNumber(&old.ClosedCalls, &cur.ClosedCalls),
		HangupCalls:   d.changedNumber(&old.HangupCalls, &cur.HangupCalls),
		QueuedCalls:   d.changedNumber(&old.QueuedCalls, &cur.QueuedCalls),
		ReceivedCalls: d.changedNumber(&old.ReceivedCalls, &cur.ReceivedCalls),
		ShortCalls:    d.changedNumber(&old.ShortCalls, &cur.ShortCalls),
	}
}

type groupUsersView struct {
	LoggedUsers, NotReadyUsers, PostCallUsers, ReadyUsers *profilesView
	NotReadyUsersOnActivityCode                           *[]activityView
}

func newGroupUsersView(d *viewBuilder, old, cur *world.GroupUsers) groupUsersView {
	return groupUsersView{
		LoggedUsers:                 d.changedProfiles(&old.LoggedUsers, &cur.LoggedUsers),
		NotReadyUsers:               d.changedProfiles(&old.NotReadyUsers, &cur.NotReadyUsers),
		NotReadyUsersOnActivityCode: d.changedActivities(old.NotReadyUsersOnActivityCode, cur.NotReadyUsersOnActivityCode),
		PostCallUsers:               d.changedProfiles(&old.PostCallUsers, &cur.PostCallUsers),
		ReadyUsers:                  d.changedProfiles(&old.ReadyUsers, &cur.ReadyUsers),
	}
}
