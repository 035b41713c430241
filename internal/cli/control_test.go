package cli

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"wallboard/internal/app"
	"wallboard/internal/app/admin"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/words"
	"wallboard/model/resource"
)

// load reads the configuration of the scripts.
func (s *scripts) load() *config.Config {
	s.t.Helper()
	c, err := config.Load(s.config, config.Options{})
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

func TestBoardsThatCanOnlyLook(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil)
	none, locked := s.load(), s.load()
	none.REST = config.Default().REST
	locked.ReadOnly = true
	for _, c := range []struct {
		env    *app.Environment
		config *config.Config
		why    string
	}{
		{&app.Environment{ReadOnly: true}, s.load(), "--read-only"},
		{new(app.Environment), locked, "read_only"},
		{new(app.Environment), none, "no [rest]"},
	} {
		ctl, err := c.env.OpenConnection(t.Context(), c.config, nil, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		if ctl.Controller != nil || !strings.Contains(ctl.ReadOnlyReason, c.why) {
			t.Errorf("controller %v, why %q, want %q", ctl.Controller, ctl.ReadOnlyReason, c.why)
		}
		ctl.Stop()
	}
	if _, err := os.Stat(s.load().Audit.Path()); err == nil {
		t.Error("a board that can only look made an audit file")
	}
}

// TestControls connects a board's controls, acts, and leaves only the audit log behind.
func TestControls(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil)
	c := s.load()
	ctl, err := new(app.Environment).OpenConnection(t.Context(), c, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	deadline := time.After(20 * time.Second)
	for {
		if text, ok := ctl.Controller.Availability.State(); ok && strings.Contains(text.In(nil), "1.4.0") {
			break
		}
		select {
		case <-deadline:
			text, _ := ctl.Controller.Availability.State()
			t.Fatalf("the service was not found: %s", text.In(nil))
		case <-time.After(10 * time.Millisecond):
		}
	}
	// The board quits while the platform delays the answer.
	s.srv.Faults().REST.OnlyRequests("POST /rest/sms/send")
	s.srv.Faults().REST.DelayAnswers(time.Minute)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan words.ActionReport, 1)
	go func() {
		ended <- ctl.Controller.Messages.SendSMS(ctx, resource.SMS{PhoneNumber: "+393331234567", Message: "hello"})
	}()
	for s.executed("sms-send") == 0 {
		select {
		case <-deadline:
			t.Fatal("the message did not reach the platform")
		case <-time.After(10 * time.Millisecond):
		}
	}
	cancel()
	ctl.Stop()
	if r := <-ended; r.Outcome != resource.OutcomeUnknown {
		t.Errorf("%+v", r)
	}
	if _, out, _ := s.run("", "audit", "--action", "sms-send", "--outcome", "unknown"); !strings.Contains(out, "number +393331234567") {
		t.Errorf("the outcome is not in the audit file: %s", out)
	}
	if code, out, _ := s.run("", "audit", "--unfinished", "--json"); code != cmdutil.ExitOK || !strings.Contains(out, `"result": []`) {
		t.Errorf("something is unfinished in the audit file: %s", out)
	}
}

// TestDemoActs checks that the demo has its own platform and audit log.
func TestDemoActs(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil)
	c, so := s.load(), small()
	before := c.Audit.Path()
	admin.UseSimulator(c, s.srv, &so, "")
	if err := c.Check(config.Options{Demo: true}); err != nil {
		t.Error(err)
	}
	if c.REST.URL != s.srv.RESTURL() || !c.REST.IsConfigured() || c.Audit.Path() == before || !strings.Contains(c.Audit.Path(), "demo") {
		t.Errorf("service %s, audit file %s", c.REST.URL, c.Audit.Path())
	}
}
