package render

import (
	"cmp"
	"strings"
	"time"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/table"
)

// LimitColumnID is the ID of the column of limits in tables of agents. The column sorts agents with an
// open alert first, then the agents who have been over their limit longest, then those who will reach
// it next.
const LimitColumnID = "limit"

// Widths of the parts of the column of limits, in cells. The bar has limitBarWidth cells, or at
// least minLimitBarWidth if there is little room. The text beside it, such as "14m left" or "1h23m
// over", is at most limitTextWidth wide.
const (
	limitBarWidth    = 6
	minLimitBarWidth = 2
	limitTextWidth   = len("1h59m left")
)

// timeInState returns how long an agent has been in the current state, and the limit of that state.
// ok is false if the time is unknown, the state has no limit, or figures are blanked.
func (v *View) timeInState(a *model.AgentFigures) (elapsed, limit time.Duration, ok bool) {
	at, known := a.TimeInState.Get()
	if !known || v.Options.StateLimit == nil || v.Options.BlankFigures {
		return 0, 0, false
	}
	limit, ok = v.Options.StateLimit(a)
	return max(v.Now.Sub(at), 0), limit, ok && limit > 0
}

// limitColumn returns the column of limits. A cell shows the time in state as a bar that is full at
// the limit, with the time until or over the limit beside it. The value of the cell is the time
// over the limit, which is negative below the limit.
func limitColumn() column[model.UserStat] {
	c := wordsColumn(LimitColumnID, words.ColumnLimit(), limitTextWidth-1, limitTextWidth+1+limitBarWidth/2, limitTextWidth+1+limitBarWidth, 93)
	c.SortDescending, c.NoFlash, c.HasFigures = true, true, true
	return column[model.UserStat]{
		columnSpec: momentaryColumn(c),
		cell: func(v *View, r *row[model.UserStat], dst *table.Cell) {
			elapsed, limit, ok := v.timeInState(&r.record.AgentFigures)
			if !ok {
				return
			}
			dst.Style = v.sgr(themes.Dim)
			if elapsed > limit {
				dst.Style = v.sgr(max(r.alarm.level(timeAlertNames...), Warning).Token())
			}
			text, room := v.translate(words.TimeToLimit(elapsed-limit)), dst.Width
			if v.Options.WidthMethod.StringWidth(text) > room {
				text = strings.ReplaceAll(text, " ", "")
			}
			if bar := min(limitBarWidth, dst.Width-limitTextWidth-1); bar >= minLimitBarWidth {
				dst.Text = append(chart.Gauge{Width: bar, Set: v.chartSet()}.Append(dst.Text, min(elapsed.Seconds()/limit.Seconds(), 1)), ' ')
				room -= bar + 1
			}
			for range room - table.TextWidth(v.Options.WidthMethod, text) {
				dst.Text = append(dst.Text, ' ')
			}
			dst.Text = append(dst.Text, text...)
		},
		value: func(v *View, r *row[model.UserStat]) table.Value {
			elapsed, limit, ok := v.timeInState(&r.record.AgentFigures)
			over := durationValue((elapsed - limit).Truncate(time.Second))
			if over.Known = ok; ok {
				over.Text = v.translate(words.TimeToLimit(elapsed - limit))
			}
			return over
		},
		compare: func(v *View, a, b *row[model.UserStat]) int {
			const watched = 1 // alerts that need no action do not affect the order
			if c := cmp.Compare(max(a.alarm.urgency(), watched), max(b.alarm.urgency(), watched)); c != 0 {
				return c
			}
			x, okX := v.limitReachedAt(&a.record.AgentFigures)
			y, okY := v.limitReachedAt(&b.record.AgentFigures)
			if c := compareKnown(-x, okX, -y, okY); c != 0 {
				return c
			}
			return fixedOrder(compareNames(a, b))
		},
	}
}

// limitReachedAt returns the Unix time, in milliseconds, at which an agent reaches the limit of the
// current state. Agents are sorted by this time, so that their order does not depend on the clock.
// ok is false if the time is unknown, the state has no limit, or figures are blanked.
func (v *View) limitReachedAt(a *model.AgentFigures) (milli int64, ok bool) {
	if v.Options.StateLimit == nil || v.Options.BlankFigures {
		return 0, false
	}
	milli, known := a.TimeInState.Milli()
	limit, ok := v.Options.StateLimit(a)
	return milli + limit.Milliseconds(), ok && known && limit > 0
}

// timeOverLimit returns how long an agent with an alert has been over the limit. For an agent
// without an alert it returns 0, so that the order of the rows changes with the alerts and not with
// the clock.
func (v *View) timeOverLimit(r *row[model.UserStat]) time.Duration {
	if !r.alarm.hasReasons() {
		return 0
	}
	elapsed, limit, ok := v.timeInState(&r.record.AgentFigures)
	if !ok {
		return 0
	}
	return max(elapsed-limit, 0)
}

// TimeLevel returns the highest level of the open alerts about the time in state of the agent in
// row i.
func (s *Agents) TimeLevel(i int) Level { return s.rows[i].alarm.openLevel(timeAlertNames...) }

// IsOverLimit reports whether the agent in row i has an open or watched alert about the time in
// state.
func (s *Agents) IsOverLimit(i int) bool { return s.rows[i].alarm.level(timeAlertNames...) != Normal }

// CompareUrgency compares the agents in rows i and j for sorting. Agents with more urgent alerts
// come first; equally urgent agents are sorted by the time over their limit, the longest first.
func (s *Agents) CompareUrgency(i, j int) int {
	a, b := &s.rows[i], &s.rows[j]
	return cmp.Or(cmp.Compare(b.alarm.urgency(), a.alarm.urgency()), cmp.Compare(s.view.timeOverLimit(b), s.view.timeOverLimit(a)))
}
