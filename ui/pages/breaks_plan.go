package pages

import (
	"slices"
	"strings"
	"time"

	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/panes"
	"wallboard/ui/style"
	"wallboard/ui/textlayout"
	"wallboard/ui/widgets"
)

// releasePlanner is the part of the page Breaks that shows how many more agents can leave, and the
// effect of changing the number of agents on a break.
type releasePlanner struct {
	plan                *diagnosis.ReleasePlan // nil: not known yet
	breakCountChange    int                    // change of the number of agents on a break whose effect is shown; 0: one more
	longestWithoutBreak []diagnosis.Advice     // the agents who have worked longest without a break
	unknownBreakCount   int                    // number of working agents whose last break is unknown
	isPartialFloor      bool                   // the viewer sees only some of the agents of the floor
	isLive              bool
	isTruncated         bool // the plan did not fit and was not drawn completely

	showsEffect bool // the last view shows the effect of the change
}

// Maximum numbers of rows about services and agents.
const (
	maxServiceRows = 4
	maxAgentRows   = 8
)

// refresh updates the plan. There is no plan while the board does not show live figures.
func (r *releasePlanner) refresh(sc *panes.Scene, now time.Time) {
	r.isLive = sc.Floor.FrozenAt.IsZero() && !sc.Floor.Replay
	if !r.isLive {
		r.plan, r.longestWithoutBreak, r.unknownBreakCount = nil, nil, 0
		return
	}
	shared, ch := sc.Forecaster.Observations(), sc.Floor.Channel
	r.plan = shared.ReleasePlan(now, ch)
	r.longestWithoutBreak, r.unknownBreakCount = shared.LongestWorking(ch, maxAgentRows)
	r.isPartialFloor = shared.IsPartialFloor()
}

// press handles the keys that change breakCountChange by one. It returns false for all other keys.
func (r *releasePlanner) press(pressed string) bool {
	keys := ReleaseKeys(nil)
	step := 0
	switch {
	case slices.Contains(keys[0].Keys(), pressed):
		step = 1
	case slices.Contains(keys[1].Keys(), pressed):
		step = -1
	default:
		return false
	}
	if r.plan == nil {
		return true
	}
	if r.breakCountChange == 0 {
		r.breakCountChange = r.plan.ClampChange(1) // the screen shows the effect of one more agent on a break
	}
	if r.breakCountChange += step; r.breakCountChange == 0 { // skips 0, which stands for one more
		r.breakCountChange = r.plan.ClampChange(step)
	}
	r.breakCountChange = r.plan.ClampChange(r.breakCountChange)
	return true
}

// position returns the text beside the heading of the planner. If hasKeys is true, the text names
// the keys, provided that their effect is visible in the last lines.
func (r *releasePlanner) position(hasKeys bool, l *words.Language) style.HeadingStatus {
	if !r.isLive || r.plan == nil || !r.plan.MissingReason.IsZero() {
		return style.HeadingStatus{}
	}
	brief, text := words.LeaveCan(r.plan.ReleasableNow).In(l), words.LeaveCanOnTarget(r.plan.ReleasableNow)
	if !hasKeys || !r.showsEffect {
		return style.HeadingStatus{Text: text.In(l), Brief: brief}
	}
	return style.HeadingStatus{Text: words.LeaveKeys(text).In(l), Brief: text.In(l), Shortest: brief}
}

// lines draws the plan in at most h lines of w cells. If there is not enough room, the part about
// the half hours is shortened, so that the effect of the change stays visible. Other parts that do
// not fit are omitted.
func (r *releasePlanner) lines(sc *panes.Scene, w, h int) []string {
	newPen := func() *textlayout.Pen {
		return &textlayout.Pen{PenSettings: textlayout.PenSettings{Theme: sc.Look.Theme, ASCII: sc.Look.ASCII, WidthMethod: sc.Look.WidthMethod}, Width: w}
	}
	pen := newPen()
	note := func(text words.Text) {
		pen.Paragraph(textlayout.NewSpan(widgets.TerminalText(sc.Look, text.In(sc.Look.Format.Words)), themes.Dim))
	}
	parts := []func(){func() {
		for _, line := range r.plan.Assumptions() {
			note(line)
		}
		if r.isPartialFloor {
			note(words.LeavePart())
		}
	}}
	r.isTruncated, r.showsEffect = false, false
	switch {
	case !r.isLive:
		parts = []func(){func() { note(words.LeaveNoLiveFigures()) }}
	case r.plan == nil:
		parts = []func(){func() { note(words.LeaveComputing()) }}
	case !r.plan.MissingReason.IsZero():
		parts = []func(){func() { note(words.LeaveNoPlan(r.plan.MissingReason)) }}
	default:
		effect := newPen()
		r.drawEffect(sc, effect)
		r.drawHalfHours(sc, pen)
		if available := max(h-len(effect.Lines), 0); len(pen.Lines) > available {
			pen.Lines, r.isTruncated = pen.Lines[:available], true
		}
		pen.Lines, r.showsEffect = append(pen.Lines, effect.Lines...), h > 0 && len(effect.Lines) > 0
		parts = append([]func(){func() { r.drawLongestWorking(sc, pen) }}, parts...)
	}
	for _, draw := range parts {
		before := len(pen.Lines)
		if draw(); len(pen.Lines) > h && before > 0 {
			pen.Lines, r.isTruncated = pen.Lines[:before], true
			break
		}
	}
	return pen.Lines
}

// drawEffect draws the effect of the change on the floor and on the services that miss their
// targets now or would miss them then.
func (r *releasePlanner) drawEffect(sc *panes.Scene, pen *textlayout.Pen) {
	change := r.breakCountChange
	if change == 0 {
		change = 1
	}
	now, then := r.plan.EffectOf(r.plan.AwayNow), r.plan.EffectOf(r.plan.AwayNow+r.plan.ClampChange(change))
	if now == nil || then == nil {
		return
	}
	arrow := "→"
	if sc.Look.ASCII {
		arrow = "->"
	}
	token := themes.OK
	if then.Floor.QueueGrows || r.plan.Target > 0 && then.Floor.ServiceLevel < r.plan.Target {
		token = themes.Warn
	}
	l := sc.Look.Format.Words
	present := words.LeaveOutNow(now.Away, now.Floor.Text())
	if then.Away == now.Away { // no more agents can leave
		pen.Line(textlayout.PlainSpan(present.In(l)))
		return
	}
	pen.Line(textlayout.PlainSpan(words.LeaveOutThen(present, arrow, then.Away).In(l)), textlayout.NewSpan(then.Floor.ShortText().In(l), token))
	risks := slices.Clone(then.ServicesBelowTarget)
	for _, code := range now.ServicesBelowTarget {
		if !slices.Contains(risks, code) {
			risks = append(risks, code)
		}
	}
	for i, code := range risks {
		if i == maxServiceRows {
			pen.Line(textlayout.NewSpan("  "+words.LeaveMoreBelowTarget(len(risks)-i).In(l), themes.Dim))
			break
		}
		pen.Line(textlayout.NewSpan("  "+sc.Floor.Names.NameOf(model.NameService, code)+":", themes.Warn),
			textlayout.PlainSpan(now.Services[code].ChangeText(then.Services[code], arrow).In(sc.Look.Format.Words)))
	}
	if len(risks) == 0 {
		pen.Line(textlayout.NewSpan("  "+words.LeaveNoneBelowTarget().In(l), themes.Dim))
	}
}

// minCostWidth is the minimum width in cells for showing what a leaving agent costs the callers.
const minCostWidth = 76

// drawHalfHours draws a sentence about the best time for breaks and a table of the next half hours.
// For each half hour the table shows how many agents can leave, and what one leaving agent costs
// the callers. The last line says how many agents can leave in the later half hours.
func (r *releasePlanner) drawHalfHours(sc *panes.Scene, pen *textlayout.Pen) {
	if len(r.plan.HalfHours) == 0 {
		return
	}
	pen.Paragraph(textlayout.PlainSpan(r.plan.Verdict().In(sc.Look.Format.Words)))
	told := func(text words.Text) string { return text.In(sc.Look.Format.Words) }
	columns := []textlayout.Column{
		textlayout.LeftColumn(told(words.LeaveHalfHour())), textlayout.RightColumn(told(words.LeaveCanLeave())),
		textlayout.LeftColumn(told(words.LeaveCost())), textlayout.LeftColumn(""),
	}
	var rows [][]textlayout.Span
	var later []string
	for i := range r.plan.HalfHours {
		h := &r.plan.HalfHours[i]
		if h.From.Sub(r.plan.HalfHours[0].From) >= diagnosis.ReleaseHorizon {
			later = append(later, textformat.Clock(h.From, nil)+"\u00a0"+sc.Look.FormatCount(h.Releasable))
			continue
		}
		period, mark := words.LeaveBetween(words.ClockOf(h.From, nil), words.ClockOf(h.To, nil)), ""
		if i == 0 {
			period = words.LeaveNowTo(words.ClockOf(h.To, nil))
		}
		token := themes.Text
		if h.Cheapest {
			token, mark = themes.OK, told(words.LeaveCheapest())
		}
		rows = append(rows, []textlayout.Span{
			textlayout.NewSpan(told(period), token), textlayout.NewSpan(sc.Look.FormatCount(h.Releasable), token),
			textlayout.NewSpan(h.Cost.Text().In(sc.Look.Format.Words), token), textlayout.NewSpan(mark, token),
		})
	}
	if pen.Width < minCostWidth {
		columns = slices.Delete(columns, 2, 3)
		for i := range rows {
			rows[i] = slices.Delete(rows[i], 2, 3)
		}
	}
	pen.Grid(columns, rows...)
	if len(later) > 0 {
		pen.Paragraph(textlayout.NewSpan(told(words.LeaveLater(strings.Join(later, "  "))), themes.Dim))
	}
}

// drawLongestWorking draws the agents who have worked longest without a break, the best time for
// each of them to leave, and the number of agents whose last break is unknown.
func (r *releasePlanner) drawLongestWorking(sc *panes.Scene, pen *textlayout.Pen) {
	now := sc.Floor.ToServerTime(sc.Floor.LocalNow)
	parts := make([]words.Text, 0, len(r.longestWithoutBreak)+1)
	list := words.LeaveLongestWorking
	for i := range r.longestWithoutBreak {
		a := &r.longestWithoutBreak[i]
		name, worked := textformat.PersonName(sc.Floor.Shown, sc.Floor.Names, a.Username, sc.Floor.Channel), words.Minutes(max(now.Sub(a.Since), 0))
		text := words.LeaveWorking(name, worked)
		if when := a.Text(); !when.IsZero() {
			text, list = words.LeaveWorkingWhen(name, worked, when), words.LeaveLongestWorkingWhen
		}
		parts = append(parts, text)
	}
	if r.unknownBreakCount > 0 {
		parts = append(parts, words.LeaveUnknownFor(r.unknownBreakCount))
	}
	if len(parts) > 0 {
		pen.Paragraph(textlayout.PlainSpan(list(parts).In(sc.Look.Format.Words)))
	}
}
