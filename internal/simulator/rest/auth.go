package rest

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"

	"wallboard/internal/simulator/webservice"
)

// sessionCookie is the name of the session cookie (document 1, section Authentication).
const sessionCookie = "JSESSIONID"

// sessions holds the sessions of the REST service, which are independent of the sessions of
// the real-time display service. It is safe for concurrent use.
type sessions struct {
	now      func() time.Time
	lifetime time.Duration

	mu   sync.Mutex
	byID map[string]session
}

// session holds the owner and the expiry of a session.
type session struct {
	username string
	expires  time.Time
}

func (s *sessions) create(username string) (id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id = rand.Text()
	s.byID[id] = session{username, s.now().Add(s.lifetime)}
	return id
}

// extend extends a session and returns its user. ok is false if the session is unknown or has
// expired.
func (s *sessions) extend(id string) (username string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g, ok := s.byID[id]
	if !ok || !s.now().Before(g.expires) {
		delete(s.byID, id)
		return "", false
	}
	g.expires = s.now().Add(s.lifetime)
	s.byID[id] = g
	return g.username, true
}

// SessionCount returns the number of open sessions.
func (s *Service) SessionCount() int {
	s.sessions.mu.Lock()
	defer s.sessions.mu.Unlock()
	return len(s.sessions.byID)
}

// EndSessions ends all sessions.
func (s *Service) EndSessions() { s.sessions.removeAll() }

func (s *sessions) remove(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.byID, id)
}

func (s *sessions) removeAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.byID)
}

// authenticate identifies the user of a request by the Authorization header or, without one,
// by the session cookie. It returns false if the credentials are invalid.
func (s *Service) authenticate(c *apiRequest) bool {
	a := s.platform.Accounts
	if scheme, value, ok := strings.Cut(c.request.Header.Get("Authorization"), " "); ok {
		switch {
		case strings.EqualFold(scheme, "Basic"):
			username, password, _ := c.request.BasicAuth()
			acc, known := a.Account(username)
			c.account = acc
			return known && acc.Password == password && !acc.PasswordExpired
		case strings.EqualFold(scheme, "Bearer"):
			// Accept only the permanent token of a service account. A token issued by a login
			// is not valid here.
			acc, known := a.AccountByToken(value)
			c.account = acc
			return known
		}
		return false
	}
	cookie, err := c.request.Cookie(sessionCookie)
	if err != nil {
		return false
	}
	username, ok := s.sessions.extend(cookie.Value)
	c.account, _ = a.Account(username)
	c.session = cookie.Value
	return ok
}

func (s *Service) version(*apiRequest) (any, error) {
	return object{"vendorVersion": "11.6.2", "webapiVersion": string(s.opts.Edition)}, nil
}

func (s *Service) isValidSession(*apiRequest) (any, error) { return true, nil }

func (s *Service) logout(c *apiRequest) (any, error) {
	s.sessions.remove(c.session)
	return true, nil
}

// login serves the login with username and password.
func (s *Service) login(c *apiRequest) (any, error) {
	var q struct{ Version, Username, Password string }
	if json.Unmarshal(c.body, &q) != nil || q.Version != s.opts.LoginVersion {
		return nil, unauthenticatedError("wrong version")
	}
	l, ok := s.platform.Accounts.LoginWithPassword(q.Username, q.Password)
	if !ok {
		return nil, unauthenticatedError("invalid credentials")
	}
	return s.openSession(c, l)
}

// loginByAccessToken serves the login with an access token. The token belongs to a service
// account or comes from an earlier login.
func (s *Service) loginByAccessToken(c *apiRequest) (any, error) {
	var q struct{ Version, AccessToken string }
	if json.Unmarshal(c.body, &q) != nil || q.Version != s.opts.LoginVersion {
		return nil, unauthenticatedError("wrong version")
	}
	_, isPermanent := s.platform.Accounts.AccountByToken(q.AccessToken)
	l, ok := s.platform.Accounts.LoginWithToken(q.AccessToken)
	if !ok || isPermanent && s.opts.ServiceKeys {
		return nil, unauthenticatedError("invalid or expired access token")
	}
	return s.openSession(c, l)
}

// openSession opens a session for a successful login, sets its cookie, and returns the
// LoginProfile of document 1. It returns an error if the password has expired.
func (s *Service) openSession(c *apiRequest, l webservice.Login) (any, error) {
	a := l.Account
	if a.PasswordExpired {
		return nil, &restError{status: http.StatusForbidden, message: "password expired"}
	}
	id := s.sessions.create(a.Username)
	c.cookie = &http.Cookie{ //nolint:gosec // Secure would hide it from a client over plain HTTP
		Name: sessionCookie, Value: id, Path: cmp.Or(s.opts.Path, "/"), HttpOnly: true, Secure: s.platform.Secure,
	}
	a.Language = cmp.Or(a.Language, "EN")
	permissions := []string{"SUPERUSER"}
	if !a.Supervisor {
		permissions = []string{}
	}
	profile := object{
		"username": a.Username, "surname": a.Surname, "name": a.Name, "publicUsername": a.Username,
		"accessToken": l.Token, "sessionId": id, "status": "UNKNOWN", "language": a.Language,
		"anonymous": false, "pwdChangeable": true, "isCloudPlatform": false, "logged": true,
		"chatUserId": "chat-" + a.Username, "chatAuthToken": rand.Text(), "chatUri": s.platform.ChatURL(),
		"profileRoles": []string{"CALL_CENTER"}, "userPermissions": permissions,
		"customProperties": object{"theme": "dark", "columns": 4},
	}
	if s.opts.Edition == Edition140 {
		profile["supportAuthToken"] = rand.Text()
	}
	return profile, nil
}
