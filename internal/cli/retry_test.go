package cli

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wallboard/feeds"
	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/report/headless"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/accounts"
	"wallboard/model"
	"wallboard/ui"
)

// TestSecretsAreReadWhileRefused checks a refused secret that is not in a file.
func TestSecretsAreReadWhileRefused(t *testing.T) {
	t.Parallel()
	b := &commandSetup{Setup: &cmdutil.Setup{Config: configFile(t, "")}}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var refused bool
	var asked, read int
	b.onChange(ctx, slog.New(slog.DiscardHandler), reloadTriggers{
		interval: time.Millisecond, secrets: func() []string { return nil },
		isRefused: func() bool {
			if ctx.Err() != nil {
				return false // the select may choose the ticker although ctx is done
			}
			asked++
			refused = !refused
			return refused
		},
	}, func(why reloadReason) {
		if why != whileRefused {
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
	so := small()
	srv, err := simulator.New(so)
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close() //nolint:errcheck // the test ends
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if err := srv.Start(ctx); err != nil {
		t.Fatal(err)
	}
	path := configFile(t, "[rtd]\nurl = \""+srv.HTTPURL()+"\"\nws_url = \""+srv.WSURL()+"\"\naccess_token_file = \"token\"\n")
	token := filepath.Join(filepath.Dir(path), "token")
	if err := os.WriteFile(token, []byte("old-token\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := &commandSetup{Setup: &cmdutil.Setup{Config: path, Streams: cmdutil.Streams{Out: io.Discard, Err: io.Discard}, Options: loadOptions}, hangups: &hangups{}}
	c, fo, err := b.configured()
	if err != nil {
		t.Fatal(err)
	}
	fo.Profiles = nil
	feed, err := feeds.New(fo)
	if err != nil {
		t.Fatal(err)
	}
	shared, viewer := lookedAt(t, b, c, feed)
	t.Cleanup(shared.Close)
	r := &reloader{
		common: shared, viewer: viewer, board: b, readSource: b.configured, feed: feed, log: slog.New(slog.DiscardHandler), level: new(slog.LevelVar), startConfig: c, current: c,
		consent: newConsent(), reloads: make(chan ui.Reload, 8), controls: &app.Connection{Stop: func() {}},
	}
	current := make(chan string, 1) // token at the retry
	r.controls.Retry = func() { current <- r.current.RTD.AccessToken.Reveal() }
	done := make(chan struct{}, 2)
	go func() { _ = feed.Run(ctx); done <- struct{}{} }()
	go func() { r.run(ctx); done <- struct{}{} }()
	wait := func(what string, ok func(*model.Snapshot) bool) {
		t.Helper()
		within, stop := context.WithTimeout(ctx, 30*time.Second)
		defer stop()
		for seq := uint64(0); ; {
			s, err := feed.Wait(within, seq)
			if err != nil {
				t.Fatalf("%s: %v", what, headless.NotLive(feed.Latest()))
			}
			if seq = s.Seq; ok(s) {
				return
			}
		}
	}
	wait("the token is refused", func(s *model.Snapshot) bool { return s.Health.Link.State == model.LinkRefused })
	if err := os.WriteFile(token, []byte(accounts.Default().Token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.retry()
	if token := <-current; token != accounts.Default().Token {
		t.Errorf("the retry uses the token %q", token)
	}
	wait("live", func(s *model.Snapshot) bool { return s.Health.Live() })
	if change := <-r.reloads; change.Problem != "" || !strings.Contains(change.Notice, "in force") {
		t.Errorf("%+v", change)
	}
	cancel()
	<-done
	<-done
}
