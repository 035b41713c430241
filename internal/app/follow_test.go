package app

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wallboard/feeds"
	"wallboard/internal/alert"
	"wallboard/internal/alert/statefile"
	"wallboard/internal/config"
	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/report/headless"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/webservice"
	"wallboard/internal/simulator/world"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui"
)

// testFile is the path of a configuration file of a test without a log.
type testFile string

func (f testFile) Path() string                      { return string(f) }
func (testFile) WatchedFiles() []string              { return nil }
func (testFile) HasConfigChanged() bool              { return false }
func (testFile) ApplyLogConfig(*config.Config) error { return nil }
func (testFile) LogProblem() string                  { return "" }

// acknowledgedAlert returns an active alert of a service that a viewer has acknowledged.
func acknowledgedAlert(id, service, viewer string) alert.Alert {
	since := time.Date(2026, 3, 2, 12, 1, 0, 0, time.UTC)
	return alert.Alert{
		ID: id, Rule: alert.RuleLongestWait, Key: alert.Key{Scope: alert.Service, Code: service, Channel: model.Call},
		Level: alert.Warning, HighestLevel: alert.Warning, Since: since, LevelSince: since, Raised: since,
		Value: model.FigureOf(40), Format: alert.Duration, Text: service + ": 1 waiting",
		Ack: alert.Ack{By: viewer, Note: "on it", At: since.Add(time.Minute)},
	}
}

// boardOn opens a platform of a board on a feed.
func boardOn(t *testing.T, e *Environment, c *config.Config, feed Source) *Platform {
	t.Helper()
	e.ConfigFile = testFile("")
	p, err := e.OpenWithSource(t.Context(), c, feed, slog.New(slog.DiscardHandler), PlatformOptions{HasBoards: true})
	if err != nil {
		t.Fatal(err)
	}
	p.level = new(slog.LevelVar)
	if _, err := p.LocalViewer(); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestSecretsAreReadWhileRefused checks that a refused secret is read again periodically if it is not in
// a file.
func TestSecretsAreReadWhileRefused(t *testing.T) {
	t.Parallel()
	e := &Environment{ConfigFile: testFile(filepath.Join(testkit.PrivateDir(t), "config.toml"))}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var refused bool
	var asked, read int
	e.reloadOnChange(ctx, slog.New(slog.DiscardHandler), reloadTriggers{
		interval: time.Millisecond, secretFiles: func() []string { return nil },
		isRefused: func() bool {
			if ctx.Err() != nil {
				return false // the select may choose the ticker although ctx is done
			}
			asked++
			refused = !refused
			return refused
		},
	}, func(why reloadReason) {
		if why != secretRefused {
			t.Errorf("read for reason %d", why)
		}
		if read++; read == 3 {
			cancel()
		}
	})
	if read != 3 || asked != 5 {
		t.Errorf("read %d times after %d questions, want 3 and 5", read, asked)
	}
}

// TestRetryReadsSecretsAgain replaces a refused token in its file and requests a retry: the
// board connects with the new token.
func TestRetryReadsSecretsAgain(t *testing.T) {
	t.Parallel()
	srv, err := simulator.New(simulator.Options{Speed: 10, World: world.Options{Seed: 7, Services: 3, Groups: 2, Agents: 8, Operators: 1, Campaigns: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close() //nolint:errcheck // the test ends
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if err := srv.Start(ctx); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(testkit.PrivateDir(t), "config.toml")
	write(t, path, "[rtd]\nurl = \""+srv.HTTPURL()+"\"\nws_url = \""+srv.WSURL()+"\"\naccess_token_file = \"token\"\n")
	token := filepath.Join(filepath.Dir(path), "token")
	write(t, token, "old-token\n")
	e := &Environment{Simulated: true, ConfigFile: testFile(path)}
	read := func() (*config.Config, feeds.Options, error) {
		c, err := config.Load(path, config.Options{Themes: []string{"auto"}})
		if err != nil {
			return nil, feeds.Options{}, err
		}
		fo := FeedOptions(c)
		fo.Profiles = nil
		return c, fo, nil
	}
	p, err := e.Open(ctx, read, slog.New(slog.DiscardHandler), new(slog.LevelVar), PlatformOptions{HasBoards: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	current := make(chan string, 1) // token at the retry
	p.Control.sharedClient.RetryLogin = func() { current <- p.Config().RTD.AccessToken.Reveal() }
	results := make(chan ui.Reload, 8)
	_, stop := p.Run(ctx, &ConfigObserver{IsBoard: true, Report: func(_ context.Context, result ui.Reload) { results <- result }})
	defer stop()
	wait := func(what string, ok func(*model.Snapshot) bool) {
		t.Helper()
		within, stop := context.WithTimeout(ctx, 30*time.Second)
		defer stop()
		for seq := uint64(0); ; {
			s, err := p.Source.Wait(within, seq)
			if err != nil {
				t.Fatalf("%s: %v", what, headless.CheckLive(p.Source.Latest()))
			}
			if seq = s.Seq; ok(s) {
				return
			}
		}
	}
	wait("the token is refused", func(s *model.Snapshot) bool { return s.Health.Link.State == model.LinkRefused })
	write(t, token, webservice.DefaultAccount().Token+"\n")
	p.Retry()
	if token := <-current; token != webservice.DefaultAccount().Token {
		t.Errorf("the retry uses the token %q", token)
	}
	wait("live", func(s *model.Snapshot) bool { return s.Health.Live() })
	if change := <-results; !change.Problem.IsZero() || !strings.Contains(change.Notice.In(nil), "now in use") {
		t.Errorf("%+v", change)
	}
}

// TestReloadGoesElsewhere switches a board to another platform: the stored alerts of each
// stay separate.
func TestReloadGoesElsewhere(t *testing.T) {
	t.Parallel()
	feed, err := feeds.New(feeds.Options{URL: "http://127.0.0.1:1/rtd", WSURL: "ws://127.0.0.1:1/rtd"})
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	at := func(platform string) *config.Config {
		c := config.Default()
		c.RTD.URL = fmt.Sprintf("https://%s.example/%s", platform, t.Name())
		return &c
	}
	old := acknowledgedAlert("there", "S9", "Bob")
	old.Ended = old.Since.Add(2 * time.Minute)
	if err := statefile.NewAlertFile(statefile.AlertsPath(at("b").RTD.URL), log).Add([]alert.Alert{old}); err != nil {
		t.Fatal(err)
	}
	p := boardOn(t, new(Environment), at("a"), feed)
	board := &boardPlatform{platform: p, releases: []func(){func() {}}}
	board.options.Alerts = p.localViewer
	p.StoreAlerts([]alert.Alert{acknowledgedAlert("here", "S1", "Anna")})
	p.readConfig = func() (*config.Config, feeds.Options, error) {
		c := at("b")
		fo := FeedOptions(c)
		fo.Profiles = nil
		return c, fo, nil
	}
	asked := p.reload(t.Context(), board.configObserver(), false)
	if asked.Question == nil || asked.OtherPlatform || asked.Problem.IsZero() {
		t.Fatalf("it goes there without a question: %+v", asked)
	}
	asked.Question.OnYes()
	<-p.redirectConsent.reread
	change := p.reload(t.Context(), board.configObserver(), true)
	if !change.Problem.IsZero() || change.Question != nil || !change.OtherPlatform {
		t.Fatalf("%+v", change)
	}
	change.OnApplied()
	p.StoreAlerts([]alert.Alert{acknowledgedAlert("new", "S2", "Eve")})
	board.releaseAll()
	p.Close()
	for platform, want := range map[string]string{"a": "here", "b": "new there"} {
		var ids []string
		for _, a := range statefile.NewAlertFile(statefile.AlertsPath(at(platform).RTD.URL), log).Load() {
			ids = append(ids, a.ID)
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("of %s is kept %q, want %q", platform, got, want)
		}
	}
	if history := change.Options.Alerts.History(); len(history) != 1 || history[0].ID != "there" {
		t.Errorf("the board recalls %+v", history)
	}
}

func TestAProblemSaysWhatToDo(t *testing.T) {
	t.Parallel()
	_, err := config.Parse("[rtd]\nurl = \"https://x.example/rtd\"\naccess_token = \"x\"\n[ui]\nthem = \"dark\"\n", "config.toml", config.Options{})
	const one = "The changed configuration has an error, and the previous one stays: line 5: ui.them: unknown key; did you mean ui.theme?"
	if got := describeProblem(err).In(nil); got != one {
		t.Errorf("it says %q", got)
	}
}

// TestHistoryReloads checks that a changed [history] takes effect at once, and that an invalid one
// changes nothing.
func TestHistoryReloads(t *testing.T) {
	t.Parallel()
	feed, err := feeds.New(feeds.Options{URL: "http://127.0.0.1:1/rtd", WSURL: "ws://127.0.0.1:1/rtd"})
	if err != nil {
		t.Fatal(err)
	}
	c := config.Default()
	p := boardOn(t, &Environment{Simulated: true}, &c, feed)
	defer p.Close()
	board := &boardPlatform{platform: p, releases: []func(){func() {}}}
	board.options.Alerts = p.localViewer
	if p.History.Reader() != nil {
		t.Fatal(p.History.Reader())
	}
	for _, tt := range []struct{ url, key, host string }{
		{"https://a.example/datamodel", "one", "a.example"},
		{"https://b.example/datamodel", "one", "b.example"},
		{"https://b.example/datamodel", "", "b.example"}, // the key was removed
		{"https://b.example/datamodel", "two", "b.example"},
		{"", "", ""},
	} {
		next := config.Default()
		if tt.url != "" {
			next.History.URL, next.History.APIKey = tt.url, secret.New(tt.key)
		}
		before := p.History.Reader()
		p.readConfig = func() (*config.Config, feeds.Options, error) { return &next, feeds.Options{}, nil }
		change := p.reload(t.Context(), board.configObserver(), false)
		if change.Question != nil {
			change.Question.OnYes()
			change = p.reload(t.Context(), board.configObserver(), true)
		}
		if wrong := tt.url != "" && tt.key == ""; wrong != !change.Problem.IsZero() || wrong && p.History.Reader() != before {
			t.Errorf("%v: %s", tt, change.Problem.In(nil))
			continue
		}
		host := ""
		if p.History.Reader() != nil {
			host = p.History.Reader().(historyReader).address //nolint:forcetypeassert // it is one
		}
		if !strings.HasPrefix(host, tt.host) || (host == "") != (tt.host == "") {
			t.Errorf("%v: the past comes from %q", tt, host)
		}
		if change.Problem.IsZero() && (change.Options.History != p.History.Reader() || change.Options.History == before) {
			t.Errorf("%v: the board does not get it", tt)
		}
	}
}

// TestRestartNotice changes a key that needs a restart.
func TestRestartNotice(t *testing.T) {
	t.Parallel()
	p := &boardPlatform{platform: new(Platform)}
	if said := p.notice(&ConfigChange{Keys: []string{"platform"}}); !said.Equal(words.AppConfigAppliedRestart()) {
		t.Errorf("it says %q", said.In(nil))
	}
}

// TestReloadHidesNames reloads a configuration of a kiosk without names: the local viewer
// sees none.
func TestReloadHidesNames(t *testing.T) {
	t.Parallel()
	store := model.NewStore()
	store.Users.Put(&model.User{Username: model.TextOf("anna"), Surname: model.TextOf("Rossi")})
	s := store.Publish(time.Now(), model.Health{Link: model.Link{State: model.LinkUp}})
	c := config.Default()
	p := boardOn(t, &Environment{Simulated: true}, &c, stillSource{latest: s})
	defer p.Close()
	hidden := config.Default()
	hidden.Kiosk.Enabled = true
	p.readConfig = func() (*config.Config, feeds.Options, error) { return &hidden, feeds.Options{}, nil }
	surname := func() string { return p.localViewer.Latest().Users.Rows()[0].Surname.String() }
	if surname() != "Rossi" {
		t.Fatal(surname())
	}
	if result := p.reload(t.Context(), &ConfigObserver{}, false); !result.Problem.IsZero() || surname() == "Rossi" {
		t.Errorf("%+v, the viewer sees %q", result, surname())
	}
}

// stillSource is a source of one snapshot.
type stillSource struct {
	Source

	latest *model.Snapshot
}

func (s stillSource) Latest() *model.Snapshot { return s.latest }

func (s stillSource) Wait(context.Context, uint64) (*model.Snapshot, error) { return s.latest, nil }
