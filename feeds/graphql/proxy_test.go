package graphql

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// TestEndlessAnswerToConnect uses a proxy that never ends its answer.
func TestEndlessAnswerToConnect(t *testing.T) {
	t.Parallel()
	var taken atomic.Int64
	var all sync.WaitGroup
	rt := NewTransport(nil, func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		all.Go(func() {
			defer theirs.Close() //nolint:errcheck // it is over
			_, _ = theirs.Read(make([]byte, 4096))
			_, err := io.WriteString(theirs, "HTTP/1.1 200 OK\r\nX: ")
			for piece := bytes.Repeat([]byte("x"), 4096); err == nil && taken.Load() < 32<<20; {
				var n int
				n, err = theirs.Write(piece)
				taken.Add(int64(n))
			}
		})
		return ours, nil
	})
	rt.Proxy = func(*http.Request) (*url.URL, error) { return &url.URL{Scheme: "http", Host: "proxy.test:3128"}, nil }
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://rtd.test/rtd", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := rt.RoundTrip(req)
	if err == nil {
		_ = resp.Body.Close()
		t.Error("accepted as an answer")
	}
	all.Wait()
	if n := taken.Load(); n > maxHeader+16<<10 {
		t.Errorf("%d bytes read: %v", n, err)
	}
}

// TestRequestTellsNoAddress checks that an error does not quote the address, which may hold
// a password.
func TestRequestTellsNoAddress(t *testing.T) {
	t.Parallel()
	if _, err := NewPostRequest(t.Context(), "https://anna:secret@rtd.test:port/rtd", EncodeRequest("{version}", nil)); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("the error is %v", err)
	}
}
