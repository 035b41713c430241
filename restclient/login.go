package restclient

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"wallboard/internal/lib/secret"
	"wallboard/model/resource"
)

const (
	loginTimeout     = 10 * time.Second
	minLoginInterval = 30 * time.Second // minimum interval of automatic logins
)

// pendingLogin is a running login. The fields profile and err are valid once done is closed.
type pendingLogin struct {
	done    chan struct{}
	profile json.RawMessage // LoginProfile of document 1, with its secrets
	err     error
}

// loginRequest is LoginRequest or LoginByAccessTokenRequest of document 1.
type loginRequest struct {
	Version     string `json:"version"`
	Username    string `json:"username,omitempty"`
	Password    string `json:"password,omitempty"`
	AccessToken string `json:"accessToken,omitempty"`
}

// newSession returns the credentials of a session that is newer than generation gen. If
// another request has created such a session or is creating one, newSession returns that
// session. Otherwise it logs in, unless the limits for automatic logins forbid this.
func (s *Session) newSession(ctx context.Context, gen uint64) (credentials, error) {
	a := s.auth
	a.mu.Lock()
	if a.session.Reveal() != "" && a.sessionGeneration != gen {
		defer a.mu.Unlock()
		return a.currentSession(), nil
	}
	l := a.runningLogin
	if l == nil {
		err := a.refusalError()
		switch {
		case err != nil:
		case a.loggedOut:
			err = ErrNoSession
		case a.loginAt.IsZero() || a.now().Sub(a.loginAt) >= minLoginInterval:
		case a.loginFailed:
			err = ErrLoginFailed
		case a.sessionUsed && (a.previousLoginAt.IsZero() || a.now().Sub(a.previousLoginAt) >= minLoginInterval):
			// If a session was used successfully before it ended, there is no reason to wait:
			// another login cannot lead to an endless loop of logins.
		default:
			err = ErrRepeatedLogin
		}
		if err == nil {
			l, err = s.startLogin()
		}
		if err != nil {
			a.mu.Unlock()
			return credentials{}, err
		}
	}
	a.mu.Unlock()
	if err := l.wait(ctx); err != nil {
		return credentials{}, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.session.Reveal() == "" {
		return credentials{}, ErrNoSession // the new session has already ended
	}
	return a.currentSession(), nil
}

// logIn logs in at the request of a user. The limits for automatic logins do not apply. It
// returns the LoginProfile including its secrets.
func (s *Session) logIn(ctx context.Context) (json.RawMessage, error) {
	a := s.auth
	a.mu.Lock()
	l := a.runningLogin
	if l == nil {
		err := a.refusalError()
		if err == nil {
			l, err = s.startLogin()
		}
		if err != nil {
			a.mu.Unlock()
			return nil, notSentError(resource.OpLogin, err)
		}
	}
	a.loggedOut = false
	a.mu.Unlock()
	if err := l.wait(ctx); err != nil { // the login may still be running
		return nil, asLoginError(err, resource.OutcomeUnknown)
	}
	return l.profile, nil
}

// asLoginError returns err if it is an [*Error], and otherwise an [*Error] of the login with
// the outcome o.
func asLoginError(err error, o resource.Outcome) error {
	var e *Error
	if errors.As(err, &e) {
		return err
	}
	return &Error{Operation: resource.OpLogin, Outcome: o, Err: err}
}

// ensureSession returns the LoginProfile of the session, including its secrets. If there is no
// session, it first logs in, unless the limits for automatic logins forbid this.
func (s *Session) ensureSession(ctx context.Context) (json.RawMessage, error) {
	a := s.auth
	a.mu.Lock()
	has, gen := a.session.Reveal() != "" && !a.loggedOut, a.sessionGeneration
	a.mu.Unlock()
	if !has {
		if _, err := s.newSession(ctx, gen); err != nil {
			return nil, asLoginError(err, resource.OutcomeNotSent)
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.profile, nil
}

// startLogin starts a login in its own goroutine. The login continues when the request that started
// it is canceled, because other requests may wait for it. The caller must hold auth.mu.
func (s *Session) startLogin() (*pendingLogin, error) {
	if s.loginContext.Err() != nil {
		return nil, errClosed
	}
	l := &pendingLogin{done: make(chan struct{})}
	s.auth.runningLogin = l
	s.wg.Go(func() {
		ctx, cancel := context.WithTimeout(s.loginContext, loginTimeout)
		defer cancel()
		var session string
		l.profile, session, l.err = s.sendLogin(ctx)
		kept := s.auth.finishLogin(session, l.profile, l.err)
		if !kept {
			l.err = ErrNoSession
		}
		close(l.done)
		if !kept {
			s.logOutSession(ctx, session)
		}
	})
	return l, nil
}

// logOutSession logs out a session that is not going to be used. If the logout fails, the
// session expires a day later.
func (s *Session) logOutSession(ctx context.Context, session string) {
	path, err := s.pathOf(ctx, resource.OpLogout)
	if err != nil {
		return
	}
	if x, err := s.sender.prepare(request{op: resource.OpLogout}, path); err == nil {
		_, _ = s.sender.send(ctx, x, sessionCredentials(session, 0))
	}
}

// wait waits for the end of the login and returns its error. If ctx ends first, wait returns
// the reason.
func (l *pendingLogin) wait(ctx context.Context) error {
	select {
	case <-l.done:
		return l.err
	case <-ctx.Done():
		return describeCause(ctx.Err(), false)
	}
}

// finishLogin stores the result of a login. kept is false if a logout during the login has
// made the session useless.
func (a *auth) finishLogin(session string, profile json.RawMessage, err error) (kept bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.runningLogin = nil
	if OutcomeOf(err) != resource.OutcomeNotSent {
		a.previousLoginAt, a.loginAt, a.sessionUsed = a.loginAt, a.now(), false
	}
	a.loginFailed = err != nil
	switch {
	case errors.Is(err, ErrUnauthorized), errors.Is(err, ErrPasswordExpired):
		a.refusedErr, a.credentialsAccepted = err, false
	case err != nil:
	case a.loggedOut:
		return false
	default:
		a.session, a.profile = secret.New(session), profile
		a.sessionGeneration++
	}
	return true
}

// sendLogin logs in with the password, or with the access token if there is no password. It
// returns the LoginProfile with its secrets, and the value of the session cookie.
func (s *Session) sendLogin(ctx context.Context) (profile json.RawMessage, session string, err error) {
	op, body := resource.OpLogin, loginRequest{Version: s.version, Username: s.auth.username, Password: s.auth.password.Reveal()}
	if body.Password == "" {
		op, body = resource.OpLoginByToken, loginRequest{Version: s.version, AccessToken: s.auth.token.Reveal()}
	}
	if body.Version == "" {
		v, err := s.detectEdition(ctx)
		if err != nil {
			return nil, "", notSentError(op, fmt.Errorf("reading the version for the login: %w", err))
		}
		if body.Version = v; v == "" {
			return nil, "", notSentError(op, &InvalidError{[]Problem{{
				"version", "the platform does not report the version that a login needs; ask your administrator to configure it",
			}}})
		}
	}
	path, err := s.pathOf(ctx, op)
	if err != nil {
		return nil, "", notSentError(op, err)
	}
	x, err := s.sender.prepare(request{op: op, body: body}, path)
	if err != nil {
		return nil, "", err
	}
	r, err := s.sender.send(ctx, x, credentials{})
	if err != nil {
		return nil, "", err
	}
	var parsed struct {
		SessionID string `json:"sessionId"`
	}
	if err := r.decode(&profile); err != nil {
		return nil, "", err
	}
	_ = json.Unmarshal(profile, &parsed) // the cookie is sufficient
	session = sessionID(r.header, parsed.SessionID, s.sender.basePath())
	if session == "" {
		return nil, "", r.unusableError(ErrInvalidAnswer)
	}
	return profile, session, nil
}

// basePath returns the path of the base URL, which is also the path of the session cookie (document
// 1, section Authentication).
func (w *requestSender) basePath() string {
	u, err := url.Parse(w.baseURL)
	if err != nil {
		return ""
	}
	return u.Path
}

// maxSessionLength is the maximum length of a session cookie's value, in bytes, as in browsers. All
// error messages are searched for the value, so a longer value would make errors slow.
const maxSessionLength = 4 << 10

// sessionID returns the value of the session cookie, or "" if there is no valid one.
// fromAnswer is the session ID in the answer, and path the path of the service.
//
// A load balancer may have appended a route to the cookie, and proxies may have removed the
// cookie or set another one with the same name. sessionID therefore prefers, in this order: a
// cookie that begins with fromAnswer, the cookie for path, fromAnswer itself, another cookie.
func sessionID(h http.Header, fromAnswer, path string) string {
	var ours, others string
	for _, c := range (&http.Response{Header: h}).Cookies() {
		switch {
		case c.Name != sessionCookie, c.Value == "", len(c.Value) > maxSessionLength, c.MaxAge < 0:
		case fromAnswer != "" && strings.HasPrefix(c.Value, fromAnswer):
			return c.Value
		case strings.TrimRight(c.Path, "/") == path:
			ours = cmp.Or(ours, c.Value)
		default:
			others = cmp.Or(others, c.Value)
		}
	}
	if len(fromAnswer) > maxSessionLength || strings.ContainsFunc(fromAnswer, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`",;\`, r) }) {
		fromAnswer = ""
	}
	return cmp.Or(ours, fromAnswer, others)
}
