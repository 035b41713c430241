package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/doctor"
	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/testkit"
)

// sink is a writer for several goroutines.
type sink struct {
	mu  sync.Mutex
	all bytes.Buffer
}

// Write implements io.Writer.
func (s *sink) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all.Write(b)
}

// String returns the written text.
func (s *sink) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all.String()
}

// TestNoSecretIsShownByThoseThatStay is TestNoSecretIsShown for commands that run until
// they are stopped.
func TestNoSecretIsShownByThoseThatStay(t *testing.T) {
	t.Parallel()
	eachTreacherous(t, func(t *testing.T, _ int, platform http.HandlerFunc, login [2]string) {
		srv := httptest.NewServer(platform)
		defer srv.Close()
		var all sync.WaitGroup
		for _, args := range [][]string{{"notify"}, {"--plain", "--every", "0"}, {"metrics", "--addr", "127.0.0.1:0"}} {
			dir := testkit.PrivateDir(t)
			path := treacherousConfig(t, srv.URL, dir, login)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			var out, errs, served sink
			all.Go(func() {
				Run(ctx, append(slices.Clone(args), "--config", path), cmdutil.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
			})
			all.Go(func() {
				defer cancel()
				watchOutput(ctx, args[0] == "metrics", &out, &served)
			})
			defer func() {
				of := strings.Join(args, " ")
				if out.String() == "" || args[0] == "metrics" && served.String() == "" {
					t.Errorf("%s said nothing: %s", of, errs.String())
				}
				shows(t, of+" output", out.String()+served.String())
				shows(t, of+" errors", errs.String())
				showsFiles(t, dir)
			}()
		}
		all.Wait()
	})
}

// watchOutput waits until a command has written something and has had time for some retries. With
// metrics, it reads the metrics at the printed address.
func watchOutput(ctx context.Context, metrics bool, out, served *sink) {
	const tries = 14
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for n := 0; n < tries || out.String() == "" || metrics && served.String() == ""; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if metrics {
			scrape(ctx, out.String(), served)
		}
	}
}

// scrape reads the metrics once, if possible.
func scrape(ctx context.Context, said string, to io.Writer) {
	_, address, _ := strings.Cut(strings.TrimSpace(said), "metrics at ")
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil || address == "" {
		return
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return
	}
	_, _ = io.Copy(to, resp.Body) // the server may stop meanwhile
	_ = resp.Body.Close()
}

// showsFiles searches the files in a directory for secrets and returns their number.
func showsFiles(t *testing.T, dir string) int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Error(err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
		}
		shows(t, filepath.Base(file), string(b))
	}
	return len(files)
}

// TestDoctorShowsNoSecret runs the doctor on platforms that quote credentials.
func TestDoctorShowsNoSecret(t *testing.T) {
	t.Parallel()
	eachTreacherous(t, func(t *testing.T, _ int, platform http.HandlerFunc, login [2]string) {
		b := &commandSetup{Setup: &cmdutil.Setup{ConfigPath: treacherousConfig(t, "http://127.0.0.1", testkit.PrivateDir(t), login), Options: loadOptions}}
		c, err := b.Load(false)
		if err != nil {
			t.Fatal(err)
		}
		refusal := errors.New(secret.Redact("the service says "+canaries()["password"], canaries()["password"]))
		bubble(t, func(t *testing.T) {
			net := testkit.NewPipeListener()
			srv := &http.Server{Handler: platform, ReadHeaderTimeout: time.Minute}
			done := make(chan struct{})
			go func() { defer close(done); _ = srv.Serve(net) }() // until srv is closed
			defer func() { _ = srv.Close(); <-done }()
			var log, text, js bytes.Buffer
			fo := app.FeedOptions(c)
			fo.Profiles, fo.DialContext = nil, net.Dial
			fo.Logger = b.NewLogger(&log, slog.LevelInfo)
			past := app.HistoryOptions(c, fo.Logger)
			past.CacheDir, past.BudgetFile, past.DialContext = "", "", net.Dial
			report, err := doctor.Examine(t.Context(), doctor.Options{
				Feed: fo, Statistics: &past,
				Configuration: func(context.Context) (string, string, error) { return "", "", refusal },
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(report.WriteText(&text, false), report.WriteJSON(&js)); err != nil || report.IsOK() {
				t.Fatalf("%v, well %v", err, report.IsOK())
			}
			shows(t, "the report", text.String())
			shows(t, "the report as JSON", js.String())
			shows(t, "the log", log.String())
		})
	})
}
