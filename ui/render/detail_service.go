package render

import (
	"wallboard/internal/alert"
	"wallboard/internal/phrases"
	"wallboard/model"
	"wallboard/model/kpi"
	"wallboard/themes"
	"wallboard/ui/textlayout"
)

// ServiceDetail returns the lines of a service's detail view, each exactly width cells wide. The
// KPIs and the number of agents on the view's channel are at the top. If the service does not have
// that channel, its first channel is used. All figures of the service on every channel follow. The
// agents are listed in [Agents], with the service as scope.
func ServiceDetail(s *model.Snapshot, v *View, code string, width int) []string {
	s = snapshotOrEmpty(s)
	channels, services := recordsByChannel(v, s.Services.Rows(),
		func(r *model.Service) model.Channel { return r.Channel },
		func(r *model.Service) bool { return r.Key().Code == code })
	if len(services) == 0 {
		return v.noDataLines(width, "service "+code)
	}
	r := services[0]
	channelName := " on " + phrases.ChannelName(r.Channel)
	subject := serviceKey(r)
	alarm := v.Alerts.Alarm(subject)
	u := &r.UserStats
	return v.layoutBlocks(width,
		heading(codeAndName(code, v.displayName(model.NameService, r.Code)),
			textlayout.NewSpan(phrases.ChannelName(r.Channel), themes.Dim),
			alarm.headingSpan(v)),
		block{"Service level" + channelName, func(p *detailWriter) { p.drawServiceLevel(r, v.Options.goal(code), alarm) }},
		v.sentenceBlock("End-of-day forecast", v.ForecastSentences, r, func(index, of int) bool { return index < of-1 }),
		block{"Queue" + channelName, func(p *detailWriter) { p.drawQueue(r, alarm) }},
		v.sentenceBlock("Who can be released"+channelName, v.SpareAgentSentences, r, func(index, _ int) bool { return index == 0 }),
		block{"The rest of the day", func(p *detailWriter) {
			if v.DrawRestOfDay != nil && !v.Options.Blank {
				v.DrawRestOfDay(r, p.Pen)
			}
		}},
		v.customKPIBlock(channelName, v.Options.CustomKPIs[alert.Service], subject),
		block{"Agents" + channelName, func(p *detailWriter) {
			counts := model.CountServiceAgents(s, r.Key(), &u.LoggedUsers)
			p.drawShares(agentShares(u.HeadCount().ByState(&counts), r.Channel), u.LoggedUsers.Count, v.intSpan)
			p.Pairs(
				textlayout.NewPair("Logged in", v.intSpan(u.LoggedUsers.Count)),
				serviceFigureSet().pair(v, r, "occupancy"),
				serviceFigureSet().pair(v, r, "shrinkage"),
			)
		}},
		activityBlock(u),
		block{"Attendant" + channelName, func(p *detailWriter) { p.drawAttendant(s, code, r.Channel) }},
		block{"Custom figures" + channelName, func(p *detailWriter) { p.drawCustomStats(r.CustomStats) }},
		block{"All figures", func(p *detailWriter) { drawMatrix(p, channels, services, serviceFigures()) }},
		block{"All agents", func(p *detailWriter) { drawMatrix(p, channels, services, serviceHeadCounts()) }},
	)
}

// activityBlock returns a block with the activities of a service's agents. If the platform does not
// report the activities of all agents, the block contains only those of agents who are not ready.
func activityBlock(u *model.ServiceUsers) block {
	if len(u.ActivityCodeIndicators) == 0 {
		return block{"Not ready, by activity", func(p *detailWriter) {
			p.drawActivityCounts(u.NotReadyUsersOnActivityCode, u.NotReadyUsers.Count)
		}}
	}
	return block{"Agents, by activity", func(p *detailWriter) {
		p.drawActivities(u.ActivityCodeIndicators, u.NotReadyUsersOnActivityCode)
	}}
}

// sentenceBlock returns a block with the sentences that describe returns for the service r.
// isStrong reports whether the sentence with the given index is emphasized; of is the number of
// sentences.
func (v *View) sentenceBlock(title string, describe func(*model.Service) []string, r *model.Service, isStrong func(index, of int) bool) block {
	return block{title, func(p *detailWriter) {
		if describe == nil || v.Options.Blank {
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

// drawServiceLevel draws the service level, its formula, and the number of late contacts that the
// target still allows.
func (p *detailWriter) drawServiceLevel(r *model.Service, goal alert.Goal, alarm *Alarm) {
	v, o, c := p.v, p.v.Options, &r.ChannelStats
	sl := c.ServiceLevel(goal.Formula)
	line := []textlayout.Span{v.withAlarm(v.percentSpan(sl), alarm, kpi.Higher, serviceLevelNames...)}
	target, aims := goal.ServiceLevel.Get()
	if aims {
		line = append(line, textlayout.NewSpan("target "+string(o.Format().Percent(nil, model.FigureOf(target))), themes.Dim))
	}
	p.Line(line...)
	if f, ok := sl.Get(); ok && !v.Options.Blank {
		p.Lines = append(p.Lines, v.gauge(p.Width).Render(f))
	}
	p.Paragraph(textlayout.NewSpan(goal.Formula.String(), themes.Dim))
	if aims {
		p.drawErrorBudget(r, goal.Formula, target)
	}
}

// drawErrorBudget draws the number of contacts that may still be missed today before the target is
// lost. If the target is missed, it draws the number of contacts in a row that must be answered in
// time.
func (p *detailWriter) drawErrorBudget(r *model.Service, formula model.ServiceLevelFormula, target float64) {
	b, ok := r.ChannelStats.ServiceLevelBudget(formula, target)
	number := func(n int64) string { return string(p.v.Options.Format().Count(nil, n)) }
	switch {
	case !ok:
	case b.ToRecover > 0:
		p.Paragraph(textlayout.NewSpan("needs "+phrases.GoodContacts(number(b.ToRecover), r.Channel, false), themes.Warn))
	default:
		p.Paragraph(textlayout.PlainSpan(phrases.MissedContacts(number(b.MissesLeft), r.Channel, false) + " left before missing target"))
	}
}

// drawQueue draws the state of a service's queue, and the rates of the day such as the abandon
// rate.
func (p *detailWriter) drawQueue(r *model.Service, alarm *Alarm) {
	v, c := p.v, &r.ChannelStats
	counts := []textlayout.Pair{
		textlayout.NewPair("Waiting", withLevel(v.intSpan(c.QueuedCalls), alarm.level(staffingNames...))),
		textlayout.NewPair("Longest wait", withLevel(v.markPresumed(waitSpan(c, v.durationSpan), model.PresumedLongest), alarm.level(waitNames...))),
	}
	if c.WaitAtMost().Known() {
		counts = append(counts, textlayout.NewPair("  at most", v.durationSpan(c.WaitAtMost())))
	}
	if c.LongestToday().Known() {
		counts = append(counts, textlayout.NewPair("Longest today", v.markPresumed(v.durationSpan(c.LongestToday()), model.PresumedLongest)))
	}
	counts = append(counts,
		textlayout.NewPair("Talking", v.intSpan(c.ConnectedCall)),
		textlayout.NewPair("In progress", v.intSpan(c.CurrentCalls)),
	)
	p.Pairs(append(counts, serviceFigureSet().pairs(v, r, alarm,
		[]string{"asa", "answerRate", "abandonRate", "abandonRateLong", "outboundAnswerRate", "nuisanceEstimate"},
		"occupancy", "shrinkage")...)...)
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
func WaitContext(f phrases.Format, text string, c *model.ServiceCalls) string {
	if longest := c.WaitAtMost(); longest.Known() {
		text = "at most " + string(f.FigureSeconds(nil, longest)) + ", " + text
	}
	if today := c.LongestToday(); today.Known() {
		text += ", longest today " + string(f.FigureSeconds(nil, today))
	}
	return text
}

func (p *detailWriter) drawAttendant(s *model.Snapshot, code string, ch model.Channel) {
	v := p.v
	var rows [][]textlayout.Span
	for _, c := range model.Components() {
		a := s.Attendants.Get(model.AttendantKey{Code: code, Channel: ch, Component: c})
		if a == nil {
			continue
		}
		n, u := &a.ChannelStats, &a.UserStats
		rows = append(rows, []textlayout.Span{
			textlayout.NewSpan(phrases.ComponentName(c), themes.Dim),
			v.intSpan(n.CurrentCalls), v.intSpan(n.ReceivedCalls), v.intSpan(n.AnsweredCalls), v.intSpan(n.HangupCalls),
			v.intSpan(u.ReadyUsers.Count), v.intSpan(u.BusyUsers.Count), v.intSpan(u.LoggedUsers.Count),
		})
	}
	p.Grid([]textlayout.Column{
		textlayout.LeftColumn(""), textlayout.RightColumn("Now"), textlayout.RightColumn("Recv"), textlayout.RightColumn("Ans"), textlayout.RightColumn("Aband"),
		textlayout.RightColumn("Rdy"), textlayout.RightColumn("Busy"), textlayout.RightColumn("Log"),
	}, rows...)
}

// serviceFigures returns the rows of all figures about contacts that the platform sends for a
// service.
func serviceFigures() []figureRow[model.Service] {
	type service = model.Service
	n := func(label string, get func(*model.ServiceCalls) model.Int) figureRow[service] {
		return figureRow[service]{label, func(v *View, r *service) textlayout.Span { return v.intSpan(get(&r.ChannelStats)) }}
	}
	return []figureRow[service]{
		n("Waiting", func(c *model.ServiceCalls) model.Int { return c.QueuedCalls }),
		{"Longest wait", func(v *View, r *service) textlayout.Span {
			return v.markPresumed(waitSpan(&r.ChannelStats, v.durationSpan), model.PresumedLongest)
		}},
		{"Average wait", func(v *View, r *service) textlayout.Span {
			f, ok := r.ChannelStats.AverageTimeOnQueue.Get()
			if !ok {
				return v.durationSpan(model.Figure{})
			}
			return v.markPresumed(v.durationSpan(model.FigureOf(f)), model.PresumedAverage)
		}},
		n("Connected", func(c *model.ServiceCalls) model.Int { return c.ConnectedCall }),
		n("In progress", func(c *model.ServiceCalls) model.Int { return c.CurrentCalls }),
		n("Received", func(c *model.ServiceCalls) model.Int { return c.ReceivedCalls }),
		n("Answered", func(c *model.ServiceCalls) model.Int { return c.AnsweredCalls }),
		n("  in time", func(c *model.ServiceCalls) model.Int { return c.AnsweredCallsUnderSpeedLimit }),
		n("Abandoned", func(c *model.ServiceCalls) model.Int { return c.HangupCalls }),
		n("Short", func(c *model.ServiceCalls) model.Int { return c.ShortCalls }),
		n("Closed", func(c *model.ServiceCalls) model.Int { return c.ClosedCalls }),
		n("Closed, callback", func(c *model.ServiceCalls) model.Int { return c.ClosedCallsCallBack }),
		n("In access list", func(c *model.ServiceCalls) model.Int { return c.ReceivedCallsInAccessList }),
		n("Vendor4you", func(c *model.ServiceCalls) model.Int { return c.ReceivedCallsWithVendor4you }),
		n("  single", func(c *model.ServiceCalls) model.Int { return c.ReceivedCallsWithVendor4youSingle }),
		n("  multiple", func(c *model.ServiceCalls) model.Int { return c.ReceivedCallsWithVendor4youMultiple }),
		n("  anonymous", func(c *model.ServiceCalls) model.Int { return c.ReceivedCallsWithVendor4youAnonymous }),
		n("Outbound", func(c *model.ServiceCalls) model.Int { return c.OutboundReceivedCalls }),
		n("  answered", func(c *model.ServiceCalls) model.Int { return c.OutboundAnsweredCalls }),
		n("  abandoned", func(c *model.ServiceCalls) model.Int { return c.OutboundHangupCalls }),
		n("  closed", func(c *model.ServiceCalls) model.Int { return c.OutboundClosedCallsGenericCause }),
	}
}

// serviceHeadCounts returns the rows of all numbers of agents that the platform sends for a
// service.
func serviceHeadCounts() []figureRow[model.Service] {
	u := func(label string, get func(*model.ServiceUsers) *model.ProfilesInStatus) figureRow[model.Service] {
		return figureRow[model.Service]{label, func(v *View, r *model.Service) textlayout.Span {
			return v.intSpan(get(&r.UserStats).Count)
		}}
	}
	return []figureRow[model.Service]{
		u("Logged in", func(u *model.ServiceUsers) *model.ProfilesInStatus { return &u.LoggedUsers }),
		u("Ready", func(u *model.ServiceUsers) *model.ProfilesInStatus { return &u.ReadyUsers }),
		u("Busy", func(u *model.ServiceUsers) *model.ProfilesInStatus { return &u.BusyUsers }),
		u("  on the service", func(u *model.ServiceUsers) *model.ProfilesInStatus { return &u.BusyOnServUsers }),
		u("  on own calls", func(u *model.ServiceUsers) *model.ProfilesInStatus { return &u.BusyOnDNCallUsers }),
		u("  call in", func(u *model.ServiceUsers) *model.ProfilesInStatus { return &u.BusyOnDNCallInUsers }),
		u("  call out", func(u *model.ServiceUsers) *model.ProfilesInStatus { return &u.BusyOnDNCallOutUsers }),
		u("  private call", func(u *model.ServiceUsers) *model.ProfilesInStatus { return &u.BusyOnDNCallOutUsersPrivate }),
		u("Wrap-up", func(u *model.ServiceUsers) *model.ProfilesInStatus { return &u.PostCallUsers }),
		u("Not ready", func(u *model.ServiceUsers) *model.ProfilesInStatus { return &u.NotReadyUsers }),
	}
}
