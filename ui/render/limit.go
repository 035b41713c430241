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

// A column of limits has a bar of limitBar cells, or of leastLimitBar where there is less
// room, and beside it what is over the limit; longestOver has room for a length below an
// hour.
const (
	limitBar      = 6
	leastLimitBar = 2
	longestOver   = "+59:59"
)

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
	c := words(ByUrgency, "Limit", len(longestOver)+1+leastLimitBar, limitBar+len(" +1:00:00"), limitBar+len(" +1:00:00"), 93)
	c.Desc, c.NoFlash = true, true
	return column[model.UserStat]{
		Column: passing(c),
		cell: func(v *View, r *row[model.UserStat], dst *table.Cell) {
			so, limit, ok := v.inState(&r.rec.AgentFigures)
			if !ok {
				return
			}
			dst.Style = v.style(themes.Dim)
			if so <= limit {
				dst.Text = chart.Gauge{Width: min(limitBar, dst.Width), Set: v.set()}.Append(dst.Text, so.Seconds()/limit.Seconds())
				return
			}
			dst.Style = v.style(max(r.alarm.level(timeNames()...), Warn).Token())
			over := v.Options.Format().Duration([]byte("+"), so-limit)
			if bar := min(limitBar, dst.Width-len(over)-1); bar >= leastLimitBar {
				dst.Text = append(chart.Gauge{Width: bar, Set: v.set()}.Append(dst.Text, 1), ' ')
			}
			dst.Text = append(dst.Text, over...)
		},
		order: func(v *View, a, b *row[model.UserStat]) int {
			if c := cmp.Compare(a.alarm.urgency(), b.alarm.urgency()); c != 0 {
				return c
			}
			if c := cmp.Compare(v.over(a), v.over(b)); c != 0 {
				return c
			}
			return anyway(compareNames(a, b))
		},
	}
}

// over is how long an agent with an alert is over their limit. Only that counts: the
// order of the rows changes with their alerts and not with the clock.
func (v *View) over(r *row[model.UserStat]) time.Duration {
	if r.alarm == nil {
		return 0
	}
	so, limit, ok := v.inState(&r.rec.AgentFigures)
	if !ok {
		return 0
	}
	return max(so-limit, 0)
}

// Level is how bad it is that agent i has been in their state for so long.
func (s *Agents) Level(i int) Level { return s.rows[i].alarm.level(timeNames()...) }

// Urgency compares agents by who needs somebody more: who has an alert comes first, and of
// these who is over their limit for longest.
func (s *Agents) Urgency(i, j int) int {
	a, b := &s.rows[i], &s.rows[j]
	return cmp.Or(cmp.Compare(b.alarm.urgency(), a.alarm.urgency()), cmp.Compare(s.view.over(b), s.view.over(a)))
}
