package feeds

import "time"

const (
	// resyncEvery bounds how often unreadable updates make us ask for the full state.
	resyncEvery = time.Second
	// shorterEvery is the same for updates whose lists lack elements: a server
	// may send only the changed elements, and then that is all the time.
	shorterEvery = 15 * time.Second
	// lossShown is how long a lost update may be healed without a word.
	lossShown = 3 * time.Second
)

// losses are why the full state is to be asked for again, and when it was.
type losses struct {
	resync   bool      // it must be: an update was lost
	shorter  bool      // it may be: a list became shorter, and it tells whether it did
	since    time.Time // when the first update was lost since the last full state
	askedAt  time.Time // when that was asked for last
	unbroken bool      // nothing was lost before that
}

// note notes that an update was lost.
func (l *losses) note(now time.Time) {
	l.resync = true
	if l.since.IsZero() {
		l.since = now
	}
}

// none forgets them. When the full state was asked for stays.
func (l *losses) none() { l.resync, l.shorter, l.since = false, false, time.Time{} }

// due reports whether the full state is to be asked for now, at a pace.
func (l *losses) due(pace time.Duration, now time.Time) bool {
	since := now.Sub(l.askedAt)
	return l.resync && since >= pace || l.shorter && since >= shorterEvery
}

// shows reports whether a loss takes too long to be healed without a word.
func (l *losses) shows(now time.Time) bool { return !l.since.IsZero() && now.Sub(l.since) >= lossShown }
