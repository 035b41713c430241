package render

import (
	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/textlayout"
)

// GroupDetail returns the lines of a group's detail view, each exactly width cells
// wide: its queue and agents on the view's channel, or on its first one, and all its
// figures on every channel. [Agents] with the scope's group lists its agents.
func GroupDetail(s *model.Snapshot, v *View, code string, width int) []string {
	s = orEmpty(s)
	channels, groups := byChannel(v, s.Groups.Rows(),
		func(r *model.Group) model.Channel { return r.Channel },
		func(r *model.Group) bool { return r.Key().Code == code })
	if len(groups) == 0 {
		return v.missing(width, "group "+code)
	}
	r := groups[0]
	channelName := " on " + ChannelName(r.Channel)
	subject := groupKey(r)
	alarm := v.Alerts.Alarm(subject)
	c, u := &r.ChannelStats, &r.UserStats
	return v.layout(width,
		heading(codeAndName(code, v.displayName(model.NameGroup, r.Code)),
			textlayout.NewSpan(ChannelName(r.Channel), themes.Dim),
			alarm.span(v)),
		block{"Queue" + channelName, func(p *detailWriter) {
			counts := []textlayout.Pair{
				textlayout.NewPair("Waiting", withLevel(v.int(c.QueuedCalls), alarm.level(staffingNames...))),
				textlayout.NewPair("Received", v.int(c.ReceivedCalls)),
			}
			p.Pairs(append(counts, groupFigureSet().pairs(v, r, alarm, []string{"answerRate", "abandonRate"}, "shrinkage")...)...)
		}},
		v.customKPIBlock(channelName, v.Options.CustomKPIs[alert.Group], subject),
		block{"Agents" + channelName, func(p *detailWriter) {
			counts := countAgents(s, Scope{Channel: r.Channel, Group: code}, &u.LoggedUsers)
			p.drawShares(groupHeads(u).parts(&counts, r.Channel), u.LoggedUsers.Count, v.int)
			p.Pairs(
				textlayout.NewPair("Logged in", v.int(u.LoggedUsers.Count)),
				groupFigureSet().pair(v, r, "shrinkage"),
			)
		}},
		block{"Not ready, by activity", func(p *detailWriter) {
			p.activityHeads(u.NotReadyUsersOnActivityCode, u.NotReadyUsers.Count)
		}},
		block{"Custom figures" + channelName, func(p *detailWriter) { p.customStats(r.CustomStats) }},
		block{"All figures", func(p *detailWriter) { matrix(p, channels, groups, groupFigures()) }},
	)
}

// groupFigures returns all figures that the platform sends for a group.
func groupFigures() []figureRow[model.Group] {
	type group = model.Group
	n := func(label string, get func(*group) model.Int) figureRow[group] {
		return figureRow[group]{label, func(v *View, r *group) textlayout.Span { return v.int(get(r)) }}
	}
	return []figureRow[group]{
		n("Waiting", func(r *group) model.Int { return r.ChannelStats.QueuedCalls }),
		n("Received", func(r *group) model.Int { return r.ChannelStats.ReceivedCalls }),
		n("Answered", func(r *group) model.Int { return r.ChannelStats.AnsweredCalls }),
		n("Abandoned", func(r *group) model.Int { return r.ChannelStats.HangupCalls }),
		n("Short", func(r *group) model.Int { return r.ChannelStats.ShortCalls }),
		n("Closed", func(r *group) model.Int { return r.ChannelStats.ClosedCalls }),
		n("Logged in", func(r *group) model.Int { return r.UserStats.LoggedUsers.Count }),
		n("Ready", func(r *group) model.Int { return r.UserStats.ReadyUsers.Count }),
		n("Wrap-up", func(r *group) model.Int { return r.UserStats.PostCallUsers.Count }),
		n("Not ready", func(r *group) model.Int { return r.UserStats.NotReadyUsers.Count }),
	}
}
