package app

import (
	"context"
	"log/slog"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/control/audit"
	"wallboard/internal/serve/sshterminal"
	"wallboard/ui/replay"
)

// TestAccessIsLogged checks that replays, shifts and excerpts are logged once in the log of visits, and
// that the entry of a login contains the visibility of names.
func TestAccessIsLogged(t *testing.T) {
	t.Parallel()
	c := inFolder(t)
	log := slog.New(slog.DiscardHandler)
	now := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
	a := replay.Archive{Save: func(context.Context, time.Time, time.Time) (string, error) { return "cut.wbr", nil }}
	LogAccess(&a, c, log)
	for range 3 {
		a.LogAccess(replay.RecordingAccess{ShiftUser: "anna.rossi"})
		a.LogAccess(replay.RecordingAccess{ReplayFrom: now.Add(-time.Hour)})
	}
	if _, err := a.Save(t.Context(), now, now.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}

	v, err := openVisitLog(c, log)
	if err != nil {
		t.Fatal(err)
	}
	v.nameModeOf = func(string) string { return "full" }
	v.logAccess(&a, "carla", "https://turin.example/rtd", func(shown string) string { return map[string]string{"Agent 1": "bert"}[shown] })
	v.Add(sshterminal.Event{Kind: "login", User: "carla", Remote: "192.0.2.1"})
	a.LogAccess(replay.RecordingAccess{ShiftUser: "Agent 1"})
	v.Close()

	var got [][]string
	for _, e := range entries(t, c.Audit.VisitsPath()) {
		got = append(got, []string{e.Action, e.Person, e.Target, e.Parameters["names"], e.Platform})
	}
	want := [][]string{
		{"viewer-shift", "", "agent anna.rossi", "", ""},
		{"viewer-replay", "", "recording from 2026-03-02T13:00:00Z", "", ""},
		{"viewer-export", "", "recording from 2026-03-02T14:00:00Z to 2026-03-02T14:01:00Z", "", ""},
		{"viewer-login", "carla", "from 192.0.2.1", "full", ""},
		{"viewer-shift", "carla", "agent bert", "", "https://turin.example/rtd"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestFrequentShiftsNameTheirAgents checks that shifts beyond the limit of separate lines are counted by
// agent, so that a search for an agent finds them.
func TestFrequentShiftsNameTheirAgents(t *testing.T) {
	t.Parallel()
	c := inFolder(t)
	v, err := openVisitLog(c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 * visitBurst {
		v.add(visit{kind: "shift", user: "carla", target: "agent " + strconv.Itoa(i)})
	}
	v.Close()
	for _, agent := range []string{"agent 1", "agent " + strconv.Itoa(3*visitBurst-1)} {
		n := 0
		for _, err := range audit.Read(c.Audit.VisitsPath(), audit.Filter{Target: agent}) {
			if err != nil {
				t.Error(err)
			}
			n++
		}
		if n == 0 {
			t.Errorf("no entry is about %s", agent)
		}
	}
}
