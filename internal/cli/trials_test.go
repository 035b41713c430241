package cli

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/record"
	"wallboard/internal/record/recordtest"
	"wallboard/internal/simulator/demo"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// recordedHour returns a recording of the first half hour of a simulated day.
func recordedHour(t *testing.T) (dir string) {
	t.Helper()
	dir = testkit.PrivateDir(t)
	open := time.Date(2026, 11, 23, 8, 30, 0, 0, time.UTC)
	onTape(t, dir, record.About{Names: "full"}, demo.Open(world.Options{Seed: 1, Agents: 20, Rate: 3, Start: open}).Snapshots(t.Context(), time.Time{}, demo.Step))
	return dir
}

// onTape records snapshots in a folder.
func onTape(t *testing.T, dir string, about record.About, pictures iter.Seq2[*model.Snapshot, error]) {
	t.Helper()
	tape, err := record.NewBatchWriter(dir, about)
	if err != nil {
		t.Fatal(err)
	}
	for s, err := range pictures {
		if err != nil {
			t.Fatal(err)
		}
		if err := tape.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := tape.Close(); err != nil {
		t.Fatal(err)
	}
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

// TestTrySaysHowFarItIs checks the progress of a backtest on the board, and its
// cancellation.
func TestTrySaysHowFarItIs(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	_, err := recordtest.FloorOf(
		t.Context(), "", dir, world.Options{Seed: 1, Agents: 300, Start: time.Date(2026, 11, 23, 10, 30, 0, 0, time.UTC)}, time.Hour, demo.Step,
	)
	if err != nil {
		t.Fatal(err)
	}
	r, err := record.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // only read from
	c := config.Default()
	var said []float64
	res, err := backtestRule(t.Context(), r, c.AlertOptions(c.Names()), time.Time{}, "longest wait", "longest wait.critical=45s,1m", func(f float64) { said = append(said, f) })
	if err != nil || len(res.Outcomes) < 3 || res.Pictures < 50 {
		t.Fatalf("%d outcomes of %d pictures, %v", len(res.Outcomes), res.Pictures, err)
	}
	if n := len(said); n < 5 || !slices.IsSorted(said) || said[0] > 0.3 || said[n-1] < 0.9 || said[n-1] > 1 {
		t.Errorf("said %v", said)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	after := 0
	_, err = backtestRule(ctx, r, c.AlertOptions(c.Names()), time.Time{}, "longest wait", "", func(f float64) {
		if f < 0.9 { // not at the end
			cancel()
			after++
		}
	})
	if !errors.Is(err, context.Canceled) || after > 1 {
		t.Errorf("called off: %v, %d pictures after that", err, after-1)
	}
}

// TestTriedSpan checks the part of a recording for a backtest: the day of an instant, or
// the last day.
func TestTriedSpan(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("here", 2*60*60)
	at := func(day, hour, minute int) time.Time { return time.Date(2026, 3, day, hour, minute, 0, 0, zone) }
	in := record.Info{First: at(2, 9, 0), Last: at(4, 16, 0)}
	for name, tt := range map[string]struct{ at, from, to time.Time }{
		"the first day":  {at(2, 14, 0), at(2, 9, 0), at(3, 0, 0)},
		"a whole day":    {at(3, 0, 10), at(3, 0, 0), at(4, 0, 0)},
		"the last day":   {at(4, 1, 0), at(4, 0, 0), at(4, 16, 0)},
		"of another one": {at(3, 0, 10).UTC(), at(2, 9, 0), at(3, 2, 0)}, // 22:10 of the day before
	} {
		if from, to := backtestSpan(in, tt.at); !from.Equal(tt.from) || !to.Equal(tt.to) {
			t.Errorf("%s: %v to %v", name, from, to)
		}
	}
	if from, to := backtestSpan(in, time.Time{}); !to.Equal(in.Last) || to.Sub(from) < shiftLength {
		t.Errorf("now: %v to %v", from, to)
	}
}

// TestTryOfARecording backtests a rule in a file without a configuration.
func TestTryOfARecording(t *testing.T) {
	t.Parallel()
	dir := recordedHour(t)
	b := &commandSetup{Setup: &cmdutil.Setup{Options: func() config.Options { return config.Options{} }}}
	r, err := record.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	film := r.Replay(r.Info().First, 1, nil)
	defer film.Close() //nolint:errcheck // only read from
	o, err := b.replayOptions(film, r.Info(), r.Reopener())
	if err != nil {
		t.Fatal(err)
	}
	res, err := o.Memory.Backtest(t.Context(), r.Info().First.UTC(), "longest wait", "longest wait.critical=45s,1m", func(float64) {})
	if err != nil || len(res.Outcomes) != 3 || !res.To.Equal(r.Info().Last) || res.Pictures < 50 {
		t.Errorf("%d outcomes of %d pictures from %v to %v, %v", len(res.Outcomes), res.Pictures, res.From, res.To, err)
	}
}
