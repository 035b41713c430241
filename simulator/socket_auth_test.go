package simulator_test

import (
	"net/http"
	"testing"

	"github.com/gorilla/websocket"

	"wallboard/simulator"
)

// TestSocketAuth opens sockets with each of the credentials against each position
// of the switch.
func TestSocketAuth(t *testing.T) {
	t.Parallel()
	for _, auth := range []simulator.SocketAuth{
		simulator.SocketAuthAny, simulator.SocketAuthSession, simulator.SocketAuthCookie, simulator.SocketAuthInit,
	} {
		t.Run(string(auth), func(t *testing.T) {
			t.Parallel()
			s := start(t, simulator.Options{Switches: simulator.Switches{SocketAuth: auth}})
			res, _ := post(t, s, loginText)
			session := res.Cookies()[0]
			for by, header := range map[simulator.SocketAuth]http.Header{
				simulator.SocketAuthSession: {"Cookie": {session.Name + "=" + session.Value}},
				simulator.SocketAuthCookie:  {"Cookie": {tokenCookie(token).String()}},
				simulator.SocketAuthInit:    nil,
			} {
				c := dialWith(t, &websocket.Dialer{Subprotocols: []string{simulator.SubprotocolTransport}}, s, header)
				var payload any
				if by == simulator.SocketAuthInit {
					payload = map[string]string{"accessToken": token}
				}
				c.init(payload)
				c.subscribe("q", probe)
				want := "next"
				if auth != simulator.SocketAuthAny && auth != by {
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
	s := start(t, simulator.Options{Switches: simulator.Switches{AuthAtUpgrade: true}})
	if got := dialStatus(t, s); got != http.StatusUnauthorized {
		t.Errorf("without credentials: %d", got)
	}
	dialWith(t, &websocket.Dialer{}, s, http.Header{"Cookie": {tokenCookie(token).String()}})

	s = start(t, simulator.Options{Switches: simulator.Switches{SubprotocolRefusal: simulator.SubprotocolRefusalStatus}})
	if got := dialStatus(t, s); got != http.StatusBadRequest {
		t.Errorf("without a sub-protocol: %d", got)
	}
	dial(t, s, simulator.SubprotocolLegacy)

	for _, sw := range []simulator.Switches{
		{SocketAuth: "badge"}, {SubprotocolRefusal: "shrug"}, {AuthAtUpgrade: true, SocketAuth: simulator.SocketAuthInit},
	} {
		if sw.Validate() == nil {
			t.Errorf("%+v is taken", sw)
		}
	}
}

func TestFailSubscription(t *testing.T) {
	t.Parallel()
	for _, protocol := range []string{simulator.SubprotocolTransport, simulator.SubprotocolLegacy} {
		s := start(t, simulator.Options{})
		c := open(t, s, protocol)
		c.subscribe("h", "subscription {serverHealth {status}}")
		c.result("h")
		c.subscribe("v", "subscription {version {server {major}}}")
		c.result("v")
		s.Faults().FailSubscription("version", 1)
		c.expect("error", "v")
		c.subscribe("w", "subscription {version {server {major}}}")
		c.expect("error", "w")
		c.subscribe("x", "subscription {version {server {major}}}")
		c.result("x")
		s.Faults().Health("DOWN") // it runs on
		c.result("h")
	}
}
