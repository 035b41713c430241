package alerts

import (
	"time"

	"wallboard/alert"
)

// How much of a recording is an incident: from before the alerts began until now, or
// until some time after the instant that the board was rewound to.
const (
	incidentBefore = 10 * time.Minute
	incidentAfter  = 10 * time.Minute
	longIncident   = 2 * time.Hour
)

// Incident is the part of a recording around an instant, with what led to alerts.
func Incident(at time.Time, alerts []alert.Alert) (from, to time.Time) {
	began := at
	for i := range alerts {
		if since := alerts[i].Since; !alerts[i].Day && since.Before(began) {
			began = since
		}
	}
	from, to = began.Add(-incidentBefore), at.Add(incidentAfter)
	if earliest := at.Add(-longIncident); from.Before(earliest) {
		from = earliest
	}
	return from, to
}
