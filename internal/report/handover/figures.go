package handover

import (
	"fmt"
	"slices"
	"strconv"

	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/model/kpi"
)

// figures writes the figures of the floor and the services with their targets. The figures count
// from the platform's own start of the day.
func (w *writer) figures() {
	w.section("Figures of the day")
	if len(w.Channels) == 0 {
		w.line("No data yet.")
		return
	}
	figures := kpi.Columns()
	head := []string{"", "received", "answered"}
	for _, f := range figures {
		head = append(head, f.Column.Head)
	}
	head = append(head, "agents")
	var rows [][]string
	for i := range w.Channels[:min(len(w.Channels), w.limits.channels)] {
		c := &w.Channels[i]
		calls := &c.Floor.Calls
		agents := unknownValue
		if c.Floor.Users > 0 {
			agents = strconv.Itoa(c.Floor.Users - c.Floor.States[""])
		}
		row := []string{"**All, " + channelName(c.Channel) + "**", count(calls.ReceivedCalls), count(calls.AnsweredCalls)}
		for _, f := range figures {
			row = append(row, w.cell(f, model.ScopeFloor, calls, w.Goal, func(as *kpi.Form) model.Figure { return as.OfFloor(&c.Floor, w.Goal) }))
		}
		rows = append(rows, append(row, agents))
	}
	missing := 0
	for i := range w.Services {
		s := &w.Services[i]
		if !s.OffTarget {
			continue
		}
		if missing++; missing > w.limits.services {
			continue
		}
		record := model.Service{ChannelStats: s.Calls, UserStats: s.Users}
		row := []string{escapeText(s.Name) + channelWord(s.Channel), count(s.Calls.ReceivedCalls), count(s.Calls.AnsweredCalls)}
		for _, f := range figures {
			row = append(row, w.cell(f, model.ScopeService, &s.Calls, s.Goal, func(as *kpi.Form) model.Figure { return as.OfService(&record, s.Goal) }))
		}
		rows = append(rows, append(row, unknownValue))
	}
	w.table(head, rows)
	w.line("")
	if left := len(w.Channels) - w.limits.channels; left > 0 {
		w.line("And %d more channels.", left)
	}
	if len(w.Services) > 0 {
		w.line("%s", w.otherServices(missing))
	}
	presumed := ""
	if slices.ContainsFunc(figures, func(f *kpi.Figure) bool { return w.Health.Presumed.Has(f.Presumable) }) {
		presumed = "; ? is in a unit that is presumed"
	}
	w.line("SL: %s%s%s; **!** is off target%s.",
		w.Goal.Formula, targetWord(", target ", w.Goal.ServiceLevel), targetWord("; abandoned: at most ", w.Goal.Abandon), presumed)
}

// otherServices describes the services that are not in the table.
func (w *writer) otherServices(off int) string {
	text := "All services are off target."
	if len(w.Services) > off { // a service is listed once per channel, so a count would be wrong
		text = "All others are on target, or off it by too few calls to mean anything."
	}
	if off > w.limits.services {
		text += fmt.Sprintf(" %d of the %d that are off target are shown.", w.limits.services, off)
	}
	return text
}

// offTarget reports whether a figure is worse than its target by a significant number of
// calls.
func offTarget(f *kpi.Figure, x model.Figure, c *model.ServiceCalls, goal alert.Goal) bool {
	if f.Target == nil {
		return false
	}
	v, known := x.Get()
	target, some := f.Target(goal).Get()
	return known && some && alert.Significant(c.ReceivedCalls, f.Worse(v, target))
}

// cell formats a figure of the catalogue and marks it if it is off target. compute computes the
// figure from the calls in c.
func (w *writer) cell(f *kpi.Figure, s model.Scope, c *model.ServiceCalls, goal alert.Goal, compute func(*kpi.Form) model.Figure) string {
	as := f.On(s)
	if as == nil {
		return unknownValue
	}
	x := compute(as)
	switch f.Unit {
	case kpi.Percent:
		return formatShare(x, offTarget(f, x, c, goal))
	case kpi.Duration:
		return seconds(x.Presume(w.Health.Presumed.Has(f.Presumable)))
	case kpi.Number:
	}
	if v, ok := x.Get(); ok {
		return number(v)
	}
	return missingText(x)
}

// campaignShare formats a share of a campaign.
func campaignShare(name string, c *model.Campaign) string {
	return formatShare(kpi.Named(name).On(model.ScopeCampaign).Campaign(c), false)
}
