package restclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/lib/secret"
	"wallboard/model/resource"
)

// sessions is a platform that only logs in. Its fields except the counters are set before
// it serves, or under mu.
type sessions struct {
	mu      sync.Mutex
	valid   string // the only valid session
	status  int    // status of a login; 0: it succeeds
	noField bool   // the answer to a login contains the session only in the cookie
	noneFit bool   // no session is accepted, not even valid
	now     time.Time

	logins, denied, executed atomic.Int32
	last                     atomic.Value // body of the last login
}

func (s *sessions) clock() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

func (s *sessions) pass(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(d)
}

func (s *sessions) expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.valid = ""
}

func (s *sessions) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch r.URL.Path {
	case "/rest/auth/version":
		respond(w, http.StatusOK, `{"webapiVersion":"1.4.0-b7"}`)
	case "/rest/auth/login", "/rest/auth/loginByAccessToken":
		s.login(w, r)
	default:
		c, err := r.Cookie(sessionCookie)
		if err != nil || s.valid == "" || c.Value != s.valid || s.noneFit {
			s.denied.Add(1)
			respond(w, http.StatusUnauthorized, "AuthorizationRequiredException")
			return
		}
		s.executed.Add(1)
		if r.URL.Path == "/rest/auth/logout" {
			s.valid = ""
		}
		respond(w, http.StatusOK, "true")
	}
}

func (s *sessions) login(w http.ResponseWriter, r *http.Request) {
	n := s.logins.Add(1)
	var body map[string]string
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		respond(w, http.StatusBadRequest, "")
		return
	}
	body["path"] = r.URL.Path
	s.last.Store(body)
	if s.status != 0 {
		w.WriteHeader(s.status)
		return
	}
	s.valid = fmt.Sprintf("session-%d", n)
	if s.noField {
		http.SetCookie(w, &http.Cookie{Name: sessionCookie, Value: s.valid, Path: "/platform", HttpOnly: true})
		respond(w, http.StatusOK, `{"username":"anna"}`)
		return
	}
	respond(w, http.StatusOK, `{"username":"anna","sessionId":"`+s.valid+`"}`)
}

// by returns a client that logs in to s.
func (s *sessions) by(t *testing.T, o Options) *Client {
	t.Helper()
	s.now = time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
	if o.AccessToken.IsZero() {
		o.Username, o.Password = "anna", secret.New("password-1")
	}
	o.URL, o.Auth, o.Now = serve(t, s.ServeHTTP), AuthSession, s.clock
	return newClient(t, o)
}

func hangUp(t *testing.T, c *Client) error {
	t.Helper()
	return c.Session.send(t.Context(), request{op: resource.OpHangUp})
}

func TestLogsInWhenTheFirstRequestNeedsIt(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		options Options
		noField bool
		want    map[string]string
	}{
		"by password": {
			Options{},
			false,
			map[string]string{"path": "/rest/auth/login", "version": "1.4.0-b7", "username": "anna", "password": "password-1"},
		},
		"by token": {
			Options{AccessToken: secret.New("token-1")},
			false,
			map[string]string{"path": "/rest/auth/loginByAccessToken", "version": "1.4.0-b7", "accessToken": "token-1"},
		},
		"by cookie, with a configured version": {
			Options{Version: "x"},
			true,
			map[string]string{"path": "/rest/auth/login", "version": "x", "username": "anna", "password": "password-1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &sessions{noField: tt.noField}
			c := s.by(t, tt.options)
			for range 2 {
				if err := hangUp(t, c); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(tt.want, s.last.Load()); diff != "" || s.logins.Load() != 1 {
				t.Errorf("%d logins (-want +got):\n%s", s.logins.Load(), diff)
			}
		})
	}
}

func TestManyRefusedRequestsLogInOnce(t *testing.T) {
	t.Parallel()
	s := &sessions{}
	c := s.by(t, Options{})
	storm := func() {
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() {
				if err := hangUp(t, c); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	}
	storm()
	if s.logins.Load() != 1 || s.executed.Load() != 50 || s.denied.Load() != 0 {
		t.Errorf("at first: %d logins, %d executed, %d denied", s.logins.Load(), s.executed.Load(), s.denied.Load())
	}
	s.expire()
	s.pass(minLoginInterval)
	storm()
	if s.logins.Load() != 2 || s.executed.Load() != 100 {
		t.Errorf("after the session ended: %d logins, %d executed", s.logins.Load(), s.executed.Load())
	}
}

// TestALateRefusalLogsNobodyIn checks that a request of the old session that is refused after the login
// uses the new session.
func TestALateRefusalLogsNobodyIn(t *testing.T) {
	t.Parallel()
	s := &sessions{}
	arrived, renewed := make(chan struct{}), make(chan struct{})
	c := s.by(t, Options{})
	c.Session.sender.baseURL = serve(t, func(w http.ResponseWriter, r *http.Request) {
		if cookie, err := r.Cookie(sessionCookie); err == nil && cookie.Value == "session-1" && r.Method == http.MethodDelete {
			close(arrived)
			<-renewed
		}
		s.ServeHTTP(w, r)
	})
	if err := hangUp(t, c); err != nil {
		t.Fatal(err)
	}
	late := make(chan error)
	go func() {
		late <- c.Session.send(t.Context(), request{op: resource.OpContactDelete, path: []string{"1"}})
	}()
	<-arrived
	s.expire()
	s.pass(minLoginInterval)
	if err := hangUp(t, c); err != nil {
		t.Error(err)
	}
	close(renewed)
	if err := <-late; err != nil || s.logins.Load() != 2 {
		t.Errorf("%v, %d logins", err, s.logins.Load())
	}
}

func TestSessionsThatEndAtOnceDoNotHammer(t *testing.T) {
	t.Parallel()
	s := &sessions{}
	c := s.by(t, Options{})
	if err := hangUp(t, c); err != nil {
		t.Fatal(err)
	}
	s.expire()
	s.pass(time.Second)
	if err := hangUp(t, c); err != nil || s.logins.Load() != 2 { // the first session has been used successfully
		t.Errorf("the first one that ended: %v, %d logins", err, s.logins.Load())
	}
	s.expire()
	s.pass(minLoginInterval - 2*time.Second)
	err := hangUp(t, c)
	if !errors.Is(err, ErrRepeatedLogin) || errors.Is(err, ErrUnauthorized) || OutcomeOf(err) != resource.OutcomeNotSent {
		t.Errorf("%v is %v", err, OutcomeOf(err))
	}
	if err := hangUp(t, c); !errors.Is(err, ErrRepeatedLogin) || OutcomeOf(err) != resource.OutcomeNotSent {
		t.Errorf("%v is %v", err, OutcomeOf(err))
	}
	s.pass(time.Second)
	if err := hangUp(t, c); err != nil || s.logins.Load() != 3 {
		t.Errorf("after a while: %v, %d logins", err, s.logins.Load())
	}
}

func TestRefusedCredentialsAreSentOnce(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]error{http.StatusUnauthorized: ErrUnauthorized, http.StatusForbidden: ErrPasswordExpired} {
		s := &sessions{status: status}
		c := s.by(t, Options{})
		for i := range 3 {
			err := hangUp(t, c)
			if !errors.Is(err, want) || OutcomeOf(err) != resource.OutcomeNotSent || errors.Is(err, ErrCredentialsRefused) != (i > 0) {
				t.Errorf("%d, request %d: %v is %v", status, i, err, OutcomeOf(err))
			}
			s.pass(time.Hour)
		}
		if _, err := c.Session.ValidSession(t.Context()); !errors.Is(err, ErrCredentialsRefused) {
			t.Errorf("%d: ValidSession: %v", status, err)
		}
		if _, err := c.Session.Login(t.Context()); !errors.Is(err, ErrCredentialsRefused) || s.logins.Load() != 1 {
			t.Errorf("%d: %v, %d logins", status, err, s.logins.Load())
		}
		s.mu.Lock()
		s.status = 0
		s.mu.Unlock()
		c.Session.AllowRefusedCredentials()
		if err := hangUp(t, c); err != nil || s.logins.Load() != 2 {
			t.Errorf("%d, after Retry: %v, %d logins", status, err, s.logins.Load())
		}
	}
}

func TestANewSessionThatIsRefusedIsTheLast(t *testing.T) {
	t.Parallel()
	s := &sessions{noneFit: true}
	c := s.by(t, Options{})
	if err := hangUp(t, c); !errors.Is(err, ErrRepeatedLogin) || s.denied.Load() != 1 {
		t.Errorf("%v, denied %d times", err, s.denied.Load())
	}
	s.pass(minLoginInterval)
	s.mu.Lock()
	s.noneFit = false
	s.mu.Unlock()
	if err := hangUp(t, c); err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	s.noneFit = true
	s.mu.Unlock()
	s.pass(minLoginInterval)
	err := hangUp(t, c)
	if !errors.Is(err, ErrUnauthorized) || OutcomeOf(err) != resource.OutcomeRejected || s.denied.Load() != 3 {
		t.Errorf("%v is %v, denied %d times, want one replay", err, OutcomeOf(err), s.denied.Load())
	}
	s.pass(time.Hour)
	if err := hangUp(t, c); !errors.Is(err, ErrCredentialsRefused) || s.logins.Load() != 3 {
		t.Errorf("%v after %d logins", err, s.logins.Load())
	}
}

func TestLogout(t *testing.T) {
	t.Parallel()
	s := &sessions{}
	c := s.by(t, Options{})
	if _, err := c.Session.Logout(t.Context()); !errors.Is(err, ErrNoSession) || s.logins.Load() != 0 {
		t.Errorf("without a session: %v", err)
	}
	if valid, err := c.Session.ValidSession(t.Context()); valid || err != nil || s.logins.Load() != 0 {
		t.Errorf("ValidSession without a session: %v, %v", valid, err)
	}
	profile, err := c.Session.Login(t.Context())
	if err != nil || profile.Username != "anna" {
		t.Fatalf("%+v, %v", profile, err)
	}
	if valid, err := c.Session.ValidSession(t.Context()); !valid || err != nil {
		t.Errorf("ValidSession: %v, %v", valid, err)
	}
	if ok, err := c.Session.Logout(t.Context()); !ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
	s.pass(time.Hour)
	if err := hangUp(t, c); !errors.Is(err, ErrNoSession) || OutcomeOf(err) != resource.OutcomeNotSent {
		t.Errorf("a request after the logout: %v", err)
	}
	if _, err := c.Session.Login(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := hangUp(t, c); err != nil {
		t.Error(err)
	}
}

func TestValidSessionOfAnEndedOne(t *testing.T) {
	t.Parallel()
	s := &sessions{}
	c := s.by(t, Options{})
	if err := hangUp(t, c); err != nil {
		t.Fatal(err)
	}
	s.expire()
	s.pass(time.Hour)
	if valid, err := c.Session.ValidSession(t.Context()); valid || err != nil || s.logins.Load() != 1 {
		t.Errorf("%v, %v, %d logins", valid, err, s.logins.Load())
	}
	if err := hangUp(t, c); err != nil || s.logins.Load() != 2 {
		t.Errorf("the next request: %v, %d logins", err, s.logins.Load())
	}
}

// TestLoginOutlivesWhoAskedForIt checks that a request that stops waiting for a login does not cancel the
// login for others.
func TestLoginOutlivesWhoAskedForIt(t *testing.T) {
	t.Parallel()
	s := &sessions{}
	arrived, goOn := make(chan struct{}), make(chan struct{})
	o := Options{Auth: AuthSession, Username: "anna", Password: secret.New("password-1"), Version: "1"}
	o.URL = serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/rest/auth/login" {
			close(arrived)
			<-goOn
		}
		s.ServeHTTP(w, r)
	})
	c := newClient(t, o)
	ctx, cancel := context.WithCancel(t.Context())
	first, second := make(chan error), make(chan error)
	go func() { first <- c.Session.send(ctx, request{op: resource.OpHangUp}) }()
	<-arrived
	go func() { second <- c.Session.send(t.Context(), request{op: resource.OpHangUp}) }()
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) || OutcomeOf(err) != resource.OutcomeNotSent {
		t.Errorf("the cancelled request: %v is %v", err, OutcomeOf(err))
	}
	close(goOn)
	if err := <-second; err != nil || s.logins.Load() != 1 {
		t.Errorf("the other: %v, %d logins", err, s.logins.Load())
	}
}

func TestLoginAnswersThatHoldNoSession(t *testing.T) {
	t.Parallel()
	for _, body := range []string{``, `{}`, `{"sessionId":"a; Path=/"}`, `{"sessionId":"a\r\nX: y"}`, `"text"`, `<html>`} {
		c := newClient(t, Options{
			Auth: AuthSession, Username: "anna", Password: secret.New("password-1"), Version: "1",
			URL: serve(t, func(w http.ResponseWriter, _ *http.Request) { respond(w, http.StatusOK, body) }),
		})
		if err := hangUp(t, c); !errors.Is(err, ErrInvalidAnswer) || OutcomeOf(err) != resource.OutcomeNotSent {
			t.Errorf("%s: %v is %v", body, err, OutcomeOf(err))
		}
	}
}

func TestCloseEndsALogin(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		network := newPipes(func(*conn) { <-t.Context().Done() })
		c, err := New(Options{
			URL: "http://host", Username: "anna", Password: secret.New("password-1"), Version: "1", DialContext: network.DialContext,
		})
		if err != nil {
			t.Fatal(err)
		}
		result := make(chan error, 1)
		go func() { result <- c.Session.send(t.Context(), request{op: resource.OpHangUp}) }()
		synctest.Wait()
		c.Close()
		if err := <-result; !errors.Is(err, context.Canceled) || OutcomeOf(err) != resource.OutcomeNotSent {
			t.Errorf("%v is %v", err, OutcomeOf(err))
		}
		if err := c.Session.send(t.Context(), request{op: resource.OpHangUp}); OutcomeOf(err) != resource.OutcomeNotSent {
			t.Errorf("after Close: %v", err)
		}
	})
}
