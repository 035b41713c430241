package simulator_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rtd"
)

const (
	probe     = "{version {server {major}}}"
	loginText = `mutation {login(username: "supervisor", password: "wallboard") {
		publicUsername username supervisor language session {id expiresIn} authToken {accessToken expiresIn}}}`
)

func wantCode(t *testing.T, what string, r response, code any) {
	t.Helper()
	if r.code() != code {
		t.Errorf("%s: code %v, want %v (%+v)", what, r.code(), code, r)
	}
	if code != nil && (r.Data != nil || !strings.HasPrefix(r.Errors[0].Message, "UNAUTHORIZED")) {
		t.Errorf("%s: %+v", what, r)
	}
}

func TestLogin(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{})
	_, r := post(t, s, probe)
	wantCode(t, "without credentials", r, "UNAUTHORIZED")
	_, r = post(t, s, strings.Replace(loginText, "wallboard", "wrong", 1))
	if r.code() != "UNAUTHORIZED" {
		t.Errorf("wrong password: %+v", r)
	}

	res, r := post(t, s, loginText)
	user := r.Data["login"].(map[string]any)
	session := user["session"].(map[string]any)
	if user["username"] != "supervisor" || user["supervisor"] != true || user["language"] != "EN" || session["expiresIn"] != 1800.0 {
		t.Errorf("session user %v", user)
	}
	cookies := res.Cookies()
	if len(cookies) != 1 || cookies[0].Name != "vendorRtdSessionID" || cookies[0].Value != session["id"] {
		t.Fatalf("cookies %v, session %v", cookies, session)
	}
	_, r = post(t, s, probe, cookies...)
	wantCode(t, "session cookie", r, nil)
	_, r = post(t, s, probe, &http.Cookie{Name: "vendorRtdSessionID", Value: "guess"})
	wantCode(t, "wrong session", r, "UNAUTHORIZED")

	issued := user["authToken"].(map[string]any)["accessToken"].(string)
	_, r = get(t, s, probe, tokenCookie(issued))
	wantCode(t, "issued token", r, nil)
	_, r = get(t, s, probe, tokenCookie("guess"))
	wantCode(t, "wrong token", r, "UNAUTHORIZED")

	const withToken = `mutation {loginWithAccessToken(accessToken: "TOKEN") {username authToken {accessToken}}}`
	res, r = post(t, s, strings.Replace(withToken, "TOKEN", issued, 1))
	if len(r.Errors) > 0 || len(res.Cookies()) != 1 {
		t.Errorf("login with token: %+v", r)
	}
	_, r = post(t, s, strings.Replace(withToken, "TOKEN", "guess", 1))
	if r.code() != "UNAUTHORIZED" {
		t.Errorf("login with a wrong token: %+v", r)
	}
}

func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	var offset atomic.Int64
	s := start(t, simulator.Options{Now: func() time.Time { return time.Now().Add(time.Duration(offset.Load())) }})
	res, r := post(t, s, loginText)
	issued := r.Data["login"].(map[string]any)["authToken"].(map[string]any)["accessToken"].(string)
	for range 3 { // each use extends the session
		offset.Add(int64(20 * time.Minute))
		_, r = post(t, s, probe, res.Cookies()...)
		wantCode(t, "session in use", r, nil)
	}
	offset.Add(int64(31 * time.Minute))
	_, r = post(t, s, probe, res.Cookies()...)
	wantCode(t, "session at its end", r, "UNAUTHORIZED")
	_, r = post(t, s, probe, tokenCookie(issued))
	wantCode(t, "token", r, nil)
	offset.Add(int64(24 * time.Hour))
	_, r = post(t, s, probe, tokenCookie(issued))
	wantCode(t, "token at its end", r, "UNAUTHORIZED")
	_, r = post(t, s, probe, tokenCookie(token))
	wantCode(t, "standing token", r, nil)
}

func TestSocketCredentials(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{})
	for _, protocol := range []string{rtd.SubprotocolLegacy, rtd.SubprotocolTransport} {
		d := &websocket.Dialer{Subprotocols: []string{protocol}}
		for what, header := range map[string]http.Header{
			"token":   {"Cookie": {tokenCookie(token).String()}},
			"session": {"Cookie": {func() string { res, _ := post(t, s, loginText); return res.Cookies()[0].String() }()}},
		} {
			c := dialWith(t, d, s, header)
			c.init(nil)
			c.subscribe("p", probe)
			if r := c.result("p"); r.Data == nil {
				t.Errorf("%s cookie over %s: %+v", what, protocol, r)
			}
		}
		// A socket without credentials may only log in.
		c := dial(t, s, protocol)
		c.init(map[string]any{})
		c.subscribe("p", probe)
		if m := c.expect("error", "p"); !strings.Contains(string(m.Payload), `"code":"UNAUTHORIZED"`) {
			t.Errorf("%s: %s", protocol, m.Payload)
		}
		c.subscribe("s", "subscription {serverHealth {status}}")
		c.expect("error", "s")
		c.subscribe("l", loginText)
		if r := c.result("l"); len(r.Errors) > 0 {
			t.Errorf("login over %s: %+v", protocol, r)
		}
		c.expect("complete", "l")
		c.subscribe("p", probe)
		c.result("p")
	}
}

func TestSocketWithWrongToken(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{})
	c := dial(t, s, rtd.SubprotocolTransport)
	c.send("", "connection_init", map[string]string{"accessToken": "guess"})
	if code := c.closed(); code != 4403 {
		t.Errorf("closed with %d", code)
	}
	c = dial(t, s, rtd.SubprotocolLegacy)
	c.send("", "connection_init", map[string]string{"accessToken": "guess"})
	if m := c.expect("connection_error", ""); !strings.Contains(string(m.Payload), "UNAUTHORIZED") {
		t.Errorf("payload %s", m.Payload)
	}
	if code := c.closed(); code != websocket.CloseInternalServerErr {
		t.Errorf("closed with %d", code)
	}
}

func TestExpireSession(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{})
	res, _ := post(t, s, loginText)
	c := open(t, s, rtd.SubprotocolTransport)
	c.subscribe("s", "subscription {serverHealth {status}}")
	c.result("s")
	s.Faults().ExpireSession()
	if m := c.expect("error", "s"); !strings.Contains(string(m.Payload), `"UNAUTHORIZED"`) {
		t.Errorf("payload %s", m.Payload)
	}
	c.subscribe("p", probe)
	c.expect("error", "p")
	_, r := post(t, s, probe, res.Cookies()...)
	wantCode(t, "old session", r, "UNAUTHORIZED")
	_, r = post(t, s, probe, tokenCookie(token))
	wantCode(t, "standing token", r, "UNAUTHORIZED")
	res, _ = post(t, s, loginText)
	_, r = post(t, s, probe, res.Cookies()...)
	wantCode(t, "new session", r, nil)
	if s.Faults().AllowToken("guess") || !s.Faults().AllowToken(token) {
		t.Error("AllowToken accepts a wrong token or refuses the right one")
	}
	_, r = post(t, s, probe, tokenCookie(token))
	wantCode(t, "standing token, allowed again", r, nil)
}
