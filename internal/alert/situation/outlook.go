package situation

import "time"

// outlookKind tells what happens to a queue if no further agent helps.
type outlookKind uint8

const (
	noOutlook outlookKind = iota
	persists              // the queue stays
	clears                // the queue empties by itself
	hangUps               // most contacts give up
)

// outlookKind returns what happens to the queue if no further agent helps.
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

// steadyForecastKind follows the kind of forecast for a queue. A forecast of another kind is shown only after
// it has held for minOutlook. Viewers do not trust a board that says "more than an hour" and
// seconds later "30 s".
type steadyForecastKind struct {
	kind     outlookKind
	since    time.Time
	unsteady bool // the kind changed less than minOutlook ago
}

// minOutlook is how long a forecast of another kind must hold before it is shown.
const minOutlook = time.Minute

// next returns the outlook after a forecast of the given kind at now. With the kind noOutlook,
// because no contact waits, the last forecast is kept.
func (o steadyForecastKind) next(kind outlookKind, now time.Time) steadyForecastKind {
	switch {
	case kind == noOutlook:
	case o.kind == noOutlook:
		o = steadyForecastKind{kind: kind, since: now}
	case kind != o.kind:
		o = steadyForecastKind{kind: kind, since: now, unsteady: true}
	case now.Sub(o.since).Abs() >= minOutlook:
		o.unsteady = false
	}
	return o
}
