package render

import (
	"wallboard/internal/alert"
	"wallboard/internal/phrases"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/textlayout"
)

// GroupDetail returns the lines of a group's detail view, each exactly width cells wide. The queue
// and the number of agents on the view's channel are at the top. If the group does not have that
// channel, its first channel is used. All figures of the group on every channel follow. The agents
// are listed in [Agents], with the group as scope.
func GroupDetail(s *model.Snapshot, v *View, code string, width int) []string {
	s = snapshotOrEmpty(s)
	channels, groups := recordsByChannel(v, s.Groups.Rows(),
		func(r *model.Group) model.Channel { return r.Channel },
		func(r *model.Group) bool { return r.Key().Code == code })
	if len(groups) == 0 {
		return v.noDataLines(width, "group "+code)
	}
	r := groups[0]
	channelName := " on " + phrases.ChannelName(r.Channel)
	subject := groupKey(r)
	alarm := v.Alerts.Alarm(subject)
	c, u := &r.ChannelStats, &r.UserStats
	return v.layoutBlocks(width,
		heading(codeAndName(code, v.displayName(model.NameGroup, r.Code)),
			textlayout.NewSpan(phrases.ChannelName(r.Channel), themes.Dim),
			alarm.headingSpan(v)),
		block{"Queue" + channelName, func(p *detailWriter) {
			counts := []textlayout.Pair{
				textlayout.NewPair("Waiting", withLevel(v.intSpan(c.QueuedCalls), alarm.level(staffingNames...))),
				textlayout.NewPair("Received", v.intSpan(c.ReceivedCalls)),
			}
			p.Pairs(append(counts, groupFigureSet().pairs(v, r, alarm, []string{"answerRate", "abandonRate"}, "shrinkage")...)...)
		}},
		v.customKPIBlock(channelName, v.Options.CustomKPIs[alert.Group], subject),
		block{"Agents" + channelName, func(p *detailWriter) {
			counts := model.CountGroupAgents(s, r.Key(), &u.LoggedUsers)
			p.drawShares(agentShares(u.HeadCount().ByState(&counts), r.Channel), u.LoggedUsers.Count, v.intSpan)
			p.Pairs(
				textlayout.NewPair("Logged in", v.intSpan(u.LoggedUsers.Count)),
				groupFigureSet().pair(v, r, "shrinkage"),
			)
		}},
		block{"Not ready, by activity", func(p *detailWriter) {
			p.drawActivityCounts(u.NotReadyUsersOnActivityCode, u.NotReadyUsers.Count)
		}},
		block{"Custom figures" + channelName, func(p *detailWriter) { p.drawCustomStats(r.CustomStats) }},
		block{"All figures", func(p *detailWriter) { drawMatrix(p, channels, groups, groupFigures()) }},
	)
}

// groupFigures returns the rows of all figures that the platform sends for a group.
func groupFigures() []figureRow[model.Group] {
	type group = model.Group
	n := func(label string, get func(*group) model.Int) figureRow[group] {
		return figureRow[group]{label, func(v *View, r *group) textlayout.Span { return v.intSpan(get(r)) }}
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
