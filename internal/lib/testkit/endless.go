package testkit

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"sync"
	"testing"
)

const (
	maxAnswerBytes    = 64 << 20 // maximum bytes of an answer
	maxAllocatedBytes = 2 << 20  // bytes that a client may allocate
)

// CheckEndlessAnswers fails the test if a transport accepts an endless HTTP response,
// including a proxy's response to CONNECT, or allocates too much memory for it. It counts the
// allocations of the whole process, so no other test must run in parallel.
func CheckEndlessAnswers(t *testing.T, newTransport func() *http.Transport) {
	t.Helper()
	for name, begin := range map[string]string{
		"header": "HTTP/1.1 200 OK\r\nX: ", "status": "HTTP/1.1 200 ", "proxy": "HTTP/1.1 200 OK\r\nX: ", "nothing": "",
	} {
		s := endlessServer{prefix: begin}
		rt := newTransport()
		rt.DialContext, rt.Proxy = s.dial, nil
		address := "http://platform.test/x"
		if name == "proxy" {
			rt.Proxy = http.ProxyURL(&url.URL{Scheme: "http", Host: "proxy.test:3128"})
			address = "https://platform.test/x"
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		resp, err := rt.RoundTrip(req)
		s.connections.Wait()
		runtime.ReadMemStats(&after)
		if err == nil {
			_ = resp.Body.Close()
			t.Errorf("%s: taken for an answer", name)
		}
		if cost := after.TotalAlloc - before.TotalAlloc; cost > maxAllocatedBytes {
			t.Errorf("%s: %d bytes were allocated: %v", name, cost, err)
		}
		rt.CloseIdleConnections()
	}
}

// endlessServer is a server whose responses begin with a given text and go on for maxAnswerBytes.
type endlessServer struct {
	prefix      string
	connections sync.WaitGroup // open connections
}

// dial returns an in-memory connection to the server.
func (s *endlessServer) dial(context.Context, string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	s.connections.Go(func() {
		defer theirs.Close() //nolint:errcheck // the connection is no longer used
		piece := bytes.Repeat([]byte("x"), 4096)
		_, _ = theirs.Read(make([]byte, len(piece)))
		_, err := io.WriteString(theirs, s.prefix)
		for n := 0; err == nil && n < maxAnswerBytes; n += len(piece) {
			_, err = theirs.Write(piece)
		}
	})
	return ours, nil
}
