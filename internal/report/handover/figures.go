package handover

import (
	"slices"
	"strconv"

	"wallboard/internal/alert"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/kpi"
)

// writeFigures writes a table with the figures of the day for each channel, which figures were off target
// for a time, and how the day compares with typical days. The day begins when the platform resets its counters.
func (w *writer) writeFigures() {
	if len(w.Channels) == 0 {
		return // the summary says that there is no data
	}
	figures := kpi.Columns()
	head := append([]string{""}, heads(w.input.Words, words.HandoverReceived(), words.HandoverAnswered())...)
	for _, f := range figures {
		head = append(head, w.translate(words.FigureReportHeading(f.Name)))
	}
	head = append(head, w.translate(words.HandoverAgents()))
	var rows [][]string
	for i := range w.Channels {
		c := &w.Channels[i]
		calls := &c.Floor.Calls
		agents := unknownValue
		if c.Floor.Users > 0 {
			agents = strconv.Itoa(c.Floor.Users - c.Floor.States[""])
		}
		row := []string{bold(w.translate(words.HandoverAll(words.ChannelInSentence(c.Channel)))), formatCount(w.input.Words, calls.ReceivedCalls), formatCount(w.input.Words, calls.AnsweredCalls)}
		for _, f := range figures {
			row = append(row, w.formatCell(f, c))
		}
		rows = append(rows, append(row, agents))
	}
	w.writeTable(head, rows, 0)
	var others words.Text
	switch { // a number would count services with several channels more than once
	case w.Services.All == 0:
	case w.Services.OffTarget == w.Services.All:
		others = words.HandoverAllOff()
	case w.Services.OffTarget == 0:
		others = words.HandoverAllOn()
	default:
		others = words.HandoverOthersOn()
	}
	w.writeLine("")
	w.writeText("- ", words.JoinSentences(others, words.HandoverSentence(w.legend(figures))))
	var earlier []words.Text
	for i := range w.PastSituations {
		if p := &w.PastSituations[i]; isDailyOnly(p) {
			earlier = append(earlier, words.HandoverPlaceWhen(escapeText(p.Place.Title), w.episodesText(p)))
		}
	}
	if len(earlier) > 0 {
		w.writeText("- ", words.HandoverOffTarget(words.JoinClauses(earlier...)))
	}
	w.writeBaseline()
}

// legend explains the service level, the targets and the marks in the table of figures.
func (w *writer) legend(figures []*kpi.Figure) words.Text {
	level, abandoned := words.HandoverFormula(words.ServiceLevelFormula(w.Goal.Formula)), words.Text{}
	if v, ok := w.Goal.ServiceLevel.Get(); ok {
		level = words.HandoverFormulaTarget(words.ServiceLevelFormula(w.Goal.Formula), percent(w.input.Words, v))
	}
	if v, ok := w.Goal.Abandon.Get(); ok {
		abandoned = words.HandoverAtMost(percent(w.input.Words, v))
	}
	missed, presumed := words.HandoverMissed(), words.Text{}
	if tolerance := textformat.ToleranceText(w.Goal.Tolerance); tolerance != "" {
		missed = words.HandoverMissedTolerance(tolerance)
	}
	if slices.ContainsFunc(figures, func(f *kpi.Figure) bool { return w.Health.Presumed.Has(f.Presumable) }) {
		presumed = words.HandoverPresumedUnit()
	}
	return words.JoinClauses(level, abandoned, missed, presumed)
}

// isOffTarget reports whether x, the value of a figure, misses its target in goal by more than
// the tolerance, and the difference is significant for the number of received calls in c.
func isOffTarget(f *kpi.Figure, x model.Figure, c *model.ServiceCalls, goal alert.Goal) bool {
	if f.Target == nil {
		return false
	}
	v, known := x.Get()
	target, hasTarget := f.Target(goal.WithTolerance()).Get()
	return known && hasTarget && alert.IsSignificant(c.ReceivedCalls, f.WorseBy(v, target))
}

// formatCell formats a figure of a channel, and marks it if it is off target or if its unit is presumed.
func (w *writer) formatCell(f *kpi.Figure, c *ChannelFloor) string {
	as := f.FormFor(model.ScopeFloor)
	if as == nil {
		return unknownValue
	}
	x := as.FloorValue(&c.Floor, w.Goal)
	text := string(textformat.Format{Words: w.input.Words}.KPI(nil, f.Unit, x))
	switch {
	case f.Unit == kpi.Percent && isOffTarget(f, x, &c.Floor.Calls, w.Goal):
		text += " **!**"
	case f.Unit == kpi.Duration && x.Known() && w.Health.Presumed.Has(f.Presumable):
		text += "?"
	}
	return text
}

// formatCampaignShare formats a share of a campaign. name is the name of its KPI.
func formatCampaignShare(l *words.Language, name string, c *model.Campaign) string {
	return string(textformat.Format{Words: l}.Percent(nil, kpi.FigureNamed(name).FormFor(model.ScopeCampaign).Campaign(c)))
}
