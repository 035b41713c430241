package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wallboard/internal/app/admin"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/record"
	"wallboard/internal/simulator/demo"
	"wallboard/internal/simulator/world"
)

// recordedHour returns the folder of a recording of the first half hour of a simulated day.
func recordedHour(t *testing.T) (dir string) {
	t.Helper()
	dir = testkit.PrivateDir(t)
	now := time.Date(2026, 11, 23, 8, 30, 0, 0, time.UTC)
	floor := world.Options{Seed: 1, Agents: 20, TrafficFactor: 3, Start: now}
	if _, err := record.WriteSnapshots(dir, record.Metadata{Names: "full"}, demo.NewPastDay(floor).Snapshots(t.Context(), floor.Start.Add(-30*time.Minute), demo.SnapshotInterval)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestAlertsTry backtests the current rules, a changed configuration and other values of a
// field.
func TestAlertsTry(t *testing.T) {
	t.Parallel()
	dir := recordedHour(t)
	today := configFile(t, "[ui]\n")
	changed := configFile(t, "[[alert]]\nname = \"any wait\"\nscope = \"service\"\nwhen = \"queuedCalls > 0\"\nseverity = \"warning\"\nfor = \"10s\"\n")
	for _, c := range []struct {
		args []string
		want []string
		not  string
	}{
		{nil, []string{"RULE", "longest wait", "nobody ready (group)", "FLAPS"}, "EARLIER"},
		{[]string{"--since", "20m"}, []string{": 20:00 recorded"}, ""},
		{[]string{"--config", changed}, []string{"any wait", "new", "New with new:", "The other"}, "longest wait  today"},
		{[]string{"--sweep", "longest wait.critical=45s,10m"}, []string{"critical = 45s", "critical = 10m", "EARLIER"}, "any wait"},
		{[]string{"--sweep", "longest wait.for=10m"}, []string{"for = 10m", "No longer seen with for = 10m:"}, ""},
		{[]string{"--json", "--rule", "longest wait"}, []string{`"rule": "longest wait"`, `"alerts":`}, ""},
	} {
		code, out, errs := run(t, append([]string{"alerts", "try", dir, "--base", today}, c.args...)...)
		if code != 0 || !containsAll(out, c.want) || c.not != "" && strings.Contains(out, c.not) {
			t.Errorf("%v: %d, want %q and not %q:\n%s%s", c.args, code, c.want, c.not, out, errs)
		}
	}
	empty := filepath.Join(testkit.PrivateDir(t), "none")
	if err := os.Mkdir(empty, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"alerts", "try", empty, "--base", today}, "file does not exist"},
		{[]string{"alerts", "try", dir, "--base", today, "--sweep", "longest weight.for=1m"}, "did you mean longest wait?"},
		{[]string{"alerts", "try", dir, "--base", today, "--rule", "nothing"}, `there is no rule "nothing"`},
		{[]string{"alerts", "try", dir, "--base", today, "--since", "soon"}, "--since"},
		{[]string{"alerts", "try", dir, "--base", today, "--sweep", "longest wait.warning=1h"}, "these rules cannot be backtested"},
		{[]string{"alerts", "try", dir, "--base", filepath.Join(empty, "no.toml")}, "no.toml"},
	} {
		if code, out, errs := run(t, c.args...); code == 0 || !strings.Contains(errs, c.want) {
			t.Errorf("%v: %d, %q%q, want %q", c.args, code, out, errs, c.want)
		}
	}
}

// TestAlertsTryCalledOff cancels a backtest: it prints no partial result.
func TestAlertsTryCalledOff(t *testing.T) {
	t.Parallel()
	dir, today := recordedHour(t), configFile(t, "[ui]\n")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	code := Run(ctx, []string{"alerts", "try", dir, "--base", today, "--since", "yesterday"}, cmdutil.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	if code == 0 || out.Len() > 0 || !strings.Contains(errs.String(), "canceled: no result") {
		t.Errorf("%d, %q, %q", code, out.String(), errs.String())
	}
}

// TestTryOfARecording backtests a rule in a file without a configuration.
func TestTryOfARecording(t *testing.T) {
	t.Parallel()
	dir := recordedHour(t)
	c, err := (&cmdutil.Setup{Options: func() config.Options { return config.Options{} }}).Load(true)
	if err != nil {
		t.Fatal(err)
	}
	r, err := record.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	film := r.Replay(r.Info().First, 1, nil)
	defer film.Close() //nolint:errcheck // only read from
	o, err := admin.BoardOptions(c, film, r.Info(), r.Reopener())
	if err != nil {
		t.Fatal(err)
	}
	res, err := o.Archive.Backtest(t.Context(), r.Info().First.UTC(), "longest wait", "longest wait.critical=45s,1m", func(float64) {})
	if err != nil || len(res.Outcomes) != 3 || !res.To.Equal(r.Info().Last) || res.Snapshots < 50 {
		t.Errorf("%d outcomes of %d pictures from %v to %v, %v", len(res.Outcomes), res.Snapshots, res.From, res.To, err)
	}
}
