package simulator

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"
)

// restCookie is the session cookie of document 1, section Authentication.
const restCookie = "JSESSIONID"

// restSessions are the sessions of the REST service. They have nothing to do
// with those of the real-time display service. It is safe for concurrent use.
type restSessions struct {
	now      func() time.Time
	lifetime time.Duration

	mu   sync.Mutex
	open map[string]grant
}

func newRESTSessions(now func() time.Time, lifetime time.Duration) *restSessions {
	return &restSessions{now: now, lifetime: lifetime, open: make(map[string]grant)}
}

func (s *restSessions) begin(username string) (id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id = rand.Text()
	s.open[id] = grant{username, s.now().Add(s.lifetime)}
	return id
}

// use renews a session and returns whose it is; ok is false when it is none or
// has expired.
func (s *restSessions) use(id string) (username string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g, ok := s.open[id]
	if !ok || !s.now().Before(g.until) {
		delete(s.open, id)
		return "", false
	}
	g.until = s.now().Add(s.lifetime)
	s.open[id] = g
	return g.username, true
}

// RESTSessions counts the sessions of the configuration service that are open.
func (s *Server) RESTSessions() int {
	r := s.rest.sessions
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.open)
}

func (s *restSessions) end(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, id)
}

func (s *restSessions) endAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.open)
}

// authenticate finds out who asks: by the header, if there is one, else by the
// session cookie.
func (r *rest) authenticate(c *restCall) bool {
	a := r.s.authority
	if scheme, value, ok := strings.Cut(c.http.Header.Get("Authorization"), " "); ok {
		switch {
		case strings.EqualFold(scheme, "Basic"):
			username, password, _ := c.http.BasicAuth()
			acc, known := a.accounts[username]
			c.account = acc
			return known && acc.Password == password && !acc.PasswordExpired
		case strings.EqualFold(scheme, "Bearer"):
			// Only the key of a service account: a token that a login returned is none.
			acc, known := a.standing(value)
			c.account = acc
			return known
		}
		return false
	}
	cookie, err := c.http.Cookie(restCookie)
	if err != nil {
		return false
	}
	username, ok := r.sessions.use(cookie.Value)
	c.account, c.session = a.accounts[username], cookie.Value
	return ok
}

func (r *rest) version(*restCall) (any, error) {
	return object{"vendorVersion": "11.6.2", "webapiVersion": string(r.s.opts.Edition)}, nil
}

func (r *rest) isValidSession(*restCall) (any, error) { return true, nil }

func (r *rest) logout(c *restCall) (any, error) {
	r.sessions.end(c.session)
	return true, nil
}

// login serves the login by credentials.
func (r *rest) login(c *restCall) (any, error) {
	var q struct{ Version, Username, Password string }
	if json.Unmarshal(c.body, &q) != nil || q.Version != r.s.opts.LoginVersion {
		return nil, unauthenticated("wrong version")
	}
	l, ok := r.s.authority.withPassword(q.Username, q.Password)
	if !ok {
		return nil, unauthenticated("invalid credentials")
	}
	return r.begin(c, l)
}

// loginByAccessToken serves the login by a token, of a service account or from
// an earlier login.
func (r *rest) loginByAccessToken(c *restCall) (any, error) {
	var q struct{ Version, AccessToken string }
	if json.Unmarshal(c.body, &q) != nil || q.Version != r.s.opts.LoginVersion {
		return nil, unauthenticated("wrong version")
	}
	_, standing := r.s.authority.standing(q.AccessToken)
	l, ok := r.s.authority.withToken(q.AccessToken)
	if !ok || standing && r.s.opts.ServiceKeys {
		return nil, unauthenticated("invalid or expired access token")
	}
	return r.begin(c, l)
}

// begin opens a session and returns its LoginProfile.
func (r *rest) begin(c *restCall, l login) (any, error) {
	a := l.account
	if a.PasswordExpired {
		return nil, &restError{status: http.StatusForbidden, message: "password expired"}
	}
	id := r.sessions.begin(a.Username)
	c.cookie = &http.Cookie{ //nolint:gosec // Secure would hide it from a client of plain HTTP
		Name: restCookie, Value: id, Path: cmp.Or(r.s.opts.RESTPath, "/"), HttpOnly: true, Secure: r.s.opts.TLS != nil,
	}
	setDefault(&a.Language, "EN")
	permissions := []string{"SUPERUSER"}
	if !a.Supervisor {
		permissions = []string{}
	}
	profile := object{
		"username": a.Username, "surname": a.Surname, "name": a.Name, "publicUsername": a.Username,
		"accessToken": l.token, "sessionId": id, "status": "UNKNOWN", "language": a.Language,
		"anonymous": false, "pwdChangeable": true, "isCloudPlatform": false, "logged": true,
		"chatUserId": "chat-" + a.Username, "chatAuthToken": rand.Text(), "chatUri": r.s.url("ws", "/chat"),
		"profileRoles": []string{"CALL_CENTER"}, "userPermissions": permissions,
		"customProperties": object{"theme": "dark", "columns": 4},
	}
	if r.s.opts.Edition == Edition140 {
		profile["supportAuthToken"] = rand.Text()
	}
	return profile, nil
}
