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
		want Class
	}{
		{CloseError{Code: 1000}, Auth},
		{CloseError{Code: 1000, Accepted: true}, Retry},
		{CloseError{Code: 1001}, Retry},
		{CloseError{Code: 1002}, FlipSubprotocol},
		{CloseError{Code: 1003}, FlipSubprotocol},
		{CloseError{Code: 1005}, Retry},
		{CloseError{Code: 1006}, Retry},
		{CloseError{Code: 1007}, FlipSubprotocol},
		{CloseError{Code: 1008}, FlipSubprotocol},
		{CloseError{Code: 1008, Reason: "Session expired"}, Auth},
		{CloseError{Code: 1009}, TooBig},
		{CloseError{Code: 1011}, Retry},
		{CloseError{Code: 1012}, Retry},
		{CloseError{Code: 1013}, Retry},
		{CloseError{Code: 1014}, Retry},
		{CloseError{Code: 1015}, FlipSubprotocol},
		{CloseError{Code: 3000}, Auth},
		{CloseError{Code: 3003}, Auth},
		{CloseError{Code: 3008}, Retry},
		{CloseError{Code: 4400, Subprotocol: TransportWS}, RetrySlowly},
		{CloseError{Code: 4400, Subprotocol: LegacyWS}, FlipSubprotocol},
		{CloseError{Code: 4400, Reason: "Could not verify JWT: JWTExpired"}, Auth},
		{CloseError{Code: 4400, Reason: "token is old", Subprotocol: LegacyWS}, Auth},
		{CloseError{Code: 4400, Subprotocol: TransportWS, SincePing: time.Second}, Retry},
		{CloseError{Code: 4400, Subprotocol: TransportWS, SincePing: 2 * time.Second}, RetrySlowly},
		{CloseError{Code: 4401, Reason: "Unauthorized"}, Auth},
		{CloseError{Code: 4403}, Auth},
		{CloseError{Code: 4406}, FlipSubprotocol},
		{CloseError{Code: 4408}, Retry},
		{CloseError{Code: 4409}, Retry},
		{CloseError{Code: 4429}, RateLimited},
		{CloseError{Code: 4499}, Retry},
		{CloseError{Code: 4500}, Retry},
		{CloseError{Code: 4504}, Retry},
		{CloseError{Code: 4900}, Retry},
		{CloseError{Code: 4900, Reason: "authentication"}, Auth},
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
		want Class
		min  time.Duration
	}{
		{nil, Retry, 0},
		{ErrAckTimeout, Retry, 0},
		{&DeadLinkError{}, Retry, 0},
		{ErrQueueFull, Retry, 0},
		{ErrTooBig, TooBig, 0},
		{context.DeadlineExceeded, Retry, 0},
		{&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, Retry, 0},
		{&AckError{Message: "no"}, Auth, 0},
		{&TLSError{Err: errors.New("x")}, TLS, 0},
		{&SubprotocolError{}, FlipSubprotocol, 0},
		{&CloseError{Code: 1013, Accepted: true}, Retry, 10 * time.Second},
		{&CloseError{Code: 4429}, RateLimited, 30 * time.Second},
		{&HandshakeError{Status: 101}, UpgradeBlocked, 0},
		{&HandshakeError{Status: 200}, UpgradeBlocked, 0},
		{&HandshakeError{Status: 400}, UpgradeBlocked, 0},
		{&HandshakeError{Status: 404}, UpgradeBlocked, 0},
		{&HandshakeError{Status: 426}, UpgradeBlocked, 0},
		{&HandshakeError{Status: 301, Location: "rtd.test/v2"}, RetrySlowly, 0},
		{&HandshakeError{Status: 302, Location: "sso.test/Login"}, Auth, 0},
		{&HandshakeError{Status: 401}, Auth, 0},
		{&HandshakeError{Status: 403}, Auth, 0},
		{&HandshakeError{Status: 410}, RetrySlowly, 0},
		{&HandshakeError{Status: 429}, RateLimited, 30 * time.Second},
		{&HandshakeError{Status: 429, RetryAfter: time.Minute}, RateLimited, time.Minute},
		{&HandshakeError{Status: 500}, Retry, 0},
		{&HandshakeError{Status: 502}, Retry, 0},
		{&HandshakeError{Status: 503, RetryAfter: 7 * time.Second}, Retry, 7 * time.Second},
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
	for c := Retry; c <= TLS; c++ {
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
		if got := Reason(tc.err); got != tc.want {
			t.Errorf("%v: %q, want %q", tc.err, got, tc.want)
		}
	}
}
