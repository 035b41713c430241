package replay

import (
	"testing"
	"time"
)

// TestAccessIsLoggedOnce looks at one shift and one replay again and again.
func TestAccessIsLoggedOnce(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
	counts := make(map[string]int)
	log := NewAccessLog(func() time.Time { return now }, func(a RecordingAccess) { counts[a.Kind()+" "+a.Subject()]++ })
	for range 25 { // once a minute
		log(RecordingAccess{ShiftUser: "anna"})
		log(RecordingAccess{ReplayFrom: time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC)})
		now = now.Add(time.Minute)
	}
	for what, want := range map[string]int{"shift agent anna": 3, "replay recording from 2026-03-02T13:00:00Z": 3} {
		if counts[what] != want {
			t.Errorf("%s: %d entries, want %d; all: %v", what, counts[what], want, counts)
		}
	}
}
