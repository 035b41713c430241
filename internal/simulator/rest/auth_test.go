package rest_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rest"
)

const (
	checkSession = "GET /rest/auth/isValidSession"
	loginBody    = `{"version":"1.4.0","username":"supervisor","password":"wallboard"}`
)

func basic(username, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(username+":"+password))
}

// logIn returns a caller with a session, and the cookie of the login.
func logIn(t *testing.T, s *simulator.Server, body string) (caller, *http.Cookie) {
	t.Helper()
	c := caller{t, s, httpClient(), nil}
	res, answer := do(t, c.request("POST /rest/auth/login", body))
	var profile struct{ SessionID string }
	if err := json.Unmarshal(answer, &profile); err != nil || res.StatusCode != http.StatusOK || len(res.Cookies()) != 1 {
		t.Fatalf("login: %d %s, cookies %v", res.StatusCode, answer, res.Cookies())
	}
	cookie := res.Cookies()[0]
	if cookie.Value != profile.SessionID {
		t.Errorf("session %q, cookie %v", profile.SessionID, cookie)
	}
	return c.with("Cookie", "JSESSIONID="+profile.SessionID), cookie
}

func (c caller) wantStatus(want int, route string) {
	c.t.Helper()
	if status, answer := c.call(route, ""); status != want {
		c.t.Errorf("%s: %d %s, want %d", route, status, answer, want)
	}
}

func TestRESTCredentials(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{})
	c := client(t, s)
	withSession, cookie := logIn(t, s, loginBody)
	if cookie.Name != "JSESSIONID" || cookie.Path != "/platform" || !cookie.HttpOnly {
		t.Errorf("cookie %v", cookie)
	}
	withSession.wantStatus(http.StatusOK, checkSession)
	c.wantStatus(http.StatusOK, checkSession)
	issued := c.must("POST /rest/auth/login", loginBody).(map[string]any)
	for header, want := range map[string]int{
		basic("supervisor", "wallboard"):           200,
		basic("supervisor", "wrong"):               401,
		basic("nobody", "wallboard"):               401,
		basic("expired", "wallboard"):              401,
		"Bearer trainee-token":                     200,
		"Bearer guess":                             401,
		"Bearer " + issued["accessToken"].(string): 401, // valid only for logins
		"Digest x": 401,
	} {
		c.with("Authorization", header).wantStatus(want, checkSession)
	}
	again := c.must("POST /rest/auth/loginByAccessToken", `{"version":"1.4.0","accessToken":"`+issued["accessToken"].(string)+`"}`)
	if again.(map[string]any)["supportAuthToken"] == nil {
		t.Errorf("profile %v", again)
	}
	c.with("Cookie", "JSESSIONID=guess").wantStatus(http.StatusUnauthorized, checkSession)
	c.header = nil
	for _, open := range []string{"GET /rest/auth/version", "GET /rest/nothing"} {
		if status, _ := c.call(open, ""); status == http.StatusUnauthorized {
			t.Errorf("%s is not open", open)
		}
	}
	c.wantStatus(http.StatusUnauthorized, "GET /rest/auth/logout")
	c.wantStatus(http.StatusUnauthorized, "POST /rest/phone/call/dial?number=1")
	withSession.wantStatus(http.StatusOK, "GET /rest/auth/logout")
	withSession.wantStatus(http.StatusUnauthorized, checkSession)
}

func TestRESTSessionsEnd(t *testing.T) {
	t.Parallel()
	var offset atomic.Int64
	s := start(t, simulator.Options{
		Now:  func() time.Time { return time.Now().Add(time.Duration(offset.Load())) },
		REST: rest.Options{LoginVersion: "7"},
	})
	c, _ := logIn(t, s, `{"version":"7","username":"supervisor","password":"wallboard"}`)
	for range 3 { // each request extends the session
		offset.Add(int64(23 * time.Hour))
		c.wantStatus(http.StatusOK, checkSession)
	}
	offset.Add(int64(24*time.Hour + time.Minute))
	c.wantStatus(http.StatusUnauthorized, checkSession)

	c, _ = logIn(t, s, `{"version":"7","username":"supervisor","password":"wallboard"}`)
	s.Faults().ExpireSession()
	c.wantStatus(http.StatusUnauthorized, checkSession)
	client(t, s).wantStatus(http.StatusUnauthorized, checkSession)
	s.Faults().AllowToken(token)
	client(t, s).wantStatus(http.StatusOK, checkSession)
}
