package graphql

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/lib/netconn"
)

// maxHeader limits the size in bytes of the headers of a response. It also applies to a proxy's
// response to CONNECT.
const maxHeader = 64 << 10

// RequestTimer starts timing a request. When the response has arrived, the caller passes its header
// to the returned function, which reports whether the header contained a usable Date.
type RequestTimer func() func(http.Header) bool

// Dialer opens a network connection, like [net.Dialer.DialContext].
type Dialer func(ctx context.Context, network, addr string) (net.Conn, error)

// NewTransport returns an HTTP transport for requests to the service. A nil dial means the default
// dialer.
func NewTransport(tlsConfig *tls.Config, dial Dialer) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // documented type
	t.TLSClientConfig = tlsConfig.Clone()
	t.MaxResponseHeaderBytes = maxHeader
	if dial != nil {
		t.DialContext = dial
	}
	return t
}

// NewClient returns an HTTP client that follows no redirects, because a redirect could leak
// credentials.
func NewClient(t *http.Transport, timeout time.Duration) *http.Client {
	return &http.Client{
		Transport: t, Timeout: timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// NewPostRequest returns a POST request with a JSON body. Its errors contain neither the address
// nor the body.
func NewPostRequest(ctx context.Context, address string, body []byte) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("the address of the service is not a URL")
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	return req, nil
}

// EncodeRequest returns the JSON body of a request, or nil if the variables cannot be encoded.
func EncodeRequest(query string, variables map[string]any) []byte {
	b, err := json.Marshal(struct {
		Query     string         `json:"query"`
		Variables map[string]any `json:"variables,omitempty"`
	}{query, variables})
	if err != nil {
		return nil
	}
	return b
}

// StatusText returns the status code of a response and Go's text for the code. The server's own text is
// not used because it may contain anything. If the server asks for a login method that wallboard
// does not have, the text names it.
func StatusText(resp *http.Response) string {
	s := strings.TrimSpace(strconv.Itoa(resp.StatusCode) + " " + http.StatusText(resp.StatusCode))
	if challenge := netconn.Challenge(resp.StatusCode, resp.Header); challenge != "" {
		s += "; " + challenge
	}
	return s
}

// notGraphQL returns the error for a response that is not JSON. The error says whether the response is a web
// page, or to which server it redirects, often for a login. It omits the rest of that server's address, which
// may contain secrets.
func notGraphQL(resp *http.Response) error {
	what := "is not a GraphQL answer"
	if to, err := resp.Location(); err == nil && len(to.Host) < maxHostName {
		what = "leads to the server " + strconv.QuoteToASCII(to.Host)
	} else if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
		what = "is a web page, not a GraphQL answer"
	}
	return fmt.Errorf("the answer (%s) %s; is [rtd] url right?", StatusText(resp), what)
}

// maxHostName limits the length of a host name with its port (RFC 1035 allows 255 bytes for the name).
const maxHostName = 262

// TooLargeError means that a request is too large for the server or a response too large for the
// board.
type TooLargeError struct{ Reason string }

// Error implements error.
func (e *TooLargeError) Error() string { return e.Reason }

// ReadAnswer reads a response body of at most limit bytes, after decompression. If the body is
// longer, it returns a [TooLargeError].
func ReadAnswer(body io.Reader, limit int64) ([]byte, error) {
	var b bytes.Buffer
	n, err := b.ReadFrom(io.LimitReader(body, limit+1))
	switch {
	case err != nil:
		return nil, err
	case n > limit:
		return nil, &TooLargeError{fmt.Sprintf("the answer is too large: more than %d KiB", limit>>10)}
	}
	return b.Bytes(), nil
}
