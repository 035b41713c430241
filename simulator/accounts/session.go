// Package accounts knows who may log in to the simulated platform, and which
// sessions and access tokens are good. It starts no goroutines.
package accounts

import (
	"crypto/rand"
	"sync"
	"time"
)

// Authority knows the accounts and which sessions and tokens are good. It is
// safe for concurrent use.
type Authority struct {
	accounts map[string]Account
	now      func() time.Time
	sessionLifetime,
	tokenLifetime time.Duration

	mu       sync.Mutex
	sessions map[string]grant
	tokens   map[string]grant
}

// grant is a session or a token: whose it is and until when. A zero end never
// comes.
type grant struct {
	username string
	until    time.Time
}

// Credentials are what one request or one socket presented. A login on a
// socket replaces its session.
type Credentials struct {
	mu      sync.Mutex
	session string
	token   string
}

func (c *Credentials) get() (session, token string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.session, c.token
}

// SetSession replaces the session.
func (c *Credentials) SetSession(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.session = id
}

// SetToken replaces the access token.
func (c *Credentials) SetToken(token string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.token = token
}

// OnlySession returns the session alone.
func (c *Credentials) OnlySession() *Credentials { return &Credentials{session: c.session} }

// OnlyToken returns the access token alone.
func (c *Credentials) OnlyToken() *Credentials { return &Credentials{token: c.token} }

// Login is a successful login.
type Login struct {
	Account        Account
	Session, Token string
	SessionLifetime,
	TokenLifetime time.Duration
}

// New returns an authority that lets the accounts in. now is its clock;
// sessions last from their last use, tokens from the login that returned them.
func New(list []Account, now func() time.Time, sessions, tokens time.Duration) *Authority {
	a := &Authority{
		accounts: make(map[string]Account, len(list)),
		now:      now, sessionLifetime: sessions, tokenLifetime: tokens,
		sessions: make(map[string]grant), tokens: make(map[string]grant),
	}
	for _, acc := range list {
		a.accounts[acc.Username] = acc
		if acc.Token != "" {
			a.tokens[acc.Token] = grant{username: acc.Username}
		}
	}
	return a
}

// Of returns the account of a username; ok is false when there is none.
func (a *Authority) Of(username string) (acc Account, ok bool) {
	acc, ok = a.accounts[username]
	return acc, ok
}

// WithPassword logs in with a password.
func (a *Authority) WithPassword(username, password string) (Login, bool) {
	acc, ok := a.accounts[username]
	if !ok || acc.Password != password {
		return Login{}, false
	}
	return a.open(acc, ""), true
}

// WithToken logs in with an access token.
func (a *Authority) WithToken(token string) (Login, bool) {
	a.mu.Lock()
	g, ok := a.tokens[token]
	a.mu.Unlock()
	if !ok || a.ended(g) {
		return Login{}, false
	}
	return a.open(a.accounts[g.username], token), true
}

// Standing returns whose standing token it is; ok is false when it is nobody's
// or no longer good.
func (a *Authority) Standing(token string) (acc Account, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	g, ok := a.tokens[token]
	return a.accounts[g.username], ok && g.until.IsZero()
}

// open starts a session; without a token it issues one.
func (a *Authority) open(acc Account, token string) Login {
	a.mu.Lock()
	defer a.mu.Unlock()
	l := Login{
		Account: acc, Session: rand.Text(), Token: token,
		SessionLifetime: a.sessionLifetime, TokenLifetime: a.tokenLifetime,
	}
	now := a.now()
	a.sessions[l.Session] = grant{acc.Username, now.Add(a.sessionLifetime)}
	if token == "" {
		l.Token = rand.Text()
		a.tokens[l.Token] = grant{acc.Username, now.Add(a.tokenLifetime)}
	}
	return l
}

// Valid reports whether one of the credentials is good. Using a session extends
// it.
func (a *Authority) Valid(c *Credentials) bool {
	session, token := c.get()
	a.mu.Lock()
	defer a.mu.Unlock()
	if g, ok := a.sessions[session]; ok && !a.ended(g) {
		g.until = a.now().Add(a.sessionLifetime)
		a.sessions[session] = g
		return true
	}
	g, ok := a.tokens[token]
	return ok && !a.ended(g)
}

func (a *Authority) ended(g grant) bool { return !g.until.IsZero() && !a.now().Before(g.until) }

// ExpireAll ends every session and every token.
func (a *Authority) ExpireAll() {
	a.mu.Lock()
	defer a.mu.Unlock()
	clear(a.sessions)
	clear(a.tokens)
}

// AllowToken makes the standing token of an account good again.
func (a *Authority) AllowToken(token string) bool {
	if token == "" {
		return false
	}
	for _, acc := range a.accounts {
		if acc.Token == token {
			a.mu.Lock()
			defer a.mu.Unlock()
			a.tokens[token] = grant{username: acc.Username}
			return true
		}
	}
	return false
}
