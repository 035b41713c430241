package graphql

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"time"

	"wallboard/internal/lib/netconn"

	"github.com/gorilla/websocket"
)

// readBufferSize is the size of the read buffer in bytes. With the default of gorilla/websocket, 4
// KiB, reading small frames is several times slower, because each system call reads fewer frames.
const readBufferSize = 64 << 10

// Dial opens a session and returns when the server has accepted it. ctx limits only the opening of
// the session; use [Conn.Close] to end it.
func Dial(ctx context.Context, o Options, h Handler) (*Conn, error) {
	o = o.withDefaults()
	host, err := o.host()
	if err != nil {
		return nil, err
	}
	// The message is encoded before connecting, because the server's timeout for connection_init
	// starts with the upgrade.
	first, err := newInitMessage(o.InitPayload)
	if err != nil {
		return nil, err
	}
	ws, raw, header, err := upgrade(ctx, o, host)
	if err != nil {
		return nil, err
	}
	d, err := protocolFor(o.Subprotocols, trimAll(header.Values("Sec-Websocket-Protocol")))
	if err != nil {
		_ = raw.Close() // err is already the error to return
		return nil, err
	}
	c := newConn(o, h, ws, raw, header, d, first)
	select {
	case <-c.acked:
		return c, nil
	case <-ctx.Done():
		c.Abort(fmt.Errorf("graphql: dial %s: %w", host, context.Cause(ctx)))
	case <-c.ctx.Done():
	}
	<-c.done
	return nil, c.Err()
}

func newInitMessage(payload any) (message, error) {
	if payload == nil {
		return textMessage("", "connection_init", nil), nil
	}
	raw, err := json.Marshal(payload)
	if err != nil {
		return message{}, fmt.Errorf("graphql: encode the connection_init payload: %w", err)
	}
	return textMessage("", "connection_init", raw), nil
}

// upgrade connects to host and performs the WebSocket handshake. It returns the WebSocket, the
// network connection below TLS and the response header.
func upgrade(ctx context.Context, o Options, host string) (*websocket.Conn, net.Conn, http.Header, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*o.DialTimeout)
	defer cancel()
	var tlsErr error
	l := &networkDialer{dial: o.DialContext, timeout: o.DialTimeout}
	ctx = httptrace.WithClientTrace(ctx, l.traceLimits(&tlsErr))
	dialer := websocket.Dialer{
		NetDialContext:  l.open,
		TLSClientConfig: o.TLS,
		ReadBufferSize:  readBufferSize,
		Subprotocols:    o.Subprotocols,
	}
	if o.DialContext == nil {
		l.dial = defaultDialer().DialContext
		dialer.Proxy = http.ProxyFromEnvironment
	}
	ws, resp, err := dialer.DialContext(ctx, o.URL, o.Header)
	if resp != nil && resp.Body != nil {
		defer func() { _ = resp.Body.Close() }()
	}
	cut := l.detach()
	switch {
	case err == nil && cut: // ctx ended after the answer arrived
		return nil, nil, nil, fmt.Errorf("graphql: dial %s: %w", host, context.Cause(ctx))
	case err == nil:
		l.conn.removeLimit()
		return ws, l.conn, resp.Header, nil
	case resp != nil:
		return nil, nil, nil, handshakeError(resp, o.Now)
	case cut || ctx.Err() != nil:
		return nil, nil, nil, fmt.Errorf("graphql: dial %s: %w", host, context.Cause(ctx))
	case tlsErr != nil && !isTransient(tlsErr):
		return nil, nil, nil, &TLSError{Err: tlsErr}
	case l.conn != nil: // the connection was made, so the error is about the handshake
		err = RedactHTTPError(err)
	}
	return nil, nil, nil, fmt.Errorf("graphql: dial %s: %w", host, err)
}

// networkDialer makes the network connection and closes it when the context ends. The WebSocket
// library itself ignores the context while it waits for the answer to the upgrade.
type networkDialer struct {
	dial         func(ctx context.Context, network, addr string) (net.Conn, error)
	timeout      time.Duration // limit for dialing
	conn         *limitedConn  // nil until connected
	stopWatching func() bool   // stops closing conn when the context ends
}

func (d *networkDialer) open(ctx context.Context, network, addr string) (net.Conn, error) {
	dialCtx, cancel := context.WithTimeout(ctx, d.timeout)
	defer cancel()
	conn, err := d.dial(dialCtx, network, addr)
	if err != nil {
		return nil, err
	}
	d.conn = &limitedConn{Conn: conn, remaining: maxUpgradeBytes}
	d.stopWatching = context.AfterFunc(ctx, func() { _ = conn.Close() })
	return d.conn, nil
}

// detach stops the context from closing the connection. expired reports whether the context has
// already ended.
func (d *networkDialer) detach() (expired bool) { return d.stopWatching != nil && !d.stopWatching() }

// defaultDialer returns a dialer with TCP keep-alive that detects a dead peer after 25 s, for links
// without pings. With Go's defaults it would take 150 s.
func defaultDialer() *net.Dialer {
	return &net.Dialer{KeepAliveConfig: net.KeepAliveConfig{
		Enable: true, Idle: 10 * time.Second, Interval: 5 * time.Second, Count: 3,
	}}
}

// isTransient reports whether err, the error of a TLS handshake, comes from the network and not
// from a disagreement about TLS.
func isTransient(err error) bool {
	var op *net.OpError
	if errors.As(err, &op) && (op.Op == "remote error" || op.Op == "local error") {
		return false // client or server sent a TLS alert
	}
	var netErr net.Error
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, net.ErrClosed) || errors.As(err, &netErr) || errors.As(err, &op)
}

// maxRetryAfter limits the delay that the server asks for in the Retry-After header of a refusal.
const maxRetryAfter = time.Hour

func handshakeError(resp *http.Response, now func() time.Time) *HandshakeError {
	e := &HandshakeError{Status: resp.StatusCode}
	if date, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		e.ServerDate = date
	}
	if u, err := url.Parse(resp.Header.Get("Location")); err == nil {
		path, _, _ := strings.Cut(u.Path, ";") // a session ID may follow
		e.Location = clipLine(u.Host + path)   // without the query, which may contain a token
	}
	e.Challenge = netconn.Challenge(resp.StatusCode, resp.Header)
	e.RetryAfter = min(netconn.RetryAfter(resp.Header, now()), maxRetryAfter)
	return e
}

func trimAll(values []string) []string {
	for i := range values {
		values[i] = strings.TrimSpace(values[i])
	}
	return values
}
