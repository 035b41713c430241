package alerts

import (
	"time"

	"wallboard/internal/alert"
)

// Limits of an incident: it starts before the oldest alert and ends some time after the
// current instant.
const (
	incidentLeadIn  = 10 * time.Minute
	incidentLeadOut = 10 * time.Minute
	longIncident    = 2 * time.Hour
)

// Incident returns the part of a recording around an instant, including the time that led
// to the alerts.
func Incident(at time.Time, alerts []alert.Alert) (from, to time.Time) {
	began := at
	for i := range alerts {
		if since := alerts[i].Since; !alerts[i].Daily && since.Before(began) {
			began = since
		}
	}
	from, to = began.Add(-incidentLeadIn), at.Add(incidentLeadOut)
	if earliest := at.Add(-longIncident); from.Before(earliest) {
		from = earliest
	}
	return from, to
}
