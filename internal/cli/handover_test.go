package cli

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"wallboard/internal/alert"
	"wallboard/internal/alert/statefile"
	"wallboard/internal/config"
	"wallboard/internal/control/audit"
	"wallboard/internal/lib/testkit"
	"wallboard/model"
)

func TestShiftBegin(t *testing.T) {
	t.Parallel()
	rome, err := time.LoadLocation("Europe/Rome")
	if err != nil {
		t.Skip(err)
	}
	now := time.Date(2026, 3, 29, 10, 42, 17, 0, rome) // the clocks went forward at two
	for text, want := range map[string]string{
		"":                          "2026-03-29T01:42:17+01:00", // eight hours ago
		"90m":                       "2026-03-29T09:12:17+02:00",
		"-90m":                      "2026-03-29T09:12:17+02:00",
		"06:00":                     "2026-03-29T06:00:00+02:00",
		"22:00":                     "2026-03-28T22:00:00+01:00", // yesterday's
		"2026-03-28":                "2026-03-28T00:00:00+01:00",
		"2026-03-28T14:30":          "2026-03-28T14:30:00+01:00",
		"2026-03-28T14:30:00-05:00": "2026-03-28T14:30:00-05:00",
		"2026-03-30":                "--since 2026-03-30 is to come",
		"noon":                      `--since "noon": want a time of today`,
		"25:00":                     `--since "25:00": want a time of today`,
	} {
		at, err := shiftStart(text, now)
		got := at.Format(time.RFC3339)
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// A handover from the command line includes ended alerts and notes of the boards, and
// actions of the audit log.
func TestHandoverKnowsTheShift(t *testing.T) {
	dir := testkit.PrivateDir(t)
	t.Cleanup(xdg.Reload)
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	xdg.Reload()
	s := newScripts(t, nil)
	c, err := config.Load(s.config, config.Options{})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now().Truncate(time.Second)
	before := func(d time.Duration) time.Time { return now.Add(-d) }
	of := func(id, text string, since, until time.Duration) alert.Alert {
		return alert.Alert{
			ID: id, Rule: alert.RuleLongestWait, Key: alert.Key{Scope: alert.Service, Code: "SRV01", Channel: model.Call},
			Level: alert.Warning, Worst: alert.Warning, Since: before(since), LevelSince: before(since), Raised: before(since),
			Ended: before(until), Value: model.FigureOf(40), Format: alert.Duration, Text: text,
		}
	}
	noted := of("a", "in this shift", 90*time.Minute, 80*time.Minute)
	noted.Ack = alert.Ack{By: "Anna", Note: "called the carrier", At: before(85 * time.Minute)}
	if err := os.MkdirAll(filepath.Dir(statefile.AlertsPath(c.RTD.URL)), 0o700); err != nil {
		t.Fatal(err)
	}
	f := statefile.NewAlertFile(statefile.AlertsPath(c.RTD.URL), slog.New(slog.DiscardHandler))
	if err := f.Add([]alert.Alert{noted, of("b", "in the shift before", 5*time.Hour, 4*time.Hour)}); err != nil {
		t.Fatal(err)
	}
	record, err := audit.Open(audit.Options{Path: c.Audit.Path(), User: "anna"})
	if err != nil {
		t.Fatal(err)
	}
	finish, err := record.Begin(audit.Intent{Action: "campaign-stop", Target: "7001"})
	if err != nil {
		t.Fatal(err)
	}
	if err := finish(audit.Result{Outcome: "confirmed"}); err != nil {
		t.Fatal(err)
	}
	if err := record.Close(); err != nil {
		t.Fatal(err)
	}
	broken, err := os.OpenFile(c.Audit.Path(), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := broken.WriteString("{torn\n"); err != nil {
		t.Fatal(err)
	}
	_ = broken.Close()

	code, out, errs := s.run("", "handover", "--since", "2h", "--for", "30s")
	if code != 0 {
		t.Fatalf("code %d: %s", code, errs)
	}
	for _, want := range []string{
		"# Shift handover", "In this shift", "(10 min)", "taken over by Anna at ", noted.Ack.At.Format("15:04") + ": called the carrier", // yesterday's have a date
		"are known only as far as a board on this machine was open", "stop campaign 7001, **confirmed**", "The record of actions could not be read",
		"| inbound calls |", "## Campaigns", "Live.",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(strings.ToLower(out), "in the shift before") {
		t.Errorf("an alert of the shift before is in\n%s", out)
	}
}
