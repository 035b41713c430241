package render

import (
	"wallboard/internal/alert"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/table"
)

// Groups holds the rows of the groups (called skillsets by the platform) on one channel. The keys
// are the codes of the groups.
type Groups struct{ source[model.Group] }

var _ Rows = (*Groups)(nil)

// NewGroups returns an empty list of groups with columns for the configured KPIs.
func NewGroups(customKPIs ...alert.KPI) *Groups {
	s := &Groups{}
	s.spec = sourceSpec[model.Group]{
		key:        func(r *model.Group) string { return r.Key().Code },
		name:       func(v *View, r *model.Group) string { return v.displayName(model.NameGroup, r.Code) },
		version:    func(r *model.Group) uint64 { return r.Version },
		alertKey:   groupKey,
		alertScope: alert.Group,
		searchWords: func(v *View, r *row[model.Group], add func(string)) {
			add(r.name)
			add(r.key)
			r.alarm.addSearchWords(v, add)
		},
		drawRow: func(v *View, r *row[model.Group], dst *table.Row) {
			v.setAlarmMark(r.alarm, Warning, dst)
		},
		columns: groupColumns(),
		legend:  textformat.GroupColumns(),
	}
	s.spec.addCustomKPIs(customKPIs)
	s.spec.addTrendColumn(words.ColumnWaitingTrend(), "queuedCalls")
	return s
}

// Update implements [Rows].
func (s *Groups) Update(snap *model.Snapshot, v *View) {
	var t *model.Table[model.GroupKey, model.Group]
	if snap != nil {
		t = snap.Groups
	}
	if n := s.beginUpdate(v, tableStateOf(t)); n != rowsUnchanged {
		s.truncate(s.collectRows(n, t.Rows(), func(r *model.Group) bool { return r.Channel == v.Channel && v.Restriction.includesCode(r.Key().Code) }))
	}
}

func groupColumns() []column[model.Group] {
	type (
		group = model.Group
		calls = model.GroupCalls
		users = model.GroupUsers
	)
	call := func(c columnSpec, get func(*calls) model.Int) column[group] {
		return intColumn(c, func(r *group) model.Int { return get(&r.ChannelStats) })
	}
	head := func(c columnSpec, get func(*users) model.ProfilesInStatus) column[group] {
		return intColumn(c, func(r *group) model.Int { return get(&r.UserStats).Count })
	}
	figure := groupFigureSet().column
	return appendOtherFigures(groupFigureSet(), []column[group]{
		nameColumn[group](wordsColumn("name", words.ColumnGroup(), 12, 16, 36, 100)),
		alarmColumn(95, func(r *group) model.Int { return r.ChannelStats.QueuedCalls }),
		textColumn(wordsColumn("code", words.ColumnCode(), 6, 8, 12, 20), func(_ *View, r *row[group]) string { return r.key }),
		call(numberColumn("waiting", words.ColumnWaiting(), 7, 98), func(c *calls) model.Int { return c.QueuedCalls }).
			withAlarmLevel(staffingAlertNames...),
		head(numberColumn("ready", words.ColumnReady(), 5, 97), func(u *users) model.ProfilesInStatus { return u.ReadyUsers }),
		head(numberColumn("logged", words.ColumnLogged(), 6, 96), func(u *users) model.ProfilesInStatus { return u.LoggedUsers }),
		head(numberColumn("notready", words.ColumnNotReady(), 6, 95), func(u *users) model.ProfilesInStatus { return u.NotReadyUsers }),
		head(numberColumn("wrapup", words.ColumnWrapUp(), 5, 94), func(u *users) model.ProfilesInStatus { return u.PostCallUsers }),
		call(numberColumn("received", words.ColumnReceived(), 8, 90), func(c *calls) model.Int { return c.ReceivedCalls }),
		call(numberColumn("answered", words.ColumnAnswered(), 8, 89), func(c *calls) model.Int { return c.AnsweredCalls }),
		call(numberColumn("abandoned", words.ColumnAbandoned(), 6, 70), func(c *calls) model.Int { return c.HangupCalls }),
		figure("answer", "answerRate", 92),
		figure("abandon", "abandonRate", 93),
		figure("shrinkage", "shrinkage", 60),
		call(numberColumn("closed", words.ColumnClosed(), 6, 50), func(c *calls) model.Int { return c.ClosedCalls }),
		call(numberColumn("short", words.ColumnShort(), 5, 49), func(c *calls) model.Int { return c.ShortCalls }),
	})
}
