package simulator

import (
	"crypto/rand"
	"sync"
	"time"
)

// authority knows the accounts and which sessions and tokens are good. It is
// safe for concurrent use.
type authority struct {
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

// credentials are what one request or one socket presented. A login on a
// socket replaces its session.
type credentials struct {
	mu      sync.Mutex
	session string
	token   string
}

func (c *credentials) get() (session, token string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.session, c.token
}

func (c *credentials) setSession(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.session = id
}

func (c *credentials) setToken(token string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.token = token
}

// login is a successful login.
type login struct {
	account        Account
	session, token string
	sessionLifetime,
	tokenLifetime time.Duration
}

func newAuthority(o Options) *authority {
	a := &authority{
		accounts: make(map[string]Account, len(o.Users)),
		now:      o.Now, sessionLifetime: o.SessionLifetime, tokenLifetime: o.TokenLifetime,
		sessions: make(map[string]grant), tokens: make(map[string]grant),
	}
	for _, acc := range o.Users {
		a.accounts[acc.Username] = acc
		if acc.Token != "" {
			a.tokens[acc.Token] = grant{username: acc.Username}
		}
	}
	return a
}

// withPassword logs in with a password.
func (a *authority) withPassword(username, password string) (login, bool) {
	acc, ok := a.accounts[username]
	if !ok || acc.Password != password {
		return login{}, false
	}
	return a.open(acc, ""), true
}

// withToken logs in with an access token.
func (a *authority) withToken(token string) (login, bool) {
	a.mu.Lock()
	g, ok := a.tokens[token]
	a.mu.Unlock()
	if !ok || a.ended(g) {
		return login{}, false
	}
	return a.open(a.accounts[g.username], token), true
}

// standing returns whose standing token it is; ok is false when it is nobody's
// or no longer good.
func (a *authority) standing(token string) (acc Account, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	g, ok := a.tokens[token]
	return a.accounts[g.username], ok && g.until.IsZero()
}

// open starts a session; without a token it issues one.
func (a *authority) open(acc Account, token string) login {
	a.mu.Lock()
	defer a.mu.Unlock()
	l := login{
		account: acc, session: rand.Text(), token: token,
		sessionLifetime: a.sessionLifetime, tokenLifetime: a.tokenLifetime,
	}
	now := a.now()
	a.sessions[l.session] = grant{acc.Username, now.Add(a.sessionLifetime)}
	if token == "" {
		l.token = rand.Text()
		a.tokens[l.token] = grant{acc.Username, now.Add(a.tokenLifetime)}
	}
	return l
}

// valid reports whether one of the credentials is good. Using a session extends
// it.
func (a *authority) valid(c *credentials) bool {
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

func (a *authority) ended(g grant) bool { return !g.until.IsZero() && !a.now().Before(g.until) }

// expireAll ends every session and every token.
func (a *authority) expireAll() {
	a.mu.Lock()
	defer a.mu.Unlock()
	clear(a.sessions)
	clear(a.tokens)
}

// allowToken makes the standing token of an account good again.
func (a *authority) allowToken(token string) bool {
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
