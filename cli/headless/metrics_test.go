package headless

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"
)

// TestMetricsKnowTheirHost has a page of the web, whose name was turned to this
// machine, ask for the figures.
func TestMetricsKnowTheirHost(t *testing.T) {
	t.Parallel()
	own, _ := os.Hostname()
	h := knownHosts("wall.example:9464", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "figures") }))
	for host, want := range map[string]int{
		"127.0.0.1:9464": 200, "[::1]:9464": 200, "10.0.0.7": 200, "localhost:9464": 200, "LOCALHOST": 200, "wall.example:9464": 200, own: 200,
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

// TestMetricsBoundConnections opens more connections than there is room for.
func TestMetricsBoundConnections(t *testing.T) {
	t.Parallel()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := newGate(l)
	accepted, done := make(chan net.Conn, 2*mostScrapers), make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := g.Accept()
			if err != nil {
				return
			}
			accepted <- c
		}
	}()
	for range mostScrapers + 4 {
		c, err := net.Dial("tcp", l.Addr().String()) //nolint:noctx // to this machine
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close() //nolint:errcheck // of a test
	}
	var first net.Conn
	for range mostScrapers {
		first = <-accepted
	}
	select {
	case <-accepted:
		t.Error("there is no bound")
	case <-time.After(100 * time.Millisecond):
	}
	_ = first.Close()
	_ = first.Close() // twice makes no room for two
	<-accepted
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	<-done
}

func TestExpositionEscapes(t *testing.T) {
	t.Parallel()
	x := &exposition{byName: make(map[string]*family)}
	x.metric("wallboard_x", "counter", "", "Line\nbreak.").add(1.5, "name", "a\\\"b\nc} 7\n# EOF\\n", "channel", "")
	want := "# TYPE wallboard_x counter\n# HELP wallboard_x Line\\nbreak.\n" +
		`wallboard_x_total{name="a\\\"b\nc} 7\n# EOF\\n"} 1.5` + "\n# EOF\n"
	if got := x.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
