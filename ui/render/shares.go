package render

import (
	"slices"
	"strings"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/textlayout"
)

// stateShare is one part of a whole: the number of agents in a state, or the time spent in a state.
type stateShare struct {
	state     State
	value     model.Int
	isSubpart bool // included in an earlier share, so it is listed below that share but not drawn in the bar
}

// drawShares draws the parts of a whole as a stacked bar above a legend. The legend has the glyph,
// the state, the value and the share of each part; parts with the value 0 share one line. draw formats
// a value. If the parts add up to less than the whole, the rest is drawn as another part.
func (p *detailWriter) drawShares(parts []stateShare, whole model.Int, draw func(model.Int) textlayout.Span) {
	v := p.view
	bar, rows := make([]chart.StackedPart, 0, len(parts)+1), make([][]textlayout.Span, 0, len(parts)+1)
	none := 0 // number of states with the value 0, which share a line
	for _, s := range withRemainder(parts, whole) {
		name := textlayout.NewSpan(s.state.Glyph(v.Options.ASCII)+" "+v.translate(s.state.Word), s.state.Token)
		if s.isSubpart {
			name.Text = indented(name.Text)
		} else {
			bar = append(bar, chart.StackedPart{
				Value: float64(s.value.Or(0)), Style: v.sgr(s.state.Token), Glyph: v.Options.BarGlyph(s.state),
			})
		}
		if s.value.Or(1) == 0 && !v.Options.BlankFigures {
			none++
			continue
		}
		rows = append(rows, []textlayout.Span{name, draw(s.value), v.percentSpan(ratioOf(s.value, whole))})
	}
	if none > 0 {
		rows = append(rows, []textlayout.Span{p.zeroSpan(len(rows), none, words.DetailZeroStates, words.DetailMoreStates), draw(model.IntOf(0)), {}})
	}
	if len(rows) == 0 {
		return
	}
	if v.Options.BlankFigures {
		bar = nil
	}
	if s := (chart.StackedBar{Width: p.Width, Set: v.chartSet()}).Render(bar); strings.TrimSpace(s) != "" {
		p.Lines = append(p.Lines, s)
	}
	p.Grid([]textlayout.Column{textlayout.LeftColumn(""), textlayout.RightColumn(""), textlayout.RightColumn("")}, rows...)
}

// withRemainder returns the parts with known values. If they add up to less than the whole, it adds
// a part for the rest.
func withRemainder(parts []stateShare, whole model.Int) []stateShare {
	out := make([]stateShare, 0, len(parts)+1)
	rest, ok := whole.Get()
	for _, s := range parts {
		n, known := s.value.Get()
		if !known {
			continue
		}
		out = append(out, s)
		if !s.isSubpart {
			rest -= n
		}
	}
	if ok && rest > 0 && len(out) > 0 {
		other := State{words.StateOther(), themes.StateOther, "?", "?"}
		out = append(out, stateShare{state: other, value: model.IntOf(rest)})
	}
	return out
}

// ratioOf returns the ratio of part to whole. It is n/a if the whole is 0.
func ratioOf(part, whole model.Int) model.Figure {
	// The penetration of a campaign is the only ratio of two numbers that package model exports. It
	// handles unknown values and zeros as this function requires.
	c := model.Campaign{TriedContacts: part, TotalContacts: whole}
	return c.Penetration()
}

// agentShares returns the number of agents in each state as parts of a whole.
func agentShares(counts []model.StateCount, ch model.Channel) []stateShare {
	out := make([]stateShare, len(counts))
	for i, c := range counts {
		out[i] = stateShare{state: StateOf(c.State, ch), value: c.Count}
	}
	return out
}

// timeShares returns how much time an agent has spent in each state. The time of contacts with
// customers and of the agent's own calls is part of the busy time.
func timeShares(a *model.AgentFigures) []stateShare {
	within := func(word words.Text, token themes.Token, status model.UserStatus, n model.Int) stateShare {
		s := StateOf(status, a.Channel)
		s.Word, s.Token = word, token
		return stateShare{state: s, value: n, isSubpart: true}
	}
	busy := StateOf(model.Busy, a.Channel)
	busy.Word = words.StateBusy()
	return []stateShare{
		{state: busy, value: a.TimeInStateBusy},
		within(words.StatePartOnService(), themes.StateTalking, model.Busy, a.TimeInStateBusyOnService),
		within(words.StatePartCallIn(), themes.StateDial, model.BusyDNCallIn, a.TimeInStateBusyDNCallIn),
		within(words.StatePartCallOut(), themes.StateDial, model.BusyDNCallOut, a.TimeInStateBusyDNCallOut),
		within(words.StatePartPrivateCall(), themes.StateDial, model.BusyDNCallOutPrivate, a.TimeInStateBusyDNCallOutPrivate),
		{state: StateOf(model.Booked, a.Channel), value: a.TimeInStateBooked},
		{state: StateOf(model.WNR, a.Channel), value: a.TimeInStateWNR},
		{state: StateOf(model.Ready, a.Channel), value: a.TimeInStateReady},
		{state: StateOf(model.NotReady, a.Channel), value: a.TimeInStateNotReady},
	}
}

// drawActivities draws the number of agents in each activity, and how many of them are not ready.
func (p *detailWriter) drawActivities(agents, notReady []model.ProfilesInActivity) {
	lists := [][]model.ProfilesInActivity{agents, notReady}
	var codes []string
	for i := range agents {
		codes = append(codes, agents[i].ActivityCode)
	}
	for i := range notReady {
		if code := notReady[i].ActivityCode; !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	}
	rows := make([][]textlayout.Span, 0, len(codes))
	none, zero := 0, p.view.intSpan(model.IntOf(0))
	for _, code := range codes {
		line, known := []textlayout.Span{p.activitySpan(code)}, p.view.Options.BlankFigures
		for _, list := range lists {
			var n model.Int // stays unknown if the list does not contain the code
			if index := slices.IndexFunc(list, func(a model.ProfilesInActivity) bool { return a.ActivityCode == code }); index >= 0 {
				n = list[index].Count
				known = known || n.Or(1) != 0
			}
			line = append(line, p.view.intSpan(n))
		}
		if !known {
			none++
			continue
		}
		rows = append(rows, line)
	}
	if none > 0 {
		rows = append(rows, []textlayout.Span{p.zeroSpan(len(rows), none, words.DetailZeroActivities, words.DetailMoreActivities), zero, zero})
	}
	p.Grid([]textlayout.Column{textlayout.LeftColumn(""), p.rightColumn(words.DetailHeadAgents()), p.rightColumn(words.FigureNotReady())}, rows...)
}

func (p *detailWriter) activitySpan(code string) textlayout.Span {
	return p.view.textSpan(p.view.displayName(model.NameActivity, model.TextOf(code)))
}

// drawActivityCounts draws the number of agents in each activity of a list, and their share of the
// whole.
func (p *detailWriter) drawActivityCounts(list []model.ProfilesInActivity, whole model.Int) {
	rows := make([][]textlayout.Span, 0, len(list))
	none := 0
	for i := range list {
		a := &list[i]
		if a.Count.Or(1) == 0 && !p.view.Options.BlankFigures {
			none++
			continue
		}
		rows = append(rows, []textlayout.Span{p.activitySpan(a.ActivityCode), p.view.intSpan(a.Count), p.view.percentSpan(ratioOf(a.Count, whole))})
	}
	if none > 0 {
		rows = append(rows, []textlayout.Span{p.zeroSpan(len(rows), none, words.DetailZeroActivities, words.DetailMoreActivities), p.view.intSpan(model.IntOf(0)), {}})
	}
	p.Grid([]textlayout.Column{textlayout.LeftColumn(""), textlayout.RightColumn(""), textlayout.RightColumn("")}, rows...)
}

// drawCustomStats draws the figures that the administrator of the platform has defined.
func (p *detailWriter) drawCustomStats(list []model.CustomStat) {
	rows := make([][]textlayout.Span, 0, len(list))
	for i := range list {
		c := &list[i]
		rows = append(rows, []textlayout.Span{p.view.textSpan(c.Key), p.view.scalarSpan(c.Value.Value), p.view.scalarSpan(c.Value.AggregatedValue)})
	}
	p.Grid([]textlayout.Column{p.leftColumn(words.DetailHeadFigure()), p.rightColumn(words.ColumnValue()), p.rightColumn(words.DetailHeadAggregated())}, rows...)
}

func (p *detailWriter) drawCodes(kind model.NameKind, list []string) {
	if len(list) == 0 {
		return
	}
	text := ""
	for i, c := range list {
		if i > 0 {
			text += ", "
		}
		text += p.view.Options.Names.NameOf(kind, c)
	}
	p.Paragraph(textlayout.PlainSpan(text))
}
