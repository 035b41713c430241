// Package post sends plain requests to the service (document 2, section HTTP): what
// they look like, where they may go, and how much of an answer is read.
package post

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

// maxHeader bounds the headers of an answer, a proxy's to CONNECT included, in
// bytes.
const maxHeader = 64 << 10

// Timer begins to time a request; what it returns takes the header of the answer,
// and reports whether that told the time.
type Timer func() func(http.Header) bool

// Dialer opens a connection.
type Dialer func(ctx context.Context, network, addr string) (net.Conn, error)

// Transport is the way of plain requests to the service. A nil dial is the usual one.
func Transport(tlsConfig *tls.Config, dial Dialer) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // its type is documented
	t.TLSClientConfig = tlsConfig.Clone()
	t.MaxResponseHeaderBytes = maxHeader
	if dial != nil {
		t.DialContext = dial
	}
	return t
}

// Client returns a client that goes nowhere but where it is sent: a redirect
// would carry the credentials somewhere else.
func Client(t *http.Transport, timeout time.Duration) *http.Client {
	return &http.Client{
		Transport: t, Timeout: timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Request is a POST of a body to an address. Its errors quote neither.
func Request(ctx context.Context, address string, body []byte) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("the address of the service is not a URL")
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	return req, nil
}

// Body is that of a query. What it holds always marshals.
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

// Status is the status of an answer in our words: the server's own may be
// anything.
func Status(resp *http.Response) string {
	return strings.TrimSpace(strconv.Itoa(resp.StatusCode) + " " + http.StatusText(resp.StatusCode))
}

// TooLargeError says that a request is longer than the server takes, or its answer
// than the board does.
type TooLargeError struct{ What string }

// Error implements error.
func (e *TooLargeError) Error() string { return e.What }

// ReadAnswer reads a body of at most so many bytes, counted as they are after a
// compression. More are a [TooLargeError].
func ReadAnswer(body io.Reader, most int64) ([]byte, error) {
	var b bytes.Buffer
	n, err := b.ReadFrom(io.LimitReader(body, most+1))
	switch {
	case err != nil:
		return nil, err //nolint:wrapcheck // the caller says whose it is
	case n > most:
		return nil, &TooLargeError{fmt.Sprintf("the answer is too large: more than %d KiB", most>>10)}
	}
	return b.Bytes(), nil
}
