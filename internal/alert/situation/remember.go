package situation

import (
	"time"

	"wallboard/model"
)

// Observe adds a recorded snapshot to the history of the tracker without building a view. A tracker
// that has observed snapshots can be passed to [Tracker.Remember] of another one.
func (w *Tracker) Observe(s *model.Snapshot, now time.Time) { w.history.Update(s, now) }

// Remember takes over the history that past has observed; past must not be used afterwards. If
// nameless is set, the agents had other names then, and their history is left out.
func (w *Tracker) Remember(past *Tracker, nameless bool) {
	w.history.Remember(past.history, nameless)
	for _, l := range w.places {
		l.explainedAt = time.Time{} // with the longer history, the causes may change
	}
}
