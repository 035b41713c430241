package graphqlhttp

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
)

// maxHeader limits the headers of a response, including a proxy's to CONNECT,
// in bytes.
const maxHeader = 64 << 10

// Timer starts timing a request. The returned function takes the header of the
// response and reports whether it contained a usable clock reading.
type Timer func() func(http.Header) bool

// Dialer opens a network connection.
type Dialer func(ctx context.Context, network, addr string) (net.Conn, error)

// Transport returns the transport for requests to the service. A nil dial means
// the default.
func Transport(tlsConfig *tls.Config, dial Dialer) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // documented type
	t.TLSClientConfig = tlsConfig.Clone()
	t.MaxResponseHeaderBytes = maxHeader
	if dial != nil {
		t.DialContext = dial
	}
	return t
}

// NewClient returns a client that follows no redirects, which could leak the
// credentials.
func NewClient(t *http.Transport, timeout time.Duration) *http.Client {
	return &http.Client{
		Transport: t, Timeout: timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Request returns a POST request. Its errors quote neither address nor body.
func Request(ctx context.Context, address string, body []byte) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("the address of the service is not a URL")
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	return req, nil
}

// Body returns the body of a query. Its content can always be marshaled.
func Body(query string, variables map[string]any) []byte {
	b, err := json.Marshal(struct {
		Query     string         `json:"query"`
		Variables map[string]any `json:"variables,omitempty"`
	}{query, variables})
	if err != nil {
		return nil
	}
	return b
}

// Status returns the status of a response with the standard text: the server's
// own text may be anything.
func Status(resp *http.Response) string {
	return strings.TrimSpace(strconv.Itoa(resp.StatusCode) + " " + http.StatusText(resp.StatusCode))
}

// TooLargeError means that a request is too long for the server, or a response
// for the board.
type TooLargeError struct{ Reason string }

// Error implements error.
func (e *TooLargeError) Error() string { return e.Reason }

// ReadAnswer reads a body of at most limit bytes after decompression. A longer one is a
// [TooLargeError].
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
