package cli

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"wallboard/internal/alert"
	"wallboard/internal/alert/statefile"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/control/audit"
	"wallboard/internal/lib/testkit"
	"wallboard/model"
)

// TestHandoverKnowsTheShift checks that a handover from the command line includes ended alerts and notes
// of the boards, and actions of the audit log.
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
			Level: alert.Warning, HighestLevel: alert.Warning, Since: before(since), LevelSince: before(since), Raised: before(since),
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
		"# Shift handover", "In this shift", "| 10 min |", "Taken over by Anna at ", noted.Ack.At.Format("15:04") + ": called the carrier", // entries of the previous day would have a date
		"are known only for the times when a board on this machine was open", "stop campaign 7001, **confirmed**", "The record of actions could not be read",
		"- Inbound calls: ", "| campaign | tried |", "\n## Campaigns\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(strings.ToLower(out), "in the shift before") {
		t.Errorf("an alert of the shift before is in\n%s", out)
	}
}

// TestHandoverIsSent checks that a handover is sent to one of the recipients, that the outcome is
// reported, and that the audit log contains the action.
func TestHandoverIsSent(t *testing.T) {
	t.Parallel()
	received := make(chan string, 10)
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var m struct{ Target, Event, Title, Markdown string }
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
			t.Error(err)
		}
		received <- m.Target + " " + m.Event + " " + m.Title + " " + m.Markdown
	}))
	defer hook.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	s := newScripts(t, nil, quiet(), "[[notify]]\nname = \"team\"\nwebhook = \""+hook.URL+"\"\n[[notify]]\nname = \"gone\"\nwebhook = \""+gone.URL+"\"\n"+
		"[[notify]]\nname = \"script\"\ncommand = [\"true\"]\n")
	if code, _, errs := s.run("", "handover", "--send", "script"); code != cmdutil.ExitUsage || !strings.Contains(errs, "there are: team (webhook), gone (webhook)") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if code, out, errs := s.run("", "handover", "--send", "team"); code != cmdutil.ExitOK || out != "team (webhook): sent\n" {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	if got := <-received; !strings.HasPrefix(got, "team handover Shift handover") || !strings.Contains(got, "## Figures for the day") {
		t.Errorf("received %q", got)
	}
	code, out, errs := s.run("", "handover", "--send", "team", "--send", "gone")
	if want := "team (webhook): sent\ngone (webhook): not sent: the webhook cannot be reached\n"; code != cmdutil.ExitFailed || out != want || !strings.Contains(errs, "did not reach 1 of 2 recipients") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	var entries []struct{ Action, Target, Outcome, Sentence string }
	if err := json.Unmarshal(s.json(cmdutil.ExitOK, "", "audit", "--action", "report-send-handover").Result, &entries); err != nil {
		t.Fatal(err)
	}
	outcomes := make(map[string]int)
	for _, e := range entries {
		outcomes[e.Target+" "+e.Outcome]++
	}
	if outcomes["team (webhook) confirmed"] != 2 || outcomes["gone (webhook) rejected"] != 1 {
		t.Errorf("the audit log has %v", outcomes)
	}
}
