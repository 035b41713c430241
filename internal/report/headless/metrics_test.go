package headless

import (
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

// TestMetricsKnowTheirHost rejects requests with a foreign host name (DNS rebinding).
func TestMetricsKnowTheirHost(t *testing.T) {
	t.Parallel()
	own, _ := os.Hostname()
	short, _, _ := strings.Cut(own, ".")
	h := newAcceptedHosts("wall.example:9464", []string{"board.lan"}).withHostCheck(slog.New(slog.DiscardHandler), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "figures") }))
	for host, want := range map[string]int{
		"127.0.0.1:9464": 200, "[::1]:9464": 200, "10.0.0.7": 200, "localhost:9464": 200, "LOCALHOST": 200, "wall.example:9464": 200, own: 200,
		short + ".example.com:9464": 200, "Board.lan": 200, "x" + short + ".example.com": 421,
		"evil.example:9464": 421, "localhost.evil.example": 421, "127.0.0.1.evil.example": 421, "": 421, "x@127.0.0.1": 421,
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil)
		r.Host = host
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != want {
			t.Errorf("%q is answered with %d, want %d", host, w.Code, want)
		}
	}
}

// TestHalfRequests checks that incomplete requests do not block a scrape, even if they come from
// its address.
func TestHalfRequests(t *testing.T) {
	t.Parallel()
	for name, addresses := range map[string]int{"four addresses": 4, "the address of the scrape": 0} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			scrapeBesideHalfRequests(t, addresses)
		})
	}
}

// scrapeBesideHalfRequests scrapes beside incomplete requests from a number of other addresses;
// 0 stands for the address of the scrape.
func scrapeBesideHalfRequests(t *testing.T, addresses int) {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "figures") })}
	ended := make(chan struct{})
	g, open := limitConnections(l)
	go func() { defer close(ended); _ = srv.Serve(g) }()
	want := maxScrapers
	if addresses == 0 {
		want = maxPerAddress
	}
	for i := range 3 * maxScrapers {
		from := net.IPv4(127, 0, 0, 1)
		if addresses > 0 {
			from[len(from)-1] = byte(2 + i%addresses)
		}
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: from}}
		c, err := d.DialContext(t.Context(), "tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close() //nolint:errcheck // of a test
		_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: x")
	}
	for open.Len() < want {
		<-time.After(time.Millisecond)
	}
	start := time.Now()
	client := &http.Client{Transport: &http.Transport{}}
	resp, err := client.Get("http://" + l.Addr().String()) //nolint:noctx // to this machine
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if string(body) != "figures" {
		t.Errorf("%q", body)
	}
	t.Logf("a scrape took %v", time.Since(start))
	if n := open.Len(); n > maxScrapers {
		t.Errorf("%d connections, at most %d are allowed", n, maxScrapers)
	}
	client.CloseIdleConnections()
	_ = srv.Close()
	<-ended
}

func TestExpositionEscapes(t *testing.T) {
	t.Parallel()
	x := &exposition{byName: make(map[string]*metricFamily)}
	x.familyNamed("wallboard_x", "counter", "", "Line\nbreak.").addSample(1.5, "name", "a\\\"b\nc} 7\n# EOF\\n", "channel", "")
	want := "# TYPE wallboard_x counter\n# HELP wallboard_x Line\\nbreak.\n" +
		`wallboard_x_total{name="a\\\"b\nc} 7\n# EOF\\n"} 1.5` + "\n# EOF\n"
	if got := x.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestRefusedNamesAreToldOnce checks that each refused name is logged only once, and only a limited number of
// names.
func TestRefusedNamesAreToldOnce(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	h := newAcceptedHosts("127.0.0.1:0", nil).withHostCheck(slog.New(slog.NewTextHandler(&log, nil)), http.NotFoundHandler())
	for i := range 100 {
		for range 2 {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil)
			r.Host = "wallboard.lan" + strings.Repeat("x", i)
			h.ServeHTTP(httptest.NewRecorder(), r)
		}
	}
	if n := strings.Count(log.String(), "\n"); n != maxLoggedRefusals || strings.Count(log.String(), "name=wallboard.lan ") != 1 {
		t.Errorf("%d lines: %s", n, log.String())
	}
}

// TestTextFormat checks the format for different Accept headers.
func TestTextFormat(t *testing.T) {
	t.Parallel()
	for accept, want := range map[string]bool{
		"": false, "*/*": false, "text/plain": true, "text/plain;version=0.0.4": true,
		"application/openmetrics-text;version=1.0.0,text/plain;q=0.5": false, "text/html, text/plain": true,
	} {
		if got := prefersText(accept); got != want {
			t.Errorf("%q: %v", accept, got)
		}
	}
	x := &exposition{byName: make(map[string]*metricFamily)}
	x.familyNamed("wallboard_updates", "counter", "", "Updates.").addSample(3)
	x.familyNamed("wallboard_age_seconds", "gauge", "seconds", "Age.").addSample(2, "kind", "a")
	const want = "# HELP wallboard_updates_total Updates.\n# TYPE wallboard_updates_total counter\nwallboard_updates_total 3\n" +
		"# HELP wallboard_age_seconds Age.\n# TYPE wallboard_age_seconds gauge\nwallboard_age_seconds{kind=\"a\"} 2\n"
	if got := x.prometheusText(); got != want {
		t.Errorf("got %s", got)
	}
}
