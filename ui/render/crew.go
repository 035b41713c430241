package render

import (
	"cmp"
	"strings"

	"wallboard/model"
	"wallboard/ui/table"
)

// Crew is some agents, taken together.
type Crew struct {
	States map[model.UserStatus]int // how many are in each state
	// Worst is who has the gravest alert, and of those who is over their limit for
	// longest, in words; "": nobody has one. Level is that of what is open of it.
	Worst string
	Level Level
}

// States returns how many of all rows are in each state.
func (s *Agents) States() map[model.UserStatus]int {
	out := make(map[model.UserStatus]int)
	for i := range s.rows {
		out[s.rows[i].rec.Status]++
	}
	return out
}

// Crew takes some rows together, and marks a line about them with the gravest alert. Rows
// that are not there are left out.
func (s *Agents) Crew(members []int32, dst *table.Row) Crew {
	v, out := &s.view, Crew{States: make(map[model.UserStatus]int)}
	var worst *row[model.UserStat]
	for _, i := range members {
		if int(i) >= len(s.rows) {
			continue
		}
		r := &s.rows[i]
		out.States[r.rec.Status]++
		if r.alarm != nil && (worst == nil || cmp.Or(cmp.Compare(r.alarm.urgency(), worst.alarm.urgency()), cmp.Compare(v.over(r), v.over(worst))) > 0) {
			worst = r
		}
	}
	if worst == nil {
		return out
	}
	v.markAlarm(worst.alarm, dst)
	out.Level = worst.alarm.Level
	out.Worst = worst.name + ", " + strings.ToLower(StateOf(worst.rec.Status, worst.rec.Channel).Word)
	if so, limit, ok := v.inState(&worst.rec.AgentFigures); ok && so > limit {
		out.Worst += " " + string(v.Options.Format().Duration([]byte("+"), so-limit))
	}
	return out
}
