package app

import (
	"testing"
	"time"

	"wallboard/internal/config"
	"wallboard/internal/record"
)

// TestZoneIsRecorded checks that a recording contains its time zone.
func TestZoneIsRecorded(t *testing.T) {
	t.Parallel()
	c := config.Default()
	now := time.Now()
	_, ours := now.Zone()
	a := aboutRecording(&c, "")
	if _, there := now.In(record.Info{About: a}.Location()).Zone(); a.Location() == nil || there != ours {
		t.Errorf("%+v", a.Zone)
	}
	c.Kiosk.Enabled, c.Kiosk.Timezone = true, "Australia/Eucla"
	if a := aboutRecording(&c, ""); a.Zone.Name != "Australia/Eucla" || *a.Zone.Offset != 31500 {
		t.Errorf("of a wall: %+v", a.Zone)
	}
}
