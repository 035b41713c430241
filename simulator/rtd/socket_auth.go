package rtd

import (
	"errors"
	"net/http"
	"slices"

	"github.com/gorilla/websocket"

	"wallboard/simulator/accounts"
	"wallboard/simulator/wire"
)

// SocketAuth says which of the credentials of document 2, section
// Authentication, a WebSocket looks at. Plain requests may bring any.
type SocketAuth string

// What a WebSocket may look at.
const (
	SocketAuthAny     SocketAuth = "any"
	SocketAuthSession SocketAuth = "session" // the cookie vendorRtdSessionID alone
	SocketAuthCookie  SocketAuth = "cookie"  // the cookie vendorRtdAccessToken alone
	SocketAuthInit    SocketAuth = "init"    // the access token in connection_init alone
)

// SubprotocolRefusal says how a server refuses a client that offers no
// sub-protocol that it speaks.
type SubprotocolRefusal string

// How a server may refuse.
const (
	SubprotocolRefusalClose  SubprotocolRefusal = "close"  // it upgrades, and closes with 4406
	SubprotocolRefusalStatus SubprotocolRefusal = "status" // it answers the upgrade with 400
)

// seen returns what a WebSocket sees of the cookies of its upgrade.
func (a SocketAuth) seen(c *accounts.Credentials) *accounts.Credentials {
	switch a {
	case SocketAuthSession:
		return c.OnlySession()
	case SocketAuthCookie:
		return c.OnlyToken()
	case SocketAuthInit:
		return &accounts.Credentials{}
	case SocketAuthAny:
	}
	return c
}

// readsInit reports whether a token in connection_init counts.
func (a SocketAuth) readsInit() bool { return a == SocketAuthAny || a == SocketAuthInit }

// admit reports whether a WebSocket may be opened; else it has answered.
func (s *Service) admit(w http.ResponseWriter, r *http.Request) bool {
	sw := s.opts.Switches
	switch {
	case sw.AuthAtUpgrade && !s.platform.Accounts.Valid(sw.Rules.seen(sw.SocketAuth.seen(credentialsOf(r)))):
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

// validateSocket says which switch of the WebSocket has no such position.
func (s Switches) validateSocket() error {
	var early error
	if s.AuthAtUpgrade && s.SocketAuth == SocketAuthInit {
		early = errors.New("nobody gets in who has to be let in by connection_init before the upgrade")
	}
	return errors.Join(
		wire.OneOf("socket auth", s.SocketAuth, SocketAuthAny, SocketAuthSession, SocketAuthCookie, SocketAuthInit),
		early,
		wire.OneOf("refusal of sub-protocols", s.SubprotocolRefusal, SubprotocolRefusalClose, SubprotocolRefusalStatus),
	)
}
