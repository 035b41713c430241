package render

import (
	"wallboard/internal/alert"
	"wallboard/internal/phrases"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/table"
)

// Services holds the rows of the services on one channel. The keys are service codes.
type Services struct{ source[model.Service] }

var _ Rows = (*Services)(nil)

// NewServices returns an empty list with columns for the configured KPIs.
func NewServices(own ...alert.KPI) *Services {
	s := &Services{}
	s.def = definition[model.Service]{
		key:        func(r *model.Service) string { return r.Key().Code },
		name:       func(v *View, r *model.Service) string { return v.named(model.NameService, r.Code) },
		version:    func(r *model.Service) uint64 { return r.Version },
		alertKey:   serviceKey,
		alertScope: alert.Service,
		searchWords: func(_ *View, r *row[model.Service], add func(string)) {
			add(r.name)
			add(r.key)
			r.alarm.words(add)
		},
		look: func(v *View, r *row[model.Service], dst *table.Row) {
			v.markAlarm(r.alarm, dst)
		},
		columns: serviceColumns(),
		legend:  phrases.ServiceColumns(),
	}
	s.def.addOwn(own)
	s.def.trend("Waiting 1 h", "queuedCalls")
	return s
}

// Update implements [Rows].
func (s *Services) Update(snap *model.Snapshot, v *View) {
	var t *model.Table[model.ServiceKey, model.Service]
	if snap != nil {
		t = snap.Services
	}
	if n := s.begin(v, of(t)); n != unchanged {
		s.cut(s.collect(n, t.Rows(), func(r *model.Service) bool { return r.Channel == v.Channel && v.Keep.code(r.Key().Code) }))
	}
}

func serviceColumns() []column[model.Service] {
	type (
		service = model.Service
		calls   = model.ServiceCalls
		users   = model.ServiceUsers
	)
	call := func(c table.Column, get func(*calls) model.Int) column[service] {
		return ints(c, func(r *service) model.Int { return get(&r.ChannelStats) })
	}
	head := func(c table.Column, get func(*users) model.ProfilesInStatus) column[service] {
		return ints(c, func(r *service) model.Int { return get(&r.UserStats).Count })
	}
	figure := serviceFigureSet().column
	return otherFigures(serviceFigureSet(), []column[service]{
		names[service](words("name", "Service", 15, 16, 36, 100)),
		alarmColumn[service](90),
		texts(words("code", "Code", 6, 8, 12, 20), func(_ *View, r *row[service]) string { return r.key }),
		call(number("waiting", "Waiting", 7, 98), func(c *calls) model.Int { return c.QueuedCalls }).
			alarmed(staffingNames()...),
		durations(number("longest", "Longest", 7, 97), func(_ *View, r *service) model.Figure {
			return r.ChannelStats.LongestWait()
		}).colored(longestTone).presumable(model.PresumedLongest, func(r *service) bool { return r.ChannelStats.LongestWait().Known() }).
			alarmed(waitNames()...),
		figure("sl", "serviceLevel", 96).alarmed(levelNames()...),
		figure("abandon", "abandonRate", 95).
			alarmed(abandonNames()...),
		figure("asa", "asa", 80).presumable(model.PresumedAverage, func(r *service) bool { return r.ChannelStats.AverageTimeOnQueue.Known() }),
		head(number("ready", "Ready", 5, 94), func(u *users) model.ProfilesInStatus { return u.ReadyUsers }),
		call(number("talking", "Talk", 4, 89), func(c *calls) model.Int { return c.ConnectedCall }),
		head(number("logged", "Logged", 6, 85), func(u *users) model.ProfilesInStatus { return u.LoggedUsers }),
		head(number("notready", "NotRdy", 6, 70), func(u *users) model.ProfilesInStatus { return u.NotReadyUsers }),
		head(number("wrapup", "Wrap", 5, 68), func(u *users) model.ProfilesInStatus { return u.PostCallUsers }),
		call(number("current", "InSys", 5, 40), func(c *calls) model.Int { return c.CurrentCalls }),
		call(number("received", "Received", 8, 78), func(c *calls) model.Int { return c.ReceivedCalls }),
		call(number("answered", "Answered", 8, 69), func(c *calls) model.Int { return c.AnsweredCalls }),
		call(number("abandoned", "Aband", 6, 67), func(c *calls) model.Int { return c.HangupCalls }),
		call(number("closed", "Closed", 6, 50), func(c *calls) model.Int { return c.ClosedCalls }),
		call(number("callbacks", "Callbk", 6, 49), func(c *calls) model.Int { return c.ClosedCallsCallBack }),
		call(number("short", "Short", 5, 48), func(c *calls) model.Int { return c.ShortCalls }),
		call(number("outbound", "Out", 6, 47), func(c *calls) model.Int { return c.OutboundReceivedCalls }),
		figure("outanswer", "outboundAnswerRate", 46),
		figure("occupancy", "occupancy", 60),
	})
}

// longestTone dims the wait if no caller waits.
func longestTone(_ *View, r *model.Service) themes.Token {
	if r.ChannelStats.QueuedCalls == model.IntOf(0) {
		return themes.Dim
	}
	return themes.Text
}
