package merge_test

import "wallboard/model"

// statPatch is the usual way to decode a partial update: a pointer per field,
// nil if null or absent. It is the baseline of BenchmarkMerge.
type statPatch struct {
	Username                         *string      `json:"username"`
	Channel                          *string      `json:"channel"`
	Name                             *string      `json:"name"`
	Surname                          *string      `json:"surname"`
	UserSite                         *int64       `json:"userSite"`
	LoggedProfileID                  *int64       `json:"loggedProfileId"`
	ActivityCode                     *string      `json:"activityCode"`
	ActivityCode2                    *string      `json:"activityCode2"`
	CurrentGroup                     *string      `json:"currentGroup"`
	CurrentService                   *string      `json:"currentService"`
	NumberCallFromService            *int64       `json:"numberCallFromService"`
	NumberCallFromServiceAnswered    *int64       `json:"numberCallFromServiceAnswered"`
	NumberCallFromServiceNotAnswered *int64       `json:"numberCallFromServiceNotAnswered"`
	NumberCallIn                     *int64       `json:"numberCallIn"`
	NumberCallServiceOverSpeedAnswer *int64       `json:"numberCallServiceOverSpeedAnswer"`
	NumberCallOut                    *int64       `json:"numberCallOut"`
	NumberCallOutPrivate             *int64       `json:"numberCallOutPrivate"`
	Status                           *string      `json:"status"`
	TimeInActivityCode               *[]timePatch `json:"timeInActivityCode"`
	TimeInActivityCodeStateBusy      *[]timePatch `json:"timeInActivityCodeStateBusy"`
	TimeInActivityCodeStateNotReady  *[]timePatch `json:"timeInActivityCodeStateNotReady"`
	TimeInState                      *int64       `json:"timeInState"`
	TimeInStateBooked                *int64       `json:"timeInStateBooked"`
	TimeInStateBusy                  *int64       `json:"timeInStateBusy"`
	TimeInStateBusyOnService         *int64       `json:"timeInStateBusyOnService"`
	TimeInStateNotReady              *int64       `json:"timeInStateNotReady"`
	TimeInStateReady                 *int64       `json:"timeInStateReady"`
	TimeInStateWNR                   *int64       `json:"timeInStateWNR"`
	TimeInStateBusyDNCallIn          *int64       `json:"timeInStateBusyDnCallIn"`
	TimeInStateBusyDNCallOut         *int64       `json:"timeInStateBusyDnCallOut"`
	TimeInStateBusyDNCallOutPrivate  *int64       `json:"timeInStateBusyDnCallOutPrivate"`
}

type timePatch struct {
	ActivityCode string `json:"activityCode"`
	TotalTime    *int64 `json:"totalTime"`
}

func (p *statPatch) merge(r *model.UserStat) {
	patch(&r.Username, p.Username, model.TextOf)
	patch(&r.Channel, p.Channel, func(s string) model.Channel { return model.Channel(s) })
	patch(&r.Name, p.Name, model.TextOf)
	patch(&r.Surname, p.Surname, model.TextOf)
	patch(&r.UserSite, p.UserSite, model.IntOf)
	patch(&r.LoggedProfileID, p.LoggedProfileID, model.IntOf)
	patch(&r.ActivityCode, p.ActivityCode, model.TextOf)
	patch(&r.ActivityCode2, p.ActivityCode2, model.TextOf)
	patch(&r.CurrentGroup, p.CurrentGroup, model.TextOf)
	patch(&r.CurrentService, p.CurrentService, model.TextOf)
	patch(&r.NumberCallFromService, p.NumberCallFromService, model.IntOf)
	patch(&r.NumberCallFromServiceAnswered, p.NumberCallFromServiceAnswered, model.IntOf)
	patch(&r.NumberCallFromServiceNotAnswered, p.NumberCallFromServiceNotAnswered, model.IntOf)
	patch(&r.NumberCallIn, p.NumberCallIn, model.IntOf)
	patch(&r.NumberCallServiceOverSpeedAnswer, p.NumberCallServiceOverSpeedAnswer, model.IntOf)
	patch(&r.NumberCallOut, p.NumberCallOut, model.IntOf)
	patch(&r.NumberCallOutPrivate, p.NumberCallOutPrivate, model.IntOf)
	patch(&r.Status, p.Status, func(s string) model.UserStatus { return model.UserStatus(s) })
	patchTimes(&r.TimeInActivityCode, p.TimeInActivityCode)
	patchTimes(&r.TimeInActivityCodeStateBusy, p.TimeInActivityCodeStateBusy)
	patchTimes(&r.TimeInActivityCodeStateNotReady, p.TimeInActivityCodeStateNotReady)
	patch(&r.TimeInState, p.TimeInState, model.InstantOfMilli)
	patch(&r.TimeInStateBooked, p.TimeInStateBooked, model.IntOf)
	patch(&r.TimeInStateBusy, p.TimeInStateBusy, model.IntOf)
	patch(&r.TimeInStateBusyOnService, p.TimeInStateBusyOnService, model.IntOf)
	patch(&r.TimeInStateNotReady, p.TimeInStateNotReady, model.IntOf)
	patch(&r.TimeInStateReady, p.TimeInStateReady, model.IntOf)
	patch(&r.TimeInStateWNR, p.TimeInStateWNR, model.IntOf)
	patch(&r.TimeInStateBusyDNCallIn, p.TimeInStateBusyDNCallIn, model.IntOf)
	patch(&r.TimeInStateBusyDNCallOut, p.TimeInStateBusyDNCallOut, model.IntOf)
	patch(&r.TimeInStateBusyDNCallOutPrivate, p.TimeInStateBusyDNCallOutPrivate, model.IntOf)
}

func patch[T, V any](dst *T, v *V, of func(V) T) {
	if v != nil {
		*dst = of(*v)
	}
}

func patchTimes(dst *[]model.ActivityTime, v *[]timePatch) {
	if v == nil {
		return
	}
	fresh := append([]model.ActivityTime(nil), *dst...)
	for _, e := range *v {
		i := 0
		for i < len(fresh) && fresh[i].ActivityCode != e.ActivityCode {
			i++
		}
		if i == len(fresh) {
			fresh = append(fresh, model.ActivityTime{ActivityCode: e.ActivityCode})
		}
		patch(&fresh[i].TotalTime, e.TotalTime, model.IntOf)
	}
	*dst = fresh
}
