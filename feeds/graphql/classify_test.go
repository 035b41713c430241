package graphql

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestClassifyCloseCodes(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		e    CloseError
		want ErrorClass
	}{
		{CloseError{Code: 1000}, ClassAuth},
		{CloseError{Code: 1000, Accepted: true}, ClassRetry},
		{CloseError{Code: 1001}, ClassRetry},
		{CloseError{Code: 1002}, ClassOtherSubprotocol},
		{CloseError{Code: 1003}, ClassOtherSubprotocol},
		{CloseError{Code: 1005}, ClassRetry},
		{CloseError{Code: 1006}, ClassRetry},
		{CloseError{Code: 1007}, ClassOtherSubprotocol},
		{CloseError{Code: 1008}, ClassOtherSubprotocol},
		{CloseError{Code: 1008, Reason: "Session expired"}, ClassAuth},
		{CloseError{Code: 1009}, ClassTooBig},
		{CloseError{Code: 1011}, ClassRetry},
		{CloseError{Code: 1012}, ClassRetry},
		{CloseError{Code: 1013}, ClassRetry},
		{CloseError{Code: 1014}, ClassRetry},
		{CloseError{Code: 1015}, ClassOtherSubprotocol},
		{CloseError{Code: 3000}, ClassAuth},
		{CloseError{Code: 3003}, ClassAuth},
		{CloseError{Code: 3008}, ClassRetry},
		{CloseError{Code: 4400, Subprotocol: TransportWS}, ClassRetrySlowly},
		{CloseError{Code: 4400, Subprotocol: LegacyWS}, ClassOtherSubprotocol},
		{CloseError{Code: 4400, Reason: "Could not verify JWT: JWTExpired"}, ClassAuth},
		{CloseError{Code: 4400, Reason: "token is old", Subprotocol: LegacyWS}, ClassAuth},
		{CloseError{Code: 4400, Subprotocol: TransportWS, SincePing: time.Second}, ClassRetry},
		{CloseError{Code: 4400, Subprotocol: TransportWS, SincePing: 2 * time.Second}, ClassRetrySlowly},
		{CloseError{Code: 4401, Reason: "Unauthorized"}, ClassAuth},
		{CloseError{Code: 4403}, ClassAuth},
		{CloseError{Code: 4406}, ClassOtherSubprotocol},
		{CloseError{Code: 4408}, ClassRetry},
		{CloseError{Code: 4409}, ClassRetry},
		{CloseError{Code: 4429}, ClassRateLimited},
		{CloseError{Code: 4499}, ClassRetry},
		{CloseError{Code: 4500}, ClassRetry},
		{CloseError{Code: 4504}, ClassRetry},
		{CloseError{Code: 4900}, ClassRetry},
		{CloseError{Code: 4900, Reason: "authentication"}, ClassAuth},
	} {
		if got := Classify(fmt.Errorf("wrapped: %w", &tc.e)); got != tc.want {
			t.Errorf("%+v is classed %v, want %v", tc.e, got, tc.want)
		}
	}
}

func TestClassifyTheRest(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		err  error
		want ErrorClass
		min  time.Duration
	}{
		{nil, ClassRetry, 0},
		{ErrAckTimeout, ClassRetry, 0},
		{&DeadLinkError{}, ClassRetry, 0},
		{ErrQueueFull, ClassRetry, 0},
		{ErrTooBig, ClassTooBig, 0},
		{context.DeadlineExceeded, ClassRetry, 0},
		{&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, ClassRetry, 0},
		{&AckError{Message: "no"}, ClassAuth, 0},
		{&TLSError{Err: errors.New("x")}, ClassTLS, 0},
		{&SubprotocolError{}, ClassOtherSubprotocol, 0},
		{&CloseError{Code: 1013, Accepted: true}, ClassRetry, 10 * time.Second},
		{&CloseError{Code: 4429}, ClassRateLimited, 30 * time.Second},
		{&HandshakeError{Status: 101}, ClassUpgradeBlocked, 0},
		{&HandshakeError{Status: 200}, ClassUpgradeBlocked, 0},
		{&HandshakeError{Status: 400}, ClassUpgradeBlocked, 0},
		{&HandshakeError{Status: 404}, ClassUpgradeBlocked, 0},
		{&HandshakeError{Status: 426}, ClassUpgradeBlocked, 0},
		{&HandshakeError{Status: 301, Location: "rtd.test/v2"}, ClassRetrySlowly, 0},
		{&HandshakeError{Status: 302, Location: "sso.test/Login"}, ClassAuth, 0},
		{&HandshakeError{Status: 401}, ClassAuth, 0},
		{&HandshakeError{Status: 403}, ClassAuth, 0},
		{&HandshakeError{Status: 410}, ClassRetrySlowly, 0},
		{&HandshakeError{Status: 429}, ClassRateLimited, 30 * time.Second},
		{&HandshakeError{Status: 429, RetryAfter: time.Minute}, ClassRateLimited, time.Minute},
		{&HandshakeError{Status: 500}, ClassRetry, 0},
		{&HandshakeError{Status: 502}, ClassRetry, 0},
		{&HandshakeError{Status: 503, RetryAfter: 7 * time.Second}, ClassRetry, 7 * time.Second},
	} {
		if got := Classify(tc.err); got != tc.want {
			t.Errorf("%v is classed %v, want %v", tc.err, got, tc.want)
		}
		if got := MinDelay(tc.err); got != tc.min {
			t.Errorf("%v waits %v, want %v", tc.err, got, tc.min)
		}
	}
}

func TestClassNames(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{"unknown": true}
	for c := ClassRetry; c <= ClassTLS; c++ {
		if seen[c.String()] {
			t.Errorf("class %d is called %q", c, c)
		}
		seen[c.String()] = true
	}
}

func TestReason(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ü", 200)
	for _, tc := range []struct {
		err  error
		want string
	}{
		{nil, ""},
		{ErrAckTimeout, "no connection_ack in time"},
		{&DeadLinkError{Idle: 15 * time.Second}, "dead link: no data for 15s"},
		{&CloseError{Code: 4403, Reason: "Forbidden"}, "closed with 4403: Forbidden"},
		{&CloseError{Code: 1012}, "closed with 1012"},
		{&CloseError{Code: 4400, Reason: "a\r\nb"}, "closed with 4400: a  b"},
		{&CloseError{Code: 4400, Reason: long}, "closed with 4400: " + long[:122]},
		{&CloseError{Code: 1006}, "connection lost: ended without a close frame"},
		{&CloseError{Code: 1006, Err: &net.OpError{Op: "read", Err: syscall.ECONNRESET}}, "connection lost: connection reset by peer"},
		{&AckError{Message: "no"}, "session refused: no"},
		{&AckError{}, "session refused without a reason"},
		{&AckError{Err: &CloseError{Code: 4401}}, "session refused without a reason"},
		{&HandshakeError{Status: 503, RetryAfter: 7 * time.Second}, "upgrade answered with 503 Service Unavailable, retry after 7s"},
		{&HandshakeError{Status: 302, Location: "sso.test/login"}, "upgrade answered with 302 Found, redirect to sso.test/login not followed"},
		{&HandshakeError{Status: 580}, "upgrade answered with 580"},
		{&net.OpError{Op: "dial", Err: &net.DNSError{Name: "rtd.test", IsNotFound: true}}, "cannot connect: host name not resolved"},
		{&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, "cannot connect: connection refused"},
		{fmt.Errorf("dial rtd.test:443: %w", context.DeadlineExceeded), "no answer in time"},
		{&url.Error{Op: "Get", URL: "https://x/?token=secret", Err: errors.New("no")}, "no"},
	} {
		if got := ErrorReason(tc.err); got != tc.want {
			t.Errorf("%v: %q, want %q", tc.err, got, tc.want)
		}
	}
}
