package rtd

import (
	"errors"
	"net/http"
	"slices"

	"github.com/gorilla/websocket"

	"wallboard/internal/simulator/webservice"
)

// SocketAuth selects the credentials of document 2, section Authentication, that a WebSocket
// accepts. HTTP requests may use all of them.
type SocketAuth string

// Values of SocketAuth.
const (
	SocketAuthAny     SocketAuth = "any"
	SocketAuthSession SocketAuth = "session" // only the cookie vendorRtdSessionID
	SocketAuthCookie  SocketAuth = "cookie"  // only the cookie vendorRtdAccessToken
	SocketAuthInit    SocketAuth = "init"    // only the access token in connection_init
)

// SubprotocolRefusal selects how the server rejects a client that offers no accepted sub-protocol.
type SubprotocolRefusal string

// Values of SubprotocolRefusal.
const (
	SubprotocolRefusalClose  SubprotocolRefusal = "close"  // upgrade and close with code 4406
	SubprotocolRefusalStatus SubprotocolRefusal = "status" // answer the upgrade with 400
)

// acceptedCredentials returns the part of c that a WebSocket accepts. c holds the credentials
// in the cookies of an upgrade request.
func (a SocketAuth) acceptedCredentials(c *webservice.Credentials) *webservice.Credentials {
	switch a {
	case SocketAuthSession:
		return c.OnlySession()
	case SocketAuthCookie:
		return c.OnlyToken()
	case SocketAuthInit:
		return &webservice.Credentials{}
	case SocketAuthAny:
	}
	return c
}

// readsInit reports whether a WebSocket accepts an access token in connection_init.
func (a SocketAuth) readsInit() bool { return a == SocketAuthAny || a == SocketAuthInit }

// admitSocket reports whether a WebSocket may be opened. If it returns false, it has already
// answered the upgrade request.
func (s *Service) admitSocket(w http.ResponseWriter, r *http.Request) bool {
	sw := s.opts.Switches
	switch {
	case sw.AuthAtUpgrade && !s.platform.Accounts.Authenticate(sw.Rules.acceptedCredentials(sw.SocketAuth.acceptedCredentials(credentialsOf(r)))):
		http.Error(w, http.StatusText(http.StatusUnauthorized), http.StatusUnauthorized)
		return false
	case sw.SubprotocolRefusal == SubprotocolRefusalStatus && !slices.ContainsFunc(websocket.Subprotocols(r), func(p string) bool {
		return slices.Contains(sw.Subprotocols, p)
	}):
		http.Error(w, http.StatusText(http.StatusBadRequest), http.StatusBadRequest)
		return false
	}
	return true
}

// validateSocket reports WebSocket switches with invalid values.
func (s Switches) validateSocket() error {
	var conflict error
	if s.AuthAtUpgrade && s.SocketAuth == SocketAuthInit {
		conflict = errors.New("authentication at the upgrade excludes access tokens in connection_init")
	}
	return errors.Join(
		webservice.CheckOneOf("socket auth", s.SocketAuth, SocketAuthAny, SocketAuthSession, SocketAuthCookie, SocketAuthInit),
		conflict,
		webservice.CheckOneOf("refusal of sub-protocols", s.SubprotocolRefusal, SubprotocolRefusalClose, SubprotocolRefusalStatus),
	)
}
