package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wallboard/cli/before"
	"wallboard/record"
	"wallboard/simulator/world"
)

// recordedHour is a recording of the first half hour of a simulated day, a picture each
// ten seconds.
func recordedHour(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	tape, err := record.NewTape(dir, record.About{Names: "full"})
	if err != nil {
		t.Fatal(err)
	}
	open := time.Date(2026, 11, 23, 8, 30, 0, 0, time.UTC)
	for s, err := range before.Open(world.Options{Seed: 1, Agents: 20, Rate: 3, Start: open}).Pictures(t.Context(), time.Time{}, before.Step) {
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
	return dir
}

// TestAlertsTry tries rules on a recording: those of today, a changed configuration and
// other values of a field.
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
	empty := filepath.Join(t.TempDir(), "none")
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
		{[]string{"alerts", "try", dir, "--base", today, "--sweep", "longest wait.warning=1h"}, "these rules cannot be tried"},
		{[]string{"alerts", "try", dir, "--base", filepath.Join(empty, "no.toml")}, "no.toml"},
	} {
		if code, out, errs := run(t, c.args...); code == 0 || !strings.Contains(errs, c.want) {
			t.Errorf("%v: %d, %q%q, want %q", c.args, code, out, errs, c.want)
		}
	}
}
