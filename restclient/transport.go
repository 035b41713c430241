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

// How long each part of a request may take.
const (
	connectTimeout = 5 * time.Second
	tlsTimeout     = 5 * time.Second
	headerTimeout  = 10 * time.Second // from the end of the request to the answer's headers
	ringTimeout    = 30 * time.Second // the same for a dial, which may be answered when somebody picked up
	bodyTimeout    = 20 * time.Second
	idleTimeout    = 30 * time.Second
)

const maxHeader = 64 << 10

// transports are the ways to the platform. They are used without an
// http.Client, which would follow redirects and put addresses into errors.
type transports struct {
	reading, acting, ringing *http.Transport // reading is for GETs that change nothing
}

func newTransports(o *Options) transports {
	reading := newTransport(o, headerTimeout)
	acting := newTransport(o, headerTimeout)
	ringing := newTransport(o, ringTimeout)
	// On a connection that was used before, net/http repeats what it takes to
	// be unsent. An action gets a connection of its own, where it never does.
	acting.DisableKeepAlives, ringing.DisableKeepAlives = true, true
	return transports{reading: reading, acting: acting, ringing: ringing}
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
	protocols.SetHTTP1(true) // HTTP/2 repeats requests on its own
	if o.Timeout > 0 {
		header = o.Timeout
	}
	return &http.Transport{
		Proxy: tunnel,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			ctx, cancel := context.WithTimeout(ctx, connectTimeout)
			defer cancel()
			return dial(ctx, network, address)
		},
		TLSClientConfig:        config,
		TLSHandshakeTimeout:    tlsTimeout,
		ResponseHeaderTimeout:  header,
		MaxResponseHeaderBytes: maxHeader,
		MaxIdleConnsPerHost:    4,
		IdleConnTimeout:        idleTimeout,
		DisableCompression:     true, // a small answer must not become a huge one
		Protocols:              &protocols,
	}
}

// tunnel returns the proxy that the environment names for https: it carries
// bytes that it can neither read nor repeat. Plain http goes straight to the
// platform.
func tunnel(r *http.Request) (*url.URL, error) {
	if r.URL.Scheme != "https" {
		return nil, nil //nolint:nilnil // how net/http says "no proxy"
	}
	proxy, err := http.ProxyFromEnvironment(r)
	if err != nil {
		return nil, fmt.Errorf("the proxy of the environment: %w", err)
	}
	return proxy, nil
}

// of returns the transport for an operation, and how long all of it may take.
func (t *transports) of(o resource.Endpoint) (rt *http.Transport, limit time.Duration) {
	rt, header := t.reading, headerTimeout
	switch {
	case o.Rings:
		rt, header = t.ringing, ringTimeout
	case o.Acts || o.Method != http.MethodGet:
		rt = t.acting
	}
	return rt, connectTimeout + tlsTimeout + header + bodyTimeout
}

func (t *transports) close() {
	for _, rt := range []*http.Transport{t.reading, t.acting, t.ringing} {
		rt.CloseIdleConnections()
	}
}
