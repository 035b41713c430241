package graphqlws

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

// Defaults of [Options].
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
	// Header is added to the upgrade request: cookies, authorization.
	Header http.Header
	// Subprotocols are offered in this order; nil offers both, the newer first.
	Subprotocols []string
	// InitPayload is the payload of connection_init; nil sends none.
	InitPayload any

	// TLS configures wss. At least TLS 1.2 is always required.
	TLS *tls.Config
	// DialContext makes the network connection. If nil, a net.Dialer with short
	// keep-alives and the environment's proxy is used.
	DialContext func(ctx context.Context, network, addr string) (net.Conn, error)

	// DialTimeout bounds the network connection, and separately TLS plus the
	// HTTP upgrade. Default 5 s.
	DialTimeout time.Duration
	// AckTimeout bounds the wait for connection_ack. Default 10 s.
	AckTimeout time.Duration
	// IdlePing is the silence after which a ping or probe is sent. Default 10 s.
	IdlePing time.Duration
	// PongTimeout is how long to wait for a sign of life after that. Default 5 s.
	// A dead link is detected within IdlePing + PongTimeout.
	PongTimeout time.Duration
	// ReadLimit is the largest message accepted, in bytes. Default 16 MiB.
	ReadLimit int64

	// NoPing disables all pings, for servers that close on them.
	NoPing bool
	// Probe is a GraphQL query sent instead of a ping as long as pings are not
	// known to be answered, e.g. query{serverHealth{status}}.
	Probe string

	// OnFrame, if set, is called by the reader for every frame of any kind.
	OnFrame func()
	// Now is the wall clock for reported times (Stats, Retry-After dates); it
	// does not drive timers. Default time.Now.
	Now func() time.Time
}

// withDefaults returns a copy with defaults for unset options. The copy shares no mutable
// state.
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

// secureTLS requires at least TLS 1.2 and pins HTTP/1.1: a configuration shared
// with an HTTP client offers h2, which has no upgrade.
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

// host validates the address and returns its host for errors. Errors never
// contain the address itself, because its query may contain a token.
func (o Options) host() (string, error) {
	u, err := url.Parse(o.URL)
	switch {
	case err != nil:
		return "", errors.New("graphqlws: the address is not a URL")
	case u.Scheme != "ws" && u.Scheme != "wss":
		return "", fmt.Errorf("graphqlws: scheme %q is neither ws nor wss", u.Scheme)
	case u.Host == "":
		return "", errors.New("graphqlws: the address has no host")
	case u.User != nil:
		return "", errors.New("graphqlws: user info is not allowed in the address")
	}
	return u.Host, nil
}
