package render

import (
	"wallboard/internal/alert"
	"wallboard/internal/words"
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
	channels, groups := model.RecordsByChannel(v.Channel, s.Groups.Rows(),
		func(r *model.Group) model.Channel { return r.Channel },
		func(r *model.Group) bool { return r.Key().Code == code })
	if len(groups) == 0 {
		return v.noDataLines(width, words.DetailNoGroup(code))
	}
	r := groups[0]
	on := onChannel(r.Channel)
	subject := groupKey(r)
	alarm := v.Alerts.Alarm(subject)
	c, u := &r.ChannelStats, &r.UserStats
	return v.layoutBlocks(width,
		heading(codeAndName(code, v.displayName(model.NameGroup, r.Code)),
			textlayout.NewSpan(v.translate(words.ChannelName(r.Channel)), themes.Dim),
			alarm.headingSpan(v)),
		block{on(words.DetailQueue()), func(p *detailWriter) {
			counts := []textlayout.LabeledValue{
				p.pair(words.FigureWaiting(), withLevel(v.intSpan(c.QueuedCalls), alarm.level(staffingAlertNames...))),
				p.pair(words.DetailReceived(), v.intSpan(c.ReceivedCalls)),
			}
			p.LabeledValues(append(counts, groupFigureSet().pairs(v, r, alarm, []string{"answerRate", "abandonRate"}, "shrinkage")...)...)
		}},
		v.customKPIBlock(on(words.DetailCustom()), v.Options.CustomKPIs[alert.Group], subject),
		block{on(words.DetailAgents()), func(p *detailWriter) {
			counts := model.CountGroupAgents(s, r.Key(), &u.LoggedUsers)
			p.drawShares(agentShares(u.HeadCount().ByState(&counts), r.Channel), u.LoggedUsers.Count, v.intSpan)
			p.LabeledValues(
				p.pair(words.FigureLoggedIn(), v.intSpan(u.LoggedUsers.Count)),
				groupFigureSet().pair(v, r, "shrinkage"),
			)
		}},
		block{words.DetailNotReadyByActivity(), func(p *detailWriter) {
			p.drawActivityCounts(u.NotReadyUsersOnActivityCode, u.NotReadyUsers.Count)
		}},
		block{on(words.DetailPlatformCustom()), func(p *detailWriter) { p.drawCustomStats(r.CustomStats) }},
		block{words.DetailAllFigures(), func(p *detailWriter) { drawMatrix(p, channels, groups, groupFigures()) }},
	)
}

// groupFigures returns the rows of all figures that the platform sends for a group.
func groupFigures() []figureRow[model.Group] {
	type group = model.Group
	n := func(label words.Text, get func(*group) model.Int) figureRow[group] {
		return figureRow[group]{label: label, value: func(v *View, r *group) textlayout.Span { return v.intSpan(get(r)) }}
	}
	return []figureRow[group]{
		n(words.FigureWaiting(), func(r *group) model.Int { return r.ChannelStats.QueuedCalls }),
		n(words.DetailReceived(), func(r *group) model.Int { return r.ChannelStats.ReceivedCalls }),
		n(words.FigureAnswered(), func(r *group) model.Int { return r.ChannelStats.AnsweredCalls }),
		n(words.FigureAbandoned(), func(r *group) model.Int { return r.ChannelStats.HangupCalls }),
		n(words.DetailShort(), func(r *group) model.Int { return r.ChannelStats.ShortCalls }),
		n(words.DetailClosed(), func(r *group) model.Int { return r.ChannelStats.ClosedCalls }),
		n(words.FigureLoggedIn(), func(r *group) model.Int { return r.UserStats.LoggedUsers.Count }),
		n(words.FigureReady(), func(r *group) model.Int { return r.UserStats.ReadyUsers.Count }),
		n(words.FigureWrapUp(), func(r *group) model.Int { return r.UserStats.PostCallUsers.Count }),
		n(words.FigureNotReady(), func(r *group) model.Int { return r.UserStats.NotReadyUsers.Count }),
	}
}
