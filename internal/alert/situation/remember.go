package situation

import (
	"time"

	"wallboard/model"
)

// Observe feeds a recorded snapshot into the history of the watch without building a
// view. It prepares a watch for [Tracker.Remember].
func (w *Tracker) Observe(s *model.Snapshot, now time.Time) { w.track.Update(s, now) }

// Remember takes over the history that past has observed; past must not be used
// afterwards. If nameless is set, agents have other names now and their history is left
// out.
func (w *Tracker) Remember(past *Tracker, nameless bool) {
	w.track.Remember(past.track, nameless)
	for _, l := range w.places {
		l.explained = time.Time{} // the longer history may change the causes
	}
}
