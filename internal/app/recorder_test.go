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

// TestTicksInRecordingWithoutNames checks that a recording without names contains no part of a ticked
// item, because its place may be an agent, and its text may contain names of people. The recording
// contains an agreed tolerance, but not its author.
func TestTicksInRecordingWithoutNames(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	c := config.Default()
	c.Record.Names = string(model.NamesHidden)
	tick := model.Note{ID: "1", At: now, Until: now.Add(24 * time.Hour), Text: "Call Anna Rossi", By: "maria", Tick: model.PlaybookTick{Scope: "user", Code: "a.rossi", Item: "Call Anna Rossi"}}
	ended := tick
	ended.Until = now
	for _, n := range []model.Note{tick, ended} {
		m, ok := recordingMark(&c, statefile.NoteEvent(n, now), nil, now)
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
	if m, _ := recordingMark(&c, statefile.NoteEvent(agreed, now), nil, now); m.Note == nil || m.Note.By != "" || m.Note.Tolerance.Points != 3 {
		t.Errorf("%+v", m.Note)
	}
}

// TestSmallGroupsHaveNoMarks checks that a recording without full names contains no marks about groups
// with too few members, and that marks about a service do not mention these groups.
func TestSmallGroupsHaveNoMarks(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	c := config.Default()
	c.Record.Names, c.Privacy.SmallestGroup = string(model.NamesInitials), 3
	c.RTD.Names = []config.Name{{Kind: "group", Code: "G1", Name: "Night desk"}}
	store := model.NewStore()
	store.Groups.Put(&model.Group{Code: model.TextOf("G1"), Channel: model.Call})
	for i, group := range []string{"G1", "G2", "G2", "G2", "G3", "G3", "G3"} {
		store.Users.Put(&model.User{Username: model.TextOf(string(rune('a' + i))), Skillsets: []string{group}})
	}
	s := store.Publish(now, model.Health{})
	event := func(scope, code string) model.Event {
		in := &model.Incident{Scope: scope, Code: code, Title: "Contracts", Headline: "Night desk: 5 wait", Causes: []model.IncidentCause{{Text: "Night desk is away"}, {Text: "many calls"}}}
		in.Alerts = []model.IncidentAlert{{TakenAlert: model.TakenAlert{Scope: "group", Code: "G1"}}, {TakenAlert: model.TakenAlert{Scope: "group", Code: "G3"}}}
		return model.Event{Kind: model.MarkCritical, Nameless: "Night desk: 5 wait", NamelessIncident: in}
	}
	for code, want := range map[string]bool{"G1": false, "G3": true} {
		taken := model.Event{Kind: model.MarkNote, NamelessTaken: model.TakenAlert{Scope: "group", Code: code}}
		for _, e := range []model.Event{event("group", code), taken} {
			if _, ok := recordingMark(&c, e, s, now); ok != want {
				t.Errorf("%s: %+v is recorded: %t", code, e, ok)
			}
		}
	}
	m, ok := recordingMark(&c, event("service", "SRV01"), s, now)
	text, err := json.Marshal(m)
	if err != nil || !ok || strings.Contains(string(text), "Night") || strings.Contains(string(text), "G1") || !strings.Contains(string(text), "many calls") || len(m.Incident.Alerts) != 1 {
		t.Errorf("%s, %t, %v", text, ok, err)
	}
	c.Record.Names = string(model.NamesFull)
	if _, ok := recordingMark(&c, model.Event{Kind: model.MarkNote, Taken: model.TakenAlert{Scope: "group", Code: "G1"}}, s, now); !ok {
		t.Error("a recording with full names has no mark")
	}
}
