package cli

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wallboard/internal/app/admin"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/record"
	"wallboard/model"
)

// TestTimesOfTheFloor reads a recording of another time zone: times are in the recording's
// zone.
func TestTimesOfTheFloor(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("Australia/Eucla") // UTC+08:45, which no machine uses
	if err != nil {
		t.Fatal(err)
	}
	dir, from := testkit.PrivateDir(t), time.Date(2026, 3, 2, 14, 0, 0, 0, zone)
	tape, err := record.NewBatchWriter(dir, record.Metadata{Platform: "p", Names: "full", Zone: record.ZoneOf(zone, zone.String(), from)})
	if err != nil {
		t.Fatal(err)
	}
	st := model.NewStore()
	for at := from; at.Before(from.Add(10 * time.Minute)); at = at.Add(10 * time.Second) {
		if err := tape.Add(st.Publish(at, model.Health{})); err != nil {
			t.Fatal(err)
		}
	}
	if err := tape.Close(); err != nil {
		t.Fatal(err)
	}
	part := filepath.Join(testkit.PrivateDir(t), "part.wbr")
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"record", "info", dir}, []string{"2026-03-02 14:00:00", "2026-03-02 14:09:50", "Australia/Eucla"}},
		{[]string{"record", "ls", dir}, []string{"2026-03-02 14:00:00"}},
		{[]string{"record", "cut", dir, "--from", "14:05", "--to", "14:06", "--names", "hidden", "--out", part}, []string{"7 snapshots, 2026-03-02 14:05:00 to 14:06:00"}},
		{[]string{"record", "info", part}, []string{"2026-03-02 14:05:00", "UTC+08:45"}},
		{[]string{"alerts", "try", dir, "--since", "14:05"}, []string{"2 Mar 2026 14:05 to 14:09"}},
		{[]string{"alerts", "report", dir, "--from", "14:05"}, []string{"2026-03-02 14:05:00 to 2026-03-02 14:09:50"}},
	} {
		if code, out, errs := run(t, c.args...); code != 0 || !containsAll(out, c.want) {
			t.Errorf("%v: %d, want %q:\n%s%s", c.args, code, c.want, out, errs)
		}
	}
	earlier := testkit.PrivateDir(t)
	taped(t, earlier, "p", from, 0)
	if _, out, _ := run(t, "record", "info", earlier); !strings.Contains(out, "of this machine: the recording does not say its time zone") {
		t.Errorf("of an earlier version:\n%s", out)
	}
	r, err := record.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	c, err := (&cmdutil.Setup{Options: func() config.Options { return config.Options{} }}).Load(true)
	if err != nil {
		t.Fatal(err)
	}
	film := r.Replay(from, 1, nil)
	defer film.Close() //nolint:errcheck // only read from
	if o, err := admin.BoardOptions(c, film, r.Info(), nil); err != nil || o.Display.Location.String() != "Australia/Eucla" || o.Archive.Zone != "Australia/Eucla" {
		t.Errorf("played in %v, %q, %v", o.Display.Location, o.Archive.Zone, err)
	}
}
