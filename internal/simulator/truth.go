package simulator

import (
	"wallboard/internal/simulator/endpoint"
	"wallboard/internal/simulator/rtd"
	"wallboard/internal/simulator/world"
)

// Truth returns the current state of the platform as a JSON document. It contains the records
// of each kind under the name of their operation, with the field names of document 2. Records
// are sorted by key, then by channel and component in the order of document 2. Members of
// unions are inlined, dates have the form ISO 8601 in UTC with milliseconds, and users have no
// field mutation.
//
// The document is encoded directly from the records of the world and shares no code with the
// services. Tests can therefore compare it with what the services send.
func (s *Server) Truth() []byte {
	out := make(object)
	s.eachKind(func(operation string, rows []truthRow) {
		list := make([]any, len(rows))
		for i := range rows {
			list[i] = rows[i].encode()
		}
		out[operation] = list
	})
	return endpoint.JSON(out)
}

// EachTruth calls f for every current record of the platform, with the name of its operation, the
// record, and a function that returns the record's JSON as in [Server.Truth]. Records are
// immutable: the same pointer means that the record has not changed.
func (s *Server) EachTruth(f func(operation string, record any, encode func() []byte)) {
	s.eachKind(func(operation string, rows []truthRow) {
		for _, row := range rows {
			f(operation, row.record, func() []byte { return endpoint.JSON(row.encode()) })
		}
	})
}

// truthRow is a record and a function that returns the value that represents it in JSON.
type truthRow struct {
	record any
	encode func() any
}

// eachKind calls f for every operation, with its current records in the order of [Server.Truth].
func (s *Server) eachKind(f func(operation string, rows []truthRow)) {
	st := s.world.State()
	f("users", truthRows(st.Users, (*world.User).Key, encodeUser))
	f("serviceStats", truthRows(st.Services, (*world.ServiceStat).Key, s.encodeService))
	f("groupStats", truthRows(st.Groups, (*world.GroupStat).Key, encodeGroup))
	f("userStats", truthRows(st.UserStats, (*world.UserStat).Key, encodeUserStat))
	f("userProfileStats", truthRows(st.UserProfileStats, (*world.UserProfileStat).Key, s.profileEncoder()))
	f("pdCampaignStats", truthRows(st.Campaigns, (*world.CampaignStat).Key, func(r *world.CampaignStat) truthCampaign { return truthCampaign(*r) }))
	f("serviceAttendantStats", truthRows(st.Attendants, (*world.AttendantStat).Key, encodeAttendant))
	f("operatorStats", truthRows(st.Operators, (*world.OperatorStat).Key, func(r *world.OperatorStat) truthOperator { return truthOperator(*r) }))
	f("operatorProfileStats", truthRows(st.OperatorProfileStats, (*world.UserProfileStat).Key, s.profileEncoder()))
}

func truthRows[R, T any](records []*R, keyOf func(*R) world.Key, encode func(*R) T) []truthRow {
	world.SortByKey(records, keyOf)
	rows := make([]truthRow, len(records))
	for i, r := range records {
		rows[i] = truthRow{r, func() any { return encode(r) }}
	}
	return rows
}

// object is a JSON object to be encoded.
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

func encodeUser(r *world.User) truthUser {
	return truthUser{
		r.Username, r.Surname, r.Name, r.ActiveProfile, encodeChannels(r.ActivityCodes),
		nonNil(r.Services), nonNil(r.Skillsets), r.Site, encodeChannels(r.Statuses),
	}
}

// nonNil returns a list, or an empty one for nil, so that JSON contains [] instead of null.
func nonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func encodeChannels(values [world.NumChannels]string) object {
	o := object{}
	for i, channel := range world.Channels() {
		o[channel] = nil
		if values[i] != "" {
			o[channel] = values[i]
		}
	}
	return o
}

func (s *Server) encodeService(r *world.ServiceStat) object {
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
			"busyOnDNCallInUsers":         encodeProfiles(u.BusyOnDNCallInUsers),
			"busyOnDNCallOutUsers":        encodeProfiles(u.BusyOnDNCallOutUsers),
			"busyOnDNCallOutUsersPrivate": encodeProfiles(u.BusyOnDNCallOutUsersPrivate),
			"busyOnDNCallUsers":           encodeProfiles(u.BusyOnDNCallUsers),
			"busyOnServUsers":             encodeProfiles(u.BusyOnServUsers),
			"busyUsers":                   encodeProfiles(u.BusyUsers),
			"loggedUsers":                 encodeProfiles(u.LoggedUsers),
			"notReadyUsers":               encodeProfiles(u.NotReadyUsers),
			"notReadyUsersOnActivityCode": encodeActivities(u.NotReadyUsersOnActivityCode),
			"activityCodeIndicators":      encodeActivities(u.ActivityCodeIndicators),
			"postCallUsers":               encodeProfiles(u.PostCallUsers),
			"readyUsers":                  encodeProfiles(u.ReadyUsers),
		},
		"customStats": encodeCustomStats(r.CustomStats),
	}
}

func encodeGroup(r *world.GroupStat) object {
	return object{
		"code": r.Code, "channel": r.Channel,
		"channelStats": truthGroupCalls{"GroupCcCallStat", truthGroupCounters(r.Calls)},
		"userStats": object{
			"loggedUsers":                 encodeProfiles(r.Users.LoggedUsers),
			"notReadyUsers":               encodeProfiles(r.Users.NotReadyUsers),
			"notReadyUsersOnActivityCode": encodeActivities(r.Users.NotReadyUsersOnActivityCode),
			"postCallUsers":               encodeProfiles(r.Users.PostCallUsers),
			"readyUsers":                  encodeProfiles(r.Users.ReadyUsers),
		},
		"customStats": encodeCustomStats(r.CustomStats),
	}
}

func encodeAttendant(r *world.AttendantStat) object {
	return object{
		"code": r.Code, "channel": r.Channel, "component": r.Component,
		"channelStats": truthAttendantCalls{"ServiceAtStat", truthAttendantCounters(r.Calls)},
		"userStats": object{
			"busyUsers":   encodeProfiles(r.Users.BusyUsers),
			"readyUsers":  encodeProfiles(r.Users.ReadyUsers),
			"loggedUsers": encodeProfiles(r.Users.LoggedUsers),
		},
		"customStats": encodeCustomStats(r.CustomStats),
	}
}

func encodeProfiles(p world.ProfilesInStatus) object {
	return object{"count": p.Count, "profileIds": nonNil(p.ProfileIDs)}
}

func encodeActivities(list []world.ProfilesInActivity) []object {
	encoded := make([]object, len(list))
	for i, a := range list {
		encoded[i] = object{"activityCode": a.ActivityCode, "count": a.Count, "profileIds": nonNil(a.ProfileIDs)}
	}
	return encoded
}

func encodeCustomStats(list []world.CustomStat) []object {
	encoded := make([]object, len(list))
	for i, c := range list {
		encoded[i] = object{"key": c.Key, "value": object{"aggregatedValue": c.AggregatedValue, "value": c.Value}}
	}
	return encoded
}

func encodeUserStat(r *world.UserStat) object {
	o := encodeFigures(&r.Figures)
	o["username"], o["name"], o["surname"] = r.Username, r.Name, r.Surname
	return o
}

func encodeProfileStat(r *world.UserProfileStat) object {
	o := encodeFigures(&r.Figures)
	o["id"] = r.ID
	o["timeInHold"] = object{"time": r.TimeInHold.Time, "timeInState": endpoint.FormatDate(r.TimeInHold.TimeInState)}
	return o
}

// encodeProfileWithoutHold is like encodeProfileStat, but encodes timeInState in timeInHold as null
// for a profile that has never held a call.
func encodeProfileWithoutHold(r *world.UserProfileStat) object {
	o := encodeProfileStat(r)
	if r.TimeInHold.Never {
		o["timeInHold"] = object{"time": r.TimeInHold.Time, "timeInState": nil}
	}
	return o
}

// profileEncoder returns the function that encodes a profile in the form that the options
// select.
func (s *Server) profileEncoder() func(*world.UserProfileStat) object {
	if s.opts.Switches.NeverHeld != rtd.NeverHeldLogin {
		return encodeProfileWithoutHold
	}
	return encodeProfileStat
}

func encodeFigures(f *world.Figures) object {
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
		"timeInActivityCode":               encodeTimes(f.TimeInActivityCode),
		"timeInActivityCodeStateBusy":      encodeTimes(f.TimeInActivityCodeStateBusy),
		"timeInActivityCodeStateNotReady":  encodeTimes(f.TimeInActivityCodeStateNotReady),
		"timeInState":                      endpoint.FormatDate(f.TimeInState),
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
	if f.Channel == world.Call { // document 2 has these fields only for the call channel
		o["numberCallOut"] = f.NumberCallOut
		o["numberCallOutPrivate"] = f.NumberCallOutPrivate
		o["timeInStateBusyDnCallIn"] = f.TimeInStateBusyDNCallIn
		o["timeInStateBusyDnCallOut"] = f.TimeInStateBusyDNCallOut
		o["timeInStateBusyDnCallOutPrivate"] = f.TimeInStateBusyDNCallOutPrivate
	}
	return o
}

func encodeTimes(list []world.TimeInActivityCode) []object {
	encoded := make([]object, len(list))
	for i, t := range list {
		encoded[i] = object{"activityCode": t.ActivityCode, "totalTime": t.TotalTime}
	}
	return encoded
}
