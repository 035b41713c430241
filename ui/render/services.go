package render

import (
	"cmp"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/table"
)

// Services are the rows of the services on one channel. Their keys are the
// services' codes.
type Services struct{ source[model.Service] }

var _ Rows = (*Services)(nil)

// NewServices returns the rows of no service.
func NewServices() *Services {
	s := &Services{}
	s.def = definition[model.Service]{
		key:     func(r *model.Service) string { return r.Key().Code },
		name:    func(v *View, r *model.Service) string { return v.named(model.NameService, r.Code) },
		version: func(r *model.Service) uint64 { return r.Version },
		words: func(v *View, r *row[model.Service], add func(string)) {
			add(r.name)
			add(r.key)
			add(ServiceAlarm(v.Options, r.rec).Word)
		},
		look: func(v *View, r *row[model.Service], dst *table.Row) {
			v.mark(ServiceAlarm(v.Options, r.rec).Level, dst)
		},
		columns: serviceColumns(),
	}
	return s
}

// Update implements [Rows].
func (s *Services) Update(snap *model.Snapshot, v *View) {
	var t *model.Table[model.ServiceKey, model.Service]
	if snap != nil {
		t = snap.Services
	}
	if n := s.begin(v, of(t)); n != nothing {
		s.cut(s.collect(n, t.Rows(), func(r *model.Service) bool { return r.Channel == v.Channel }))
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
	rate := func(c table.Column, get func(*calls) model.Figure) column[service] {
		return percents(c, func(_ *View, r *service) model.Figure { return get(&r.ChannelStats) })
	}
	return []column[service]{
		names[service](words("name", "Service", 12, 22, 36, 100)),
		serviceAlarmColumn(),
		texts(words("code", "Code", 6, 8, 12, 20), func(_ *View, r *row[service]) string { return r.key }),
		call(number("waiting", "Waiting", 7, 98), func(c *calls) model.Int { return c.QueuedCalls }).
			colored(waitingTone),
		seconds(number("longest", "Longest", 7, 97), func(r *service) model.Int {
			return r.ChannelStats.MaxTimeCallOnQueue
		}).colored(longestTone),
		percents(number("sl", "SL", 7, 96), func(v *View, r *service) model.Figure {
			return r.ChannelStats.ServiceLevel(v.Options.Formula)
		}).colored(func(v *View, r *service) themes.Token {
			return v.Options.ServiceLevel(r.ChannelStats.ServiceLevel(v.Options.Formula)).Token()
		}),
		rate(number("abandon", "Abandon", 7, 95), (*calls).AbandonRate).
			colored(func(v *View, r *service) themes.Token {
				return v.Options.Limits.Abandon(r.ChannelStats.AbandonRate()).Token()
			}),
		durations(number("asa", "ASA", 6, 80), func(_ *View, r *service) model.Figure {
			return r.ChannelStats.ASA()
		}),
		head(number("ready", "Ready", 5, 94), func(u *users) model.ProfilesInStatus { return u.ReadyUsers }),
		call(number("talking", "Talking", 7, 93), func(c *calls) model.Int { return c.ConnectedCall }),
		head(number("logged", "Logged", 6, 85), func(u *users) model.ProfilesInStatus { return u.LoggedUsers }),
		head(number("notready", "NotRdy", 6, 70), func(u *users) model.ProfilesInStatus { return u.NotReadyUsers }),
		head(number("wrapup", "Wrap", 5, 69), func(u *users) model.ProfilesInStatus { return u.PostCallUsers }),
		call(number("current", "InSys", 5, 40), func(c *calls) model.Int { return c.CurrentCalls }),
		call(number("received", "Received", 8, 78), func(c *calls) model.Int { return c.ReceivedCalls }),
		call(number("answered", "Answered", 8, 77), func(c *calls) model.Int { return c.AnsweredCalls }),
		call(number("abandoned", "Aband", 6, 68), func(c *calls) model.Int { return c.HangupCalls }),
		call(number("closed", "Closed", 6, 50), func(c *calls) model.Int { return c.ClosedCalls }),
		call(number("callbacks", "Callbk", 6, 49), func(c *calls) model.Int { return c.ClosedCallsCallBack }),
		call(number("short", "Short", 5, 48), func(c *calls) model.Int { return c.ShortCalls }),
		call(number("outbound", "Out", 6, 47), func(c *calls) model.Int { return c.OutboundReceivedCalls }),
		rate(number("outanswer", "OutAns", 7, 46), (*calls).OutboundAnswerRate),
		percents(number("occupancy", "Occup", 7, 60), func(_ *View, r *service) model.Figure {
			return r.UserStats.Occupancy()
		}),
	}
}

// serviceAlarmColumn sorts the service that needs a person most first.
func serviceAlarmColumn() column[model.Service] {
	c := table.Column{
		ID: "alarm", Title: "Alarm", Min: 11, Priority: 90, Align: table.Left, Desc: true,
	}
	return column[model.Service]{
		Column: c,
		cell: func(v *View, r *row[model.Service], dst *table.Cell) {
			a := ServiceAlarm(v.Options, r.rec)
			dst.Text = a.append(dst.Text, v.Options.ASCII)
			dst.Style = v.level(a.Level)
		},
		order: func(v *View, a, b *row[model.Service]) int {
			return compareUrgency(v.Options, a.rec, b.rec)
		},
	}
}

// compareUrgency orders services by how much they need a person: by their
// alarms, then by who waits, then by how long.
func compareUrgency(o *Options, a, b *model.Service) int {
	x, y := ServiceAlarm(o, a), ServiceAlarm(o, b)
	p, q := &a.ChannelStats, &b.ChannelStats
	return cmp.Or(
		cmp.Compare(x.Level, y.Level),
		cmp.Compare(x.rank, y.rank),
		cmp.Compare(p.QueuedCalls.Or(-1), q.QueuedCalls.Or(-1)),
		cmp.Compare(p.MaxTimeCallOnQueue.Or(-1), q.MaxTimeCallOnQueue.Or(-1)),
	)
}

func waitingTone(_ *View, r *model.Service) themes.Token {
	if r.ChannelStats.QueuedCalls.Or(0) <= 0 {
		return themes.Text
	}
	return staffing(r.UserStats.LoggedUsers.Count, r.UserStats.ReadyUsers.Count).Level.Token()
}

// longestTone measures the longest wait only while somebody waits: what the
// platform sends otherwise is the wait of somebody who has gone.
func longestTone(v *View, r *model.Service) themes.Token {
	wait, ok := r.ChannelStats.MaxTimeCallOnQueue.Get()
	switch {
	case !ok:
		return themes.Text
	case r.ChannelStats.QueuedCalls == model.IntOf(0):
		return themes.Dim
	}
	return v.Options.Limits.Wait.Level(secondsOf(wait)).Token()
}
