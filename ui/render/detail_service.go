package render

import (
	"wallboard/internal/alert"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/kpi"
	"wallboard/themes"
	"wallboard/ui/textlayout"
)

// ServiceDetail returns the lines of a service's detail view, each exactly width cells wide. The queue,
// the KPIs, forecasts and agents on the view's channel are at the top. If the service does not have
// that channel, its first channel is used. All figures of the service on every channel follow. The
// agents are listed in [Agents], with the service as scope.
func ServiceDetail(s *model.Snapshot, v *View, code string, width int) []string {
	s = snapshotOrEmpty(s)
	channels, services := model.RecordsByChannel(v.Channel, s.Services.Rows(),
		func(r *model.Service) model.Channel { return r.Channel },
		func(r *model.Service) bool { return r.Key().Code == code })
	if len(services) == 0 {
		return v.noDataLines(width, words.DetailNoService(code))
	}
	r := services[0]
	on := onChannel(r.Channel)
	subject := serviceKey(r)
	alarm := v.Alerts.Alarm(subject)
	u := &r.UserStats
	return v.layoutBlocks(width,
		heading(codeAndName(code, v.displayName(model.NameService, r.Code)),
			textlayout.NewSpan(v.translate(words.ChannelName(r.Channel)), themes.Dim),
			alarm.headingSpan(v)),
		block{on(words.DetailQueue()), func(p *detailWriter) { p.drawQueue(r, alarm) }},
		block{on(words.DetailServiceLevel()), func(p *detailWriter) { p.drawServiceLevel(r, v.Options.targetsOf(code), alarm) }},
		v.sentenceBlock(words.DetailForecast(), v.ForecastSentences, r, func(index, of int) bool { return index < of-1 }),
		v.sentenceBlock(on(words.DetailRelease()), v.SpareAgentSentences, r, func(index, _ int) bool { return index == 0 }),
		block{words.DetailRestOfDay(), func(p *detailWriter) {
			if v.DrawRestOfDay != nil && !v.Options.BlankFigures {
				v.DrawRestOfDay(r, p.Pen)
			}
		}},
		v.customKPIBlock(on(words.DetailCustom()), v.Options.CustomKPIs[alert.Service], subject),
		block{on(words.DetailAgents()), func(p *detailWriter) {
			counts := model.CountServiceAgents(s, r.Key(), &u.LoggedUsers)
			p.drawShares(agentShares(u.HeadCount().ByState(&counts), r.Channel), u.LoggedUsers.Count, v.intSpan)
			p.LabeledValues(
				p.pair(words.FigureLoggedIn(), v.intSpan(u.LoggedUsers.Count)),
				serviceFigureSet().pair(v, r, "occupancy"),
				serviceFigureSet().pair(v, r, "shrinkage"),
			)
		}},
		activityBlock(u),
		block{on(words.DetailAttendant()), func(p *detailWriter) { p.drawAttendant(s, code, r.Channel) }},
		block{on(words.DetailPlatformCustom()), func(p *detailWriter) { p.drawCustomStats(r.CustomStats) }},
		block{words.DetailAllFigures(), func(p *detailWriter) { drawMatrix(p, channels, services, serviceFigures()) }},
		block{words.DetailAllAgents(), func(p *detailWriter) { drawMatrix(p, channels, services, serviceHeadCounts()) }},
	)
}

// activityBlock returns a block with the activities of a service's agents. If the platform does not
// report the activities of all agents, the block contains only those of agents who are not ready.
func activityBlock(u *model.ServiceUsers) block {
	if len(u.ActivityCodeIndicators) == 0 {
		return block{words.DetailNotReadyByActivity(), func(p *detailWriter) {
			p.drawActivityCounts(u.NotReadyUsersOnActivityCode, u.NotReadyUsers.Count)
		}}
	}
	return block{words.DetailAgentsByActivity(), func(p *detailWriter) {
		p.drawActivities(u.ActivityCodeIndicators, u.NotReadyUsersOnActivityCode)
	}}
}

// sentenceBlock returns a block with the sentences that describe returns for the service r.
// isStrong reports whether the sentence with the given index is emphasized; of is the number of
// sentences.
func (v *View) sentenceBlock(title words.Text, describe func(*model.Service) []string, r *model.Service, isStrong func(index, of int) bool) block {
	return block{title, func(p *detailWriter) {
		if describe == nil || v.Options.BlankFigures {
			return
		}
		lines := describe(r)
		for i, line := range lines {
			token := themes.Dim
			if isStrong(i, len(lines)) {
				token = themes.Text
			}
			p.Paragraph(textlayout.NewSpan(line, token))
		}
	}}
}

// drawServiceLevel draws the service level, its formula, the number of late contacts that the target
// still allows, and the other rates of the day.
func (p *detailWriter) drawServiceLevel(r *model.Service, goal alert.Goal, alarm *Alarm) {
	v, o, c := p.view, p.view.Options, &r.ChannelStats
	sl := c.ServiceLevel(goal.Formula)
	line := []textlayout.Span{v.withAlarm(v.percentSpan(sl), alarm, kpi.HigherIsBetter, serviceLevelAlertNames...)}
	target, hasTarget := goal.ServiceLevel.Get()
	if hasTarget {
		line = append(line, textlayout.NewSpan(v.translate(words.DetailTarget(string(o.Format().Percent(nil, model.FigureOf(target))))), themes.Dim))
	}
	p.Line(line...)
	f, known := sl.Get()
	if known && !v.Options.BlankFigures {
		p.Lines = append(p.Lines, v.gauge(p.Width).Render(f))
	}
	p.Paragraph(textlayout.NewSpan(v.translate(words.ServiceLevelFormula(goal.Formula)), themes.Dim))
	if hasTarget && known {
		p.drawErrorBudget(r, goal.Formula, target)
	}
	p.LabeledValues(serviceFigureSet().pairs(v, r, alarm,
		[]string{"asa", "answerRate", "abandonRate", "abandonRateLong", "outboundAnswerRate", "nuisanceEstimate"}, "occupancy", "shrinkage")...)
}

// drawErrorBudget draws the number of contacts that may still be missed today before the target is
// lost. If the target is missed, it draws the number of contacts in a row that must be answered in
// time.
func (p *detailWriter) drawErrorBudget(r *model.Service, formula model.ServiceLevelFormula, target float64) {
	b, ok := r.ChannelStats.ServiceLevelBudget(formula, target)
	switch {
	case !ok || p.view.Options.BlankFigures:
	case b.ToRecover > 0:
		p.Paragraph(textlayout.NewSpan(p.view.translate(words.DetailNeeds(words.CountContactsOn(int(b.ToRecover), r.Channel))), themes.Warn))
	default:
		left := words.DetailLateLeft(int(b.MissesLeft), words.ContactNoun(r.Channel), words.ContactNouns(r.Channel))
		p.Paragraph(textlayout.PlainSpan(p.view.translate(left)))
	}
}

// drawQueue draws the present state of a service's queue.
func (p *detailWriter) drawQueue(r *model.Service, alarm *Alarm) {
	v, c := p.view, &r.ChannelStats
	counts := []textlayout.LabeledValue{
		p.pair(words.FigureWaiting(), withLevel(v.intSpan(c.QueuedCalls), alarm.level(staffingAlertNames...))),
		p.pair(words.FigureLongestWait(), withLevel(v.markPresumed(waitSpan(c, v.durationSpan), model.PresumedLongest), alarm.level(waitAlertNames...))),
	}
	if c.MaxWait().Known() {
		counts = append(counts, p.partPair(words.DetailAtMost(), v.durationSpan(c.MaxWait())))
	}
	if c.LongestToday().Known() {
		counts = append(counts, p.pair(words.FigureLongestToday(), v.markPresumed(v.durationSpan(c.LongestToday()), model.PresumedLongest)))
	}
	p.LabeledValues(append(counts,
		p.pair(words.FigureTalking(), v.intSpan(c.ConnectedCall)),
		p.pair(words.FigureInProgress(), v.intSpan(c.CurrentCalls)),
	)...)
}

// waitSpan returns the longest current wait, formatted by draw. It is dimmed if no caller is
// waiting.
func waitSpan(c *model.ServiceCalls, draw func(model.Figure) textlayout.Span) textlayout.Span {
	s := draw(c.LongestWait())
	if c.LongestWait() == model.FigureOf(0) {
		s.Token = themes.Dim
	}
	return s
}

// WaitContext adds context to text, which is about the longest wait: the upper bound if the wait is
// an estimate, and the longest wait of the day if the platform sends it.
func WaitContext(f textformat.Format, text string, c *model.ServiceCalls) string {
	if longest := c.MaxWait(); longest.Known() {
		text = words.DetailWaitAtMost(string(f.FigureSeconds(nil, longest)), text).In(f.Words)
	}
	if today := c.LongestToday(); today.Known() {
		text = words.DetailWaitToday(text, string(f.FigureSeconds(nil, today))).In(f.Words)
	}
	return text
}

func (p *detailWriter) drawAttendant(s *model.Snapshot, code string, ch model.Channel) {
	v := p.view
	var rows [][]textlayout.Span
	for _, c := range model.Components() {
		a := s.Attendants.Get(model.AttendantKey{Code: code, Channel: ch, Component: c})
		if a == nil {
			continue
		}
		n, u := &a.ChannelStats, &a.UserStats
		rows = append(rows, []textlayout.Span{
			textlayout.NewSpan(v.translate(words.ComponentName(c)), themes.Dim),
			v.intSpan(n.CurrentCalls), v.intSpan(n.ReceivedCalls), v.intSpan(n.AnsweredCalls), v.intSpan(n.HangupCalls),
			v.intSpan(u.ReadyUsers.Count), v.intSpan(u.BusyUsers.Count), v.intSpan(u.LoggedUsers.Count),
		})
	}
	p.Grid([]textlayout.Column{
		textlayout.LeftColumn(""), p.rightColumn(words.DetailNow()), p.rightColumn(words.DetailHeadReceived()), p.rightColumn(words.ColumnAgentAnswered()), p.rightColumn(words.ColumnAbandoned()),
		p.rightColumn(words.DetailHeadReady()), p.rightColumn(words.ColumnBusy()), p.rightColumn(words.DetailHeadLogged()),
	}, rows...)
}

// serviceFigures returns the rows of all figures about contacts that the platform sends for a
// service.
func serviceFigures() []figureRow[model.Service] {
	type service = model.Service
	n := func(label words.Text, get func(*model.ServiceCalls) model.Int) figureRow[service] {
		return figureRow[service]{label: label, value: func(v *View, r *service) textlayout.Span { return v.intSpan(get(&r.ChannelStats)) }}
	}
	return []figureRow[service]{
		n(words.FigureWaiting(), func(c *model.ServiceCalls) model.Int { return c.QueuedCalls }),
		{label: words.FigureLongestWait(), value: func(v *View, r *service) textlayout.Span {
			return v.markPresumed(waitSpan(&r.ChannelStats, v.durationSpan), model.PresumedLongest)
		}},
		{label: words.DetailAverageWait(), value: func(v *View, r *service) textlayout.Span {
			f, ok := r.ChannelStats.AverageTimeOnQueue.Get()
			if !ok {
				return v.durationSpan(model.Figure{})
			}
			return v.markPresumed(v.durationSpan(model.FigureOf(f)), model.PresumedAverage)
		}},
		n(words.DetailConnected(), func(c *model.ServiceCalls) model.Int { return c.ConnectedCall }),
		n(words.FigureInProgress(), func(c *model.ServiceCalls) model.Int { return c.CurrentCalls }),
		n(words.DetailReceived(), func(c *model.ServiceCalls) model.Int { return c.ReceivedCalls }),
		n(words.FigureAnswered(), func(c *model.ServiceCalls) model.Int { return c.AnsweredCalls }),
		n(words.DetailInTime(), func(c *model.ServiceCalls) model.Int { return c.AnsweredCallsUnderSpeedLimit }).asPart(),
		n(words.FigureAbandoned(), func(c *model.ServiceCalls) model.Int { return c.HangupCalls }),
		n(words.DetailShort(), func(c *model.ServiceCalls) model.Int { return c.ShortCalls }),
		n(words.DetailClosed(), func(c *model.ServiceCalls) model.Int { return c.ClosedCalls }),
		n(words.DetailCallbacks(), func(c *model.ServiceCalls) model.Int { return c.ClosedCallsCallBack }),
		n(words.DetailAccessList(), func(c *model.ServiceCalls) model.Int { return c.ReceivedCallsInAccessList }),
		n(words.DetailVendor(), func(c *model.ServiceCalls) model.Int { return c.ReceivedCallsWithVendor4you }),
		n(words.DetailSingle(), func(c *model.ServiceCalls) model.Int { return c.ReceivedCallsWithVendor4youSingle }).asPart(),
		n(words.DetailMultiple(), func(c *model.ServiceCalls) model.Int { return c.ReceivedCallsWithVendor4youMultiple }).asPart(),
		n(words.DetailAnonymous(), func(c *model.ServiceCalls) model.Int { return c.ReceivedCallsWithVendor4youAnonymous }).asPart(),
		n(words.DetailOutbound(), func(c *model.ServiceCalls) model.Int { return c.OutboundReceivedCalls }),
		n(words.DetailOutAnswered(), func(c *model.ServiceCalls) model.Int { return c.OutboundAnsweredCalls }).asPart(),
		n(words.DetailOutAbandoned(), func(c *model.ServiceCalls) model.Int { return c.OutboundHangupCalls }).asPart(),
		n(words.DetailOutClosed(), func(c *model.ServiceCalls) model.Int { return c.OutboundClosedCallsGenericCause }).asPart(),
	}
}

// serviceHeadCounts returns the rows of all numbers of agents that the platform sends for a
// service.
func serviceHeadCounts() []figureRow[model.Service] {
	u := func(label words.Text, get func(*model.ServiceUsers) *model.ProfilesInStatus) figureRow[model.Service] {
		return figureRow[model.Service]{label: label, value: func(v *View, r *model.Service) textlayout.Span {
			return v.intSpan(get(&r.UserStats).Count)
		}}
	}
	return []figureRow[model.Service]{
		u(words.FigureLoggedIn(), func(u *model.ServiceUsers) *model.ProfilesInStatus { return &u.LoggedUsers }),
		u(words.FigureReady(), func(u *model.ServiceUsers) *model.ProfilesInStatus { return &u.ReadyUsers }),
		u(words.StateBusy(), func(u *model.ServiceUsers) *model.ProfilesInStatus { return &u.BusyUsers }),
		u(words.DetailOnService(), func(u *model.ServiceUsers) *model.ProfilesInStatus { return &u.BusyOnServUsers }).asPart(),
		u(words.DetailOnOwnCalls(), func(u *model.ServiceUsers) *model.ProfilesInStatus { return &u.BusyOnDNCallUsers }).asPart(),
		u(words.StatePartCallIn(), func(u *model.ServiceUsers) *model.ProfilesInStatus { return &u.BusyOnDNCallInUsers }).asPart(),
		u(words.StatePartCallOut(), func(u *model.ServiceUsers) *model.ProfilesInStatus { return &u.BusyOnDNCallOutUsers }).asPart(),
		u(words.StatePartPrivateCall(), func(u *model.ServiceUsers) *model.ProfilesInStatus { return &u.BusyOnDNCallOutUsersPrivate }).asPart(),
		u(words.FigureWrapUp(), func(u *model.ServiceUsers) *model.ProfilesInStatus { return &u.PostCallUsers }),
		u(words.FigureNotReady(), func(u *model.ServiceUsers) *model.ProfilesInStatus { return &u.NotReadyUsers }),
	}
}
