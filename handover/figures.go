package handover

import (
	"strconv"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/model/kpi"
)

// figures writes the floor and the services against their targets. The
// platform counts since its own start of the day.
func (w *writer) figures() {
	w.section("Figures of the day")
	if len(w.Channels) == 0 {
		w.line("Nothing is known of the floor yet.")
		return
	}
	figures := kpi.Columns()
	head := []string{"", "received", "answered"}
	for _, f := range figures {
		head = append(head, f.Column.Head)
	}
	head = append(head, "agents")
	var rows [][]string
	for i := range w.Channels {
		c := &w.Channels[i]
		calls := &c.Floor.Calls
		agents := unknown
		if c.Floor.Users > 0 {
			agents = strconv.Itoa(c.Floor.Users - c.Floor.States[""])
		}
		row := []string{"**All, " + channelName(c.Channel) + "**", count(calls.ReceivedCalls), count(calls.AnsweredCalls)}
		for _, f := range figures {
			row = append(row, cell(f, model.ScopeFloor, calls, w.Goal, func(as *kpi.Form) model.Figure { return as.OfFloor(&c.Floor, w.Goal) }))
		}
		rows = append(rows, append(row, agents))
	}
	for i := range w.Services {
		s := &w.Services[i]
		record := model.Service{ChannelStats: s.Calls, UserStats: s.Users}
		row := []string{safe(s.Name) + channelWord(s.Channel), count(s.Calls.ReceivedCalls), count(s.Calls.AnsweredCalls)}
		for _, f := range figures {
			row = append(row, cell(f, model.ScopeService, &s.Calls, s.Goal, func(as *kpi.Form) model.Figure { return as.OfService(&record, s.Goal) }))
		}
		rows = append(rows, append(row, unknown))
	}
	w.table(head, rows)
	w.line("\nSL, the service level: %s%s.%s", w.Goal.Formula, targetWord(", target ", w.Goal.ServiceLevel), targetWord(" Abandoned: target at most ", w.Goal.Abandon))
	w.line("A service with a target of its own is measured by that; **!** is off target, and by enough calls to mean it.")
}

// cell is a figure of the catalogue, against its target. c are the calls that it
// is about; of computes it from the record.
func cell(f *kpi.Figure, s model.Scope, c *model.ServiceCalls, goal alert.Goal, of func(*kpi.Form) model.Figure) string {
	as := f.On(s)
	if as == nil {
		return unknown
	}
	x := of(as)
	off := false
	if f.Target != nil {
		v, _ := x.Get()
		target, ok := f.Target(goal).Get()
		off = ok && tells(c, f.Worse(v, target))
	}
	switch f.Unit {
	case kpi.Percent:
		return share(x, off)
	case kpi.Duration:
		return seconds(x)
	case kpi.Number:
	}
	if v, ok := x.Get(); ok {
		return number(v)
	}
	return missing(x)
}

// tells reports whether a share is worse than its target by enough calls to mean
// something, as the built-in rules have it.
func tells(c *model.ServiceCalls, off float64) bool {
	n, ok := c.ReceivedCalls.Get()
	return ok && n >= alert.MinCalls && off*float64(n) >= alert.MinOver
}

// ofCampaign is a share of the catalogue, of a campaign.
func ofCampaign(name string, c *model.Campaign) string {
	return share(kpi.Named(name).On(model.ScopeCampaign).Campaign(c), false)
}
