package feeds

import "time"

const (
	// resyncEvery is the shortest interval between full states after unreadable
	// updates.
	resyncEvery = time.Second
	// shorterEvery is the interval for updates whose lists became shorter: a
	// server may send only the changed elements, and then that happens all the
	// time.
	shorterEvery = 15 * time.Second
	// lossShown is how long a lost update may be repaired before it is
	// displayed.
	lossShown = 3 * time.Second
)

// losses tracks why the full state has to be queried again.
type losses struct {
	resync   bool      // required: an update was lost
	shorter  bool      // optional: a list became shorter, and only the full state shows whether it really did
	since    time.Time // first loss since the last full state
	askedAt  time.Time // time of the last query for the full state
	complete bool      // no loss before that query
}

// add records a lost update.
func (l *losses) add(now time.Time) {
	l.resync = true
	if l.since.IsZero() {
		l.since = now
	}
}

// clear clears the losses but keeps the time of the last query.
func (l *losses) clear() { l.resync, l.shorter, l.since = false, false, time.Time{} }

// due reports whether to query the full state now.
func (l *losses) due(pace time.Duration, now time.Time) bool {
	since := now.Sub(l.askedAt)
	return l.resync && since >= pace || l.shorter && since >= shorterEvery
}

// visible reports whether the repair of a loss takes so long that it has to be
// displayed.
func (l *losses) visible(now time.Time) bool {
	return !l.since.IsZero() && now.Sub(l.since) >= lossShown
}
