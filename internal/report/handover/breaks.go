package handover

import (
	"cmp"
	"slices"

	"wallboard/internal/alert/breaks"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
)

// AddBreaks adds the breaks that t has observed and that exceed a limit to the report.
func (r *Report) AddBreaks(t *breaks.Tracker) {
	r.input.breaks = slices.DeleteFunc(t.DayTotals(r.At), func(b breaks.DayTotal) bool { return !b.ExceedsLimit() })
}

// breakList writes the list of breaks over a limit.
type breakList struct{ report *writer }

// write writes the agents with a break over a limit, each with the longest such break, or else
// with the total of the day.
func (l breakList) write() {
	w := l.report
	var namesakes model.Namesakes
	if s := w.input.Snapshot; s != nil {
		namesakes.Update(s.Users)
	}
	for i := range w.input.breaks {
		b := &w.input.breaks[i]
		agent := textformat.DistinctPersonName(w.input.Snapshot, w.input.Names, &namesakes, b.Username, model.Call)
		if agent == b.Username {
			agent = cmp.Or(b.Name, agent)
		}
		what := words.HandoverHeadline(escapeText(agent), escapeText(w.input.Names.NameOf(model.NameActivity, b.Code)))
		if b.Overruns > 0 {
			w.writeText("- ", words.HandoverBreakOver(what, b.Longest, b.Limit.PerBreak, b.Overruns))
			continue
		}
		total, _ := b.Total.Seconds()
		w.writeText("- ", words.HandoverBreaksOver(what, total, b.Limit.PerDay))
	}
}
