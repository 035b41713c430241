package handover

import (
	"slices"
	"strings"
	"time"

	"wallboard/internal/alert/statefile"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
)

// AddActions sets r.Actions to the actions that read returns for the time since the start of
// the shift. The time passed to read and the times of its results are on the local clock, like
// in the audit file; AddActions converts the results to the platform's clock.
func (r *Report) AddActions(read func(since time.Time) ([]Action, error)) error {
	ahead := r.Health.ClockOffset
	list, err := read(r.From.Add(-ahead))
	r.Actions = slices.Clone(list)
	for i := range r.Actions {
		r.Actions[i].At = r.Actions[i].At.Add(ahead)
	}
	return err
}

// AddMarks adds the incidents in the marks of a recording to r, sets r.Actions and r.Notes from the marks,
// and sets r.ActionsNote to a remark about where the actions come from.
func (r *Report) AddMarks(recorded RecordingData) {
	marks, begins := recorded.Marks, recorded.Start
	r.Actions = nil
	if marks == nil {
		r.IncidentNote = words.HandoverNoIncidents()
	} else {
		r.addIncidents(recorded)
	}
	for i := range marks {
		if m := &marks[i]; m.Kind == model.MarkAction && !m.At.Before(r.From) && !m.At.After(r.At) {
			r.Actions = append(r.Actions, parseActionMark(m))
		}
	}
	r.Notes = statefile.RecordedNotes(marks, r.At)
	r.input.hasMarks = marks != nil
	note, missing := words.HandoverActionMarks(), words.Text{}
	if len(r.Actions) == 0 {
		note = words.HandoverNoActionMarks()
	}
	if begins.After(r.From) {
		missing = words.HandoverActionsBefore(words.DayClock(begins, r.At))
	}
	r.ActionsNote = words.JoinSentences(note, missing).In(r.input.Words)
}

// AddNotes adds notes with times on the local clock to the report. It converts the times to
// the platform's clock.
func (r *Report) AddNotes(list []model.Note) {
	for i := range list {
		r.Notes = append(r.Notes, list[i].Shift(r.Health.ClockOffset))
	}
}

// parseActionMark splits the text of a mark into the action, its target and its outcome.
func parseActionMark(m *model.Mark) Action {
	d := Action{At: m.At, Action: m.Text}
	if i := strings.LastIndex(m.Text, ", "); i >= 0 { // the last comma, because the first part may contain commas
		d.Action, d.Outcome = m.Text[:i], m.Text[i+len(", "):]
	}
	d.Action, d.Target, _ = strings.Cut(d.Action, ": ")
	if op, ok := words.OperationOf(d.Action); ok && op.AffectsWaits() {
		d.AffectsWaits = d.Outcome == resource.OutcomeConfirmed.String()
	}
	return d
}
