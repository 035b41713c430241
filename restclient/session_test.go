package restclient

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"wallboard/model/resource"
)

// A login that fails for the moment says nothing about the credentials.
func TestTroubleWhileLoggingInAgainIsNoRefusal(t *testing.T) {
	t.Parallel()
	s := &sessions{}
	c := s.by(t, Options{})
	if err := hangUp(t, c); err != nil {
		t.Fatal(err)
	}
	s.expire()
	s.pass(time.Hour)
	s.mu.Lock()
	s.status = http.StatusServiceUnavailable
	s.mu.Unlock()
	err := hangUp(t, c)
	if OutcomeOf(err) != resource.NotSent || errors.Is(err, ErrUnauthorized) || errors.Is(err, ErrRefused) {
		t.Errorf("%v is %v", err, OutcomeOf(err))
	}
	if err := hangUp(t, c); !errors.Is(err, ErrLoginFailed) || errors.Is(err, ErrTooSoon) {
		t.Errorf("right after it: %v", err)
	}
	s.mu.Lock()
	s.status = 0
	s.mu.Unlock()
	s.pass(loginEvery)
	if err := hangUp(t, c); err != nil {
		t.Errorf("the platform is well again: %v", err)
	}
}

func TestEnsureSessionKeepsTheRuleForLogins(t *testing.T) {
	t.Parallel()
	s := &sessions{status: http.StatusServiceUnavailable}
	c := s.by(t, Options{})
	for range 5 {
		if _, err := c.EnsureSession(t.Context()); err == nil {
			t.Fatal("logged in at a platform that is away")
		}
	}
	if n := s.logins.Load(); n != 1 {
		t.Errorf("%d logins", n)
	}
	s.pass(loginEvery)
	s.mu.Lock()
	s.status = 0
	s.mu.Unlock()
	for range 3 {
		if p, err := c.EnsureSession(t.Context()); err != nil || p.Username != "anna" {
			t.Errorf("%q, %v", p.Username, err)
		}
	}
	if n := s.logins.Load(); n != 2 {
		t.Errorf("%d logins", n)
	}
}

// What a login brings that was under way when somebody logged out is not used.
func TestLogoutDuringALogin(t *testing.T) {
	t.Parallel()
	s := &sessions{}
	c := s.by(t, Options{})
	s.mu.Lock() // the platform does not answer
	began := make(chan struct{})
	go func() {
		defer close(began)
		_, _ = c.EnsureSession(t.Context())
	}()
	for running := false; !running; {
		c.auth.mu.Lock()
		running = c.auth.running != nil
		c.auth.mu.Unlock()
	}
	if _, err := c.Logout(t.Context()); !errors.Is(err, ErrNoSession) {
		t.Error(err)
	}
	s.mu.Unlock()
	<-began
	if err := hangUp(t, c); !errors.Is(err, ErrNoSession) {
		t.Errorf("after the logout: %v", err)
	}
	if _, err := c.Login(t.Context()); err != nil {
		t.Error(err)
	}
	if err := hangUp(t, c); err != nil {
		t.Errorf("after a login: %v", err)
	}
}

// The profile belongs to the login until that has ended.
func TestLoginThatNobodyWaitsFor(t *testing.T) {
	t.Parallel()
	s := &sessions{}
	c := s.by(t, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if p, err := c.Login(ctx); err != nil && p.Username != "" {
		t.Errorf("%q, %v", p.Username, err)
	}
	if p, err := c.Login(t.Context()); err != nil || p.Username != "anna" {
		t.Errorf("%q, %v", p.Username, err)
	}
}

func TestSessionOf(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		cookies []string
		told    string
		want    string
	}{
		"as told":                   {[]string{"JSESSIONID=a; Path=/platform"}, "a", "a"},
		"a route added":             {[]string{"JSESSIONID=a.node1; Path=/platform"}, "a", "a.node1"},
		"another one's before it":   {[]string{"JSESSIONID=gateway; Path=/", "JSESSIONID=a; Path=/platform"}, "a", "a"},
		"by the path":               {[]string{"JSESSIONID=gateway; Path=/", "JSESSIONID=a; Path=/platform/"}, "", "a"},
		"eaten by a proxy":          {nil, "a", "a"},
		"only another one's":        {[]string{"JSESSIONID=gateway; Path=/"}, "a", "a"},
		"deleted":                   {[]string{"JSESSIONID=old; Path=/platform; Max-Age=0"}, "a", "a"},
		"only by a cookie":          {[]string{"JSESSIONID=a"}, "", "a"},
		"nothing a cookie can hold": {nil, "a;b", ""},
	} {
		h := http.Header{"Set-Cookie": tt.cookies}
		if got := sessionOf(h, tt.told, "/platform"); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestLoginWithoutAVersionIsNotSent(t *testing.T) {
	t.Parallel()
	sent := false
	c := newClient(t, Options{
		Auth: AuthSession, Username: "anna", Password: "password-1",
		URL: serve(t, func(w http.ResponseWriter, r *http.Request) {
			sent = sent || r.Method == http.MethodPost
			respond(w, http.StatusOK, `{"vendorVersion":"9"}`)
		}),
	})
	if _, err := c.Login(t.Context()); !errors.Is(err, ErrInvalid) || OutcomeOf(err) != resource.NotSent || sent {
		t.Errorf("%v is %v, sent %v", err, OutcomeOf(err), sent)
	}
}

// Neither a word of no nor nothing at all is the list or the text that document 1
// shows.
func TestAnswersThatAreNone(t *testing.T) {
	t.Parallel()
	answer := ""
	c := newClient(t, Options{
		Auth: AuthBasic, Username: "anna", Password: "password-1", Edition: Edition140,
		URL: serve(t, func(w http.ResponseWriter, _ *http.Request) { respond(w, http.StatusOK, answer) }),
	})
	list := 3
	for _, answer = range []string{"null", "true", `{"error":"quota"}`} {
		if _, err := c.ServiceCalls(t.Context(), "anna", false); !errors.Is(err, ErrAnswer) {
			t.Errorf("calls %s: %v", answer, err)
		}
		items := []resource.Item{{ListID: &list, ID: &list}}
		if _, err := c.DeleteItems(t.Context(), items, nil); !errors.Is(err, ErrAnswer) || OutcomeOf(err) != resource.Unknown {
			t.Errorf("deleted %s: %v", answer, err)
		}
	}
	for _, answer = range []string{"true", "false"} {
		if id, err := c.Dial(t.Context(), resource.Dial{Number: "0612"}); OutcomeOf(err) != resource.Unknown {
			t.Errorf("dial %s: %q, %v", answer, id, err)
		}
	}
}
