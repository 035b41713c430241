package render

import (
	"cmp"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/table"
)

// AgentSummary summarizes the states and alerts of several agents.
type AgentSummary struct {
	StateCounts map[model.UserStatus]int // number of agents in each state
	// WorstAgent describes the agent with the most urgent alert. Among equally urgent alerts, it is
	// the agent who has been over the limit for the longest time. WorstAgent is "" if no agent has
	// an alert. Level is the highest level of that agent's open alerts.
	WorstAgent string
	Level      Level
}

// CountStates returns the number of agents in each state.
func (s *Agents) CountStates() map[model.UserStatus]int {
	out := make(map[model.UserStatus]int)
	for i := range s.rows {
		out[s.rows[i].record.Status]++
	}
	return out
}

// Summarize summarizes the agents in the rows with the indexes in members. It sets the mark of
// their most urgent alert on the row dst. It ignores indexes without a row.
func (s *Agents) Summarize(members []int32, dst *table.Row) AgentSummary {
	v, out := &s.view, AgentSummary{StateCounts: make(map[model.UserStatus]int)}
	var worst *row[model.UserStat]
	for _, i := range members {
		if int(i) >= len(s.rows) {
			continue
		}
		r := &s.rows[i]
		out.StateCounts[r.record.Status]++
		if r.alarm.hasReasons() && (worst == nil || cmp.Or(cmp.Compare(r.alarm.urgency(), worst.alarm.urgency()), cmp.Compare(v.timeOverLimit(r), v.timeOverLimit(worst))) > 0) {
			worst = r
		}
	}
	if worst == nil {
		return out
	}
	v.setAlarmMark(worst.alarm, Critical, dst)
	out.Level = worst.alarm.Level
	text := words.AgentStateInSentence(worst.record.Status, worst.record.Channel)
	if elapsed, limit, ok := v.timeInState(&worst.record.AgentFigures); ok && elapsed > limit {
		text = words.DetailAgentStateOver(worst.name, text, elapsed-limit)
	} else {
		text = words.DetailAgentState(worst.name, text)
	}
	out.WorstAgent = v.translate(text)
	return out
}
