package render

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"wallboard/internal/alert"
	"wallboard/internal/phrases"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/textlayout"
)

// AgentDetail returns the lines of an agent's detail view, each exactly width cells wide. They show
// the agent's state on every channel, and the use of time on each channel that has figures.
func AgentDetail(s *model.Snapshot, v *View, username string, width int) []string {
	s = snapshotOrEmpty(s)
	user := s.Users.Get(username)
	rows := v.AgentRows
	if rows == nil {
		rows = &AgentRows{}
	}
	_, stats := recordsByChannel(v, rows.Find(s.UserStats, username),
		func(r *model.UserStat) model.Channel { return r.Channel }, func(*model.UserStat) bool { return true })
	if user == nil && len(stats) == 0 {
		return v.noDataLines(width, "agent "+username)
	}
	blocks := []block{
		v.actionMarkBlock(v.Marks.agent(username)),
		{"State on every channel", func(p *detailWriter) { p.drawStates(user, stats) }},
		{"Break", func(p *detailWriter) { p.drawBreak(username) }},
		{"About", func(p *detailWriter) { p.drawActivity(user, stats) }},
	}
	for _, r := range stats {
		channelName := " on " + phrases.ChannelName(r.Channel)
		blocks = append(blocks,
			block{"Time" + channelName, func(p *detailWriter) { p.drawTimeSplit(&r.AgentFigures) }},
			block{"Contacts" + channelName, func(p *detailWriter) { p.drawContacts(&r.AgentFigures, holdOf(s, r)) }},
			v.customKPIBlock(channelName, v.Options.CustomKPIs[alert.User], agentKey(r)),
			block{"Time by activity" + channelName, func(p *detailWriter) { p.drawActivityTimes(&r.AgentFigures) }},
		)
	}
	if user != nil {
		blocks = append(blocks,
			block{"Services", func(p *detailWriter) { p.drawCodes(model.NameService, user.Services) }},
			block{"Groups", func(p *detailWriter) { p.drawCodes(model.NameGroup, user.Skillsets) }},
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

// AgentRows finds the records of one agent in a table with thousands of agents, also on channels
// that document 2 does not list. It searches the whole table only if the agent differs from the
// last call, or if records were added or removed.
type AgentRows struct {
	generation  uint64 // generation of the table at the last search
	recordCount int    // number of records in the table at the last search
	username    string
	indexes     []int // indexes of the agent's records in the table
}

// Find returns the records of an agent in t, the table of userStats of a snapshot.
func (a *AgentRows) Find(t *model.Table[model.UserStatKey, model.UserStat], username string) []*model.UserStat {
	records, name := t.Rows(), model.TextOf(username)
	isAgent := func(r *model.UserStat) bool { return r.Username == name || username == "" && r.Key().Username == "" }
	var found []*model.UserStat
	if a.recordCount == len(records) && a.generation == t.Generation() && a.username == username {
		for _, i := range a.indexes {
			if isAgent(records[i]) { // t may be another table than in the last call
				found = append(found, records[i])
			}
		}
		if len(found) == len(a.indexes) && len(found) > 0 {
			return found
		}
	}
	*a, found = AgentRows{t.Generation(), len(records), username, a.indexes[:0]}, nil
	for i, r := range records {
		if isAgent(r) {
			a.indexes, found = append(a.indexes, i), append(found, r)
		}
	}
	return found
}

// drawBreak draws how long the agent's break has lasted, and when the agent is likely to return.
func (p *detailWriter) drawBreak(username string) {
	if p.v.BreakSentences == nil || p.v.Options.Blank {
		return
	}
	for _, line := range p.v.BreakSentences(username) {
		token := themes.Text
		if strings.Contains(line, "allowed.") {
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
	v := p.v
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
			doing = v.displayName(model.NameActivity, user.ActivityCodes.On(ch))
		}
		level := Normal
		if i := slices.IndexFunc(stats, func(r *model.UserStat) bool { return r.Channel == ch }); i >= 0 {
			// The state is taken from the figures, because the time in state is taken from them as
			// well.
			r := stats[i]
			status, since = r.Status, r.TimeInState
			doing = v.activity(r.ActivityCode, r.ActivityCode2)
			level = v.Alerts.Alarm(agentKey(r)).level(timeNames...)
		}
		if status == "" && !since.Known() {
			continue
		}
		rows = append(rows, []textlayout.Span{
			textlayout.NewSpan(phrases.ChannelName(ch), themes.Dim), v.stateSpan(StateOf(status, ch)), withLevel(v.markPresumed(v.sinceSpan(since), model.PresumedInState), level), v.momentarySpan(doing),
		})
	}
	p.Grid([]textlayout.Column{textlayout.LeftColumn(""), textlayout.LeftColumn("State"), textlayout.RightColumn("Time"), textlayout.LeftColumn("Activity")}, rows...)
}

func (p *detailWriter) drawActivity(user *model.User, stats []*model.UserStat) {
	v := p.v
	site, profile := "", ""
	if user != nil {
		site, profile = user.Site.String(), user.ActiveProfile.String()
		if site != "" {
			site = v.Options.Names.Of(model.NameSite, site)
		}
		if profile != "" {
			profile = v.Options.Names.Of(model.NameProfile, profile)
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
	if v.Options.Blank {
		service, group, idle = "", "", false
	}
	if idle {
		service, group = cmp.Or(service, "none"), cmp.Or(group, "none")
	}
	p.Pairs(
		textlayout.NewPair("Service now", v.textSpan(service)),
		textlayout.NewPair("Group now", v.textSpan(group)),
		textlayout.NewPair("Site", v.textSpan(site)),
		textlayout.NewPair("Profile", v.textSpan(profile)),
	)
}

// drawTimeSplit draws how much time an agent has spent in each state since the login.
func (p *detailWriter) drawTimeSplit(a *model.AgentFigures) {
	p.drawShares(timeShares(a), a.LoggedTime(), p.v.secondsSpan)
	if len(p.Lines) > 0 {
		p.Pairs(agentFigureSet().pair(p.v, a, "loggedTime"), agentFigureSet().pair(p.v, a, "occupancy"))
	}
}

func (p *detailWriter) drawContacts(a *model.AgentFigures, hold model.HoldTime) {
	v := p.v
	ps := []textlayout.Pair{
		textlayout.NewPair("Offered", v.intSpan(a.NumberCallFromService)),
		textlayout.NewPair("Answered", v.intSpan(a.NumberCallFromServiceAnswered)),
		textlayout.NewPair("Not answered", v.intSpan(a.NumberCallFromServiceNotAnswered)),
		agentFigureSet().pair(v, a, "answerRate"),
		textlayout.NewPair("Answered late", v.intSpan(a.NumberCallServiceOverSpeedAnswer)),
		agentFigureSet().pair(v, a, "aht"),
		textlayout.NewPair("Calls in", v.intSpan(a.NumberCallIn)),
		textlayout.NewPair("Calls out", v.intSpan(a.NumberCallOut)),
		textlayout.NewPair("Private calls", v.intSpan(a.NumberCallOutPrivate)),
	}
	if hold.Time.Known() {
		ps = append(ps, textlayout.NewPair("Time on hold", v.markPresumed(v.secondsSpan(hold.Time), model.PresumedHold)))
	}
	if isHoldOfCurrentContact(a, hold) {
		last := v.markPresumed(v.sinceSpan(hold.TimeInState), model.PresumedHold)
		last.Text += " ago"
		ps = append(ps, textlayout.NewPair("Last hold", last))
	}
	p.Pairs(ps...)
}

// isHoldOfCurrentContact reports whether the last hold belongs to the agent's current contact. The
// hold time keeps growing after a contact. Without this check, it would look as if a customer were
// still on hold.
func isHoldOfCurrentContact(a *model.AgentFigures, hold model.HoldTime) bool {
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
		spent := func(n model.Int) textlayout.Span { return p.v.markPresumed(p.v.secondsSpan(n), model.PresumedCodes) }
		rows = append(rows, []textlayout.Span{
			p.v.textSpan(p.v.displayName(model.NameActivity, model.TextOf(code))),
			spent(t[0]), spent(t[1]), spent(t[2]),
		})
	}
	p.Grid([]textlayout.Column{textlayout.LeftColumn("Activity"), textlayout.RightColumn("In all"), textlayout.RightColumn("Busy"), textlayout.RightColumn("Not ready")}, rows...)
}

// ProfileDetail returns the lines of a user profile's detail view, each exactly width cells wide.
// They show the use of time and the figures on every channel. If operators is true, the figures
// come from operatorProfileStats.
func ProfileDetail(s *model.Snapshot, v *View, id int64, operators bool, width int) []string {
	s = snapshotOrEmpty(s)
	t := s.Profiles
	if operators {
		t = s.OperatorProfiles
	}
	_, stats := recordsByChannel(v, t.Rows(),
		func(r *model.ProfileStat) model.Channel { return r.Channel },
		func(r *model.ProfileStat) bool { return r.ID == model.IntOf(id) })
	code := strconv.FormatInt(id, 10)
	if len(stats) == 0 {
		return v.noDataLines(width, "profile "+code)
	}
	var blocks []block
	for _, r := range stats {
		channelName := " on " + phrases.ChannelName(r.Channel)
		a := &r.AgentFigures
		blocks = append(blocks,
			block{"State" + channelName, func(p *detailWriter) {
				p.Line(v.stateSpan(StateOf(a.Status, a.Channel)), v.markPresumed(v.sinceSpan(a.TimeInState), model.PresumedInState),
					v.momentarySpan(v.activity(a.ActivityCode, a.ActivityCode2)))
			}},
			block{"Time" + channelName, func(p *detailWriter) { p.drawTimeSplit(a) }},
			block{"Contacts" + channelName, func(p *detailWriter) { p.drawContacts(a, r.TimeInHold) }},
			block{"Time by activity" + channelName, func(p *detailWriter) { p.drawActivityTimes(a) }},
		)
	}
	return v.layoutBlocks(width, heading(codeAndName(code, v.Options.Names.Of(model.NameProfile, code))), blocks...)
}
