package graphql

import (
	"errors"
	"net/http"
	"strings"
	"time"
)

// ErrorClass groups the errors to which the caller reacts in the same way.
type ErrorClass int

// Classes of errors, named for the reaction of the caller. The caller never gives up: the slowest
// reaction is to retry every few minutes.
const (
	// ClassRetry means that the caller should reconnect with backoff.
	ClassRetry ErrorClass = iota
	// ClassAuth means that the caller should log in again once, then connect. If that fails too, it
	// should retry slowly.
	ClassAuth
	// ClassOtherSubprotocol means that the caller should offer only the other sub-protocol, once. If that
	// fails too, it should retry slowly.
	ClassOtherSubprotocol
	// ClassRetrySlowly means that the caller should reconnect every few minutes, and at once after a
	// configuration change.
	ClassRetrySlowly
	// ClassTooBig means that the caller should raise the read limit or request less. It should not
	// repeat the same request.
	ClassTooBig
	// ClassRateLimited means that the server limits the rate. The caller should wait at least 30 s.
	ClassRateLimited
	// ClassUpgradeBlocked means that a proxy or firewall does not let WebSockets pass. After a few
	// tries, the caller should poll over HTTP.
	ClassUpgradeBlocked
	// ClassTLS means that the certificate or the TLS version is not acceptable. The caller should retry
	// slowly.
	ClassTLS
)

// String returns a short lower-case name of the class, for the log.
func (c ErrorClass) String() string {
	switch c {
	case ClassRetry:
		return "retry"
	case ClassAuth:
		return "auth"
	case ClassOtherSubprotocol:
		return "flip sub-protocol"
	case ClassRetrySlowly:
		return "slow lane"
	case ClassTooBig:
		return "too big"
	case ClassRateLimited:
		return "rate limited"
	case ClassUpgradeBlocked:
		return "upgrade stripped"
	case ClassTLS:
		return "tls"
	}
	return "unknown"
}

const (
	rateLimitDelay = 30 * time.Second
	tryLaterDelay  = 10 * time.Second
)

// Classify returns the class of an error from [Dial] or [Conn.Err]. For an unknown error it returns
// [ClassRetry].
func Classify(err error) ErrorClass {
	var (
		closed    *CloseError
		ack       *AckError
		handshake *HandshakeError
		sub       *SubprotocolError
		secure    *TLSError
	)
	switch {
	case err == nil:
		return ClassRetry
	case errors.As(err, &closed):
		return classifyClose(closed)
	case errors.As(err, &ack):
		return ClassAuth
	case errors.As(err, &handshake):
		return classifyHandshake(handshake)
	case errors.As(err, &sub):
		return ClassOtherSubprotocol
	case errors.As(err, &secure):
		return ClassTLS
	case errors.Is(err, ErrTooBig):
		return ClassTooBig
	}
	return ClassRetry
}

// classifyClose returns the class of a close error. It interprets the close code as servers use it, even if the
// code is registered with another meaning.
func classifyClose(e *CloseError) ErrorClass {
	switch e.Code {
	case 1000:
		if !e.Accepted { // this is how gqlgen refuses a connection_init
			return ClassAuth
		}
	case 1002, 1003, 1007, 1015:
		return ClassOtherSubprotocol
	case 1008:
		if mentionsAuth(e.Reason) {
			return ClassAuth
		}
		return ClassOtherSubprotocol
	case 1009:
		return ClassTooBig
	case 3000, 3003, 4401, 4403:
		return ClassAuth
	case 4400:
		return classifyBadRequest(e)
	case 4406:
		return ClassOtherSubprotocol
	case 4429:
		return ClassRateLimited
	case 1001, 1005, closeAbnormal, 1011, 1012, 1013, 1014, 3008, 4408, 4409, 4499, 4500, 4504:
		return ClassRetry
	default:
		if e.Code >= 4000 && mentionsAuth(e.Reason) {
			return ClassAuth
		}
	}
	return ClassRetry
}

// classifyBadRequest returns the class of a close with the code 4400. Servers use that code for an
// expired token (Hasura), for an unknown ping, for a sub-protocol that they accept but do not speak
// (Spring), and for a bad request.
func classifyBadRequest(e *CloseError) ErrorClass {
	switch {
	case mentionsAuth(e.Reason):
		return ClassAuth
	case PingMayBeCause(e):
		return ClassRetry
	case e.Subprotocol == LegacyWS:
		return ClassOtherSubprotocol
	}
	return ClassRetrySlowly
}

func mentionsAuth(reason string) bool {
	reason = strings.ToLower(reason)
	for _, word := range []string{"jwt", "token", "auth", "expired"} {
		if strings.Contains(reason, word) {
			return true
		}
	}
	return false
}

func classifyHandshake(e *HandshakeError) ErrorClass {
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return ClassAuth
	case http.StatusTooManyRequests:
		return ClassRateLimited
	case http.StatusRequestTimeout, http.StatusTooEarly:
		return ClassRetry
	case http.StatusSwitchingProtocols, http.StatusBadRequest, http.StatusNotFound,
		http.StatusMethodNotAllowed, http.StatusUpgradeRequired, http.StatusNotImplemented:
		return ClassUpgradeBlocked
	}
	switch {
	case e.Status < 300: // an answer to a plain GET: a proxy dropped the Upgrade header
		return ClassUpgradeBlocked
	case e.Status < 400:
		return classifyRedirect(e)
	case e.Status < 500:
		return ClassRetrySlowly
	}
	return ClassRetry
}

// classifyRedirect returns the class of a redirect. A redirect to a login page means that the
// session has expired. Other redirects are permanent.
func classifyRedirect(e *HandshakeError) ErrorClass {
	path := strings.ToLower(e.Location)
	for _, word := range []string{"login", "signin", "auth", "sso"} {
		if strings.Contains(path, word) {
			return ClassAuth
		}
	}
	return ClassRetrySlowly
}

// MinDelay returns the minimum wait before the next attempt, even if the backoff is shorter: the
// longest that applies of the server's Retry-After, 30 s after a rate limit, and 10 s after "try
// again later". It returns 0 for other errors.
func MinDelay(err error) time.Duration {
	var least time.Duration
	if Classify(err) == ClassRateLimited {
		least = rateLimitDelay
	}
	var handshake *HandshakeError
	if errors.As(err, &handshake) {
		least = max(least, handshake.RetryAfter)
	}
	var closed *CloseError
	if errors.As(err, &closed) && closed.Code == 1013 {
		least = max(least, tryLaterDelay)
	}
	return least
}

// PingMayBeCause reports whether a ping may have caused err, the end of a session: the server
// closed the session shortly after a ping, or it has answered none of our pings and no probe was
// sent. A close with 4400 is proof. Otherwise two such sessions in a row justify Options.NoPing for
// the endpoint.
func PingMayBeCause(err error) bool {
	var closed *CloseError
	if errors.As(err, &closed) {
		limit := 5 * time.Second
		if closed.Code == 4400 {
			limit = time.Second
		}
		return closed.SincePing > 0 && closed.SincePing <= limit
	}
	var dead *DeadLinkError
	return errors.As(err, &dead) && dead.Pinged && !dead.Probed && !dead.Answered
}

// OtherSubprotocol returns the sub-protocol other than spoken.
func OtherSubprotocol(spoken string) string {
	if spoken == TransportWS {
		return LegacyWS
	}
	return TransportWS
}
