package alerts

import (
	"time"

	"wallboard/internal/alert"
)

// Limits of the recording of an incident.
const (
	incidentLeadIn    = 10 * time.Minute // before the oldest alert
	incidentLeadOut   = 10 * time.Minute // after the given instant
	maxIncidentBefore = 2 * time.Hour    // maximum before the given instant
)

// IncidentRange returns the part of a recording around an instant, including the time that led
// to the alerts.
func IncidentRange(at time.Time, alerts []alert.Alert) (from, to time.Time) {
	began := at
	for i := range alerts {
		if since := alerts[i].Since; !alerts[i].Daily && since.Before(began) {
			began = since
		}
	}
	from, to = began.Add(-incidentLeadIn), at.Add(incidentLeadOut)
	if earliest := at.Add(-maxIncidentBefore); from.Before(earliest) {
		from = earliest
	}
	return from, to
}
