package webservice

import (
	"crypto/rand"
	"sync"
	"time"
)

// Authority checks logins, sessions and access tokens. It is safe for concurrent use.
type Authority struct {
	accounts map[string]Account
	now      func() time.Time
	sessionLifetime,
	tokenLifetime time.Duration

	mu       sync.Mutex
	sessions map[string]sessionEntry
	tokens   map[string]sessionEntry
}

// sessionEntry holds the owner and the expiry of a session or token. A zero expiry means that it does
// not expire.
type sessionEntry struct {
	username string
	expires  time.Time
}

// Credentials are the session and the access token that a client presents in an HTTP request
// or a WebSocket. A login over the WebSocket replaces the session.
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

// SetSession replaces the session with the session that has the given ID.
func (c *Credentials) SetSession(id string) { SetLocked(&c.mu, &c.session, id) }

// SetToken replaces the access token.
func (c *Credentials) SetToken(token string) { SetLocked(&c.mu, &c.token, token) }

// OnlySession returns credentials with only the session of c.
func (c *Credentials) OnlySession() *Credentials { return &Credentials{session: c.session} }

// OnlyToken returns credentials with only the access token of c.
func (c *Credentials) OnlyToken() *Credentials { return &Credentials{token: c.token} }

// Login is the result of a successful login.
type Login struct {
	Account        Account
	Session, Token string
	SessionLifetime,
	TokenLifetime time.Duration
}

// NewAuthority returns an Authority for a list of accounts. now returns the current time.
// Sessions expire after not being used for the duration sessions. Tokens issued by a login
// expire after the duration tokens.
func NewAuthority(list []Account, now func() time.Time, sessions, tokens time.Duration) *Authority {
	a := &Authority{
		accounts: make(map[string]Account, len(list)),
		now:      now, sessionLifetime: sessions, tokenLifetime: tokens,
		sessions: make(map[string]sessionEntry), tokens: make(map[string]sessionEntry),
	}
	for _, acc := range list {
		a.accounts[acc.Username] = acc
		if acc.Token != "" {
			a.tokens[acc.Token] = sessionEntry{username: acc.Username}
		}
	}
	return a
}

// Account returns the account with the given username. ok is false if there is none.
func (a *Authority) Account(username string) (acc Account, ok bool) {
	acc, ok = a.accounts[username]
	return acc, ok
}

// LoginWithPassword logs a user in by password. It returns false if the username or the
// password is wrong.
func (a *Authority) LoginWithPassword(username, password string) (Login, bool) {
	acc, ok := a.accounts[username]
	if !ok || acc.Password != password {
		return Login{}, false
	}
	return a.startSession(acc, ""), true
}

// LoginWithToken logs a user in by access token. It returns false if the token is unknown or
// has expired.
func (a *Authority) LoginWithToken(token string) (Login, bool) {
	a.mu.Lock()
	g, ok := a.tokens[token]
	a.mu.Unlock()
	if !ok || a.isExpired(g) {
		return Login{}, false
	}
	return a.startSession(a.accounts[g.username], token), true
}

// AccountByToken returns the account with the given permanent token. ok is false if the token
// is unknown, revoked, or was issued by a login.
func (a *Authority) AccountByToken(token string) (acc Account, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	g, ok := a.tokens[token]
	return a.accounts[g.username], ok && g.expires.IsZero()
}

// startSession starts a session for an account and returns its login. If token is empty,
// startSession also issues a token.
func (a *Authority) startSession(acc Account, token string) Login {
	a.mu.Lock()
	defer a.mu.Unlock()
	l := Login{
		Account: acc, Session: rand.Text(), Token: token,
		SessionLifetime: a.sessionLifetime, TokenLifetime: a.tokenLifetime,
	}
	now := a.now()
	a.sessions[l.Session] = sessionEntry{acc.Username, now.Add(a.sessionLifetime)}
	if token == "" {
		l.Token = rand.Text()
		a.tokens[l.Token] = sessionEntry{acc.Username, now.Add(a.tokenLifetime)}
	}
	return l
}

// Authenticate reports whether the client has a valid session or token. It extends a valid session.
func (a *Authority) Authenticate(c *Credentials) bool {
	session, token := c.get()
	a.mu.Lock()
	defer a.mu.Unlock()
	if g, ok := a.sessions[session]; ok && !a.isExpired(g) {
		g.expires = a.now().Add(a.sessionLifetime)
		a.sessions[session] = g
		return true
	}
	g, ok := a.tokens[token]
	return ok && !a.isExpired(g)
}

func (a *Authority) isExpired(g sessionEntry) bool {
	return !g.expires.IsZero() && !a.now().Before(g.expires)
}

// ExpireAll invalidates all sessions and all tokens, including permanent ones.
func (a *Authority) ExpireAll() {
	a.mu.Lock()
	defer a.mu.Unlock()
	clear(a.sessions)
	clear(a.tokens)
}

// AllowToken makes a permanent token valid again after [Authority.ExpireAll]. It returns false
// if no account has this token.
func (a *Authority) AllowToken(token string) bool {
	if token == "" {
		return false
	}
	for _, acc := range a.accounts {
		if acc.Token == token {
			a.mu.Lock()
			defer a.mu.Unlock()
			a.tokens[token] = sessionEntry{username: acc.Username}
			return true
		}
	}
	return false
}
