package render

import (
	"cmp"
	"time"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/table"
)

// ByUrgency is the column of agents that sorts by urgency: who has an alert, and of
// these who is over their limit for longest.
const ByUrgency = "limit"

// limitBar is how many cells the bar of a time against its limit has.
const limitBar = 6

// inState returns how long an agent has been in their state, and how long they may be;
// ok is false when either is not known.
func (v *View) inState(a *model.AgentFigures) (so, limit time.Duration, ok bool) {
	at, known := a.TimeInState.Get()
	if !known || v.Options.Limit == nil || v.Options.Blank {
		return 0, 0, false
	}
	limit, ok = v.Options.Limit(a)
	return max(v.Now.Sub(at), 0), limit, ok && limit > 0
}

// limitColumn draws the time in the state against its limit as a bar, and what is over
// it in figures.
func limitColumn() column[model.UserStat] {
	c := number(ByUrgency, "Limit", limitBar+len(" +1:00:00"), 93)
	c.Align, c.NoFlash = table.Left, true
	return column[model.UserStat]{
		Column: passing(c),
		cell: func(v *View, r *row[model.UserStat], dst *table.Cell) {
			so, limit, ok := v.inState(&r.rec.AgentFigures)
			if !ok {
				return
			}
			set := chart.Blocks
			if v.Options.ASCII {
				set = chart.ASCII
			}
			dst.Style = v.style(themes.Dim)
			dst.Text = chart.Gauge{Width: limitBar, Set: set}.Append(dst.Text, min(so.Seconds()/limit.Seconds(), 1))
			if so > limit {
				dst.Style = v.style(max(r.alarm.level(timeNames()...), Warn).Token())
				dst.Text = v.Options.Format().Duration(append(dst.Text, " +"...), so-limit)
			}
		},
		order: func(v *View, a, b *row[model.UserStat]) int {
			return cmp.Or(cmp.Compare(a.alarm.urgency(), b.alarm.urgency()), cmp.Compare(v.over(a), v.over(b)), anyway(compareNames(a, b)))
		},
	}
}

// over is how long an agent with an alert is over their limit. Only that counts: the
// order of the rows changes with their alerts and not with the clock.
func (v *View) over(r *row[model.UserStat]) time.Duration {
	so, limit, ok := v.inState(&r.rec.AgentFigures)
	if !ok || r.alarm == nil {
		return 0
	}
	return max(so-limit, 0)
}
