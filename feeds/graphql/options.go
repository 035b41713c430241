package graphql

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"
)

// The two sub-protocol identifiers (document 2, section Endpoints, WebSocket).
const (
	TransportWS = "graphql-transport-ws"
	LegacyWS    = "graphql-ws"
)

// The defaults of [Options].
const (
	defaultDialTimeout = 5 * time.Second
	defaultAckTimeout  = 10 * time.Second
	defaultIdlePing    = 10 * time.Second
	defaultPongTimeout = 5 * time.Second
	defaultReadLimit   = 16 << 20
)

// Options configures a session. Only URL is required.
type Options struct {
	// URL is the address, with scheme ws or wss and without user info.
	URL string
	// Header is added to the upgrade request. It may contain cookies and credentials.
	Header http.Header
	// Subprotocols are the sub-protocols to offer, in this order. Nil means both, the newer one
	// first.
	Subprotocols []string
	// InitPayload is the payload of connection_init. Nil means no payload.
	InitPayload any

	// TLS configures TLS for the scheme wss. At least TLS 1.2 is always required.
	TLS *tls.Config
	// DialContext makes the network connection. Nil means a net.Dialer with short keep-alives and
	// the proxy of the environment.
	DialContext func(ctx context.Context, network, addr string) (net.Conn, error)

	// DialTimeout limits the time for the network connection, and separately the time for TLS and
	// the HTTP upgrade together. Default 5 s.
	DialTimeout time.Duration
	// AckTimeout limits the time until connection_ack. Default 10 s.
	AckTimeout time.Duration
	// IdlePing is how long the server may be silent before a ping or a probe is sent. Default 10 s.
	IdlePing time.Duration
	// PongTimeout is how long to wait for a sign of life after a ping or a probe. Default 5 s. If
	// pings or probes are sent, a dead link is detected within IdlePing + PongTimeout.
	PongTimeout time.Duration
	// ReadLimit is the size in bytes of the largest message that is accepted. Default 16 MiB.
	ReadLimit int64

	// NoPing disables all pings, for servers that end the session after a ping.
	NoPing bool
	// Probe is a GraphQL query that is sent with each ping until the server has answered a ping,
	// and instead of pings if none are sent, e.g. query{serverHealth{status}}. If Probe is empty,
	// no query is sent.
	Probe string

	// OnPause, if not nil, is called by the reader before each pause of [Conn.PaceReads], when it has
	// handled all data that has arrived.
	OnPause func()
	// Now returns the current time. It is used for reported times (Stats, Retry-After dates), not
	// for timers. Default time.Now.
	Now func() time.Time
}

// withDefaults returns a copy of the options with defaults for those that are not set. The copy
// shares no mutable state with o.
func (o Options) withDefaults() Options {
	orDuration := func(d *time.Duration, def time.Duration) {
		if *d <= 0 {
			*d = def
		}
	}
	orDuration(&o.DialTimeout, defaultDialTimeout)
	orDuration(&o.AckTimeout, defaultAckTimeout)
	orDuration(&o.IdlePing, defaultIdlePing)
	orDuration(&o.PongTimeout, defaultPongTimeout)
	if o.ReadLimit <= 0 {
		o.ReadLimit = defaultReadLimit
	}
	if len(o.Subprotocols) == 0 {
		o.Subprotocols = []string{TransportWS, LegacyWS}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Header = o.Header.Clone()
	o.TLS = secureTLS(o.TLS)
	return o
}

// secureTLS returns a copy of a TLS configuration that requires at least TLS 1.2 and offers only
// HTTP/1.1. A configuration shared with an HTTP client may offer h2, which does not support the
// upgrade.
func secureTLS(c *tls.Config) *tls.Config {
	if c == nil {
		c = &tls.Config{MinVersion: tls.VersionTLS12}
	} else {
		c = c.Clone()
	}
	c.MinVersion = max(c.MinVersion, tls.VersionTLS12)
	c.NextProtos = []string{"http/1.1"}
	return c
}

// host checks the URL and returns its host, for use in errors. The errors of host never contain the
// URL, because its query may contain a token.
func (o Options) host() (string, error) {
	u, err := url.Parse(o.URL)
	switch {
	case err != nil:
		return "", errors.New("graphql: the address is not a URL")
	case u.Scheme != "ws" && u.Scheme != "wss":
		return "", fmt.Errorf("graphql: scheme %q is neither ws nor wss", u.Scheme)
	case u.Host == "":
		return "", errors.New("graphql: the address has no host")
	case u.User != nil:
		return "", errors.New("graphql: user info is not allowed in the address")
	}
	return u.Host, nil
}
