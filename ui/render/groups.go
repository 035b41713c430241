package render

import (
	"wallboard/internal/alert"
	"wallboard/internal/phrases"
	"wallboard/model"
	"wallboard/ui/table"
)

// Groups holds the rows of the groups (skillsets) on one channel. The keys are group
// codes.
type Groups struct{ source[model.Group] }

var _ Rows = (*Groups)(nil)

// NewGroups returns an empty list with columns for the configured KPIs.
func NewGroups(own ...alert.KPI) *Groups {
	s := &Groups{}
	s.def = definition[model.Group]{
		key:        func(r *model.Group) string { return r.Key().Code },
		name:       func(v *View, r *model.Group) string { return v.named(model.NameGroup, r.Code) },
		version:    func(r *model.Group) uint64 { return r.Version },
		alertKey:   groupKey,
		alertScope: alert.Group,
		searchWords: func(_ *View, r *row[model.Group], add func(string)) {
			add(r.name)
			add(r.key)
			r.alarm.words(add)
		},
		look: func(v *View, r *row[model.Group], dst *table.Row) {
			v.markAlarm(r.alarm, dst)
		},
		columns: groupColumns(),
		legend:  phrases.GroupColumns(),
	}
	s.def.addOwn(own)
	s.def.trend("Waiting 1 h", "queuedCalls")
	return s
}

// Update implements [Rows].
func (s *Groups) Update(snap *model.Snapshot, v *View) {
	var t *model.Table[model.GroupKey, model.Group]
	if snap != nil {
		t = snap.Groups
	}
	if n := s.begin(v, of(t)); n != unchanged {
		s.cut(s.collect(n, t.Rows(), func(r *model.Group) bool { return r.Channel == v.Channel && v.Keep.code(r.Key().Code) }))
	}
}

func groupColumns() []column[model.Group] {
	type (
		group = model.Group
		calls = model.GroupCalls
		users = model.GroupUsers
	)
	call := func(c table.Column, get func(*calls) model.Int) column[group] {
		return ints(c, func(r *group) model.Int { return get(&r.ChannelStats) })
	}
	head := func(c table.Column, get func(*users) model.ProfilesInStatus) column[group] {
		return ints(c, func(r *group) model.Int { return get(&r.UserStats).Count })
	}
	figure := ofGroups().column
	return otherFigures(ofGroups(), []column[group]{
		names[group](words("name", "Group", 12, 16, 36, 100)),
		alarmColumn[group](95),
		texts(words("code", "Code", 6, 8, 12, 20), func(_ *View, r *row[group]) string { return r.key }),
		call(number("waiting", "Waiting", 7, 98), func(c *calls) model.Int { return c.QueuedCalls }).
			alarmed(staffingNames()...),
		head(number("ready", "Ready", 5, 97), func(u *users) model.ProfilesInStatus { return u.ReadyUsers }),
		head(number("logged", "Logged", 6, 96), func(u *users) model.ProfilesInStatus { return u.LoggedUsers }),
		head(number("notready", "NotRdy", 6, 95), func(u *users) model.ProfilesInStatus { return u.NotReadyUsers }),
		head(number("wrapup", "Wrap", 5, 94), func(u *users) model.ProfilesInStatus { return u.PostCallUsers }),
		call(number("received", "Received", 8, 90), func(c *calls) model.Int { return c.ReceivedCalls }),
		call(number("answered", "Answered", 8, 89), func(c *calls) model.Int { return c.AnsweredCalls }),
		call(number("abandoned", "Aband", 6, 70), func(c *calls) model.Int { return c.HangupCalls }),
		figure("answer", "answerRate", 92),
		figure("abandon", "abandonRate", 93).alarmed(abandonNames()...),
		figure("shrinkage", "shrinkage", 60),
		call(number("closed", "Closed", 6, 50), func(c *calls) model.Int { return c.ClosedCalls }),
		call(number("short", "Short", 5, 49), func(c *calls) model.Int { return c.ShortCalls }),
	})
}
