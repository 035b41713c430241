package situation

import (
	"testing"
	"time"

	"wallboard/internal/alert"
)

// TestSilentMakesNothingWorse silences a critical alert beside a warning that is not
// silenced, and then everything.
func TestSilentMakesNothingWorse(t *testing.T) {
	t.Parallel()
	until := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	critical := alert.Alert{Level: alert.Critical, SilentUntil: until}
	warning := alert.Alert{Level: alert.Warning}
	if got := maxLevel(unsilencedAlerts([]alert.Alert{critical, warning})); got != alert.Warning {
		t.Errorf("a silent critical alert beside a warning: %v", got)
	}
	if got := maxLevel(unsilencedAlerts([]alert.Alert{critical})); got != alert.Critical {
		t.Errorf("silent altogether: %v", got)
	}
	if got := maxLevel(unsilencedAlerts([]alert.Alert{{Level: alert.Critical}, warning})); got != alert.Critical {
		t.Errorf("nothing silent: %v", got)
	}
}
