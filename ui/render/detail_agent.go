package render

import (
	"cmp"
	"slices"
	"strconv"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/textlayout"
)

// AgentDetail returns the lines of an agent's detail view, each exactly width cells wide: the agent's
// states, break, work, services and groups and, for each channel with figures, time, contacts and KPIs.
func AgentDetail(s *model.Snapshot, v *View, username string, width int) []string {
	s = snapshotOrEmpty(s)
	user := s.Users.Get(username)
	rows := v.AgentRows
	if rows == nil {
		rows = &model.AgentRows{}
	}
	_, stats := model.RecordsByChannel(v.Channel, rows.Find(s.UserStats, username),
		func(r *model.UserStat) model.Channel { return r.Channel }, func(*model.UserStat) bool { return true })
	if user == nil && len(stats) == 0 {
		return v.noDataLines(width, words.DetailNoAgent(username))
	}
	blocks := []block{
		v.actionMarkBlock(v.Marks.agent(username)),
		{words.DetailStates(), func(p *detailWriter) { p.drawStates(user, stats) }},
		{words.DetailBreak(), func(p *detailWriter) { p.drawBreak(username) }},
		{words.DetailAbout(), func(p *detailWriter) { p.drawActivity(user, stats) }},
	}
	for _, r := range stats {
		on := onChannel(r.Channel)
		blocks = append(blocks,
			block{on(words.DetailTime()), func(p *detailWriter) { p.drawTimeSplit(&r.AgentFigures) }},
			block{on(words.DetailContacts()), func(p *detailWriter) { p.drawContacts(&r.AgentFigures, holdOf(s, r)) }},
			v.customKPIBlock(on(words.DetailCustom()), v.Options.CustomKPIs[alert.User], agentKey(r)),
			block{on(words.DetailTimeByActivity()), func(p *detailWriter) { p.drawActivityTimes(&r.AgentFigures) }},
		)
	}
	if user != nil {
		blocks = append(blocks,
			block{words.DetailServices(), func(p *detailWriter) { p.drawCodes(model.NameService, user.Services) }},
			block{words.DetailGroups(), func(p *detailWriter) { p.drawCodes(model.NameGroup, user.Skillsets) }},
		)
	}
	return v.layoutBlocks(width, heading(codeAndName(username, v.agentName(username, user, stats))), blocks...)
}

// UserDetail returns the lines of a user's detail view, each exactly w cells wide. For an operator,
// they include the figures of the operator's profile, because the platform has no figures of a
// single operator.
func UserDetail(s *model.Snapshot, v *View, username string, w int) []string {
	out := AgentDetail(s, v, username, w)
	op := s.Operators.Get(model.UserStatKey{Username: username, Channel: model.Call})
	if op == nil {
		return out
	}
	id, ok := op.LoggedProfileID.Get()
	if ok && s.OperatorProfiles.Get(model.ProfileKey{ID: id, Channel: model.Call}) != nil {
		out = append(append(out, ""), ProfileDetail(s, v, id, true, w)...)
	}
	return out
}

// drawBreak draws how long the agent's break has lasted, and when the agent is likely to return.
func (p *detailWriter) drawBreak(username string) {
	if p.view.BreakSentences == nil || p.view.Options.BlankFigures {
		return
	}
	lines, isOver := p.view.BreakSentences(username)
	for i, line := range lines {
		token := themes.Text
		if isOver && i == 0 {
			token = themes.Warn
		}
		p.Paragraph(textlayout.NewSpan(line, token))
	}
}

// agentName returns the display name of a user. The name comes from the user's record or, if user
// is nil or has no name, from a record in stats.
func (v *View) agentName(username string, user *model.User, stats []*model.UserStat) string {
	id := model.TextOf(username)
	if user != nil {
		if name := v.personName(id, user.Surname, user.Name); name != username {
			return name
		}
	}
	for _, r := range stats {
		if name := v.personName(id, r.Surname, r.Name); name != username {
			return name
		}
	}
	return username
}

// holdOf returns the hold time of an agent on a channel. The platform counts it for the profile
// that the agent is logged in with. Without a subscription to profiles, the hold time is unknown.
func holdOf(s *model.Snapshot, r *model.UserStat) model.HoldTime {
	id, ok := r.LoggedProfileID.Get()
	if !ok {
		return model.HoldTime{}
	}
	k := model.ProfileKey{ID: id, Channel: r.Channel}
	for _, t := range []*model.Table[model.ProfileKey, model.ProfileStat]{s.Profiles, s.OperatorProfiles} {
		if p := t.Get(k); p != nil {
			return p.TimeInHold
		}
	}
	return model.HoldTime{}
}

// drawStates draws an agent's state on every channel on which the state is known.
func (p *detailWriter) drawStates(user *model.User, stats []*model.UserStat) {
	v := p.view
	channels := model.Channels()
	list := channels[:]
	for _, r := range stats {
		if !r.Channel.Known() {
			list = append(list, r.Channel)
		}
	}
	var rows [][]textlayout.Span
	for _, ch := range list {
		var status model.UserStatus
		var since model.Instant
		var doing string
		if user != nil {
			status = user.StateOn(ch)
			doing = v.displayName(model.NameActivity, user.ActivityCodes.ForChannel(ch))
		}
		level := Normal
		if i := slices.IndexFunc(stats, func(r *model.UserStat) bool { return r.Channel == ch }); i >= 0 {
			// The state is taken from the figures, because the time in state is taken from them as
			// well.
			r := stats[i]
			status, since = r.Status, r.TimeInState
			doing = v.activity(r.ActivityCode, r.ActivityCode2)
			level = v.Alerts.Alarm(agentKey(r)).level(timeAlertNames...)
		}
		if status == "" && !since.Known() {
			continue
		}
		rows = append(rows, []textlayout.Span{
			textlayout.NewSpan(v.translate(words.ChannelName(ch)), themes.Dim), v.stateSpan(StateOf(status, ch)), withLevel(v.markPresumed(v.sinceSpan(since), model.PresumedInState), level), v.momentarySpan(doing),
		})
	}
	p.Grid([]textlayout.Column{textlayout.LeftColumn(""), p.leftColumn(words.ColumnState()), p.rightColumn(words.ColumnTime()), p.leftColumn(words.ColumnActivity())}, rows...)
}

func (p *detailWriter) drawActivity(user *model.User, stats []*model.UserStat) {
	v := p.view
	site, profile := "", ""
	if user != nil {
		site, profile = user.Site.String(), user.ActiveProfile.String()
		if site != "" {
			site = v.Options.Names.NameOf(model.NameSite, site)
		}
		if profile != "" {
			profile = v.Options.Names.NameOf(model.NameProfile, profile)
		}
	}
	var service, group string
	idle := false // whether the platform says that the agent serves no service and no group
	for _, r := range stats {
		site = cmp.Or(site, v.numberedName(model.NameSite, r.UserSite))
		profile = cmp.Or(profile, v.numberedName(model.NameProfile, r.LoggedProfileID))
		service = cmp.Or(service, v.displayName(model.NameService, r.CurrentService))
		group = cmp.Or(group, v.displayName(model.NameGroup, r.CurrentGroup))
		idle = idle || r.CurrentService.Known()
	}
	if v.Options.BlankFigures {
		service, group, idle = "", "", false
	}
	if idle {
		none := v.translate(words.DetailNone())
		service, group = cmp.Or(service, none), cmp.Or(group, none)
	}
	p.LabeledValues(
		p.pair(words.DetailCurrentService(), v.textSpan(service)),
		p.pair(words.DetailCurrentGroup(), v.textSpan(group)),
		p.pair(words.DetailSite(), v.textSpan(site)),
		p.pair(words.DetailProfile(), v.textSpan(profile)),
	)
}

// drawTimeSplit draws how much time an agent has spent in each state since the login.
func (p *detailWriter) drawTimeSplit(a *model.AgentFigures) {
	p.drawShares(timeShares(a), a.LoggedTime(), p.view.secondsSpan)
	if len(p.Lines) > 0 {
		p.LabeledValues(agentFigureSet().pair(p.view, a, "loggedTime"), agentFigureSet().pair(p.view, a, "occupancy"))
	}
}

func (p *detailWriter) drawContacts(a *model.AgentFigures, hold model.HoldTime) {
	v := p.view
	ps := []textlayout.LabeledValue{
		p.pair(words.DetailOffered(), v.intSpan(a.NumberCallFromService)),
		p.pair(words.FigureAnswered(), v.intSpan(a.NumberCallFromServiceAnswered)),
		p.pair(words.DetailNotAnswered(), v.intSpan(a.NumberCallFromServiceNotAnswered)),
		agentFigureSet().pair(v, a, "answerRate"),
		p.pair(words.DetailAnsweredLate(), v.intSpan(a.NumberCallServiceOverSpeedAnswer)),
		agentFigureSet().pair(v, a, "aht"),
		p.pair(words.DetailCallsIn(), v.intSpan(a.NumberCallIn)),
		p.pair(words.DetailCallsOut(), v.intSpan(a.NumberCallOut)),
		p.pair(words.DetailPrivateCalls(), v.intSpan(a.NumberCallOutPrivate)),
	}
	if hold.Time.Known() {
		ps = append(ps, p.pair(words.DetailTimeOnHold(), v.markPresumed(v.secondsSpan(hold.Time), model.PresumedHold)))
	}
	if isCurrentHold(a, hold) {
		last := v.markPresumed(v.sinceSpan(hold.TimeInState), model.PresumedHold)
		last.Text = v.translate(words.DetailAgo(last.Text))
		ps = append(ps, p.pair(words.DetailLastHold(), last))
	}
	p.LabeledValues(ps...)
}

// isCurrentHold reports whether the last hold belongs to the agent's current contact. The
// hold time keeps growing after a contact. Without this check, it would look as if a customer were
// still on hold.
func isCurrentHold(a *model.AgentFigures, hold model.HoldTime) bool {
	switch a.Status {
	case model.Busy, model.NotReadyBusy, model.BusyDNCallIn, model.BusyDNCallOut, model.BusyDNCallOutPrivate:
		held, ok := hold.TimeInState.Milli()
		began, _ := a.TimeInState.Milli()
		return ok && held >= began
	default:
		return false
	}
}

// drawActivityTimes draws the time that an agent has spent in each activity: in total, while busy
// and while not ready.
func (p *detailWriter) drawActivityTimes(a *model.AgentFigures) {
	lists := [...][]model.ActivityTime{
		a.TimeInActivityCode, a.TimeInActivityCodeStateBusy, a.TimeInActivityCodeStateNotReady,
	}
	var order []string
	times := make(map[string][len(lists)]model.Int)
	for i, list := range lists {
		for _, t := range list {
			row, ok := times[t.ActivityCode]
			if !ok {
				order = append(order, t.ActivityCode)
			}
			row[i] = t.TotalTime
			times[t.ActivityCode] = row
		}
	}
	rows := make([][]textlayout.Span, 0, len(order))
	for _, code := range order {
		t := times[code]
		spent := func(n model.Int) textlayout.Span {
			return p.view.markPresumed(p.view.secondsSpan(n), model.PresumedCodes)
		}
		rows = append(rows, []textlayout.Span{
			p.view.textSpan(p.view.displayName(model.NameActivity, model.TextOf(code))),
			spent(t[0]), spent(t[1]), spent(t[2]),
		})
	}
	p.Grid([]textlayout.Column{p.leftColumn(words.ColumnActivity()), p.rightColumn(words.DetailTotal()), p.rightColumn(words.ColumnBusy()), p.rightColumn(words.FigureNotReady())}, rows...)
}

// ProfileDetail returns the lines of a user profile's detail view, each exactly width cells wide.
// They show the state, the use of time and the contacts on every channel. If operators is true, the
// figures are those of operators.
func ProfileDetail(s *model.Snapshot, v *View, id int64, operators bool, width int) []string {
	s = snapshotOrEmpty(s)
	t := s.Profiles
	if operators {
		t = s.OperatorProfiles
	}
	_, stats := model.RecordsByChannel(v.Channel, t.Rows(),
		func(r *model.ProfileStat) model.Channel { return r.Channel },
		func(r *model.ProfileStat) bool { return r.ID == model.IntOf(id) })
	code := strconv.FormatInt(id, 10)
	if len(stats) == 0 {
		return v.noDataLines(width, words.DetailNoProfile(code))
	}
	var blocks []block
	for _, r := range stats {
		on := onChannel(r.Channel)
		a := &r.AgentFigures
		blocks = append(blocks,
			block{on(words.DetailState()), func(p *detailWriter) {
				p.Line(v.stateSpan(StateOf(a.Status, a.Channel)), v.markPresumed(v.sinceSpan(a.TimeInState), model.PresumedInState),
					v.momentarySpan(v.activity(a.ActivityCode, a.ActivityCode2)))
			}},
			block{on(words.DetailTime()), func(p *detailWriter) { p.drawTimeSplit(a) }},
			block{on(words.DetailContacts()), func(p *detailWriter) { p.drawContacts(a, r.TimeInHold) }},
			block{on(words.DetailTimeByActivity()), func(p *detailWriter) { p.drawActivityTimes(a) }},
		)
	}
	return v.layoutBlocks(width, heading(codeAndName(code, v.Options.Names.NameOf(model.NameProfile, code))), blocks...)
}
