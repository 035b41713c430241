package feeds

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxHeader bounds the headers of an answer, a proxy's to CONNECT included, in
// bytes.
const maxHeader = 64 << 10

// plainTransport is the way of plain requests to the service.
func plainTransport(o *Options) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // its type is documented
	t.TLSClientConfig = o.TLS.Clone()
	t.MaxResponseHeaderBytes = maxHeader
	if o.DialContext != nil {
		t.DialContext = o.DialContext
	}
	return t
}

// newClient returns a client that goes nowhere but where it is sent: a redirect
// would carry the credentials somewhere else.
func newClient(t *http.Transport, timeout time.Duration) *http.Client {
	return &http.Client{
		Transport: t, Timeout: timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// statusOf is the status of an answer in our words: the server's own may be
// anything.
func statusOf(resp *http.Response) string {
	return strings.TrimSpace(strconv.Itoa(resp.StatusCode) + " " + http.StatusText(resp.StatusCode))
}

// readAnswer reads a body of at most so many bytes, counted as they are after a
// compression.
func readAnswer(body io.Reader, most int64) ([]byte, error) {
	var b bytes.Buffer
	n, err := b.ReadFrom(io.LimitReader(body, most+1))
	switch {
	case err != nil:
		return nil, err //nolint:wrapcheck // the caller says whose it is
	case n > most:
		return nil, &tooLargeError{fmt.Sprintf("the answer is too large: more than %d KiB", most>>10)}
	}
	return b.Bytes(), nil
}

// present reports whether a member of an object is there and not null, without
// keeping it.
type present bool

// UnmarshalJSON implements [json.Unmarshaler].
func (p *present) UnmarshalJSON(b []byte) error {
	*p = string(b) != "null"
	return nil
}
