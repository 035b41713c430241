package cli

import (
	"log/slog"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"wallboard/feeds"
	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/control"
	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/webservice"
	"wallboard/internal/simulator/world"
	"wallboard/model"
	"wallboard/restclient"
	"wallboard/ui"
)

// cameOfIt matches the reported effect of an action after which a wait of ten minutes ended.
var cameOfIt = regexp.MustCompile(`[Ww]ait went(?s:.{1,400}?)from 10:00 to 0:\d\d in \d min`)

// TestWhatAnActionDidIsSeen stops a campaign from a recording board on which a caller
// waits. Minutes later the log and the handover report show the effect, and the recording
// has the mark.
func TestWhatAnActionDidIsSeen(t *testing.T) {
	t.Parallel()
	for _, ahead := range []time.Duration{0, 10 * time.Minute, -10 * time.Minute} {
		t.Run(ahead.String(), func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) { whatAnActionDid(t, ahead) })
		})
	}
}

// whatAnActionDid runs the test with a platform whose clock is ahead by the given time.
func whatAnActionDid(t *testing.T, ahead time.Duration) {
	pass(time.Until(world.OpeningTime(time.Now())))
	var dial feeds.Options
	r := newRig(t, simulator.Options{World: world.Options{Seed: 7, Services: 3, Groups: 2, Agents: 12, Campaigns: 2, Clock: time.Now().Add(ahead)}}, func(fo *feeds.Options) { dial = *fo })
	r.live(time.Minute)
	c := config.Default()
	c.RTD.URL, c.Audit.File = r.srv.HTTPURL(), filepath.Join(testkit.PrivateDir(t), "audit.jsonl")
	c.Record.Enabled, c.Record.Dir = true, filepath.Join(testkit.PrivateDir(t), "recordings")
	log := slog.New(slog.DiscardHandler)
	client, err := restclient.New(restclient.Options{
		URL: r.srv.RESTURL(), Auth: restclient.AuthBearer, AccessToken: secret.New(webservice.DefaultAccount().Token),
		Timeout: 10 * time.Second, DialContext: dial.DialContext, Logger: log,
	})
	if err != nil {
		t.Fatal(err)
	}
	desk, closeDesk, err := app.NewActionClient(&c, client, control.Options{Feed: r.feed.Latest, Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	s := &sitting{rig: r, config: &c, board: &commandSetup{Setup: &cmdutil.Setup{}, env: app.Environment{Simulated: true}}}
	s.acts = func(o *ui.Options) {
		o.Actions.Controller, o.Actions.PastActions = app.NewController(desk), app.NewActionReader(&c, log)
	}
	defer s.stop()
	defer closeDesk()
	over := r.srv.StartIncident(world.Incident{Service: func(s *world.ServiceStat) { s.Calls.QueuedCalls, s.Calls.MaxTimeCallOnQueue = 1, 600 }})
	var stopped time.Time
	s.sitsBeside(time.Second, func(x *seated) {
		x.pass(3 * time.Minute)
		x.press("5xy")
		x.shows("was stopped")
		stopped = x.now()
		x.pass(5 * time.Minute)
		over()
		x.pass(7 * time.Minute)
		x.press("i")
		x.says(cameOfIt)
		x.press("\x1b")
		if screen := x.screen(); cameOfIt.MatchString(screen) {
			t.Fatalf("the log is still open:\n%s", screen)
		}
		x.press("h")
		x.says(cameOfIt)
		x.says(regexp.MustCompile(stopped.Local().Format("15:04") + ` .*stop campaign`))
	})
	recorded, err := app.OpenRecording(&c)
	if err != nil {
		t.Fatal(err)
	}
	defer recorded.Close() //nolint:errcheck // only read from
	for _, m := range recorded.Info().Marks {
		if m.Kind == model.MarkAction {
			if m.At.Sub(stopped).Abs() > 10*time.Second {
				t.Errorf("it is marked at %v, and was done at %v", m.At, stopped)
			}
			return
		}
	}
	t.Error("the action is not marked in the recording")
}

// says waits for a match on the screen.
func (x *seated) says(what *regexp.Regexp) {
	x.t.Helper()
	for range 100 {
		if what.MatchString(x.screen()) {
			return
		}
		x.pass(100 * time.Millisecond)
	}
	x.t.Errorf("nothing like %v in:\n%s", what, x.screen())
}
