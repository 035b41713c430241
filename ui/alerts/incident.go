package alerts

import (
	"time"

	"wallboard/internal/alert"
)

// Lengths of the parts of a recording that show an incident.
const (
	incidentTimeBefore = 10 * time.Minute // time before the start of the oldest alert
	incidentTimeAfter  = 10 * time.Minute // time after the given instant
	maxIncidentBefore  = 2 * time.Hour    // maximum time before the given instant
)

// IncidentRange returns the part of a recording that shows how alerts arose. It begins
// incidentTimeBefore before the oldest alert, but no earlier than maxIncidentBefore before at. It ends
// incidentTimeAfter after at. Alerts about figures of the day are ignored.
func IncidentRange(at time.Time, alerts []alert.Alert) (from, to time.Time) {
	began := at
	for i := range alerts {
		if since := alerts[i].Since; !alerts[i].Daily && since.Before(began) {
			began = since
		}
	}
	from, to = began.Add(-incidentTimeBefore), at.Add(incidentTimeAfter)
	if earliest := at.Add(-maxIncidentBefore); from.Before(earliest) {
		from = earliest
	}
	return from, to
}
