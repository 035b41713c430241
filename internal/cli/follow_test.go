package cli

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert/statefile"
	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// onLine calls a function for every written line.
type onLine func(line string)

func (f onLine) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		f(line)
	}
	return len(p), nil
}

// edit returns functions that add a text to a configuration and remove it.
func (s *scripts) edit(text string) (add, undo func()) {
	s.t.Helper()
	before, err := os.ReadFile(s.config)
	if err != nil {
		s.t.Fatal(err)
	}
	return func() { rewrite(s.t, s.config, text+string(before)) }, func() { rewrite(s.t, s.config, string(before)) }
}

func TestMetricsFollowTheConfiguration(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil, quiet())
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	url, ended := make(addressOf, 1), make(chan int)
	var errs bytes.Buffer
	go func() {
		ended <- Run(ctx, []string{"metrics", "--addr", "127.0.0.1:0", "--config", s.config}, cmdutil.Streams{In: strings.NewReader(""), Out: url, Err: &errs})
	}()
	at := <-url
	until := func(want string) {
		t.Helper()
		for tick := time.NewTicker(50 * time.Millisecond); ctx.Err() == nil; <-tick.C {
			if _, text, _ := request(t, http.MethodGet, at); strings.Contains(text, want) {
				return
			}
		}
		t.Fatalf("the metrics never say %s", want)
	}
	until(`wallboard_alerts{severity="critical"} 0`)
	until("wallboard_floor_")
	add, _ := s.edit(alwaysAlert("trouble", "critical"))
	rewrite(t, s.config, "nonsense = 1\n") // an invalid configuration has no effect
	add()
	until(`wallboard_alerts{severity="critical"} 1`)
	cancel()
	if code := <-ended; code != cmdutil.ExitOK {
		t.Errorf("exit %d: %s", code, &errs)
	}
}

func TestStatusFollowsTheConfiguration(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil, quiet())
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	add, _ := s.edit(alwaysAlert("trouble", "critical"))
	var said []string
	out := onLine(func(line string) {
		switch said = append(said, line); {
		case strings.Contains(line, "Trouble of"):
			cancel()
		case len(said) == 1:
			add()
		}
	})
	var errs bytes.Buffer
	if code := Run(ctx, []string{"status", "--follow", "--config", s.config}, cmdutil.Streams{In: os.Stdin, Out: out, Err: &errs}); code != exitCritical {
		t.Errorf("exit %d: %q %s", code, said, &errs)
	}
}

// TestPlainFollowsTheConfiguration checks that text mode follows the configuration and stores ended
// alerts.
func TestPlainFollowsTheConfiguration(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil, quiet())
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	add, undo := s.edit(alwaysAlert("trouble", "critical"))
	var said []string
	out := onLine(func(line string) {
		said = append(said, line)
		switch {
		case strings.Contains(line, "Nothing needs action."):
			add()
		case strings.Contains(line, "Critical: The floor: Trouble of"):
			undo()
		case strings.Contains(line, "Resolved after"):
			cancel()
		}
	})
	var errs bytes.Buffer
	if code := Run(ctx, []string{"--plain", "--every", "0", "--config", s.config}, cmdutil.Streams{In: os.Stdin, Out: out, Err: &errs}); code != cmdutil.ExitOK {
		t.Errorf("exit %d: %s", code, &errs)
	}
	if n := strings.Count(strings.Join(said, ""), "The changed configuration is now in use."); n != 2 {
		t.Errorf("it says %q", said)
	}
	kept := statefile.NewAlertFile(statefile.AlertsPath(s.srv.HTTPURL()), slog.New(slog.DiscardHandler)).Load()
	if len(kept) != 1 || kept[0].Rule != "trouble" || kept[0].Ended.IsZero() {
		t.Errorf("kept is %+v", kept)
	}
}

// TestPlainRecalls checks that text mode restores take-overs of the previous run.
func TestPlainRecalls(t *testing.T) {
	t.Parallel()
	address := "https://" + t.Name()
	c := config.Default()
	c.RTD.URL, c.RTD.Username = address, "anna"
	feed := new(stillFeed)
	open := func(c config.Config) *textPlatform {
		b := &commandSetup{Setup: &cmdutil.Setup{Options: loadOptions}}
		b.env.SpokenAlerts = true
		return speaking(t, b, &c, feed)
	}
	store := model.NewStore()
	r := &model.Service{Code: model.TextOf("S1"), Channel: model.Call}
	r.ChannelStats.QueuedCalls, r.ChannelStats.MaxTimeCallOnQueue = model.IntOf(2), model.IntOf(90)
	store.Services.Put(r)
	now := time.Now()
	look := func(s *textPlatform) string {
		now = now.Add(time.Second)
		feed.latest = store.Publish(now, model.Health{Link: model.Link{State: model.LinkUp}})
		s.speaker.Update(s.viewer.Latest(), now)
		lines, _ := s.speaker.Answer("alerts")
		return strings.Join(lines, "\n")
	}
	first := open(c)
	look(first)
	if lines, _ := first.speaker.Answer("take S1"); !strings.Contains(strings.Join(lines, ""), "Taken over") {
		t.Fatal(lines)
	}
	first.platform.Close()

	second := open(c)
	if said := look(second); !strings.Contains(said, "Taken over by anna.") {
		t.Errorf("it says %s", said)
	}
	second.platform.Close()

	c.Kiosk.Enabled = true // a kiosk names nobody
	third := open(c)
	defer third.platform.Close()
	if said := look(third); strings.Contains(said, "anna") || !strings.Contains(said, "callers wait") {
		t.Errorf("the kiosk says %s", said)
	}
}

// stillFeed is a feed with a fixed snapshot.
type stillFeed struct {
	app.Source

	latest *model.Snapshot
}

func (f *stillFeed) Latest() *model.Snapshot { return f.latest }

// speaking returns a board in text mode.
func speaking(t *testing.T, b *commandSetup, c *config.Config, feed app.Source) *textPlatform {
	t.Helper()
	p, _ := lookedAt(t, b, c, feed)
	s, err := b.textPlatform(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPlainHidesNames checks that text mode hides names as soon as the configuration of a kiosk requires
// it.
func TestPlainHidesNames(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		r := newRig(t, simulator.Options{World: world.Options{Seed: 4, Services: 4, Agents: 12}}, nil)
		defer r.stop()
		s := r.until(time.Minute, func(s *model.Snapshot) bool { return s.Health.Live() && s.UserStats.Len() > 0 })
		username := s.UserStats.Rows()[0].Username.String()
		c := config.Default()
		sp := speaking(t, &commandSetup{Setup: &cmdutil.Setup{Options: loadOptions}, env: app.Environment{Simulated: true}}, &c, r.feed)
		defer sp.platform.Close()
		agent := func() string {
			sp.speaker.Update(sp.viewer.Latest(), time.Now())
			lines, _ := sp.speaker.Answer("agent " + username)
			return strings.Join(lines, "")
		}
		if said := agent(); strings.Contains(said, "No agent") {
			t.Fatal(said)
		}
		c.Kiosk.Enabled = true
		changes := make(chan func(), 1)
		if err := sp.viewer.SetVisibility(app.LocalVisibility(&c)); err != nil {
			t.Fatal(err)
		}
		if err := sp.configObserver(changes).Apply(t.Context(), &app.ConfigChange{Config: &c}); err != nil {
			t.Fatal(err)
		}
		(<-changes)()
		if said := agent(); !strings.Contains(said, "No agent") {
			t.Errorf("it says %s", said)
		}
	})
}

// TestABoardStaysWhatItWasOpenedAs checks that a reload cannot change whether a board is a kiosk.
func TestABoardStaysWhatItWasOpenedAs(t *testing.T) {
	t.Parallel()
	for _, kiosk := range []bool{true, false} {
		b := &commandSetup{Setup: &cmdutil.Setup{Options: loadOptions}}
		for _, says := range []bool{kiosk, !kiosk, kiosk} {
			c := config.Default()
			c.Kiosk.Enabled = says
			if b.sources.applyKioskMode(&c); c.Kiosk.Enabled != kiosk || c.ReadOnly != kiosk {
				t.Errorf("opened as a kiosk %v, it says %v, it is %v, read-only %v", kiosk, says, c.Kiosk.Enabled, c.ReadOnly)
			}
		}
	}
}

// lookedAt opens what the viewers of a feed share, and one viewer.
func lookedAt(t *testing.T, b *commandSetup, c *config.Config, feed app.Source) (*app.Platform, *hub.Viewer) {
	t.Helper()
	x, err := b.env.OpenWithSource(t.Context(), c, feed, slog.New(slog.DiscardHandler), app.PlatformOptions{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := x.LocalViewer()
	if err != nil {
		t.Fatal(err)
	}
	return x, v
}

// rewrite replaces a configuration file like an editor.
func rewrite(t *testing.T, path, text string) {
	t.Helper()
	next := path + "~"
	if err := os.WriteFile(next, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(next, path); err != nil {
		t.Fatal(err)
	}
}
