package rtd

import (
	"slices"

	"wallboard/internal/simulator/world"
)

// serviceView is the view of a service. A view is a struct with the fields of a type of the schema;
// a nil field is encoded as null.

type serviceView struct {
	Code, Channel *string
	ChannelStats  *channelStatsView
	UserStats     *serviceUsersView
	CustomStats   *[]customStatView
}

func newServiceView(d *viewBuilder, old, cur *world.ServiceStat) serviceView {
	v := serviceView{
		Code:        keyField(d, &cur.Code),
		Channel:     keyField(d, &cur.Channel),
		UserStats:   nestedView(d, &old.Users, &cur.Users, newServiceUsersView),
		CustomStats: d.changedCustomStats(old.CustomStats, cur.CustomStats),
	}
	if calls := nestedView(d, &old.Calls, &cur.Calls, newServiceCallsView); calls != nil {
		v.ChannelStats = &channelStatsView{service: calls}
		if d.mediaTypes && cur.Channel != world.Call {
			v.ChannelStats = &channelStatsView{media: calls}
			if d.eachChannelType {
				v.ChannelStats.channel = cur.Channel
			}
		}
	}
	return v
}

// channelStatsView is a value of the union ServiceChannelStat. Exactly one of service, media
// and attendant is set.
type channelStatsView struct {
	service   *serviceCallsView
	media     *serviceCallsView
	channel   string // channel of media if each media channel has its own type, otherwise ""
	attendant *attendantCallsView
}

// ToServiceCcCallAtStat returns the counters of a service. The bool result is false if they do
// not have the type of document 2.
func (v *channelStatsView) ToServiceCcCallAtStat() (*serviceCallsView, bool) {
	return v.service, v.service != nil
}

// ToServiceMediaStat returns the counters of a service on a media channel. The bool result is
// false if they do not have the additional type of [TypesUnion] and [TypesInterface].
func (v *channelStatsView) ToServiceMediaStat() (*serviceCallsView, bool) {
	return v.media, v.media != nil && v.channel == ""
}

// AnsweredCalls resolves the only field of the interface that [TypesInterface] uses instead of
// the union.
func (v *channelStatsView) AnsweredCalls() *intScalar {
	switch {
	case v.service != nil:
		return v.service.AnsweredCalls
	case v.media != nil:
		return v.media.AnsweredCalls
	}
	return v.attendant.AnsweredCalls
}

// ToServiceAtStat returns the counters of an attendant. The bool result is false if v has none.
func (v *channelStatsView) ToServiceAtStat() (*attendantCallsView, bool) {
	return v.attendant, v.attendant != nil
}

// Member returns the name of the counters' type in the union, and their view.
func (v *channelStatsView) Member() (name string, view any) {
	switch {
	case v.service != nil:
		return "ServiceCcCallAtStat", v.service
	case v.media != nil && v.channel != "":
		return MediaType(v.channel), v.media
	case v.media != nil:
		return "ServiceMediaStat", v.media
	}
	return "ServiceAtStat", v.attendant
}

type serviceCallsView struct {
	AnsweredCalls, AnsweredCallsUnderSpeedLimit, ClosedCalls, ClosedCallsCallBack *intScalar
	ConnectedCall, CurrentCalls, HangupCalls, MaxTimeCallOnQueue                  *intScalar
	OutboundAnsweredCalls, OutboundClosedCallsGenericCause                        *intScalar
	OutboundHangupCalls, OutboundReceivedCalls                                    *intScalar
	QueuedCalls, ReceivedCalls, ReceivedCallsInAccessList                         *intScalar
	ReceivedCallsWithVendor4you, ReceivedCallsWithVendor4youAnonymous             *intScalar
	ReceivedCallsWithVendor4youMultiple, ReceivedCallsWithVendor4youSingle        *intScalar
	ShortCalls                                                                    *intScalar
	AverageTimeOnQueue                                                            *float64
}

func newServiceCallsView(d *viewBuilder, old, cur *world.ServiceCalls) serviceCallsView {
	return serviceCallsView{
		AnsweredCalls:                        d.changedNumber(&old.AnsweredCalls, &cur.AnsweredCalls),
		AnsweredCallsUnderSpeedLimit:         d.changedNumber(&old.AnsweredCallsUnderSpeedLimit, &cur.AnsweredCallsUnderSpeedLimit),
		ClosedCalls:                          d.changedNumber(&old.ClosedCalls, &cur.ClosedCalls),
		ClosedCallsCallBack:                  d.changedNumber(&old.ClosedCallsCallBack, &cur.ClosedCallsCallBack),
		ConnectedCall:                        d.changedNumber(&old.ConnectedCall, &cur.ConnectedCall),
		CurrentCalls:                         d.changedNumber(&old.CurrentCalls, &cur.CurrentCalls),
		HangupCalls:                          d.changedNumber(&old.HangupCalls, &cur.HangupCalls),
		MaxTimeCallOnQueue:                   d.changedDuration(&old.MaxTimeCallOnQueue, &cur.MaxTimeCallOnQueue),
		OutboundAnsweredCalls:                d.changedNumber(&old.OutboundAnsweredCalls, &cur.OutboundAnsweredCalls),
		OutboundClosedCallsGenericCause:      d.changedNumber(&old.OutboundClosedCallsGenericCause, &cur.OutboundClosedCallsGenericCause),
		OutboundHangupCalls:                  d.changedNumber(&old.OutboundHangupCalls, &cur.OutboundHangupCalls),
		OutboundReceivedCalls:                d.changedNumber(&old.OutboundReceivedCalls, &cur.OutboundReceivedCalls),
		QueuedCalls:                          d.changedNumber(&old.QueuedCalls, &cur.QueuedCalls),
		ReceivedCalls:                        d.changedNumber(&old.ReceivedCalls, &cur.ReceivedCalls),
		ReceivedCallsInAccessList:            d.changedNumber(&old.ReceivedCallsInAccessList, &cur.ReceivedCallsInAccessList),
		ReceivedCallsWithVendor4you:          d.changedNumber(&old.ReceivedCallsWithVendor4you, &cur.ReceivedCallsWithVendor4you),
		ReceivedCallsWithVendor4youAnonymous: d.changedNumber(&old.ReceivedCallsWithVendor4youAnonymous, &cur.ReceivedCallsWithVendor4youAnonymous),
		ReceivedCallsWithVendor4youMultiple:  d.changedNumber(&old.ReceivedCallsWithVendor4youMultiple, &cur.ReceivedCallsWithVendor4youMultiple),
		ReceivedCallsWithVendor4youSingle:    d.changedNumber(&old.ReceivedCallsWithVendor4youSingle, &cur.ReceivedCallsWithVendor4youSingle),
		ShortCalls:                           d.changedNumber(&old.ShortCalls, &cur.ShortCalls),
		AverageTimeOnQueue:                   d.changedAverage(&old.AverageTimeOnQueue, &cur.AverageTimeOnQueue),
	}
}

type serviceUsersView struct {
	BusyOnDNCallInUsers, BusyOnDNCallOutUsers      *profilesView
	BusyOnDNCallOutUsersPrivate, BusyOnDNCallUsers *profilesView
	BusyOnServUsers, BusyUsers, LoggedUsers        *profilesView
	NotReadyUsers, PostCallUsers, ReadyUsers       *profilesView
	NotReadyUsersOnActivityCode                    *[]activityView
	ActivityCodeIndicators                         *[]activityView
}

func newServiceUsersView(d *viewBuilder, old, cur *world.ServiceUsers) serviceUsersView {
	return serviceUsersView{
		BusyOnDNCallInUsers:         d.changedProfiles(&old.BusyOnDNCallInUsers, &cur.BusyOnDNCallInUsers),
		BusyOnDNCallOutUsers:        d.changedProfiles(&old.BusyOnDNCallOutUsers, &cur.BusyOnDNCallOutUsers),
		BusyOnDNCallOutUsersPrivate: d.changedProfiles(&old.BusyOnDNCallOutUsersPrivate, &cur.BusyOnDNCallOutUsersPrivate),
		BusyOnDNCallUsers:           d.changedProfiles(&old.BusyOnDNCallUsers, &cur.BusyOnDNCallUsers),
		BusyOnServUsers:             d.changedProfiles(&old.BusyOnServUsers, &cur.BusyOnServUsers),
		BusyUsers:                   d.changedProfiles(&old.BusyUsers, &cur.BusyUsers),
		LoggedUsers:                 d.changedProfiles(&old.LoggedUsers, &cur.LoggedUsers),
		NotReadyUsers:               d.changedProfiles(&old.NotReadyUsers, &cur.NotReadyUsers),
		NotReadyUsersOnActivityCode: d.changedActivities(old.NotReadyUsersOnActivityCode, cur.NotReadyUsersOnActivityCode),
		ActivityCodeIndicators:      d.changedActivities(old.ActivityCodeIndicators, cur.ActivityCodeIndicators),
		PostCallUsers:               d.changedProfiles(&old.PostCallUsers, &cur.PostCallUsers),
		ReadyUsers:                  d.changedProfiles(&old.ReadyUsers, &cur.ReadyUsers),
	}
}

type profilesView struct {
	Count      *intScalar
	ProfileIDs *[]intScalar
}

func (d *viewBuilder) changedProfiles(old, cur *world.ProfilesInStatus) *profilesView {
	return nestedView(d, old, cur, func(d *viewBuilder, old, cur *world.ProfilesInStatus) profilesView {
		return profilesView{
			Count:      d.changedNumber(&old.Count, &cur.Count),
			ProfileIDs: d.changedIDs(old.ProfileIDs, cur.ProfileIDs),
		}
	})
}

type activityView struct {
	ActivityCode string
	Count        *intScalar
	ProfileIDs   *[]intScalar
}

func (d *viewBuilder) changedActivities(old, cur []world.ProfilesInActivity) *[]activityView {
	equal := func(a, b world.ProfilesInActivity) bool {
		return a.ActivityCode == b.ActivityCode && a.Count == b.Count && slices.Equal(a.ProfileIDs, b.ProfileIDs)
	}
	return keyedView(d, old, cur, equal, func(e world.ProfilesInActivity) activityView {
		return activityView{e.ActivityCode, (*intScalar)(&e.Count), toNumbers(e.ProfileIDs)}
	})
}

type customStatView struct {
	Key   *string
	Value *customValueView
}

type customValueView struct {
	AggregatedValue, Value *float64
}

func (d *viewBuilder) changedCustomStats(old, cur []world.CustomStat) *[]customStatView {
	equal := func(a, b world.CustomStat) bool { return a == b }
	return keyedView(d, old, cur, equal, func(e world.CustomStat) customStatView {
		return customStatView{&e.Key, &customValueView{&e.AggregatedValue, &e.Value}}
	})
}

type attendantView struct {
	Code, Channel, Component *string
	ChannelStats             *channelStatsView
	UserStats                *attendantUsersView
	CustomStats              *[]customStatView
}

func newAttendantView(d *viewBuilder, old, cur *world.AttendantStat) attendantView {
	v := attendantView{
		Code:        keyField(d, &cur.Code),
		Channel:     keyField(d, &cur.Channel),
		Component:   keyField(d, &cur.Component),
		UserStats:   nestedView(d, &old.Users, &cur.Users, newAttendantUsersView),
		CustomStats: d.changedCustomStats(old.CustomStats, cur.CustomStats),
	}
	if calls := nestedView(d, &old.Calls, &cur.Calls, newAttendantCallsView); calls != nil {
		v.ChannelStats = &channelStatsView{attendant: calls}
	}
	return v
}

type attendantCallsView struct {
	AnsweredCalls, ClosedCalls, CurrentCalls, HangupCalls, ReceivedCalls *intScalar
}

func newAttendantCallsView(d *viewBuilder, old, cur *world.AttendantCalls) attendantCallsView {
	return attendantCallsView{
		AnsweredCalls: d.changedNumber(&old.AnsweredCalls, &cur.AnsweredCalls),
		ClosedCalls:   d.changedNumber(&old.ClosedCalls, &cur.ClosedCalls),
		CurrentCalls:  d.changedNumber(&old.CurrentCalls, &cur.CurrentCalls),
		HangupCalls:   d.changedNumber(&old.HangupCalls, &cur.HangupCalls),
		ReceivedCalls: d.changedNumber(&old.ReceivedCalls, &cur.ReceivedCalls),
	}
}

type attendantUsersView struct {
	BusyUsers, ReadyUsers, LoggedUsers *profilesView
}

func newAttendantUsersView(d *viewBuilder, old, cur *world.AttendantUsers) attendantUsersView {
	return attendantUsersView{
		BusyUsers:   d.changedProfiles(&old.BusyUsers, &cur.BusyUsers),
		ReadyUsers:  d.changedProfiles(&old.ReadyUsers, &cur.ReadyUsers),
		LoggedUsers: d.changedProfiles(&old.LoggedUsers, &cur.LoggedUsers),
	}
}
