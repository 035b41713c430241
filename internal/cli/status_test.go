package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"wallboard/internal/alert"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/report/headless"
)

// quiet disables every built-in rule.
func quiet() string {
	var b strings.Builder
	seen := make(map[string]bool)
	for _, r := range alert.DefaultRules() {
		if !seen[r.Name] {
			seen[r.Name] = true
			fmt.Fprintf(&b, "[[builtin]]\nrule = %q\noff = true\n", r.Name)
		}
	}
	return b.String()
}

// alwaysAlert is a rule that fires on every channel.
func alwaysAlert(name, severity string) string {
	return fmt.Sprintf("[[alert]]\nname = %q\nscope = \"floor\"\nchannels = [\"CALL\"]\nwhen = \"loggedUsers >= 0\"\nseverity = %q\nmessage = \"%s of {title}\"\n", name, severity, name)
}

func TestStatus(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, extra, want string
		code              int
	}{
		{"nothing", "", "", cmdutil.ExitOK},
		{"warning", alwaysAlert("trouble", "warning"), "  1 warning: The floor: Trouble of The floor.\n", exitWarning},
		{
			"critical", alwaysAlert("trouble", "warning") + alwaysAlert("disaster", "critical"),
			"  1 critical: The floor: Disaster of The floor. Trouble of The floor.\n", exitCritical,
		},
		{
			"silent by plan", alwaysAlert("trouble", "warning") + alwaysAlert("disaster", "critical") +
				"[[silence]]\nhours = \"00:00-24:00\"\nrules = [\"disaster\"]\n",
			"  1 warning: The floor: Trouble of The floor.\n", exitWarning,
		},
		{
			"all silent", alwaysAlert("disaster", "critical") + "[[silence]]\nhours = \"00:00-24:00\"\n",
			"  1 silent\n", cmdutil.ExitOK,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newScripts(t, nil, quiet(), c.extra)
			code, out, errs := s.run("", "status")
			if code != c.code || errs != "" || strings.Count(out, "\n") != 1 || !strings.Contains(out, " LIVE  SL ") || !strings.HasSuffix(out, c.want) {
				t.Errorf("exit %d: %s%s", code, out, errs)
			}
		})
	}
}

// TestStatusWaits checks that status and handover wait for an alert whose rule has a duration, unless
// --watch says otherwise.
func TestStatusWaits(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil, quiet(), alwaysAlert("trouble", "warning")+"for = \"2s\"\n")
	if code, out, errs := s.run("", "status"); code != exitWarning || errs != "" {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if code, out, errs := s.run("", "handover"); code != cmdutil.ExitOK || errs != "" || !strings.Contains(out, "Trouble of The floor") {
		t.Errorf("handover: exit %d: %s%s", code, out, errs)
	}
	s = newScripts(t, nil, quiet(), alwaysAlert("trouble", "warning")+"for = \"20s\"\n")
	if code, out, errs := s.run("", "status", "--watch", "0"); code != cmdutil.ExitOK || errs != "" {
		t.Errorf("--watch 0: exit %d: %s%s", code, out, errs)
	}
}

func TestStatusNotLive(t *testing.T) {
	t.Parallel()
	path := configFile(t, "[rtd]\nurl = \"http://127.0.0.1:1/rtd\"\naccess_token = \"x\"\n[log]\nlevel = \"error\"\n")
	code, out, errs := run(t, "status", "--for", "200ms", "--config", path)
	if code != cmdutil.ExitFailed || !strings.Contains(out, " NOT LIVE") || strings.Contains(errs, "status") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if code, _, errs := run(t, "status", "--for", "0", "--config", path); code != cmdutil.ExitUsage || !strings.Contains(errs, "--for") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

func TestStatusJSON(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil, quiet(), alwaysAlert("trouble", "critical"),
		"[[kpi]]\nname = \"double\"\nexpr = \"receivedCalls * 2\"\n[[kpi]]\nname = \"nothing\"\nexpr = \"receivedCalls / 0\"\n")
	code, out, errs := s.run("", "status", "--json")
	var doc headless.StatusDoc
	if err := json.Unmarshal([]byte(out), &doc); err != nil || code != exitCritical {
		t.Fatalf("exit %d, %v: %s%s", code, err, out, errs)
	}
	if !doc.Live || doc.Feed.Link != "up" || len(doc.Feed.Subscriptions) == 0 || len(doc.Alerts) != 1 || doc.Alerts[0].Severity != "critical" {
		t.Errorf("live %v, feed %+v, alerts %+v", doc.Live, doc.Feed, doc.Alerts)
	}
	var truth struct {
		ServiceStats []struct {
			Code, Channel string
			ChannelStats  struct{ ReceivedCalls float64 }
		}
	}
	if err := json.Unmarshal(s.srv.CurrentState(), &truth); err != nil {
		t.Fatal(err)
	}
	want := make(map[string]float64)
	for _, r := range truth.ServiceStats {
		want[r.Code+r.Channel] = 2 * r.ChannelStats.ReceivedCalls
	}
	found := 0
	for _, f := range doc.KPIs {
		switch {
		case f.Name == "nothing" && (!f.NA || f.Value != nil):
			t.Errorf("a ratio without a denominator: %+v", f)
		case f.Name != "double":
		case f.Value == nil || *f.Value != want[f.Code+f.Channel]:
			t.Errorf("%+v, want %v", f, want[f.Code+f.Channel])
		default:
			found++
		}
	}
	if found == 0 || found != len(want) {
		t.Errorf("%d services of %d", found, len(want))
	}
}

// lineStop cancels after some lines.
type lineStop struct {
	bytes.Buffer
	left   int
	cancel context.CancelFunc
}

func (w *lineStop) Write(p []byte) (int, error) {
	if w.left--; w.left == 0 {
		w.cancel()
	}
	return w.Buffer.Write(p)
}

func TestStatusFollows(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil, quiet(), "[[alert]]\nname = \"clock\"\nscope = \"user\"\nwhen = \"timeInState >= 0\"\nseverity = \"critical\"\nmessage = \"{timeInState}\"\n")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, errs := &lineStop{left: 3, cancel: cancel}, &bytes.Buffer{}
	code := Run(ctx, []string{"status", "--follow", "--json", "--config", s.config}, cmdutil.Streams{In: os.Stdin, Out: out, Err: errs})
	if code != exitCritical {
		t.Errorf("exit %d: %s", code, errs)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || lines[0] == lines[1] || lines[1] == lines[2] {
		t.Errorf("%d lines", len(lines))
	}
	for _, l := range lines {
		if !json.Valid([]byte(l)) {
			t.Errorf("not a line of JSON: %.100s", l)
		}
	}
}
