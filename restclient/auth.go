package restclient

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"wallboard/model/resource"
	"wallboard/secret"
)

// sessionCookie is the cookie of document 1, section Authentication.
const sessionCookie = "JSESSIONID"

// auth keeps the credentials and what became of them.
type auth struct {
	mode            AuthMode
	username        string
	password, token secret.Text
	now             func() time.Time

	// probing is held by the one request that tries credentials of which it is
	// not known yet whether the platform takes them (AuthBasic, AuthBearer).
	probing chan struct{}

	mu      sync.Mutex      // guards everything below
	proven  bool            // the platform took the credentials
	refused error           // why it did not; they are not sent again
	session secret.Text     // the session cookie's value
	gen     uint64          // counts the sessions
	ended   bool            // by Logout, until Login
	loginAt time.Time       // of the newest login that was sent
	before  time.Time       // of the one before it
	served  bool            // its session was good for an answer
	failed  bool            // it got no session
	profile json.RawMessage // LoginProfile of the session, with its secrets
	running *login          // nil: none
}

func newAuth(o *Options, now func() time.Time) *auth {
	mode := o.Auth
	if mode == "" {
		mode = AuthSession
	}
	return &auth{
		mode: mode, username: o.Username, password: o.Password, token: o.AccessToken,
		now: now, probing: make(chan struct{}, 1),
	}
}

// pass is what a request carries to prove who asks.
type pass struct {
	header, value string // "" for a request that proves nothing
	gen           uint64 // of the session
	session       string
	probe         bool // holds auth.probing
}

// Format hides the pass.
func (pass) Format(f fmt.State, _ rune) {
	_, _ = f.Write([]byte(secret.Redacted)) // fmt's buffer cannot fail
}

func (p pass) apply(r *http.Request) {
	if p.header != "" {
		r.Header.Set(p.header, p.value)
	}
}

// bySession returns the pass for the session, which there is. The caller holds
// a.mu.
func (a *auth) bySession() pass {
	return sessionPass(a.session.Reveal(), a.gen)
}

func sessionPass(id string, gen uint64) pass {
	c := http.Cookie{Name: sessionCookie, Value: id}
	return pass{header: "Cookie", value: c.String(), gen: gen, session: id}
}

// byHeader returns the pass of AuthBasic or AuthBearer.
func (a *auth) byHeader() pass {
	if a.mode == AuthBearer {
		return pass{header: "Authorization", value: "Bearer " + a.token.Reveal()}
	}
	pair := a.username + ":" + a.password.Reveal()
	return pass{header: "Authorization", value: "Basic " + base64.StdEncoding.EncodeToString([]byte(pair))}
}

// secrets are what must not appear in what is said about a request with p.
func (a *auth) secrets(p pass) []string {
	s := []string{a.token.Reveal(), p.session, p.value}
	if password := a.password.Reveal(); password != "" {
		s = append(s, password, a.username+":"+password)
	}
	return s
}

// refusal returns why nothing is sent with these credentials, or nil. The
// caller holds a.mu.
func (a *auth) refusal() error {
	if a.refused != nil {
		return fmt.Errorf("%w: %w", ErrRefused, a.refused)
	}
	return nil
}

// doubt learns from how a request ended that was repeated with a new session:
// when that was refused, too, another login would not help.
func (a *auth) doubt(p pass, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if errors.Is(err, ErrUnauthorized) && p.gen == a.gen && !a.ended {
		a.refused = err
	}
}

// Retry allows another try with credentials that were refused, and a login
// right after the last one. It is for a person who says so, or after the
// account was repaired.
func (s *Session) Retry() {
	s.auth.mu.Lock()
	defer s.auth.mu.Unlock()
	s.auth.refused, s.auth.proven, s.auth.loginAt = nil, false, time.Time{}
}

// pass returns what op's requests carry; for whom nobody logged in yet it logs
// in. What it returns is to be given to [auth.settle].
func (s *Session) pass(ctx context.Context, op resource.Operation) (pass, error) {
	need, a := op.Endpoint().Access, s.auth
	if need == resource.Open {
		return pass{}, nil
	}
	if a.mode != AuthSession && op != resource.OpLogout {
		return a.probe(ctx)
	}
	a.mu.Lock()
	has, ended, gen, refused := a.session.Reveal() != "", a.ended, a.gen, a.refusal()
	if has && !ended || has && op == resource.OpLogout {
		defer a.mu.Unlock()
		return a.bySession(), nil
	}
	a.mu.Unlock()
	if refused != nil {
		return pass{}, refused
	}
	if need == resource.SessionOnly || ended {
		return pass{}, ErrNoSession
	}
	return s.newSession(ctx, gen)
}

// probe returns the pass of AuthBasic or AuthBearer. As long as it is not known
// whether the platform takes the credentials, it hands out one at a time:
// platforms lock accounts after a few wrong passwords.
func (a *auth) probe(ctx context.Context) (pass, error) {
	p := a.byHeader()
	a.mu.Lock()
	proven, err := a.proven, a.refusal()
	a.mu.Unlock()
	if proven || err != nil {
		return p, err
	}
	select {
	case a.probing <- struct{}{}:
	case <-ctx.Done():
		return p, causeOf(ctx.Err(), false)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.refusal(); err != nil || a.proven {
		<-a.probing
		return p, err
	}
	p.probe = true
	return p, nil
}

// settle learns from how a request with p ended.
func (a *auth) settle(op resource.Operation, p pass, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	status := http.StatusOK
	if err != nil {
		var e *Error
		errors.As(err, &e)
		status = e.Status
	}
	denied := status == http.StatusUnauthorized
	switch {
	case p.header == "":
	case p.session != "":
		a.served = a.served || status/100 == 2 && op != resource.OpLogout && a.gen == p.gen
		if (denied || op == resource.OpLogout && status != 0) && a.gen == p.gen {
			a.session = secret.Text{}
		}
	case denied && op == resource.OpValidSession && a.proven:
		// There is no session where every request proves itself.
	case denied:
		a.refused, a.proven = err, false
	case status/100 == 2, status/100 == 4:
		a.proven = a.refused == nil
	}
	if p.probe {
		<-a.probing
	}
}
