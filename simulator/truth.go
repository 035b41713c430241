package simulator

import (
	"wallboard/simulator/rtd"
	"wallboard/simulator/wire"
	"wallboard/simulator/world"
)

// Truth returns the current state of the platform as a JSON document. It lists the
// records of each kind under the name of their operation, with the field names of
// document 2. Records are sorted by key, then by channel and component in the order
// of document 2. Members of unions are inlined; dates are ISO 8601 in UTC with
// milliseconds. Users have no field mutation.
//
// The document is built directly from the world's records and shares no code with
// the services, so tests can compare the two.
func (s *Server) Truth() []byte {
	st := s.world.State()
	return wire.JSON(struct {
		Users                 []truthUser     `json:"users"`
		ServiceStats          []object        `json:"serviceStats"`
		GroupStats            []object        `json:"groupStats"`
		UserStats             []object        `json:"userStats"`
		UserProfileStats      []object        `json:"userProfileStats"`
		PdCampaignStats       []truthCampaign `json:"pdCampaignStats"`
		ServiceAttendantStats []object        `json:"serviceAttendantStats"`
		OperatorStats         []truthOperator `json:"operatorStats"`
		OperatorProfileStats  []object        `json:"operatorProfileStats"`
	}{
		tell(st.Users, (*world.User).Key, tellUser),
		tell(st.Services, (*world.ServiceStat).Key, s.tellService),
		tell(st.Groups, (*world.GroupStat).Key, tellGroup),
		tell(st.UserStats, (*world.UserStat).Key, tellUserStat),
		tell(st.UserProfileStats, (*world.UserProfileStat).Key, s.tellProfile()),
		tell(st.Campaigns, (*world.CampaignStat).Key, func(r *world.CampaignStat) truthCampaign { return truthCampaign(*r) }),
		tell(st.Attendants, (*world.AttendantStat).Key, tellAttendant),
		tell(st.Operators, (*world.OperatorStat).Key, func(r *world.OperatorStat) truthOperator { return truthOperator(*r) }),
		tell(st.OperatorProfileStats, (*world.UserProfileStat).Key, s.tellProfile()),
	})
}

// tell sorts records by key and returns their JSON representation.
func tell[R, T any](records []*R, keyOf func(*R) world.Key, one func(*R) T) []T {
	world.SortByKey(records, keyOf)
	told := make([]T, len(records))
	for i, r := range records {
		told[i] = one(r)
	}
	return told
}

// object is a JSON object.
type object map[string]any

type truthUser struct {
	Username      string   `json:"username"`
	Surname       string   `json:"surname"`
	Name          string   `json:"name"`
	ActiveProfile int64    `json:"activeProfile"`
	ActivityCodes object   `json:"activityCodes"`
	Services      []string `json:"services"`
	Skillsets     []string `json:"skillsets"`
	Site          int64    `json:"site"`
	Statuses      object   `json:"statuses"`
}

func tellUser(r *world.User) truthUser {
	return truthUser{
		r.Username, r.Surname, r.Name, r.ActiveProfile, tellChannels(r.ActivityCodes),
		tellList(r.Services), tellList(r.Skillsets), r.Site, tellChannels(r.Statuses),
	}
}

// tellList returns a non-nil list, so that JSON contains [] instead of null.
func tellList[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func tellChannels(values [world.NumChannels]string) object {
	o := object{}
	for i, channel := range world.Channels() {
		o[channel] = nil
		if values[i] != "" {
			o[channel] = values[i]
		}
	}
	return o
}

func (s *Server) tellService(r *world.ServiceStat) object {
	typename := "ServiceCcCallAtStat"
	if s.opts.Switches.ChannelTypes != rtd.TypesOne && r.Channel != world.Call {
		typename = "ServiceMediaStat"
		if s.opts.Switches.ChannelTypes == rtd.TypesEach {
			typename = rtd.MediaType(r.Channel)
		}
	}
	u := &r.Users
	return object{
		"code": r.Code, "channel": r.Channel,
		"channelStats": truthServiceCalls{typename, truthServiceCounters(r.Calls)},
		"userStats": object{
			"busyOnDNCallInUsers":         tellProfiles(u.BusyOnDNCallInUsers),
			"busyOnDNCallOutUsers":        tellProfiles(u.BusyOnDNCallOutUsers),
			"busyOnDNCallOutUsersPrivate": tellProfiles(u.BusyOnDNCallOutUsersPrivate),
			"busyOnDNCallUsers":           tellProfiles(u.BusyOnDNCallUsers),
			"busyOnServUsers":             tellProfiles(u.BusyOnServUsers),
			"busyUsers":                   tellProfiles(u.BusyUsers),
			"loggedUsers":                 tellProfiles(u.LoggedUsers),
			"notReadyUsers":               tellProfiles(u.NotReadyUsers),
			"notReadyUsersOnActivityCode": tellActivities(u.NotReadyUsersOnActivityCode),
			"activityCodeIndicators":      tellActivities(u.ActivityCodeIndicators),
			"postCallUsers":               tellProfiles(u.PostCallUsers),
			"readyUsers":                  tellProfiles(u.ReadyUsers),
		},
		"customStats": tellCustomStats(r.CustomStats),
	}
}

func tellGroup(r *world.GroupStat) object {
	return object{
		"code": r.Code, "channel": r.Channel,
		"channelStats": truthGroupCalls{"GroupCcCallStat", truthGroupCounters(r.Calls)},
		"userStats": object{
			"loggedUsers":                 tellProfiles(r.Users.LoggedUsers),
			"notReadyUsers":               tellProfiles(r.Users.NotReadyUsers),
			"notReadyUsersOnActivityCode": tellActivities(r.Users.NotReadyUsersOnActivityCode),
			"postCallUsers":               tellProfiles(r.Users.PostCallUsers),
			"readyUsers":                  tellProfiles(r.Users.ReadyUsers),
		},
		"customStats": tellCustomStats(r.CustomStats),
	}
}

func tellAttendant(r *world.AttendantStat) object {
	return object{
		"code": r.Code, "channel": r.Channel, "component": r.Component,
		"channelStats": truthAttendantCalls{"ServiceAtStat", truthAttendantCounters(r.Calls)},
		"userStats": object{
			"busyUsers":   tellProfiles(r.Users.BusyUsers),
			"readyUsers":  tellProfiles(r.Users.ReadyUsers),
			"loggedUsers": tellProfiles(r.Users.LoggedUsers),
		},
		"customStats": tellCustomStats(r.CustomStats),
	}
}

func tellProfiles(p world.ProfilesInStatus) object {
	return object{"count": p.Count, "profileIds": tellList(p.ProfileIDs)}
}

func tellActivities(list []world.ProfilesInActivity) []object {
	told := make([]object, len(list))
	for i, a := range list {
		told[i] = object{"activityCode": a.ActivityCode, "count": a.Count, "profileIds": tellList(a.ProfileIDs)}
	}
	return told
}

func tellCustomStats(list []world.CustomStat) []object {
	told := make([]object, len(list))
	for i, c := range list {
		told[i] = object{"key": c.Key, "value": object{"aggregatedValue": c.AggregatedValue, "value": c.Value}}
	}
	return told
}

func tellUserStat(r *world.UserStat) object {
	o := tellFigures(&r.Figures)
	o["username"], o["name"], o["surname"] = r.Username, r.Name, r.Surname
	return o
}

func tellProfileStat(r *world.UserProfileStat) object {
	o := tellFigures(&r.Figures)
	o["id"] = r.ID
	o["timeInHold"] = object{"time": r.TimeInHold.Time, "timeInState": wire.Date(r.TimeInHold.TimeInState)}
	return o
}

// tellProfileWithoutHold is tellProfileStat with a null timeInState for profiles
// that never held a call.
func tellProfileWithoutHold(r *world.UserProfileStat) object {
	o := tellProfileStat(r)
	if r.TimeInHold.Never {
		o["timeInHold"] = object{"time": r.TimeInHold.Time, "timeInState": nil}
	}
	return o
}

// tellProfile returns the function that represents a profile.
func (s *Server) tellProfile() func(*world.UserProfileStat) object {
	if s.opts.Switches.NeverHeld != rtd.NeverHeldLogin {
		return tellProfileWithoutHold
	}
	return tellProfileStat
}

func tellFigures(f *world.Figures) object {
	o := object{
		"userSite": f.UserSite, "loggedProfileId": f.LoggedProfileID, "channel": f.Channel,
		"activityCode": f.ActivityCode, "activityCode2": f.ActivityCode2,
		"currentGroup": f.CurrentGroup, "currentService": f.CurrentService,
		"numberCallFromService":            f.NumberCallFromService,
		"numberCallFromServiceAnswered":    f.NumberCallFromServiceAnswered,
		"numberCallFromServiceNotAnswered": f.NumberCallFromServiceNotAnswered,
		"numberCallIn":                     f.NumberCallIn,
		"numberCallServiceOverSpeedAnswer": f.NumberCallServiceOverSpeedAnswer,
		"numberCallOut":                    nil,
		"numberCallOutPrivate":             nil,
		"status":                           f.Status,
		"timeInActivityCode":               tellTimes(f.TimeInActivityCode),
		"timeInActivityCodeStateBusy":      tellTimes(f.TimeInActivityCodeStateBusy),
		"timeInActivityCodeStateNotReady":  tellTimes(f.TimeInActivityCodeStateNotReady),
		"timeInState":                      wire.Date(f.TimeInState),
		"timeInStateBooked":                f.TimeInStateBooked,
		"timeInStateBusy":                  f.TimeInStateBusy,
		"timeInStateBusyOnService":         f.TimeInStateBusyOnService,
		"timeInStateNotReady":              f.TimeInStateNotReady,
		"timeInStateReady":                 f.TimeInStateReady,
		"timeInStateWNR":                   f.TimeInStateWNR,
		"timeInStateBusyDnCallIn":          nil,
		"timeInStateBusyDnCallOut":         nil,
		"timeInStateBusyDnCallOutPrivate":  nil,
	}
	if f.Channel == world.Call { // fields of the call-channel variants of document 2
		o["numberCallOut"] = f.NumberCallOut
		o["numberCallOutPrivate"] = f.NumberCallOutPrivate
		o["timeInStateBusyDnCallIn"] = f.TimeInStateBusyDNCallIn
		o["timeInStateBusyDnCallOut"] = f.TimeInStateBusyDNCallOut
		o["timeInStateBusyDnCallOutPrivate"] = f.TimeInStateBusyDNCallOutPrivate
	}
	return o
}

func tellTimes(list []world.TimeInActivityCode) []object {
	told := make([]object, len(list))
	for i, t := range list {
		told[i] = object{"activityCode": t.ActivityCode, "totalTime": t.TotalTime}
	}
	return told
}
