package simulator_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rtd"
)

func TestTransportCloseCodes(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{})
	ready := func(t *testing.T) *socket { return open(t, s, rtd.SubprotocolTransport) }
	fresh := func(t *testing.T) *socket { return dial(t, s, rtd.SubprotocolTransport) }
	forever := map[string]string{"query": "subscription {serverHealth {status}}"}
	for name, c := range map[string]struct {
		open func(*testing.T) *socket
		do   func(*socket)
		want int
	}{
		"not JSON":  {ready, func(c *socket) { _ = c.ws.WriteMessage(websocket.TextMessage, []byte("{")) }, 4400},
		"binary":    {ready, func(c *socket) { _ = c.ws.WriteMessage(websocket.BinaryMessage, []byte("{}")) }, 4400},
		"unknown":   {ready, func(c *socket) { c.send("", "start", forever) }, 4400},
		"no id":     {ready, func(c *socket) { c.send("", "subscribe", forever) }, 4400},
		"no query":  {ready, func(c *socket) { c.send("1", "subscribe", map[string]string{}) }, 4400},
		"too early": {fresh, func(c *socket) { c.send("1", "subscribe", forever) }, 4401},
		"duplicate": {ready, func(c *socket) {
			c.send("1", "subscribe", forever)
			c.result("1")
			c.send("1", "subscribe", forever)
		}, 4409},
		"second init": {ready, func(c *socket) { c.send("", "connection_init", nil) }, 4429},
	} {
		t.Run(name, func(t *testing.T) {
			sock := c.open(t)
			c.do(sock)
			if code := sock.closed(); code != c.want {
				t.Errorf("closed with %d, want %d", code, c.want)
			}
		})
	}
	if code := dial(t, s).closed(); code != 4406 {
		t.Errorf("without a sub-protocol: closed with %d", code)
	}
}

func TestTransportPingsAndIDs(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{})
	c := dial(t, s, rtd.SubprotocolTransport)
	c.send("", "ping", map[string]int{"n": 1}) // also before the acknowledgement
	if m := c.expect("pong", ""); string(m.Payload) != `{"n":1}` {
		t.Errorf("pong %s", m.Payload)
	}
	c.send("", "pong", nil)
	c.init(map[string]string{"accessToken": token})
	c.send("nobody", "complete", nil)
	c.subscribe("1", "subscription {serverHealth {status}}")
	c.result("1")
	c.send("1", "complete", nil)
	c.subscribe("1", "subscription {serverHealth {status}}") // the id is free again
	c.result("1")
	if err := c.ws.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(1000, "")); err != nil {
		t.Fatal(err)
	}
	if code := c.closed(); code != 1000 {
		t.Errorf("the server answered the close with %d", code)
	}
}

func TestLegacyMessages(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{})
	c := dial(t, s, rtd.SubprotocolLegacy)
	c.send("", "connection_init", map[string]string{"accessToken": token})
	c.expect("connection_ack", "")
	if got := string(c.frame()); got != `{"type":"ka"}` {
		t.Errorf("unexpected message after the acknowledgement: %s", got)
	}
	c.send("x", "subscribe", nil) // an unknown type keeps the connection open
	c.expect("error", "x")
	if err := c.ws.WriteMessage(websocket.TextMessage, []byte("{")); err != nil {
		t.Fatal(err)
	}
	c.expect("error", "")
	c.subscribe("1", "subscription {serverHealth {status}}")
	c.result("1")
	c.subscribe("1", "subscription {version {server {major}}}") // replaces the first subscription
	if r := c.result("1"); r.Data["version"] == nil {
		t.Errorf("got %+v", r)
	}
	c.subscribe("bad", "{nothing}")
	var failure map[string]any // an object, not a list
	if err := json.Unmarshal(c.expect("error", "bad").Payload, &failure); err != nil || failure["message"] == nil {
		t.Errorf("payload %v, %v", failure, err)
	}
	c.send("1", "stop", nil)
	c.send("", "connection_terminate", nil)
	if code := c.closed(); code != 1000 {
		t.Errorf("closed with %d", code)
	}
	c = dial(t, s, rtd.SubprotocolLegacy)
	c.subscribe("1", probe)
	c.expect("connection_error", "")
	c.closed()
}

// inMemory runs a synctest with a server on in-memory connections.
func inMemory(t *testing.T, o simulator.Options, test func(t *testing.T, s *simulator.Server, d *websocket.Dialer)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := testkit.NewPipeListener()
		o.World, o.Listener = small(), p
		s := start(t, o)
		d := &websocket.Dialer{NetDialContext: p.Dial, Subprotocols: []string{rtd.SubprotocolTransport}}
		test(t, s, d)
	})
}

func TestInitTimeout(t *testing.T) {
	t.Parallel()
	inMemory(t, simulator.Options{}, func(t *testing.T, s *simulator.Server, d *websocket.Dialer) {
		c := dialWith(t, d, s, nil)
		began := time.Now()
		if code := c.closed(); code != 4408 || time.Since(began) != 3*time.Second {
			t.Errorf("closed with %d after %v", code, time.Since(began))
		}
	})
}

func TestKeepAlive(t *testing.T) {
	t.Parallel()
	inMemory(t, simulator.Options{}, func(t *testing.T, s *simulator.Server, d *websocket.Dialer) {
		c := dialWith(t, d, s, nil)
		c.init(map[string]string{"accessToken": token})
		_ = c.ws.SetReadDeadline(time.Time{})
		began := time.Now()
		for i := range 4 { // answered pings keep the connection open
			if got := string(c.frame()); got != `{"type":"ping"}` {
				t.Errorf("got %s", got)
			}
			if d := time.Since(began).Round(time.Second); d != time.Duration(i+1)*15*time.Second {
				t.Errorf("ping %d after %v", i, d)
			}
			c.send("", "pong", nil)
		}
		for {
			if _, _, err := c.ws.ReadMessage(); err != nil {
				break
			}
		}
		if d := time.Since(began).Round(time.Second); d != (60+45)*time.Second {
			t.Errorf("a silent client was kept for %v", d)
		}
	})
	inMemory(t, simulator.Options{}, func(t *testing.T, s *simulator.Server, d *websocket.Dialer) {
		d.Subprotocols = []string{rtd.SubprotocolLegacy}
		c := dialWith(t, d, s, nil)
		c.init(map[string]string{"accessToken": token})
		_ = c.ws.SetReadDeadline(time.Time{})
		for range 10 { // without messages from the client
			if got := string(c.frame()); got != `{"type":"ka"}` {
				t.Errorf("got %s", got)
			}
		}
	})
}

func TestStall(t *testing.T) {
	t.Parallel()
	inMemory(t, simulator.Options{}, func(t *testing.T, s *simulator.Server, d *websocket.Dialer) {
		c := dialWith(t, d, s, nil)
		c.init(map[string]string{"accessToken": token})
		_ = c.ws.SetReadDeadline(time.Time{})
		s.Faults().StallWrites(25 * time.Second)
		began := time.Now()
		c.send("", "ping", nil)
		for string(c.frame()) != `{"type":"pong"}` {
			continue // the keep-alive was stalled too
		}
		if d := time.Since(began); d != 25*time.Second {
			t.Errorf("stalled for %v", d)
		}
		s.Faults().StallWrites(time.Hour)
		s.Faults().StallWrites(0)
		began = time.Now()
		c.send("", "ping", nil)
		c.read()
		if d := time.Since(began); d != 0 {
			t.Errorf("the ended stall took %v", d)
		}
		s.Faults().StallWrites(time.Hour) // Close must not wait for the stall
	})
}

func TestSlowWrites(t *testing.T) {
	t.Parallel()
	inMemory(t, simulator.Options{}, func(t *testing.T, s *simulator.Server, d *websocket.Dialer) {
		c := dialWith(t, d, s, nil)
		c.init(map[string]string{"accessToken": token})
		s.Faults().SlowWrites(10, 100*time.Millisecond)
		began := time.Now()
		c.send("", "ping", strings.Repeat("x", 100))
		c.expect("pong", "")
		// 27 bytes around a payload of 102 and 4 bytes of header: 14 pieces.
		if d := time.Since(began); d < time.Second || d > 2*time.Second {
			t.Errorf("took %v", d)
		}
	})
}
