package alerts

import (
	"testing"
	"time"

	"wallboard/internal/alert"
)

func TestIncident(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 14, 30, 0, 0, time.UTC)
	since := func(ago time.Duration, day bool) alert.Alert { return alert.Alert{Since: at.Add(-ago), Daily: day} }
	for name, tt := range map[string]struct {
		alerts []alert.Alert
		from   time.Duration
	}{
		"nothing is wrong":        {nil, 10 * time.Minute},
		"since a while":           {[]alert.Alert{since(time.Minute, false), since(7*time.Minute, false)}, 17 * time.Minute},
		"a figure of the day":     {[]alert.Alert{since(5*time.Hour, true)}, 10 * time.Minute},
		"since the morning":       {[]alert.Alert{since(5*time.Hour, false)}, 2 * time.Hour},
		"later than what is seen": {[]alert.Alert{since(-time.Minute, false)}, 10 * time.Minute},
	} {
		from, to := IncidentRange(at, tt.alerts)
		if at.Sub(from) != tt.from || to.Sub(at) != 10*time.Minute {
			t.Errorf("%s: from %v before to %v after, want %v", name, at.Sub(from), to.Sub(at), tt.from)
		}
	}
}
