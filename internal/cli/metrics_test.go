package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"wallboard/feeds"
	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/report/headless"
)

// measure is a sample of the metrics.
type measure struct {
	name   string
	labels map[string]string
	value  float64
}

var (
	sampleLine = regexp.MustCompile(`^([a-z][a-z0-9_]*)(?:\{((?:[a-z]+="(?:[^"\\\n]|\\[\\"n])*",?)+)\})? (\S+)$`)
	labelPair  = regexp.MustCompile(`([a-z]+)="((?:[^"\\\n]|\\[\\"n])*)"`)
)

// parseExposition parses and checks the OpenMetrics text format.
func parseExposition(t *testing.T, text string) []measure {
	t.Helper()
	text, ok := strings.CutSuffix(text, "# EOF\n")
	if !ok {
		t.Fatalf("no end: %s", text)
	}
	var all []measure
	family, kind, seen := "", "", make(map[string]bool)
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if words := strings.Fields(line); words[0] == "#" {
			switch words[1] {
			case "TYPE":
				if family, kind = words[2], words[3]; seen[family] {
					t.Errorf("%s is used twice", family)
				}
				seen[family] = true
			case "UNIT":
				if !strings.HasSuffix(family, "_"+words[3]) {
					t.Errorf("%s does not end in its unit %s", family, words[3])
				}
			}
			if words[2] != family {
				t.Errorf("outside of its family: %s", line)
			}
			continue
		}
		m := sampleLine.FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("no sample: %q", line)
		}
		want := family
		if kind == "counter" {
			want += "_total"
		}
		value, err := strconv.ParseFloat(m[3], 64)
		if err != nil || m[1] != want {
			t.Errorf("in family %s: %q (%v)", family, line, err)
		}
		s := measure{name: m[1], labels: make(map[string]string), value: value}
		for _, l := range labelPair.FindAllStringSubmatch(m[2], -1) {
			s.labels[l[1]] = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n").Replace(l[2])
		}
		key := m[1] + "{" + m[2]
		if seen[key] {
			t.Errorf("%s is used twice", key)
		}
		seen[key] = true
		all = append(all, s)
	}
	return all
}

// request sends a request to a server.
func request(t *testing.T, method, url string) (code int, body string, header http.Header) {
	t.Helper()
	code, body, header, err := tryRequest(t.Context(), method, url)
	if err != nil {
		t.Fatal(err)
	}
	return code, body, header
}

// tryRequest is like request, but returns an error of the connection.
func tryRequest(ctx context.Context, method, url string) (code int, body string, header http.Header, err error) {
	req, err := http.NewRequestWithContext(ctx, method, url, nil)
	if err != nil {
		return 0, "", nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, "", nil, err
	}
	defer resp.Body.Close() //nolint:errcheck // only read from
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text), resp.Header, err
}

// addressOf is a writer that receives the address that the metrics command prints.
type addressOf chan string

func (a addressOf) Write(p []byte) (int, error) {
	if _, url, ok := strings.Cut(strings.TrimSpace(string(p)), "metrics at "); ok {
		a <- url
	}
	return len(p), nil
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil, quiet(), alwaysAlert("trouble", "critical"), "[[kpi]]\nname = \"double\"\nexpr = \"receivedCalls * 2\"\n")
	ctx, cancel := context.WithCancel(t.Context())
	url, ended := make(addressOf, 1), make(chan int)
	var errs bytes.Buffer
	go func() {
		ended <- Run(ctx, []string{"metrics", "--addr", "127.0.0.1:0", "--config", s.config}, cmdutil.Streams{In: strings.NewReader(""), Out: url, Err: &errs})
	}()
	at := <-url
	var text string
	for tick := time.NewTicker(50 * time.Millisecond); !strings.Contains(text, `wallboard_campaign_`) || !strings.Contains(text, "wallboard_floor_"); <-tick.C {
		code, body, header := request(t, http.MethodGet, at)
		if text = body; code != http.StatusOK || !strings.HasPrefix(header.Get("Content-Type"), "application/openmetrics-text; version=1.0.0") {
			t.Fatalf("%d %v", code, header)
		}
	}
	checkMetrics(t, s, text)
	if code, _, _ := request(t, http.MethodPost, at); code != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", code)
	}
	if code, _, _ := request(t, http.MethodGet, strings.TrimSuffix(at, "metrics")); code != http.StatusNotFound {
		t.Errorf("another path: %d", code)
	}
	cancel()
	if code := <-ended; code != cmdutil.ExitOK {
		t.Errorf("exit %d: %s", code, &errs)
	}
}

// checkMetrics compares the metrics with the platform.
func checkMetrics(t *testing.T, s *scripts, text string) {
	t.Helper()
	var truth struct {
		ServiceStats []struct {
			Code, Channel string
			ChannelStats  struct{ ReceivedCalls, QueuedCalls float64 }
		}
		UserStats []struct{ Channel, Username string }
	}
	if err := json.Unmarshal(s.srv.CurrentState(), &truth); err != nil {
		t.Fatal(err)
	}
	got := make(map[string]float64)
	agents := 0.0
	for _, sample := range parseExposition(t, text) {
		l := sample.labels
		got[strings.Join([]string{sample.name, l["kpi"], l["service"], l["channel"], l["severity"], l["subscription"]}, " ")] = sample.value
		if sample.name == "wallboard_agents" {
			agents += sample.value
		}
	}
	want := map[string]float64{
		"wallboard_link_up     ": 1, "wallboard_alerts    critical ": 1, "wallboard_alerts    warning ": 0,
		"wallboard_subscription_live     serviceStats": 1, "wallboard_link_reconnects_total     ": 0, "wallboard_bad_frames_total     ": 0,
	}
	for _, r := range truth.ServiceStats {
		want["wallboard_service_kpi double "+r.Code+" "+r.Channel+"  "] = 2 * r.ChannelStats.ReceivedCalls
		want["wallboard_service_waiting_calls  "+r.Code+" "+r.Channel+"  "] = r.ChannelStats.QueuedCalls
	}
	for k, v := range want {
		if g, ok := got[k]; !ok || g != v {
			t.Errorf("%q is %v (%v), want %v", k, g, ok, v)
		}
	}
	if agents != float64(len(truth.UserStats)) {
		t.Errorf("%v agents by state, want %d", agents, len(truth.UserStats))
	}
	for _, u := range truth.UserStats {
		if strings.Contains(text, u.Username) {
			t.Errorf("agent %s is named", u.Username)
		}
	}
	if !strings.Contains(text, "wallboard_group_kpi_ratio{") || !strings.Contains(text, "wallboard_service_kpi_seconds{") {
		t.Error("figures of groups, or durations, are missing")
	}
}

func TestMetricsAddress(t *testing.T) {
	t.Parallel()
	c := newScripts(t, nil).load()
	for _, tt := range []struct {
		addr     string
		bad, say bool
	}{{"127.0.0.1:0", false, false}, {"0.0.0.0:0", false, true}, {":0", false, true}, {"9464", true, false}} {
		b := &commandSetup{Setup: &cmdutil.Setup{Streams: cmdutil.Streams{Err: io.Discard}}}
		platforms, closeAll, err := b.openPlatforms(t.Context(), slog.LevelError, app.PlatformOptions{}, func() (*config.Config, feeds.Options, error) { return c, app.FeedOptions(c), nil })
		if err != nil {
			t.Fatal(err)
		}
		defer closeAll()
		v, err := platforms[0].TextViewer()
		if err != nil {
			t.Fatal(err)
		}
		var warn bytes.Buffer
		m, err := headless.ServeMetrics(tt.addr, []*headless.Viewer{v}, slog.New(slog.DiscardHandler), &warn)
		if (err != nil) != tt.bad || (warn.Len() > 0) != tt.say {
			t.Errorf("%s: %v, warning %q", tt.addr, err, &warn)
		}
		if err == nil {
			if _, text, _ := request(t, http.MethodGet, "http://127.0.0.1"+m.Addr[strings.LastIndex(m.Addr, ":"):]+"/metrics"); !strings.Contains(text, "wallboard_link_up 0\n") {
				t.Errorf("before the first picture: %s", text)
			}
			m.Stop()
		}
	}
}
