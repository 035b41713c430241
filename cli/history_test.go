package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"wallboard/config"
	"wallboard/history"
	"wallboard/model/past"
	"wallboard/simulator"
)

// The commands on the past against a simulated platform.
func TestHistoryCommands(t *testing.T) {
	dir := t.TempDir()
	t.Cleanup(xdg.Reload)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	xdg.Reload()
	srv, err := openPlatform(simulator.Options{Addr: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close() //nolint:errcheck // the test ends
	srv.Pause()
	if err := srv.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	text := "[rtd]\nurl = \"http://127.0.0.1:1/rtd\"\naccess_token = \"x\"\n[history]\nurl = \"" + srv.StatURL() + "\"\napi_key = \"KEY\"\n" +
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
		want       string // in what was written
	}{
		{good, "history calls --count --json --from " + day, 0, `"outcome": "confirmed"`},
		{good, "history calls --limit 2 --csv --from " + day, 0, "id,step,start,end,seconds\r\n"},
		{good, "history calls --by SERVICE --from " + day, 0, "SRV01"},
		{good, "history contacts --organization acme --limit 1", 0, "Acme S.p.A."},
		{good, "history report --date " + day, 0, "inbound calls"},
		{good, "history report --format html --date " + day, 0, "</svg>"},
		{good, "history report --format csv --date " + day, 0, "hour,kind,count,usual_median"},
		{good, "history calls --id 1.2", 1, "none with this id"},
		{good, "history calls --from nonsense", 2, "not a day or a time"},
		{good, "history report --format pdf", 2, "markdown"},
		{bad, "history calls --count", 1, "refused the API key"},
	} {
		var out, errs bytes.Buffer
		args := append([]string{"--config", tt.file}, strings.Fields(tt.args)...)
		code := Run(context.Background(), args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		all := out.String() + errs.String()
		if code != tt.code || !strings.Contains(all, tt.want) {
			t.Errorf("%s: code %d, want %d with %q:\n%.400s", tt.args, code, tt.code, tt.want, all)
		}
		if strings.Contains(all, "canary-key") {
			t.Errorf("%s: the key is written", tt.args)
		}
		if strings.Contains(tt.args, "--json") && !json.Valid(out.Bytes()) {
			t.Errorf("%s: not JSON: %s", tt.args, out.String())
		}
	}
}

// Names from the platform are text in every form of a report.
func TestReportEscapes(t *testing.T) {
	t.Parallel()
	r := dayReport{Organizations: []past.Group{{Name: "<script>alert(1)</script>|x", Count: 3}}}
	if page := reportHTML(r); strings.Contains(page, "<script") {
		t.Error("the page holds a script")
	}
	if text := reportMarkdown(r); strings.Contains(text, "<script") || !strings.Contains(text, `\|x`) {
		t.Error(text)
	}
}

// Every error has a sentence that says what to do.
func TestHistorySentences(t *testing.T) {
	t.Parallel()
	for _, err := range []error{
		history.ErrKey, history.ErrBudget, history.ErrRate, history.ErrTimeout, history.ErrUnreachable, history.ErrUnknownOperation,
		history.ErrMonth, history.ErrPage, history.ErrNotFound, history.ErrNoData, history.ErrRefused, history.ErrAnswer, history.ErrTooLarge,
	} {
		if s := historySentence(&history.Error{Operation: "inboundCalls", Err: err}); !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "?") {
			t.Errorf("%v: %q", err, s)
		}
	}
}

func TestNoHistory(t *testing.T) {
	t.Parallel()
	c := config.Default()
	if r, stop, err := openHistory(&c, nil); r != nil || err != nil || stop == nil {
		t.Error(r, err)
	}
}
