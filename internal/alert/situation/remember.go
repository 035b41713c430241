package situation

import (
	"time"

	"wallboard/model"
)

// Observe adds a recorded snapshot to the history of the tracker without building a view.
// [Tracker.MergeHistory] of another tracker can then use this history.
func (w *Tracker) Observe(s *model.Snapshot, now time.Time) { w.history.Update(s, now) }

// MergeHistory adds the history that past has observed to w. past must not be used afterwards. If
// nameless is true, the agents had other names in that history, and MergeHistory leaves out their data.
func (w *Tracker) MergeHistory(past *Tracker, nameless bool) {
	w.history.MergeHistory(past.history, nameless)
	for _, l := range w.places {
		l.explainedAt = time.Time{} // compute the causes again because the history is longer now
	}
}
