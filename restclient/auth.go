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

	"wallboard/internal/lib/secret"
	"wallboard/model/resource"
)

// sessionCookie is the session cookie of document 1, section Authentication.
const sessionCookie = "JSESSIONID"

// auth holds the credentials and the state of the login.
type auth struct {
	mode            AuthMode
	username        string
	password, token secret.Text
	now             func() time.Time

	// probing is held by the request that tests whether the platform accepts the credentials
	// (AuthBasic, AuthBearer). Other requests wait for the result of the test.
	probing chan struct{}

	mu                  sync.Mutex      // guards everything below
	credentialsAccepted bool            // the platform has accepted the credentials
	refusedErr          error           // why the platform refused the credentials, which are then not sent again; nil: not refused
	session             secret.Text     // the session cookie's value
	sessionGeneration   uint64          // number of sessions created so far
	loggedOut           bool            // set by Logout, cleared by Login
	loginAt             time.Time       // when the last login that was sent ended
	previousLoginAt     time.Time       // when the login before that one ended
	sessionUsed         bool            // the session of the last login was used successfully
	loginFailed         bool            // the last login did not create a session
	profile             json.RawMessage // LoginProfile of the session, with its secrets
	runningLogin        *pendingLogin   // nil: none
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

// credentials holds the authentication header of a request.
type credentials struct {
	header, value string // name and value of the header; "" for a request without authentication
	generation    uint64 // generation of the session
	session       string // value of the session cookie; "": no session
	isProbe       bool   // this request holds auth.probing
}

// Format implements [fmt.Formatter]. It never prints the credentials.
func (credentials) Format(f fmt.State, _ rune) {
	_, _ = f.Write([]byte(secret.Redacted)) // writing to fmt's buffer cannot fail
}

func (c credentials) apply(r *http.Request) {
	if c.header != "" {
		r.Header.Set(c.header, c.value)
	}
}

// currentSession returns the credentials of the session, which must exist. The caller must
// hold a.mu.
func (a *auth) currentSession() credentials {
	return sessionCredentials(a.session.Reveal(), a.sessionGeneration)
}

func sessionCredentials(id string, gen uint64) credentials {
	c := http.Cookie{Name: sessionCookie, Value: id}
	return credentials{header: "Cookie", value: c.String(), generation: gen, session: id}
}

// headerCredentials returns the credentials that AuthBasic or AuthBearer sends with every request.
func (a *auth) headerCredentials() credentials {
	if a.mode == AuthBearer {
		return credentials{header: "Authorization", value: "Bearer " + a.token.Reveal()}
	}
	pair := a.username + ":" + a.password.Reveal()
	return credentials{header: "Authorization", value: "Basic " + base64.StdEncoding.EncodeToString([]byte(pair))}
}

// secretsOf returns the secrets that errors and log lines about a request with the credentials
// p must not contain.
func (a *auth) secretsOf(p credentials) []string {
	s := []string{a.token.Reveal(), p.session, p.value}
	if password := a.password.Reveal(); password != "" {
		s = append(s, password, a.username+":"+password)
	}
	return s
}

// refusalError returns an error if the platform has refused the credentials, which must then
// not be sent again. Otherwise it returns nil. The caller must hold a.mu.
func (a *auth) refusalError() error {
	if a.refusedErr != nil {
		return fmt.Errorf("%w: %w", ErrCredentialsRefused, a.refusedErr)
	}
	return nil
}

// recordSecondRefusal handles err, the result of a request that was repeated with the
// credentials p of a new session. If the platform also refused the repeated request, another
// login would be useless, and recordSecondRefusal marks the user's credentials as refused.
func (a *auth) recordSecondRefusal(p credentials, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if errors.Is(err, ErrUnauthorized) && p.generation == a.sessionGeneration && !a.loggedOut {
		a.refusedErr = err
	}
}

// AllowRefusedCredentials allows the client to send refused credentials again, and to log in without waiting for
// the minimum interval between logins. It must be called when a user asks for another attempt,
// for example after the account was repaired.
func (s *Session) AllowRefusedCredentials() {
	s.auth.mu.Lock()
	defer s.auth.mu.Unlock()
	s.auth.refusedErr, s.auth.credentialsAccepted, s.auth.loginAt = nil, false, time.Time{}
}

// credentialsFor returns the credentials for a request of the operation op. It logs in if
// necessary. The caller must pass the credentials and the result of the request to
// [auth.recordResult].
func (s *Session) credentialsFor(ctx context.Context, op resource.Operation) (credentials, error) {
	need, a := op.Endpoint().Access, s.auth
	if need == resource.AccessOpen {
		return credentials{}, nil
	}
	if a.mode != AuthSession && op != resource.OpLogout {
		return a.acquireCredentials(ctx)
	}
	a.mu.Lock()
	has, ended, gen, refused := a.session.Reveal() != "", a.loggedOut, a.sessionGeneration, a.refusalError()
	if has && !ended || has && op == resource.OpLogout {
		defer a.mu.Unlock()
		return a.currentSession(), nil
	}
	a.mu.Unlock()
	if refused != nil {
		return credentials{}, refused
	}
	if need == resource.AccessSessionOnly || ended {
		return credentials{}, ErrNoSession
	}
	return s.newSession(ctx, gen)
}

// acquireCredentials returns the credentials for AuthBasic or AuthBearer. Until the platform
// has accepted them, only one request at a time gets them, because platforms lock accounts
// after a few wrong passwords. Other requests wait for the result of that request.
func (a *auth) acquireCredentials(ctx context.Context) (credentials, error) {
	p := a.headerCredentials()
	a.mu.Lock()
	proven, err := a.credentialsAccepted, a.refusalError()
	a.mu.Unlock()
	if proven || err != nil {
		return p, err
	}
	select {
	case a.probing <- struct{}{}:
	case <-ctx.Done():
		return p, describeCause(ctx.Err(), false)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.refusalError(); err != nil || a.credentialsAccepted {
		<-a.probing
		return p, err
	}
	p.isProbe = true
	return p, nil
}

// recordResult updates the state of the login after a request of the operation op with the
// credentials p. err is the error of the request. It must be called exactly once after each
// request.
func (a *auth) recordResult(op resource.Operation, p credentials, err error) {
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
		a.sessionUsed = a.sessionUsed || status/100 == 2 && op != resource.OpLogout && a.sessionGeneration == p.generation
		if (denied || op == resource.OpLogout && status != 0) && a.sessionGeneration == p.generation {
			a.session = secret.Text{}
		}
	case denied && op == resource.OpValidSession && a.credentialsAccepted:
		// AuthBasic and AuthBearer have no session. The denial of a session check therefore
		// does not mean that the platform refuses credentials that it has accepted before.
	case denied:
		a.refusedErr, a.credentialsAccepted = err, false
	case status/100 == 2, status/100 == 4:
		a.credentialsAccepted = a.refusedErr == nil
	}
	if p.isProbe {
		<-a.probing
	}
}
