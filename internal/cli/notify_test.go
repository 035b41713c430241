package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/internal/cli/cmdutil"
)

// TestNotify checks that the daemon sends notifications by webhook and by SMS, with entries in the audit
// log, and that a second process on the machine is refused.
func TestNotify(t *testing.T) {
	t.Parallel()
	told := make(chan string, 10)
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var m struct{ Target, Event, Text string }
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
			t.Error(err)
		}
		told <- m.Target + " " + m.Event + " " + m.Text + " " + r.Header.Get("X-Key")
	}))
	defer hook.Close()
	targets := "[[notify]]\nname = \"chat\"\nwebhook = \"" + hook.URL + "\"\nheader = \"X-Key: k\"\ndefault = true\n" +
		"[[notify]]\nname = \"phone\"\nsms = [\"+390471000000\"]\ndefault = true\n"
	s := newScripts(t, nil, quiet(), alwaysAlert("disaster", "critical"), alwaysAlert("trouble", "warning"), targets)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan int, 1)
	var errs bytes.Buffer
	go func() {
		done <- Run(ctx, []string{"notify", "--config", s.config}, cmdutil.Streams{In: strings.NewReader(""), Out: &bytes.Buffer{}, Err: &errs})
	}()
	select {
	case got := <-told:
		if want := "chat begin critical: The floor: Disaster of The floor. Trouble of The floor k"; got != want {
			t.Errorf("told %q, want %q", got, want)
		}
	case <-time.After(patience):
		t.Error("nobody is told")
	}
	var entries []map[string]any
	for end := time.Now().Add(patience); !slices.ContainsFunc(entries, finished) && time.Now().Before(end); {
		<-time.After(10 * time.Millisecond)
		entries = nil
		if err := json.Unmarshal(s.json(cmdutil.ExitOK, "", "audit", "--action", "sms-send").Result, &entries); err != nil {
			t.Fatal(err)
		}
	}
	if n := s.executed("sms-send"); n != 1 {
		t.Errorf("%d SMS were sent", n)
	}
	if code, _, said := s.run("", "notify"); code != cmdutil.ExitFailed || !strings.Contains(said, "another process of this machine sends notifications already") {
		t.Errorf("a second one ends with %d: %s", code, said)
	}
	cancel()
	if code := <-done; code != cmdutil.ExitOK {
		t.Errorf("it ends with %d: %s", code, &errs)
	}
	if len(entries) != 1 || entries[0]["outcome"] != "confirmed" {
		t.Errorf("the audit file has %v", entries)
	}
}

// finished reports whether an audit entry has an outcome.
func finished(entry map[string]any) bool { return entry["finished"] == true }

func TestNotifyRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ config, args, want string }{
		{"", "notify", "add a [[notify]] to the configuration"},
		{"[[notify]]\nname = \"phone\"\nsms = [\"123\"]\n", "notify --read-only", "SMS cannot be sent with --read-only"},
	} {
		s := newScripts(t, nil, c.config)
		if code, _, said := s.run("", strings.Fields(c.args)...); code != cmdutil.ExitUsage || !strings.Contains(said, c.want) {
			t.Errorf("%s ends with %d: %s", c.args, code, said)
		}
	}
}

// patience is the timeout on a busy machine.
const patience = time.Minute
