package feeds

import "time"

const (
	// resyncEvery is the shortest interval between full states after unreadable
	// updates.
	resyncEvery = time.Second
	// shorterInterval is the interval between full states requested because lists became shorter:
	// on a server that sends only changed elements this happens all the time.
	shorterInterval = 15 * time.Second
	// lossDisplayDelay is how long a lost update may be repaired before it is
	// displayed.
	lossDisplayDelay = 3 * time.Second
)

// losses tracks why the full state has to be queried again.
type losses struct {
	needsResync bool      // required: an update was lost
	listShorter bool      // optional: a list became shorter, and only the full state shows whether it really did
	since       time.Time // first loss since the last full state
	askedAt     time.Time // time of the last query for the full state
	complete    bool      // no loss before that query
}

// add records a lost update.
func (l *losses) add(now time.Time) {
	l.needsResync = true
	if l.since.IsZero() {
		l.since = now
	}
}

// clear clears the losses but keeps the time of the last query.
func (l *losses) clear() { l.needsResync, l.listShorter, l.since = false, false, time.Time{} }

// due reports whether to query the full state now.
func (l *losses) due(pace time.Duration, now time.Time) bool {
	since := now.Sub(l.askedAt)
	return l.needsResync && since >= pace || l.listShorter && since >= shorterInterval
}

// visible reports whether the repair of a loss takes so long that it has to be
// displayed.
func (l *losses) visible(now time.Time) bool {
	return !l.since.IsZero() && now.Sub(l.since) >= lossDisplayDelay
}
