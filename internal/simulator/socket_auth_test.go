package simulator_test

import (
	"net/http"
	"testing"

	"github.com/gorilla/websocket"

	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rtd"
)

// TestSocketAuth opens sockets with each kind of credentials for each value of the
// switch.
func TestSocketAuth(t *testing.T) {
	t.Parallel()
	for _, auth := range []rtd.SocketAuth{
		rtd.SocketAuthAny, rtd.SocketAuthSession, rtd.SocketAuthCookie, rtd.SocketAuthInit,
	} {
		t.Run(string(auth), func(t *testing.T) {
			t.Parallel()
			s := start(t, simulator.Options{Switches: rtd.Switches{SocketAuth: auth}})
			res, _ := post(t, s, loginText)
			session := res.Cookies()[0]
			for by, header := range map[rtd.SocketAuth]http.Header{
				rtd.SocketAuthSession: {"Cookie": {session.Name + "=" + session.Value}},
				rtd.SocketAuthCookie:  {"Cookie": {tokenCookie(token).String()}},
				rtd.SocketAuthInit:    nil,
			} {
				c := dialWith(t, &websocket.Dialer{Subprotocols: []string{rtd.SubprotocolTransport}}, s, header)
				var payload any
				if by == rtd.SocketAuthInit {
					payload = map[string]string{"accessToken": token}
				}
				c.init(payload)
				c.subscribe("q", probe)
				want := "next"
				if auth != rtd.SocketAuthAny && auth != by {
					want = "error"
				}
				if m := c.read(); m.Type != want {
					t.Errorf("let in by %s, with %s: %s %s", auth, by, m.Type, m.Payload)
				}
			}
			_, r := get(t, s, probe, tokenCookie(token))
			wantCode(t, "a plain request", r, nil)
		})
	}
}

func TestUpgradesThatAreRefused(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{Switches: rtd.Switches{AuthAtUpgrade: true}})
	if got := dialStatus(t, s); got != http.StatusUnauthorized {
		t.Errorf("without credentials: %d", got)
	}
	dialWith(t, &websocket.Dialer{}, s, http.Header{"Cookie": {tokenCookie(token).String()}})

	s = start(t, simulator.Options{Switches: rtd.Switches{SubprotocolRefusal: rtd.SubprotocolRefusalStatus}})
	if got := dialStatus(t, s); got != http.StatusBadRequest {
		t.Errorf("without a sub-protocol: %d", got)
	}
	dial(t, s, rtd.SubprotocolLegacy)

	for _, sw := range []rtd.Switches{
		{SocketAuth: "badge"}, {SubprotocolRefusal: "shrug"}, {AuthAtUpgrade: true, SocketAuth: rtd.SocketAuthInit},
	} {
		if sw.Validate() == nil {
			t.Errorf("%+v was accepted", sw)
		}
	}
}

func TestFailSubscription(t *testing.T) {
	t.Parallel()
	for _, protocol := range []string{rtd.SubprotocolTransport, rtd.SubprotocolLegacy} {
		s := start(t, simulator.Options{})
		c := open(t, s, protocol)
		c.subscribe("h", "subscription {serverHealth {status}}")
		c.result("h")
		c.subscribe("v", "subscription {version {server {major}}}")
		c.result("v")
		s.Faults().RTD.FailSubscription("version", 1)
		c.expect("error", "v")
		c.subscribe("w", "subscription {version {server {major}}}")
		c.expect("error", "w")
		c.subscribe("x", "subscription {version {server {major}}}")
		c.result("x")
		s.Faults().RTD.SetHealth("DOWN") // the session stays valid
		c.result("h")
	}
}

func TestCease(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{Switches: rtd.Switches{RenamedRoots: true}})
	c := open(t, s, rtd.SubprotocolTransport)
	c.subscribe("v", "subscription {onVersionChanged {server {major}}}")
	c.result("v")
	s.Faults().RTD.SetUnavailable("version", true)
	c.expect("error", "v")
	c.subscribe("w", "subscription {onVersionChanged {server {major}}}")
	c.expect("error", "w")
	c.subscribe("q", "{version {server {major}}}")
	c.expect("error", "q")
	c.subscribe("h", "{serverHealth {status}}")
	c.result("h")
	c.expect("complete", "h")
	s.Faults().RTD.SetUnavailable("version", false)
	c.subscribe("x", "subscription {onVersionChanged {server {major}}}")
	c.result("x")
}
