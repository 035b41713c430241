package graphql

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// These tests use real sockets on the loopback interface.

func wsURL(s *httptest.Server) string {
	return "ws" + strings.TrimPrefix(s.URL, "http") + "/graphql?token=secret"
}

func TestHandshakeAnswers(t *testing.T) {
	t.Parallel()
	date := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	for _, tc := range []struct {
		header http.Header
		want   HandshakeError
	}{
		{nil, HandshakeError{Status: 200}},
		{nil, HandshakeError{Status: 401}},
		{http.Header{"Retry-After": {"120"}}, HandshakeError{Status: 503, RetryAfter: 2 * time.Minute}},
		{http.Header{"Retry-After": {"-1"}}, HandshakeError{Status: 503}},
		{http.Header{"Retry-After": {"9999999999999"}}, HandshakeError{Status: 503, RetryAfter: time.Hour}},
		{http.Header{"Retry-After": {date.Add(time.Minute).Format(http.TimeFormat)}}, HandshakeError{Status: 429, RetryAfter: time.Minute}},
		{http.Header{"Retry-After": {"soon"}}, HandshakeError{Status: 429}},
		{http.Header{"Location": {"https://sso.test/login?ticket=secret"}}, HandshakeError{Status: 302, Location: "sso.test/login"}},
		{http.Header{"Location": {"/v2"}}, HandshakeError{Status: 308, Location: "/v2"}},
	} {
		calls := 0
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			calls++
			for k, v := range tc.header {
				w.Header()[k] = v
			}
			w.Header().Set("Date", date.Format(http.TimeFormat))
			w.WriteHeader(tc.want.Status)
		}))
		_, err := Dial(t.Context(), Options{URL: wsURL(s)}, newRecorder())
		s.Close()
		var got *HandshakeError
		if !errors.As(err, &got) {
			t.Errorf("%d: %v", tc.want.Status, err)
			continue
		}
		tc.want.ServerDate = date
		if diff := cmp.Diff(tc.want, *got); diff != "" || calls != 1 {
			t.Errorf("%d calls, %s", calls, diff)
		}
		if strings.Contains(err.Error()+ErrorReason(err), "secret") {
			t.Errorf("a secret in %q", err)
		}
	}
}

func TestCookiesGoBothWays(t *testing.T) {
	bubble(t, func(t *testing.T) {
		header := http.Header{"Cookie": {"vendorRtdAccessToken=abc"}}
		_, o := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if c := r.Header.Get("Cookie"); c != "vendorRtdAccessToken=abc" {
				t.Errorf("cookie %q", c)
			}
			if p := r.Header.Get("Sec-Websocket-Protocol"); p != "graphql-transport-ws, graphql-ws" {
				t.Errorf("offered %q", p)
			}
			accept(t, first, func(p *peer) {
				p.ack()
				p.drain()
			})(w, r)
		})
		o.Header = header
		c, err := Dial(t.Context(), o, newRecorder())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close() }()
		if got := c.ResponseHeader().Get("Set-Cookie"); got != "vendorRtdSessionID=1" {
			t.Errorf("set-cookie %q", got)
		}
	})
}

// tlsServer runs the script of a healthy server behind TLS.
func tlsServer(t *testing.T, change func(*tls.Config)) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(accept(t, first, func(p *peer) {
		p.ack()
		m, ok := p.read()
		if !ok {
			return
		}
		p.send(`{"id":"%s","type":"%s","payload":{"data":{}}}`, m.ID,
			map[string]string{"start": "data", "subscribe": "next"}[m.Type])
		p.drain()
	}))
	s.EnableHTTP2 = true // h2 has no upgrade: the client must not request it
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	if change != nil {
		change(s.TLS)
	}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

func trusting(s *httptest.Server) *tls.Config {
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	// Dial has to correct both the version and the protocols.
	return &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS10, NextProtos: []string{"h2", "http/1.1"}}
}

func TestSessionOverTLS(t *testing.T) {
	t.Parallel()
	for _, sub := range []string{TransportWS, LegacyWS} {
		s := tlsServer(t, nil)
		r := newRecorder()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		c, err := Dial(ctx, Options{URL: wsURL(s), TLS: trusting(s), Subprotocols: []string{sub}}, r)
		cancel() // ctx limits only the time of Dial
		if err != nil {
			t.Fatal(err)
		}
		r.expect(t, "next "+subscribe(t, c)+` {"data":{}}`)
		if c.Subprotocol() != sub {
			t.Errorf("speaks %q", c.Subprotocol())
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestTLSFailures(t *testing.T) {
	t.Parallel()
	s := tlsServer(t, nil)
	old := tlsServer(t, func(c *tls.Config) {
		c.MinVersion, c.MaxVersion = tls.VersionTLS10, tls.VersionTLS11
	})
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)
	otherName := trusting(s)
	otherName.ServerName = "other.test"
	late := trusting(s)
	late.Time = func() time.Time { return time.Now().AddDate(200, 0, 0) }
	for _, tc := range []struct {
		name, url string
		tls       *tls.Config
		reason    string
	}{
		{"unknown authority", wsURL(s), nil, "TLS: the certificate is signed by an unknown authority"},
		{"other host", wsURL(s), otherName, "TLS: the certificate is for another host"},
		{"expired", wsURL(s), late, "TLS: the certificate is expired or not yet valid: by the clock of this machine, "},
		{"TLS 1.1", wsURL(old), trusting(old), "TLS: "},
		{"no TLS", "wss" + strings.TrimPrefix(plain.URL, "http"), nil, "TLS: "},
	} {
		_, err := Dial(t.Context(), Options{URL: tc.url, TLS: tc.tls}, newRecorder())
		if Classify(err) != ClassTLS || !strings.HasPrefix(ErrorReason(err), tc.reason) {
			t.Errorf("%s: %v is classed %v: %s", tc.name, err, Classify(err), ErrorReason(err))
		}
	}
}

func TestConnectionRefused(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // only to find a free port
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	_ = l.Close()
	_, err = Dial(t.Context(), Options{URL: "ws://" + addr + "/?token=secret"}, newRecorder())
	if Classify(err) != ClassRetry || ErrorReason(err) != "cannot connect: connection refused" {
		t.Errorf("%v: %s", err, ErrorReason(err))
	}
	if strings.Contains(err.Error(), "secret") {
		t.Errorf("a secret in %q", err)
	}
}

func TestBadOptions(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{
		{URL: ""},
		{URL: "http://rtd.test/?token=secret"},
		{URL: "ws://user:secret@rtd.test/"},
		{URL: "ws:///secret"},
		{URL: "ws://[secret"},
		{URL: "ws://rtd.test/", InitPayload: func() {}},
	} {
		_, err := Dial(t.Context(), o, newRecorder())
		if err == nil || strings.Contains(err.Error()+ErrorReason(err), "secret") {
			t.Errorf("%q: %v", o.URL, err)
		}
	}
}

// The server accepts the connection and sends nothing.
func TestSilentUpgradeTimesOut(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hold := make(chan struct{})
		t.Cleanup(func() { close(hold) })
		_, o := serve(t, func(http.ResponseWriter, *http.Request) { <-hold })
		start := time.Now()
		_, err := Dial(t.Context(), o, newRecorder())
		if took := time.Since(start); err == nil || Classify(err) != ClassRetry || took != 2*defaultDialTimeout {
			t.Errorf("%v after %v", err, took)
		}
	})
}

func TestSilentConnectTimesOut(t *testing.T) {
	bubble(t, func(t *testing.T) {
		start := time.Now()
		_, err := Dial(t.Context(), Options{
			URL: "ws://rtd.test",
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			},
		}, newRecorder())
		if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || took != defaultDialTimeout {
			t.Errorf("%v after %v", err, took)
		}
	})
}

func TestContextEndsTheOpening(t *testing.T) {
	gone := errors.New("gone")
	for _, h := range []func(t *testing.T, hold chan struct{}) http.HandlerFunc{
		func(_ *testing.T, hold chan struct{}) http.HandlerFunc { // the context ends during the upgrade
			return func(http.ResponseWriter, *http.Request) { <-hold }
		},
		func(t *testing.T, _ chan struct{}) http.HandlerFunc { // the context ends before the acknowledgement
			return accept(t, first, (*peer).drain)
		},
	} {
		bubbleRun(t, func(t *testing.T) {
			hold := make(chan struct{})
			t.Cleanup(func() { close(hold) })
			_, o := serve(t, h(t, hold))
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			stop := time.AfterFunc(3*time.Second, func() { cancel(gone) })
			defer stop.Stop()
			start := time.Now()
			_, err := Dial(ctx, o, newRecorder())
			if took := time.Since(start); !errors.Is(err, gone) || took != 3*time.Second {
				t.Errorf("%v after %v", err, took)
			}
		})
	}
}
