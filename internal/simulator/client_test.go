package simulator_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"

	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rtd"
	"wallboard/internal/simulator/world"
)

func TestMain(m *testing.M) {
	testkit.ReduceGC()
	// A connection whose request is too large sleeps for half a second before it is closed.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait"))
}

const token = "demo-token"

// small returns a world that starts quickly.
func small() world.Options {
	return world.Options{Seed: 7, Services: 4, Groups: 3, Agents: 16, Operators: 3, Campaigns: 3}
}

// start runs a server until the end of the test.
func start(t *testing.T, o simulator.Options) *simulator.Server {
	t.Helper()
	if o.World == (world.Options{}) {
		o.World = small()
	}
	s, err := simulator.New(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// response is the body of an answer.
type response struct {
	Data   map[string]any `json:"data"`
	Errors []struct {
		Message    string         `json:"message"`
		Extensions map[string]any `json:"extensions"`
	} `json:"errors"`
}

func (r response) code() any {
	if len(r.Errors) == 0 {
		return nil
	}
	return r.Errors[0].Extensions["code"]
}

// httpClient does not keep connections, so that it leaves no goroutines.
func httpClient() *http.Client {
	return &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 20 * time.Second}
}

// reply is the header of an answer.
type reply struct {
	StatusCode int
	Header     http.Header
	cookies    []*http.Cookie
}

// Cookies returns the cookies that were set.
func (r reply) Cookies() []*http.Cookie { return r.cookies }

func do(t *testing.T, req *http.Request) (reply, []byte) {
	t.Helper()
	res, err := httpClient().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close() //nolint:errcheck // the body was read
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{res.StatusCode, res.Header, res.Cookies()}, body
}

// post sends a query with cookies.
func post(t *testing.T, s *simulator.Server, query string, cookies ...*http.Cookie) (reply, response) {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.HTTPURL(), bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	return answer(t, req, cookies)
}

// get sends a query as a parameter.
func get(t *testing.T, s *simulator.Server, query string, cookies ...*http.Cookie) (reply, response) {
	t.Helper()
	address := s.HTTPURL() + "?query=" + url.QueryEscape(query)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	return answer(t, req, cookies)
}

func answer(t *testing.T, req *http.Request, cookies []*http.Cookie) (reply, response) {
	t.Helper()
	for _, c := range cookies {
		req.AddCookie(c)
	}
	res, body := do(t, req)
	var r response
	if err := json.Unmarshal(body, &r); err != nil {
		t.Fatalf("answer %d %s: %v", res.StatusCode, body, err)
	}
	return res, r
}

func tokenCookie(value string) *http.Cookie {
	return &http.Cookie{Name: "vendorRtdAccessToken", Value: value}
}

// socket is a client of either sub-protocol that checks every message.
type socket struct {
	t  *testing.T
	ws *websocket.Conn
}

type message struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// dial opens a socket without connection_init.
func dial(t *testing.T, s *simulator.Server, protocols ...string) *socket {
	t.Helper()
	return dialWith(t, &websocket.Dialer{Subprotocols: protocols}, s, nil)
}

func dialWith(t *testing.T, d *websocket.Dialer, s *simulator.Server, header http.Header) *socket {
	t.Helper()
	ws, res, err := d.DialContext(t.Context(), s.WSURL(), header)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	t.Cleanup(func() { _ = ws.Close() })
	return &socket{t, ws}
}

// open opens a socket and sends the demo token in connection_init.
func open(t *testing.T, s *simulator.Server, protocol string) *socket {
	t.Helper()
	c := dial(t, s, protocol)
	c.init(map[string]string{"accessToken": token})
	return c
}

// init sends connection_init and waits for the answer.
func (c *socket) init(payload any) {
	c.t.Helper()
	c.send("", "connection_init", payload)
	if m := c.read(); m.Type != "connection_ack" {
		c.t.Fatalf("unexpected answer to connection_init: %+v", m)
	}
}

func (c *socket) legacy() bool { return c.ws.Subprotocol() == rtd.SubprotocolLegacy }

func (c *socket) send(id, kind string, payload any) {
	c.t.Helper()
	m := map[string]any{"type": kind}
	if id != "" {
		m["id"] = id
	}
	if payload != nil {
		m["payload"] = payload
	}
	if err := c.ws.WriteJSON(m); err != nil {
		c.t.Fatal(err)
	}
}

// subscribe starts an operation of any kind.
func (c *socket) subscribe(id, query string) {
	c.t.Helper()
	kind := "subscribe"
	if c.legacy() {
		kind = "start"
	}
	c.send(id, kind, map[string]string{"query": query})
}

// read returns the next message, skipping keep-alive messages.
func (c *socket) read() message {
	c.t.Helper()
	_ = c.ws.SetReadDeadline(time.Now().Add(20 * time.Second))
	for {
		var m message
		if err := json.Unmarshal(c.frame(), &m); err != nil {
			c.t.Fatal(err)
		}
		if m.Type != "ka" && m.Type != "ping" {
			return m
		}
	}
}

func (c *socket) frame() []byte {
	c.t.Helper()
	_, data, err := c.ws.ReadMessage()
	if err != nil {
		c.t.Fatal(err)
	}
	return data
}

// result returns the next result, which must belong to the operation.
func (c *socket) result(id string) response {
	c.t.Helper()
	m := c.read()
	want := "next"
	if c.legacy() {
		want = "data"
	}
	if m.Type != want || m.ID != id {
		c.t.Fatalf("got %s %q %.300s, want %s %q", m.Type, m.ID, m.Payload, want, id)
	}
	var r response
	if err := json.Unmarshal(m.Payload, &r); err != nil {
		c.t.Fatal(err)
	}
	return r
}

// expect reads a message, which must have the given type and id.
func (c *socket) expect(kind, id string) message {
	c.t.Helper()
	m := c.read()
	if m.Type != kind || m.ID != id {
		c.t.Fatalf("got %s %q %.300s, want %s %q", m.Type, m.ID, m.Payload, kind, id)
	}
	return m
}

// closed reads until the connection ends and returns the close code, or 0 if there
// was none.
func (c *socket) closed() int {
	c.t.Helper()
	_ = c.ws.SetReadDeadline(time.Now().Add(20 * time.Second))
	for {
		_, _, err := c.ws.ReadMessage()
		var closed *websocket.CloseError
		var timeout net.Error
		switch {
		case err == nil:
		case errors.As(err, &closed):
			return closed.Code
		case errors.As(err, &timeout) && timeout.Timeout():
			c.t.Fatal("the connection was not closed")
		default:
			return 0
		}
	}
}

// truth returns the decoded [simulator.Server.CurrentState].
func truth(t *testing.T, s *simulator.Server) map[string][]any {
	t.Helper()
	var v map[string][]any
	if err := json.Unmarshal(s.CurrentState(), &v); err != nil {
		t.Fatal(err)
	}
	return v
}
