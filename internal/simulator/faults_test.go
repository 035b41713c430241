package simulator_test

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gorilla/websocket"

	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rtd"
)

func TestDrop(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{})
	for _, code := range []int{0, 1012, 4500} {
		c := open(t, s, rtd.SubprotocolTransport)
		c.subscribe("s", "subscription {serverHealth {status}}")
		c.result("s")
		s.Faults().DropSockets(code)
		if got := c.closed(); got != code && (code != 0 || got != websocket.CloseAbnormalClosure) {
			t.Errorf("closed with %d, want %d", got, code)
		}
	}
}

func TestRefuseAndReset(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{})
	c := open(t, s, rtd.SubprotocolTransport)
	s.Faults().RefuseRequests(true)
	if got := dialStatus(t, s); got != http.StatusServiceUnavailable {
		t.Errorf("refused with %d", got)
	}
	c.subscribe("p", probe) // an open socket stays open
	c.result("p")
	s.Faults().RefuseRequests(false)
	s.Faults().ResetConnections(true)
	if got := dialStatus(t, s); got != 0 {
		t.Errorf("reset with %d", got)
	}
	s.Faults().ResetConnections(false)
	open(t, s, rtd.SubprotocolTransport)
}

// dialStatus returns the status of a failing upgrade, or 0 without an answer.
func dialStatus(t *testing.T, s *simulator.Server) int {
	t.Helper()
	ws, res, err := websocket.DefaultDialer.DialContext(t.Context(), s.WSURL(), nil)
	if res != nil {
		defer res.Body.Close() //nolint:errcheck // the body is not needed
	}
	if err == nil {
		_ = ws.Close()
		t.Fatal("the connection was made")
	}
	if res == nil {
		return 0
	}
	return res.StatusCode
}

// health subscribes to serverHealth, which a test can change at will.
func health(t *testing.T, s *simulator.Server) *socket {
	t.Helper()
	c := open(t, s, rtd.SubprotocolTransport)
	c.subscribe("h", "subscription {serverHealth {status}}")
	c.wantHealth("UP")
	return c
}

func (c *socket) wantHealth(want string) {
	c.t.Helper()
	if r := c.result("h"); !cmp.Equal(r.Data["serverHealth"], map[string]any{"status": want}) {
		c.t.Errorf("health %v, want %s", r, want)
	}
}

func TestLoseAndRepeat(t *testing.T) {
	t.Parallel()
	inMemory(t, simulator.Options{}, func(t *testing.T, s *simulator.Server, d *websocket.Dialer) {
		c := dialWith(t, d, s, nil)
		c.init(map[string]string{"accessToken": token})
		c.subscribe("h", "subscription {serverHealth {status}}")
		c.wantHealth("UP")
		s.Faults().RTD.LoseDelta(1)
		s.Faults().RTD.SetHealth("LOST")
		synctest.Wait()
		s.Faults().RTD.RepeatDelta(1)
		s.Faults().RTD.SetHealth("TWICE")
		c.wantHealth("TWICE")
		c.wantHealth("TWICE")
		s.Faults().RTD.SetHealth("ONCE")
		c.wantHealth("ONCE")
	})
}

func TestMalformedAndHuge(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{})
	c := health(t, s)
	s.Faults().RTD.CorruptMessages(2)
	s.Faults().RTD.SetHealth("A")
	if f := c.frame(); json.Valid(f) {
		t.Errorf("the first damaged frame is valid JSON: %s", f)
	}
	s.Faults().RTD.SetHealth("B")
	if r := c.result("h"); cmp.Equal(r.Data["serverHealth"], map[string]any{"status": "B"}) {
		t.Errorf("the second damaged frame is correct: %v", r)
	}
	s.Faults().RTD.EnlargeMessage(1 << 20)
	s.Faults().RTD.SetHealth("C")
	m := c.expect("next", "h")
	if len(m.Payload) < 1<<20 || !strings.Contains(string(m.Payload[:60]), `"C"`) {
		t.Errorf("%d bytes: %.60s", len(m.Payload), m.Payload)
	}
	s.Faults().RTD.SetHealth("D")
	c.wantHealth("D")
}

func TestRandomFaults(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{Faults: simulator.FaultRates{Drop: 600}})
	c := open(t, s, rtd.SubprotocolTransport)
	if code := c.closed(); code != 0 && code != websocket.CloseAbnormalClosure {
		t.Errorf("closed with %d", code)
	}
}

func TestControls(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{Speed: 30})
	base := strings.TrimSuffix(s.HTTPURL(), "/rtd") + "/simulator/"
	call := func(method, path string) (int, []byte) {
		req, err := http.NewRequestWithContext(t.Context(), method, base+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		res, body := do(t, req)
		return res.StatusCode, body
	}
	if code, _ := call(http.MethodPost, "pause"); code != http.StatusNoContent {
		t.Errorf("pause: %d", code)
	}
	if _, body := call(http.MethodGet, "truth"); !json.Valid(body) || string(body) != string(s.CurrentState()) {
		t.Error("the truth over HTTP differs, or the world was not paused")
	}
	if code, _ := call(http.MethodPost, "resume"); code != http.StatusNoContent {
		t.Errorf("resume: %d", code)
	}
	frozen := string(s.CurrentState())
	waitUntil(t, func() bool { return string(s.CurrentState()) != frozen })
	c := health(t, s)
	for path, want := range map[string]int{
		"fault?kind=health&status=DOWN":      http.StatusNoContent,
		"fault?kind=lose&n=0":                http.StatusNoContent,
		"fault?kind=lose&n=x":                http.StatusBadRequest,
		"fault?kind=stall&for=soon":          http.StatusBadRequest,
		"fault?kind=slow&n=1000&pause=1ms":   http.StatusNoContent,
		"fault?kind=refuse&on=false":         http.StatusNoContent,
		"fault?kind=reset&on=maybe":          http.StatusBadRequest,
		"fault?kind=allow&token=demo-token":  http.StatusNoContent,
		"fault?kind=allow&token=other-token": http.StatusBadRequest,
		"fault?kind=earthquake":              http.StatusBadRequest,
	} {
		if code, body := call(http.MethodPost, path); code != want {
			t.Errorf("%s: %d %s, want %d", path, code, body, want)
		}
	}
	c.wantHealth("DOWN")
	if code, _ := call(http.MethodPost, "fault?kind=drop&code=1012"); code != http.StatusNoContent {
		t.Errorf("drop: %d", code)
	}
	if code := c.closed(); code != 1012 {
		t.Errorf("closed with %d", code)
	}
}

func TestPlainRequests(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{})
	s.Pause()
	res, r := post(t, s, probe, tokenCookie(token))
	if date, err := http.ParseTime(res.Header.Get("Date")); err != nil || len(r.Data) == 0 {
		t.Errorf("date %v, %v", date, err)
	}
	for what, c := range map[string]struct {
		method, body string
		want         int
	}{
		"no query":  {http.MethodPost, `{"text": "{version}"}`, http.StatusBadRequest},
		"not JSON":  {http.MethodPost, `query`, http.StatusBadRequest},
		"no method": {http.MethodDelete, ``, http.StatusMethodNotAllowed},
		"no param":  {http.MethodGet, ``, http.StatusBadRequest},
	} {
		req, err := http.NewRequestWithContext(t.Context(), c.method, s.HTTPURL(), strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		if res, _ := do(t, req); res.StatusCode != c.want {
			t.Errorf("%s: %d, want %d", what, res.StatusCode, c.want)
		}
	}
}

func TestTLS(t *testing.T) {
	t.Parallel()
	donor := httptest.NewTLSServer(http.NotFoundHandler())
	defer donor.Close()
	s := start(t, simulator.Options{TLS: &tls.Config{Certificates: donor.TLS.Certificates, MinVersion: tls.VersionTLS12}})
	if !strings.HasPrefix(s.HTTPURL(), "https://127.0.0.1:") || !strings.HasPrefix(s.WSURL(), "wss://") {
		t.Errorf("%s, %s", s.HTTPURL(), s.WSURL())
	}
	roots := x509.NewCertPool()
	roots.AddCert(donor.Certificate())
	d := &websocket.Dialer{
		Subprotocols:    []string{rtd.SubprotocolTransport},
		TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
	}
	c := dialWith(t, d, s, nil)
	c.init(map[string]string{"accessToken": token})
	s.Faults().StallWrites(time.Hour)
	s.Faults().DropSockets(0) // also with TLS
	c.closed()
}

func waitUntil(t *testing.T, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(20 * time.Second)
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal("the random fault did not happen")
		}
	}
}
