package app

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/config"
	"wallboard/internal/control/audit"
	"wallboard/internal/lib/netconn"
	"wallboard/internal/serve/sshterminal"
	"wallboard/ui/alerts"
)

func inFolder(t *testing.T) *config.Config {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	c := config.Default()
	c.Audit.File = filepath.Join(dir, "audit.jsonl")
	c.Audit.MaxSize = 64 << 10
	return &c
}

func entries(t *testing.T, path string) (out []audit.Entry) {
	t.Helper()
	for e, err := range audit.Read(path, audit.Filter{}) {
		if err != nil {
			t.Error(err)
		}
		out = append(out, e)
	}
	return out
}

// TestVisitsDisplaceNoActions checks that frequent visits do not displace actions from the
// audit log and are counted in the log of visits.
func TestVisitsDisplaceNoActions(t *testing.T) {
	t.Parallel()
	c := inFolder(t)
	silence := newActionLimits()
	if err := silence.newRecorder(c, &config.ServeUser{Name: "ben"}, slog.New(slog.DiscardHandler))(&alerts.Action{Kind: alerts.EndSnooze, RecordNames: "Sales"}); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(c.Audit.Path())
	if err != nil {
		t.Fatal(err)
	}
	v, err := openVisitLog(c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	const visits = 5000
	for range visits {
		v.Add(sshterminal.Event{Kind: "login", User: "wall", Remote: "192.0.2.1"})
		v.Add(sshterminal.Event{Kind: "logout", User: "wall", Remote: "192.0.2.1"})
	}
	v.Close()
	v.Add(sshterminal.Event{Kind: "logout", User: "late", Remote: "192.0.2.1"}) // an event after Close is lost
	if after, err := os.ReadFile(c.Audit.Path()); err != nil || string(after) != string(before) {
		t.Errorf("the record of actions has changed: %v\n%s", err, after)
	}
	lines := entries(t, c.Audit.VisitsPath())
	if n := len(lines); n < visitBurst || n > visitBurst+3 {
		t.Errorf("%d lines for %d visits", n, visits)
	}
	last := lines[len(lines)-1]
	if last.Action != "viewer-more" || last.Parameters["login"] != fmt.Sprint(visits-visitBurst/2) || last.Person != "wall" {
		t.Errorf("the last line is %+v", last)
	}
}

// TestSilencing checks which users may silence critical alerts or all alerts and write notes, and that
// each action is in the audit log.
func TestSilencing(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	for name, x := range map[string]struct {
		user config.ServeUser
		may  bool
	}{
		"view":           {config.ServeUser{Name: "v"}, false},
		"act":            {config.ServeUser{Name: "a", Role: config.RoleAct}, true},
		"admin":          {config.ServeUser{Name: "d", Role: config.RoleAdmin}, true},
		"view, allowed":  {config.ServeUser{Name: "w", SilenceAllowed: &yes}, true},
		"act, forbidden": {config.ServeUser{Name: "b", Role: config.RoleAct, SilenceAllowed: &no}, false},
	} {
		c := inFolder(t)
		record := newActionLimits().newRecorder(c, &x.user, slog.New(slog.DiscardHandler))
		if err := record(&alerts.Action{Kind: alerts.Snooze, UserName: x.user.Name, RecordNames: "everything", Critical: true, Until: time.Unix(3600, 0)}); (err == nil) != x.may {
			t.Errorf("%s silences everything: %v", name, err)
		}
		if err := record(&alerts.Action{Kind: alerts.WriteNote, UserName: x.user.Name, RecordNames: "the floor", Note: "IVR down", Until: time.Unix(3600, 0)}); (err == nil) != x.may {
			t.Errorf("%s writes a note: %v", name, err)
		}
		if !x.may {
			if err := record(&alerts.Action{Kind: alerts.TickPlaybookItem, UserName: x.user.Name, RecordNames: "the floor", Note: "Open the overflow"}); !errors.Is(err, errTickForbidden) {
				t.Errorf("%s ticks a step off: %v", name, err)
			}
		}
		for _, kind := range []alerts.ActionKind{alerts.Snooze, alerts.EndSnooze, alerts.TakeOver} {
			if err := record(&alerts.Action{Kind: kind, UserName: x.user.Name, RecordNames: "Sales", Note: "mine", Until: time.Unix(3600, 0)}); err != nil {
				t.Errorf("%s: %s: %v", name, kind, err)
			}
		}
		var got []string
		for _, e := range entries(t, c.Audit.Path()) {
			got = append(got, e.Person+" "+e.Action+" "+e.Target+" "+e.Parameters["until"])
		}
		want := []string{x.user.Name + " alert-snooze Sales 1970-01-01T01:00:00Z", x.user.Name + " alert-wake Sales 1970-01-01T01:00:00Z", x.user.Name + " alert-take-over Sales 1970-01-01T01:00:00Z"}
		if x.may {
			want = append([]string{x.user.Name + " alert-snooze everything 1970-01-01T01:00:00Z", x.user.Name + " alert-note the floor 1970-01-01T01:00:00Z"}, want...)
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s: the record has %q, want %q", name, got, want)
		}
	}
}

// TestAllowance checks the rate limit of a viewer.
func TestAllowance(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := netconn.NewFailures(3, 0.1, time.Now)
		took := func(n int) (ok int) {
			for range n {
				if a.Take("ben") {
					ok++
				}
			}
			return ok
		}
		if n := took(10); n != 3 {
			t.Errorf("%d at once, want 3", n)
		}
		<-time.After(20 * time.Second)
		if n := took(10); n != 2 {
			t.Errorf("%d after 20 s, want 2", n)
		}
		if !a.Take("anna") {
			t.Error("one account limits another")
		}
	})
}
