package restclient

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"wallboard/model/resource"
)

// The time limits for the parts of a request.
const (
	connectTimeout = 5 * time.Second
	tlsTimeout     = 5 * time.Second
	headerTimeout  = 10 * time.Second // from the end of the request to the headers of the answer
	ringTimeout    = 30 * time.Second // like headerTimeout, for a dial: the answer may come only when the call is answered
	bodyTimeout    = 20 * time.Second
	idleTimeout    = 30 * time.Second
)

const maxHeaderBytes = 64 << 10 // maximum size of the headers of an answer, in bytes

// transports holds the HTTP transports. They are used without an http.Client, because it would
// follow redirects and put addresses into errors.
type transports struct {
	readTransport   *http.Transport // for GETs that change nothing
	actionTransport *http.Transport // for all other requests
	dialTransport   *http.Transport // for dials
}

func newTransports(o *Options) transports {
	reading := newTransport(o, headerTimeout)
	acting := newTransport(o, headerTimeout)
	ringing := newTransport(o, ringTimeout)
	// On a reused connection, net/http repeats a request that it considers unsent. Actions
	// therefore get new connections, on which net/http repeats no request.
	acting.DisableKeepAlives, ringing.DisableKeepAlives = true, true
	return transports{readTransport: reading, actionTransport: acting, dialTransport: ringing}
}

func newTransport(o *Options, header time.Duration) *http.Transport {
	config := o.TLS.Clone()
	if config == nil {
		config = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	config.MinVersion = max(config.MinVersion, tls.VersionTLS12)
	config.NextProtos = nil
	dial := o.DialContext
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	var protocols http.Protocols
	protocols.SetHTTP1(true) // HTTP/2 may repeat requests
	if o.Timeout > 0 {
		header = o.Timeout
	}
	return &http.Transport{
		Proxy: httpsProxy,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			ctx, cancel := context.WithTimeout(ctx, connectTimeout)
			defer cancel()
			return dial(ctx, network, address)
		},
		TLSClientConfig:        config,
		TLSHandshakeTimeout:    tlsTimeout,
		ResponseHeaderTimeout:  header,
		MaxResponseHeaderBytes: maxHeaderBytes,
		MaxIdleConnsPerHost:    4,
		IdleConnTimeout:        idleTimeout,
		DisableCompression:     true, // a compressed answer could be much larger than its limit
		Protocols:              &protocols,
	}
}

// httpsProxy returns the proxy that the environment configures for https. For plain http it returns
// nil, that is, a direct connection, because a proxy can read and repeat only plain requests.
func httpsProxy(r *http.Request) (*url.URL, error) {
	if r.URL.Scheme != "https" {
		return nil, nil //nolint:nilnil // means "no proxy" in net/http
	}
	proxy, err := http.ProxyFromEnvironment(r)
	if err != nil {
		return nil, fmt.Errorf("proxy from the environment: %w", err)
	}
	return proxy, nil
}

// forOperation returns the transport for an operation, and the default time limit of a request.
func (t *transports) forOperation(o resource.Endpoint) (rt *http.Transport, limit time.Duration) {
	rt, header := t.readTransport, headerTimeout
	switch {
	case o.Rings:
		rt, header = t.dialTransport, ringTimeout
	case o.Mutates || o.Method != http.MethodGet:
		rt = t.actionTransport
	}
	return rt, connectTimeout + tlsTimeout + header + bodyTimeout
}

func (t *transports) close() {
	for _, rt := range []*http.Transport{t.readTransport, t.actionTransport, t.dialTransport} {
		rt.CloseIdleConnections()
	}
}
