package handover

import (
	"slices"
	"strings"
	"time"

	"wallboard/model"
	"wallboard/model/resource"
)

// Did takes over what was done in the shift, as far as it can be read. The record of actions is
// kept by our clock, and so is what read is asked for and returns; the report is on the
// platform's.
func (r *Report) Did(read func(since time.Time) ([]Deed, error)) error {
	ahead := r.Health.ClockOffset
	list, err := read(r.From.Add(-ahead))
	r.Deeds = slices.Clone(list)
	for i := range r.Deeds {
		r.Deeds[i].At = r.Deeds[i].At.Add(ahead)
	}
	return err
}

// Marked takes over what was done in the shift by the marks of a recording that begins at a
// time, on the platform's clock, and says what these do not tell. They name nobody who acted.
func (r *Report) Marked(marks []model.Mark, begins time.Time) {
	r.Deeds = nil
	for i := range marks {
		if m := &marks[i]; m.Kind == model.MarkAction && !m.At.Before(r.From) && !m.At.After(r.At) {
			r.Deeds = append(r.Deeds, deedOf(m))
		}
	}
	r.DeedsIn = "wallboard record info"
	r.DeedsWhy = "By the marks of the recording, which do not say who did it."
	if len(r.Deeds) == 0 {
		r.DeedsWhy = "The recording, as this board sees it, has no mark of an action."
	}
	if begins.After(r.From) {
		r.DeedsWhy += " What was done before " + begins.In(r.At.Location()).Format("15:04") + " is not recorded."
	}
}

// deedOf takes the words of a mark apart: what was done, to what, and what became of it.
func deedOf(m *model.Mark) Deed {
	d := Deed{At: m.At, Action: m.Text}
	if i := strings.LastIndex(m.Text, ", "); i >= 0 { // a name may have a comma, too
		d.Action, d.Outcome = m.Text[:i], m.Text[i+len(", "):]
	}
	d.Action, d.Target, _ = strings.Cut(d.Action, ": ")
	for _, op := range resource.Operations() {
		if op.Moves() && strings.EqualFold(op.Words(), d.Action) {
			d.Moves = d.Outcome == resource.Confirmed.String()
		}
	}
	return d
}
