package restclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"wallboard/model/resource"
)

const (
	loginTimeout = 10 * time.Second
	loginEvery   = 30 * time.Second // the least time between two logins that nobody asked for
)

// login is a login under way. Its fields are valid when done is closed.
type login struct {
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

// newSession returns the pass of a session newer than gen. It logs in, unless
// somebody else has or is doing so.
func (c *Client) newSession(ctx context.Context, gen uint64) (pass, error) {
	a := c.auth
	a.mu.Lock()
	if a.session.reveal() != "" && a.gen != gen {
		defer a.mu.Unlock()
		return a.bySession(), nil
	}
	l := a.running
	if l == nil {
		err := a.refusal()
		switch {
		case err != nil:
		case a.ended:
			err = ErrNoSession
		case !a.loginAt.IsZero() && a.now().Sub(a.loginAt) < loginEvery:
			err = ErrTooSoon
		}
		if err == nil {
			l, err = c.startLogin()
		}
		if err != nil {
			a.mu.Unlock()
			return pass{}, err
		}
	}
	a.mu.Unlock()
	if err := l.wait(ctx); err != nil {
		return pass{}, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.session.reveal() == "" {
		return pass{}, ErrNoSession // it has ended meanwhile
	}
	return a.bySession(), nil
}

// logIn logs in because somebody asked for it, and returns the LoginProfile
// with its secrets.
func (c *Client) logIn(ctx context.Context) (json.RawMessage, error) {
	a := c.auth
	a.mu.Lock()
	l := a.running
	if l == nil {
		err := a.refusal()
		if err == nil {
			l, err = c.startLogin()
		}
		if err != nil {
			a.mu.Unlock()
			return nil, notSent(OpLogin, err)
		}
	}
	a.mu.Unlock()
	err := l.wait(ctx)
	var e *Error
	if err != nil && !errors.As(err, &e) {
		err = &Error{Operation: OpLogin, Err: err}
	}
	return l.profile, err
}

// startLogin starts a login that outlives whoever waits for it: cancelling one
// request must not fail the others. The caller holds auth.mu.
func (c *Client) startLogin() (*login, error) {
	if c.life.Err() != nil {
		return nil, errClosed
	}
	l := &login{done: make(chan struct{})}
	c.auth.running = l
	c.wg.Go(func() {
		ctx, cancel := context.WithTimeout(c.life, loginTimeout)
		defer cancel()
		var session string
		l.profile, session, l.err = c.sendLogin(ctx)
		c.auth.finish(session, l.err)
		close(l.done)
	})
	return l, nil
}

// wait waits for the end of the login.
func (l *login) wait(ctx context.Context) error {
	select {
	case <-l.done:
		return l.err
	case <-ctx.Done():
		return causeOf(ctx.Err(), false)
	}
}

// finish takes the result of a login.
func (a *auth) finish(session string, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.running = nil
	if OutcomeOf(err) != resource.NotSent {
		a.loginAt = a.now()
	}
	switch {
	case err == nil:
		a.session, a.ended = newSecret(session), false
		a.gen++
	case errors.Is(err, ErrUnauthorized), errors.Is(err, ErrPasswordExpired):
		a.refused, a.proven = err, false
	}
}

// sendLogin logs in by password, or by access token when there is no other.
func (c *Client) sendLogin(ctx context.Context) (profile json.RawMessage, session string, err error) {
	op, body := OpLogin, loginRequest{Version: c.version, Username: c.auth.username, Password: c.auth.password.reveal()}
	if body.Password == "" {
		op, body = OpLoginByToken, loginRequest{Version: c.version, AccessToken: c.auth.token.reveal()}
	}
	if body.Version == "" {
		v, err := c.detect(ctx)
		if err != nil {
			return nil, "", notSent(op, fmt.Errorf("the version to log in with: %w", err))
		}
		body.Version = v
	}
	path, err := c.path(ctx, op)
	if err != nil {
		return nil, "", notSent(op, err)
	}
	x, err := c.prepare(request{op: op, body: body}, path)
	if err != nil {
		return nil, "", err
	}
	r, err := c.send(ctx, x, pass{})
	if err != nil {
		return nil, "", err
	}
	var told struct {
		SessionID string `json:"sessionId"`
	}
	if err := r.into(&profile); err != nil {
		return nil, "", err
	}
	_ = json.Unmarshal(profile, &told) // the cookie alone is enough
	session = sessionOf(r.header, told.SessionID)
	if session == "" {
		return nil, "", r.broken(ErrAnswer)
	}
	return profile, session, nil
}

// sessionOf returns the session's id: of the cookie, to which a balancer may
// have added a route, else as the answer tells it, because a proxy may have
// eaten the cookie. It is "" when no cookie can carry it.
func sessionOf(h http.Header, told string) string {
	for _, c := range (&http.Response{Header: h}).Cookies() {
		if c.Name == sessionCookie && c.Value != "" {
			return c.Value
		}
	}
	if strings.ContainsFunc(told, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`",;\`, r) }) {
		return ""
	}
	return told
}
