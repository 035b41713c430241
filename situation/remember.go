package situation

import (
	"time"

	"wallboard/model"
)

// Observe takes in what a floor did in a picture of the past, and tells nothing of it.
// It is for a watch that another one is to [Watch.Remember].
func (w *Watch) Observe(s *model.Snapshot, now time.Time) { w.track.Note(s, now) }

// Remember has the watch know what the floor did in the time before, as another watch
// has seen it, which must not be used afterwards. Nobody is remembered where the agents
// are called otherwise (nameless).
func (w *Watch) Remember(past *Watch, nameless bool) {
	w.track.Remember(past.track, nameless)
	for _, l := range w.lives {
		l.explained = time.Time{} // more is known of why
	}
}
