package cli

import (
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert/statefile"
	"wallboard/internal/config"
	"wallboard/internal/control/audit"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/record"
	"wallboard/ui/table"
)

// The fixtures in testdata/versions were written by earlier versions of the program on their own
// simulator: a recording of a minute, an audit file of two actions, the alerts of a board, one of
// them taken over, and table settings. The names of the folders are the days of the versions.

// copyFixture copies a fixture to a private file, because files that others can read are refused.
func copyFixture(t *testing.T, version, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "versions", version, name))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(testkit.PrivateDir(t), name)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestFilesOfEarlierVersions reads files that earlier versions have written.
func TestFilesOfEarlierVersions(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2026-11-26", "2026-11-28"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			t.Run("recording", func(t *testing.T) { t.Parallel(); readOldRecording(t, copyFixture(t, version, "recording.wbr")) })
			t.Run("audit", func(t *testing.T) { t.Parallel(); readOldAudit(t, copyFixture(t, version, "audit.jsonl")) })
			t.Run("alerts", func(t *testing.T) { t.Parallel(); readOldAlerts(t, copyFixture(t, version, "alerts.jsonl")) })
		})
	}
	t.Run("tables of 2026-11-28", func(t *testing.T) {
		t.Parallel()
		tables := table.OpenLayouts(copyFixture(t, "2026-11-28", "tables.json"))
		l := tables.Layout("services")
		if message := tables.TakeMessages(); len(message) > 0 || l == nil || len(l.Columns) < 8 {
			t.Errorf("%v, %+v", message, l)
		}
	})
}

func readOldRecording(t *testing.T, path string) {
	t.Helper()
	r, err := record.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // only read from
	if err := r.Check(t.Context()); err != nil || len(r.Problems()) > 0 {
		t.Errorf("the recording is damaged: %v, %v", err, r.Problems())
	}
	in, count, queued := r.Info(), 0, false
	for s, err := range r.Snapshots(in.First, in.Last) {
		if err != nil {
			t.Fatal(err)
		}
		if count++; s.Health.Live() && (s.Services.Len() != 3 || s.Users.Len() < 8) {
			t.Fatalf("%v: %d services, %d users", s.At, s.Services.Len(), s.Users.Len())
		}
		for rec := range s.Services.All() {
			queued = queued || rec.ChannelStats.QueuedCalls.Or(0) > 0
		}
	}
	if length := in.Last.Sub(in.First); count < 20 || length < time.Minute || !queued {
		t.Errorf("%d snapshots in %v, a caller waited: %v", count, length, queued)
	}
}

func readOldAudit(t *testing.T, path string) {
	t.Helper()
	var got []string
	for e, err := range audit.Read(path, audit.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		if !e.Finished || e.User != "supervisor" || e.Platform == "" {
			t.Errorf("%+v", e)
		}
		got = append(got, e.Action+" "+e.Outcome)
	}
	if len(got) != 2 || got[0] != "dial confirmed" || got[1] != "campaign-stop confirmed" {
		t.Errorf("the actions are %q", got)
	}
}

func readOldAlerts(t *testing.T, path string) {
	t.Helper()
	alerts := statefile.NewAlertFile(path, slog.New(slog.DiscardHandler)).Load()
	taken, ended := 0, 0
	for i := range alerts {
		a := &alerts[i]
		if a.Rule == "" || a.Text == "" || a.Raised.IsZero() {
			t.Errorf("%+v", a)
		}
		if a.Ack.By == "supervisor" {
			taken++
		}
		if !a.Ended.IsZero() {
			ended++
		}
	}
	if len(alerts) < 5 || taken != 1 || ended < 4 {
		t.Errorf("%d alerts, %d taken over, %d ended", len(alerts), taken, ended)
	}
}

// TestConfigCheckNamesOldNames checks that config check prints the names of earlier versions, each with
// the line to write instead.
func TestConfigCheckNamesOldNames(t *testing.T) {
	t.Parallel()
	s := &scripts{t: t, config: configFile(t, "[ui]\npage = \"Alerts\"\n")}
	code, out, errs := s.run("", "config", "check", "--demo")
	if code != 0 || !strings.Contains(out, `"Alerts" is called "Situations" now; write page = "Situations"`) || !strings.HasSuffix(out, ": ok\n") {
		t.Errorf("code %d: %s%s", code, out, errs)
	}
}

// TestConfigSchema prints the schema as it is in the program.
func TestConfigSchema(t *testing.T) {
	t.Parallel()
	s := &scripts{t: t, config: configFile(t, "")}
	if code, out, errs := s.run("", "config", "schema"); code != 0 || !json.Valid([]byte(out)) || out != config.Schema() {
		t.Errorf("code %d: %s", code, errs)
	}
}
