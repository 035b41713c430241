package restclient

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"wallboard/internal/lib/secret"
	"wallboard/model/resource"
)

// TestTroubleWhileLoggingInAgainIsNoRefusal checks that a temporary failure of a login is not taken for a
// refusal of the credentials.
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
	if OutcomeOf(err) != resource.OutcomeNotSent || errors.Is(err, ErrUnauthorized) || errors.Is(err, ErrCredentialsRefused) {
		t.Errorf("%v is %v", err, OutcomeOf(err))
	}
	if err := hangUp(t, c); !errors.Is(err, ErrLoginFailed) || errors.Is(err, ErrRepeatedLogin) {
		t.Errorf("right after it: %v", err)
	}
	s.mu.Lock()
	s.status = 0
	s.mu.Unlock()
	s.pass(minLoginInterval)
	if err := hangUp(t, c); err != nil {
		t.Errorf("the platform is well again: %v", err)
	}
}

func TestEnsureSessionKeepsTheRuleForLogins(t *testing.T) {
	t.Parallel()
	s := &sessions{status: http.StatusServiceUnavailable}
	c := s.by(t, Options{})
	for range 5 {
		if _, err := c.Session.EnsureSession(t.Context()); err == nil {
			t.Fatal("logged in at a platform that is away")
		}
	}
	if n := s.logins.Load(); n != 1 {
		t.Errorf("%d logins", n)
	}
	s.pass(minLoginInterval)
	s.mu.Lock()
	s.status = 0
	s.mu.Unlock()
	for range 3 {
		if p, err := c.Session.EnsureSession(t.Context()); err != nil || p.Username != "anna" {
			t.Errorf("%q, %v", p.Username, err)
		}
	}
	if n := s.logins.Load(); n != 2 {
		t.Errorf("%d logins", n)
	}
}

// loggedOutMeanwhile returns a client that was logged out during a login, a channel that is
// closed when the platform receives a logout, and the result of the login.
func (s *sessions) loggedOutMeanwhile(t *testing.T) (c *Client, told <-chan struct{}, login error) {
	t.Helper()
	var first sync.Once
	arrived, goOn, left := make(chan struct{}), make(chan struct{}), make(chan struct{})
	o := Options{Auth: AuthSession, Username: "anna", Password: secret.New("password-1"), Version: "1"}
	o.URL = serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/rest/auth/login":
			first.Do(func() {
				close(arrived)
				<-goOn
			})
		case "/rest/auth/logout":
			defer close(left)
		}
		s.ServeHTTP(w, r)
	})
	c = newClient(t, o)
	result := make(chan error)
	go func() {
		_, err := c.Session.Login(t.Context())
		result <- err
	}()
	<-arrived
	if _, err := c.Session.Logout(t.Context()); !errors.Is(err, ErrNoSession) {
		t.Error(err)
	}
	close(goOn)
	return c, left, <-result
}

// TestLogoutDuringALogin checks that the session of a login that was running during a logout is ended.
func TestLogoutDuringALogin(t *testing.T) {
	t.Parallel()
	s := &sessions{}
	c, told, err := s.loggedOutMeanwhile(t)
	if !errors.Is(err, ErrNoSession) {
		t.Errorf("the login: %v", err)
	}
	if err := hangUp(t, c); !errors.Is(err, ErrNoSession) {
		t.Errorf("after the logout: %v", err)
	}
	<-told
	s.mu.Lock()
	if s.valid != "" {
		t.Error("the session goes on at the platform")
	}
	s.mu.Unlock()
	if _, err := c.Session.Login(t.Context()); err != nil {
		t.Error(err)
	}
	if err := hangUp(t, c); err != nil {
		t.Errorf("after a login: %v", err)
	}
}

func TestRefusalDuringALogoutIsRemembered(t *testing.T) {
	t.Parallel()
	s := &sessions{status: http.StatusUnauthorized}
	c, _, err := s.loggedOutMeanwhile(t)
	if !errors.Is(err, ErrUnauthorized) {
		t.Errorf("the login: %v", err)
	}
	if _, err := c.Session.Login(t.Context()); !errors.Is(err, ErrCredentialsRefused) || s.logins.Load() != 1 {
		t.Errorf("%v after %d logins", err, s.logins.Load())
	}
}

// TestLoginThatNobodyWaitsFor checks that a cancelled login returns no profile, and that the next login
// returns it.
func TestLoginThatNobodyWaitsFor(t *testing.T) {
	t.Parallel()
	s := &sessions{}
	c := s.by(t, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if p, err := c.Session.Login(ctx); err != nil && p.Username != "" {
		t.Errorf("%q, %v", p.Username, err)
	}
	if p, err := c.Session.Login(t.Context()); err != nil || p.Username != "anna" {
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
		"a route added elsewhere":   {[]string{"JSESSIONID=gateway; Path=/platform", "JSESSIONID=a.node1; Path=/"}, "a", "a.node1"},
		"another one's before it":   {[]string{"JSESSIONID=gateway; Path=/", "JSESSIONID=a; Path=/platform"}, "a", "a"},
		"by the path":               {[]string{"JSESSIONID=gateway; Path=/", "JSESSIONID=a; Path=/platform/"}, "", "a"},
		"eaten by a proxy":          {nil, "a", "a"},
		"only another one's":        {[]string{"JSESSIONID=gateway; Path=/"}, "a", "a"},
		"deleted":                   {[]string{"JSESSIONID=old; Path=/platform; Max-Age=0"}, "a", "a"},
		"only by a cookie":          {[]string{"JSESSIONID=a"}, "", "a"},
		"nothing a cookie can hold": {nil, "a;b", ""},
	} {
		h := http.Header{"Set-Cookie": tt.cookies}
		if got := sessionID(h, tt.told, "/platform"); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestLoginWithoutAVersionIsNotSent(t *testing.T) {
	t.Parallel()
	sent := false
	c := newClient(t, Options{
		Auth: AuthSession, Username: "anna", Password: secret.New("password-1"),
		URL: serve(t, func(w http.ResponseWriter, r *http.Request) {
			sent = sent || r.Method == http.MethodPost
			respond(w, http.StatusOK, `{"vendorVersion":"9"}`)
		}),
	})
	if _, err := c.Session.Login(t.Context()); !errors.Is(err, ErrInvalidRequest) || OutcomeOf(err) != resource.OutcomeNotSent || sent ||
		!strings.Contains(err.Error(), "the version that a login needs") {
		t.Errorf("%v is %v, sent %v", err, OutcomeOf(err), sent)
	}
}

// TestAnswersThatAreNone checks that neither a refusal nor an empty answer counts as a documented list or
// text.
func TestAnswersThatAreNone(t *testing.T) {
	t.Parallel()
	answer := ""
	c := newClient(t, Options{
		Auth: AuthBasic, Username: "anna", Password: secret.New("password-1"), Edition: Edition140,
		URL: serve(t, func(w http.ResponseWriter, _ *http.Request) { respond(w, http.StatusOK, answer) }),
	})
	list := 3
	for _, answer = range []string{"null", "true", `{"error":"quota"}`} {
		if _, err := c.Calls.ServiceCalls(t.Context(), "anna", false); !errors.Is(err, ErrInvalidAnswer) {
			t.Errorf("calls %s: %v", answer, err)
		}
		items := []resource.Item{{ListID: &list, ID: &list}}
		if _, err := c.Lists.DeleteItems(t.Context(), items, nil); !errors.Is(err, ErrInvalidAnswer) || OutcomeOf(err) != resource.OutcomeUnknown {
			t.Errorf("deleted %s: %v", answer, err)
		}
	}
	for _, answer = range []string{"true", "false"} {
		if id, err := c.Calls.Dial(t.Context(), resource.Dial{Number: "0612"}); OutcomeOf(err) != resource.OutcomeUnknown {
			t.Errorf("dial %s: %q, %v", answer, id, err)
		}
	}
}

// TestAnswersThatAreAboutSomethingElse checks that an answer about another object does not confirm the
// request.
func TestAnswersThatAreAboutSomethingElse(t *testing.T) {
	t.Parallel()
	answer := ""
	c := newClient(t, Options{
		Auth: AuthBasic, Username: "anna", Password: secret.New("password-1"), Edition: Edition140,
		URL: serve(t, func(w http.ResponseWriter, _ *http.Request) { respond(w, http.StatusOK, answer) }),
	})
	calls := map[string]func(ctx context.Context) error{
		"create list": func(ctx context.Context) error {
			_, err := c.Lists.CreateList(ctx, resource.List{Name: "l"})
			return err
		},
		"update list": func(ctx context.Context) error {
			_, err := c.Lists.UpdateList(ctx, resource.List{ID: is(1)})
			return err
		},
		"create campaign": func(ctx context.Context) error {
			_, err := c.Campaigns.CreateCampaign(ctx, resource.Campaign{Name: "c"})
			return err
		},
		"create contact": func(ctx context.Context) error {
			_, err := c.Contacts.CreateContact(ctx, resource.Contact{Name: "n"})
			return err
		},
		"add run":  func(ctx context.Context) error { _, err := c.Runs.AddRun(ctx, resource.Run{Name: "r"}); return err },
		"read run": func(ctx context.Context) error { _, err := c.Runs.Run(ctx, 1, resource.Time{}); return err },
	}
	for said, want := range map[string]resource.Outcome{
		`false`: resource.OutcomeRejected, ``: resource.OutcomeUnknown, `true`: resource.OutcomeUnknown, `null`: resource.OutcomeUnknown, `[]`: resource.OutcomeUnknown, `{}`: resource.OutcomeUnknown,
		`{"error":"quota"}`: resource.OutcomeUnknown, `{"name":"QuotaError","message":"no"}`: resource.OutcomeUnknown, `{"id":1}`: resource.OutcomeConfirmed,
	} {
		answer = said
		for name, call := range calls {
			if err := call(t.Context()); OutcomeOf(err) != want {
				t.Errorf("%s, answered %s: %v, want %v", name, said, err, want)
			}
		}
	}
}
