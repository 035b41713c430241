package app

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert/statefile"
	"wallboard/internal/config"
	"wallboard/internal/record"
	"wallboard/model"
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

// TestTicksInRecordingWithoutNames checks that a recording without names contains nothing of a
// ticked item: its place may be an agent, and its text may name people to inform. It contains an
// agreed tolerance, without its author.
func TestTicksInRecordingWithoutNames(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	c := config.Default()
	c.Record.Names = string(model.NamesHidden)
	tick := model.Note{ID: "1", At: now, Until: now.Add(24 * time.Hour), Text: "Call Anna Rossi", By: "maria", Tick: model.PlaybookTick{Scope: "user", Code: "a.rossi", Item: "Call Anna Rossi"}}
	ended := tick
	ended.Until = now
	for _, n := range []model.Note{tick, ended} {
		m, ok := recordingMark(&c, statefile.NoteEvent(n, now), now)
		text, err := json.Marshal(m)
		if err != nil || !ok || m.Text == "" {
			t.Fatalf("%+v, %v, %v", m, ok, err)
		}
		for _, secret := range []string{"Rossi", "rossi", "maria"} {
			if strings.Contains(string(text), secret) {
				t.Errorf("%q is in %s", secret, text)
			}
		}
	}
	agreed := model.Note{ID: "2", At: now, Until: now.Add(time.Hour), Text: "tolerance SL 3", By: "maria", Tolerance: model.AgreedTolerance{Figure: "serviceLevel", Points: 3}}
	if m, _ := recordingMark(&c, statefile.NoteEvent(agreed, now), now); m.Note == nil || m.Note.By != "" || m.Note.Tolerance.Points != 3 {
		t.Errorf("%+v", m.Note)
	}
}
