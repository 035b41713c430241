package handover

import (
	"slices"
	"strconv"

	"wallboard/internal/alert"
	"wallboard/internal/phrases"
	"wallboard/model"
	"wallboard/model/kpi"
)

// writeFigures writes the section with the figures of the day: the figures of each channel, and
// those of the services that are off target. The day begins when the platform resets its counters.
func (w *writer) writeFigures() {
	w.writeSection("Figures of the day")
	if len(w.Channels) == 0 {
		w.writeLine("No data yet.")
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
		agents := unknownValue
		if c.Floor.Users > 0 {
			agents = strconv.Itoa(c.Floor.Users - c.Floor.States[""])
		}
		row := []string{"**All, " + channelName(c.Channel) + "**", formatCount(calls.ReceivedCalls), formatCount(calls.AnsweredCalls)}
		for _, f := range figures {
			row = append(row, w.formatCell(f, model.ScopeFloor, calls, w.Goal, func(as *kpi.Form) model.Figure { return as.OfFloor(&c.Floor, w.Goal) }))
		}
		rows = append(rows, append(row, agents))
	}
	off := 0
	for i := range w.Services {
		s := &w.Services[i]
		if !s.OffTarget {
			continue
		}
		off++
		record := model.Service{ChannelStats: s.Calls, UserStats: s.Users}
		row := []string{escapeText(s.Name) + channelSuffix(s.Channel), formatCount(s.Calls.ReceivedCalls), formatCount(s.Calls.AnsweredCalls)}
		for _, f := range figures {
			row = append(row, w.formatCell(f, model.ScopeService, &s.Calls, s.Goal, func(as *kpi.Form) model.Figure { return as.OfService(&record, s.Goal) }))
		}
		rows = append(rows, append(row, unknownValue))
	}
	w.writeTable(head, rows)
	w.writeLine("")
	switch { // a service is listed once per channel, so the number of rows would be wrong
	case len(w.Services) == 0:
	case off == len(w.Services):
		w.writeLine("All services are missing target.")
	default:
		w.writeLine("All others are on target or within a few calls of it.")
	}
	presumed := ""
	if slices.ContainsFunc(figures, func(f *kpi.Figure) bool { return w.Health.Presumed.Has(f.Presumable) }) {
		presumed = "; ? is in a unit that is presumed"
	}
	tolerance := phrases.Tolerance(w.Goal.Tolerance)
	if tolerance != "" {
		tolerance = " by more than the " + tolerance + " that was agreed"
	}
	w.writeLine("SL: %s%s%s; **!** misses the target%s%s.",
		w.Goal.Formula, targetText(", target ", w.Goal.ServiceLevel), targetText("; abandoned: at most ", w.Goal.Abandon), tolerance, presumed)
	w.writeDailySituations()
}

// isOffTarget reports whether x, the value of a figure, misses its target in goal by more than
// the tolerance, and the difference is significant for the number of received calls in c.
func isOffTarget(f *kpi.Figure, x model.Figure, c *model.ServiceCalls, goal alert.Goal) bool {
	if f.Target == nil {
		return false
	}
	v, known := x.Get()
	target, some := f.Target(goal.Judged()).Get()
	return known && some && alert.IsSignificant(c.ReceivedCalls, f.WorseBy(v, target))
}

// formatCell formats a figure and marks it if it is off target. compute returns the figure's value
// for a scope s. c holds the calls that the figure is based on.
func (w *writer) formatCell(f *kpi.Figure, s model.Scope, c *model.ServiceCalls, goal alert.Goal, compute func(*kpi.Form) model.Figure) string {
	as := f.FormFor(s)
	if as == nil {
		return unknownValue
	}
	x := compute(as)
	text := string(phrases.Format{}.KPI(nil, f.Unit, x))
	switch {
	case f.Unit == kpi.Percent && isOffTarget(f, x, c, goal):
		text += " **!**"
	case f.Unit == kpi.Duration && x.Known() && w.Health.Presumed.Has(f.Presumable):
		text += "?"
	}
	return text
}

// formatCampaignShare formats a share of a campaign. name is the name of its KPI.
func formatCampaignShare(name string, c *model.Campaign) string {
	return string(phrases.Format{}.Percent(nil, kpi.Named(name).FormFor(model.ScopeCampaign).Campaign(c)))
}
