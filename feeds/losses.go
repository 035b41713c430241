package feeds

import "time"

const (
	// minResyncInterval is the shortest interval between two queries for the full state after lost
	// updates.
	minResyncInterval = time.Second
	// shorterListInterval is the shortest interval between two queries for the full state because a
	// list became shorter. If a server sends only the changed elements, lists seem to become
	// shorter all the time.
	shorterListInterval = 15 * time.Second
	// lossDisplayDelay is how long a lost update may stay unrepaired before the loss is displayed.
	lossDisplayDelay = 3 * time.Second
)

type resyncReasons struct {
	needsResync     bool      // an update was lost: the full state must be queried
	listShorter     bool      // a list became shorter: the full state is queried later to check that
	firstLossAt     time.Time // first loss since the full state was last queried
	queriedAt       time.Time // time of the last query for the full state
	completeAtQuery bool      // nothing was lost before the last query for the full state was sent
}

func (l *resyncReasons) recordLoss(now time.Time) {
	l.needsResync = true
	if l.firstLossAt.IsZero() {
		l.firstLossAt = now
	}
}

// clear forgets the losses. It keeps the time of the last query.
func (l *resyncReasons) clear() {
	l.needsResync, l.listShorter, l.firstLossAt = false, false, time.Time{}
}

// resyncDue reports whether to query the full state now. minInterval is the shortest time since the
// last query. If no update was lost and a list only became shorter, shorterListInterval applies
// instead.
func (l *resyncReasons) resyncDue(minInterval time.Duration, now time.Time) bool {
	since := now.Sub(l.queriedAt)
	return l.needsResync && since >= minInterval || l.listShorter && since >= shorterListInterval
}

// isVisible reports whether a loss has lasted long enough to be displayed.
func (l *resyncReasons) isVisible(now time.Time) bool {
	return !l.firstLossAt.IsZero() && now.Sub(l.firstLossAt) >= lossDisplayDelay
}
