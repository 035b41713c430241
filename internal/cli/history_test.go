package cli

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/cli/commands"
	"wallboard/internal/config"
	"wallboard/internal/history"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
)

// TestHistoryCommands runs the history commands on a simulated platform.
func TestHistoryCommands(t *testing.T) {
	dir := testkit.PrivateDir(t)
	t.Cleanup(xdg.Reload)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	xdg.Reload()
	srv, err := commands.OpenSimulator(simulator.Options{Addr: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close() //nolint:errcheck // the test ends
	srv.Pause()
	if err := srv.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	recorded := time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, -2)
	folder := filepath.Join(dir, "recorded")
	taped(t, folder, "127.0.0.1:1/rtd", recorded.Add(8*time.Hour), 0)
	text := "[rtd]\nurl = \"http://127.0.0.1:1/rtd\"\naccess_token = \"x\"\n[record]\nenabled = true\ndir = \"" + folder + "\"\n[history]\nurl = \"" + srv.StatURL() + "\"\napi_key = \"KEY\"\n" +
		"[log]\nfile = \"log\"\n"
	good, bad := filepath.Join(dir, "good.toml"), filepath.Join(dir, "bad.toml")
	for path, key := range map[string]string{good: simulator.DefaultAPIKey, bad: "canary-key"} {
		if err := os.WriteFile(path, []byte(strings.Replace(text, "KEY", key, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	day := time.Now().AddDate(0, 0, -2).Format(time.DateOnly)
	for _, tt := range []struct {
		file, args string
		code       int
		want       string // part of the output
	}{
		{good, "history calls --count --json --from " + day, 0, `"outcome": "confirmed"`},
		{good, "history calls --limit 2 --csv --from " + day, 0, "id,step,start,end,seconds\r\n"},
		{good, "history calls --csv --from " + day, 0, "id,step,start,end,seconds\r\n"},
		{good, "history calls --by SERVICE --from " + day, 0, "SRV01"},
		{good, "history contacts --organization acme --limit 1", 0, "Acme S.p.A."},
		{good, "history report --date " + day, 0, "inbound calls"},
		{good, "history report --format html --date " + day, 0, "</svg>"},
		{good, "history report --format html --date " + recorded.Format(time.DateOnly), 0, "only 19 min of 30 are recorded"},
		{good, "history report --format markdown --date " + recorded.Format(time.DateOnly), 0, "only 19 min of 30 are recorded"},
		{good, "history report --date " + recorded.Format(time.DateOnly), 0, "only 19 min of 30 are recorded"},
		{good, "history report --json --date " + recorded.Format(time.DateOnly), 0, "intervals"},
		{good, "history report --format csv --date " + day, 0, "hour,kind,count,usual_median"},
		{good, "history calls --id 1.2", 1, "No record has this ID"},
		{good, "history calls --from nonsense", 2, "not a day or a time"},
		{good, "history report --format pdf", 2, "markdown"},
		{bad, "history calls --count", 1, "refused the API key"},
	} {
		var out, errs bytes.Buffer
		args := append([]string{"--config", tt.file}, strings.Fields(tt.args)...)
		code := Run(context.Background(), args, cmdutil.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		all := out.String() + errs.String()
		if code != tt.code || !strings.Contains(all, tt.want) {
			t.Errorf("%s: code %d, want %d with %q:\n%.400s", tt.args, code, tt.code, tt.want, all)
		}
		if strings.Contains(all, "canary-key") {
			t.Errorf("%s: the key is written", tt.args)
		}
		if strings.Contains(tt.args, "--csv") {
			checkNewestFirst(t, tt.args, &out)
		}
		if strings.Contains(tt.args, "--json") && !json.Valid(out.Bytes()) {
			t.Errorf("%s: not JSON: %s", tt.args, out.String())
		}
	}
}

// checkNewestFirst checks that the contacts in CSV output are sorted by their start, newest first.
func checkNewestFirst(t *testing.T, args string, out io.Reader) {
	t.Helper()
	rows, err := csv.NewReader(out).ReadAll()
	if err != nil || len(rows) < 3 {
		t.Fatalf("%s: %d rows, %v", args, len(rows), err)
	}
	var starts []string
	seen := map[string]bool{}
	for _, row := range rows[1:] {
		if id := row[0]; !seen[id] { // first step of the contact
			seen[id] = true
			starts = append(starts, row[2])
		}
	}
	if slices.Reverse(starts); !slices.IsSorted(starts) {
		t.Errorf("%s: not the newest first: %.3v … %s", args, starts[:min(3, len(starts))], starts[len(starts)-1])
	}
}

// TestBudgetIsSharedWithoutACache checks that the request budget is shared even without a cache.
func TestBudgetIsSharedWithoutACache(t *testing.T) {
	t.Parallel()
	c := config.Default()
	c.History.URL, c.History.CacheSize = "https://host/datamodel", 0
	if o := app.HistoryOptions(&c, nil); o.BudgetFile == "" || o.CacheDir != "" {
		t.Errorf("the budget is in %q, the cache in %q", o.BudgetFile, o.CacheDir)
	}
}

// TestHistorySentences checks that every error has a sentence that says what to do.
func TestHistorySentences(t *testing.T) {
	t.Parallel()
	for _, err := range []error{
		history.ErrInvalidKey, history.ErrBudgetExhausted, history.ErrRateLimit, history.ErrTimeout, history.ErrUnreachable, history.ErrUnavailable, history.ErrUnknownOperation,
		history.ErrMonthRequired, history.ErrPageSize, history.ErrNotFound, history.ErrNoData, history.ErrRefused, history.ErrInvalidAnswer, history.ErrTooLarge,
	} {
		if s := app.ExplainHistory(&history.Error{Operation: "inboundCalls", Err: err}).Error(); !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "?") {
			t.Errorf("%v: %q", err, s)
		}
	}
}

// TestHistoryCalledOff checks that ctrl-c cancels a slow query.
func TestHistoryCalledOff(t *testing.T) {
	t.Parallel()
	arrived, end := make(chan struct{}, 1), make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		select {
		case <-r.Context().Done():
		case <-end:
		}
	}))
	defer srv.Close()
	defer close(end)
	path := configFile(t, "[rtd]\nurl = \"http://127.0.0.1:1/rtd\"\naccess_token = \"x\"\n"+
		"[history]\nurl = \""+srv.URL+"\"\napi_key = \"key\"\n[log]\nfile = \""+filepath.Join(testkit.PrivateDir(t), "log")+"\"\n")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-arrived
		cancel()
	}()
	var out, errs bytes.Buffer
	began := time.Now()
	code := Run(ctx, []string{"--config", path, "history", "calls", "--from", "2026-03-17", "--to", "2026-03-18", "--count"}, cmdutil.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	if took := time.Since(began); code != cmdutil.ExitFailed || !strings.Contains(errs.String(), "canceled") || took > 10*time.Second {
		t.Errorf("code %d after %v: %s%s", code, took, &out, &errs)
	}
}
