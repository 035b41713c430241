package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/report/headless"
)

// TestBreaks checks the report of the breaks of the day as JSON and as a table, and that --over lists
// only breaks over the limit.
func TestBreaks(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil, "[[break]]\ncode = \"PAUSE\"\nper_day = \"5m\"\n")
	report := func(args ...string) (r headless.BreaksDoc) {
		t.Helper()
		code, out, errs := s.run("", append([]string{"breaks", "--json"}, args...)...)
		if code != cmdutil.ExitOK || json.Unmarshal([]byte(out), &r) != nil {
			t.Fatalf("exit %d: %s\n%s", code, out, errs)
		}
		return r
	}
	all, over := report(), report("--over")
	checkOverruns(t, &all, &over)
	if plan := all.Release; plan == nil || plan.Reason == "" && (plan.AtWork == 0 || len(plan.Effects) < 2 || len(plan.Assumptions) == 0 || plan.NoHalfHoursReason == "") {
		t.Errorf("the release plan: %+v", plan)
	}
	checkBreaksText(t, s, len(all.Breaks))
}

// checkBreaksText checks that the text has a line for each break, and that it says who can take a break
// or why this is not known.
func checkBreaksText(t *testing.T, s *scripts, breaks int) {
	t.Helper()
	code, out, errs := s.run("", "breaks")
	table, below, ok := strings.Cut(out, "Breaks observed since ")
	if lines := strings.Count(table, "\n"); code != cmdutil.ExitOK || lines != breaks+1 || !ok || !strings.Contains(below, "can leave now") && !strings.Contains(below, "No release plan") {
		t.Errorf("exit %d, %d lines: %s%s", code, lines, out, errs)
	}
}

// checkOverruns checks that over lists exactly the breaks of all that are over a limit.
func checkOverruns(t *testing.T, all, over *headless.BreaksDoc) {
	t.Helper()
	const limit = 300 // seconds
	want := 0
	for i := range all.Breaks {
		r := &all.Breaks[i]
		if r.TotalToday == nil && !r.OnBreak || r.Username == "" || r.AgentName == "" {
			t.Errorf("%+v", r)
		}
		if unknown := r.BreakCount == nil; unknown != (r.Overruns == nil) || unknown != (r.Longest == nil) || unknown && r.OnBreak {
			t.Errorf("partly unknown: %+v", r)
		}
		if r.BreakName == "PAUSE" && r.TotalToday != nil && *r.TotalToday > limit || r.Overruns != nil && *r.Overruns > 0 {
			want++
		}
	}
	if want == 0 || want == len(all.Breaks) || len(over.Breaks) != want || all.Since.IsZero() {
		t.Errorf("%d of %d breaks are over a limit, want %d; since %v", len(over.Breaks), len(all.Breaks), want, all.Since)
	}
}
