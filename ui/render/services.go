package render

import (
	"wallboard/internal/alert"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/table"
)

// Services holds the rows of the services on one channel. The keys are the codes of the services.
type Services struct{ source[model.Service] }

var _ Rows = (*Services)(nil)

// NewServices returns an empty list of services with columns for the configured KPIs.
func NewServices(customKPIs ...alert.KPI) *Services {
	s := &Services{}
	s.spec = sourceSpec[model.Service]{
		key:        func(r *model.Service) string { return r.Key().Code },
		name:       func(v *View, r *model.Service) string { return v.displayName(model.NameService, r.Code) },
		version:    func(r *model.Service) uint64 { return r.Version },
		alertKey:   serviceKey,
		alertScope: alert.Service,
		searchWords: func(v *View, r *row[model.Service], add func(string)) {
			add(r.name)
			add(r.key)
			r.alarm.addSearchWords(v, add)
		},
		drawRow: func(v *View, r *row[model.Service], dst *table.Row) {
			v.setAlarmMark(r.alarm, Warning, dst)
		},
		columns: serviceColumns(),
		legend:  textformat.ServiceColumns(),
	}
	s.spec.addCustomKPIs(customKPIs)
	s.spec.addTrendColumn(words.ColumnWaitingTrend(), "queuedCalls")
	return s
}

// Update implements [Rows].
func (s *Services) Update(snap *model.Snapshot, v *View) {
	var t *model.Table[model.ServiceKey, model.Service]
	if snap != nil {
		t = snap.Services
	}
	if n := s.beginUpdate(v, tableStateOf(t)); n != rowsUnchanged {
		s.truncate(s.collectRows(n, t.Rows(), func(r *model.Service) bool { return r.Channel == v.Channel && v.Restriction.includesCode(r.Key().Code) }))
	}
}

func serviceColumns() []column[model.Service] {
	type (
		service = model.Service
		calls   = model.ServiceCalls
		users   = model.ServiceUsers
	)
	call := func(c columnSpec, get func(*calls) model.Int) column[service] {
		return intColumn(c, func(r *service) model.Int { return get(&r.ChannelStats) })
	}
	head := func(c columnSpec, get func(*users) model.ProfilesInStatus) column[service] {
		return intColumn(c, func(r *service) model.Int { return get(&r.UserStats).Count })
	}
	figure := serviceFigureSet().column
	return appendOtherFigures(serviceFigureSet(), []column[service]{
		nameColumn[service](wordsColumn("name", words.ColumnService(), 15, 16, 36, 100)),
		alarmColumn(90, func(r *service) model.Int { return r.ChannelStats.QueuedCalls }),
		textColumn(wordsColumn("code", words.ColumnCode(), 6, 8, 12, 20), func(_ *View, r *row[service]) string { return r.key }),
		call(numberColumn("waiting", words.ColumnWaiting(), 7, 98), func(c *calls) model.Int { return c.QueuedCalls }).
			withAlarmLevel(staffingAlertNames...),
		durationColumn(numberColumn("longest", words.ColumnLongest(), 7, 97), func(_ *View, r *service) model.Figure {
			return r.ChannelStats.LongestWait()
		}).withPresumedMark(model.PresumedLongest, func(r *service) bool { return r.ChannelStats.LongestWait().Known() }).
			withExtraDrawing(func(v *View, r *service, dst *table.Cell) {
				if r.ChannelStats.QueuedCalls == model.IntOf(0) && !v.Options.BlankFigures {
					v.Options.drawZero(dst)
				}
			}).
			withAlarmLevel(waitAlertNames...),
		withSmallSampleMark(figure("sl", "serviceLevel", 96)),
		withSmallSampleMark(figure("abandon", "abandonRate", 95)),
		figure("asa", "asa", 80).withPresumedMark(model.PresumedAverage, func(r *service) bool { return r.ChannelStats.AverageTimeOnQueue.Known() }),
		head(numberColumn("ready", words.ColumnReady(), 5, 94), func(u *users) model.ProfilesInStatus { return u.ReadyUsers }),
		call(numberColumn("talking", words.ColumnTalk(), 4, 89), func(c *calls) model.Int { return c.ConnectedCall }),
		head(numberColumn("logged", words.ColumnLogged(), 6, 85), func(u *users) model.ProfilesInStatus { return u.LoggedUsers }),
		head(numberColumn("notready", words.ColumnNotReady(), 6, 70), func(u *users) model.ProfilesInStatus { return u.NotReadyUsers }),
		head(numberColumn("wrapup", words.ColumnWrapUp(), 5, 68), func(u *users) model.ProfilesInStatus { return u.PostCallUsers }),
		call(numberColumn("current", words.ColumnActive(), 6, 40).withFormerTitle("InSys"), func(c *calls) model.Int { return c.CurrentCalls }),
		call(numberColumn("received", words.ColumnReceived(), 8, 78), func(c *calls) model.Int { return c.ReceivedCalls }),
		call(numberColumn("answered", words.ColumnAnswered(), 8, 69), func(c *calls) model.Int { return c.AnsweredCalls }),
		call(numberColumn("abandoned", words.ColumnAbandoned(), 6, 67), func(c *calls) model.Int { return c.HangupCalls }),
		call(numberColumn("closed", words.ColumnClosed(), 6, 50), func(c *calls) model.Int { return c.ClosedCalls }),
		call(numberColumn("callbacks", words.ColumnCallbacks(), 6, 49), func(c *calls) model.Int { return c.ClosedCallsCallBack }),
		call(numberColumn("short", words.ColumnShort(), 5, 48), func(c *calls) model.Int { return c.ShortCalls }),
		call(numberColumn("outbound", words.ColumnOut(), 6, 47), func(c *calls) model.Int { return c.OutboundReceivedCalls }),
		figure("outanswer", "outboundAnswerRate", 46),
		figure("occupancy", "occupancy", 60),
	})
}
