package handover

import (
	"slices"
	"time"
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
