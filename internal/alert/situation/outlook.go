package situation

import "time"

// outlookKind is what happens to a queue if no agent helps.
type outlookKind uint8

const (
	noOutlook outlookKind = iota
	persists              // the queue stays
	clears                // the queue empties by itself
	hangUps               // most contacts give up
)

// outlookKind returns what happens to the queue if no agent helps.
func (h *Help) outlookKind() outlookKind {
	switch {
	case h.QueuePersists:
		return persists
	case !h.ClearsInKnown:
		return noOutlook
	case h.ClearsByHangUps:
		return hangUps
	}
	return clears
}

// outlook follows the kind of outlook of a queue. An outlook that contradicts the last one is told
// only once it has held for minOutlook: a board that says "more than an hour" and seconds later
// "30 s" is not believed either time.
type outlook struct {
	kind     outlookKind
	since    time.Time
	unsteady bool // the kind changed less than minOutlook ago
}

// minOutlook is how long a changed outlook must hold before it is told.
const minOutlook = time.Minute

// next returns the outlook at a later time. While there is no outlook, because nobody waits, the
// last one stays known.
func (o outlook) next(kind outlookKind, now time.Time) outlook {
	switch {
	case kind == noOutlook:
	case o.kind == noOutlook:
		o = outlook{kind: kind, since: now}
	case kind != o.kind:
		o = outlook{kind: kind, since: now, unsteady: true}
	case now.Sub(o.since).Abs() >= minOutlook:
		o.unsteady = false
	}
	return o
}
