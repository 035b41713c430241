package restclient

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

// TestEndlessAnswers measures what answers without an end cost, a proxy's to
// CONNECT and one that is compressed without being asked for among them.
func TestEndlessAnswers(t *testing.T) { //nolint:paralleltest // it counts what the process allocates
	piece := bytes.Repeat([]byte("x"), 4096)
	for name, begin := range map[string]string{
		"header": "HTTP/1.1 200 OK\r\nX: ", "status": "HTTP/1.1 200 ", "proxy": "HTTP/1.1 200 OK\r\nX: ", "nothing": "",
	} {
		var all sync.WaitGroup
		rt := newTransport(&Options{}, headerTimeout)
		rt.DialContext = func(context.Context, string, string) (net.Conn, error) {
			ours, theirs := net.Pipe()
			all.Go(func() {
				defer theirs.Close() //nolint:errcheck // it is over
				_, _ = theirs.Read(make([]byte, 4096))
				_, err := io.WriteString(theirs, begin)
				for n := 0; err == nil && n < 64<<20; n += len(piece) {
					_, err = theirs.Write(piece)
				}
			})
			return ours, nil
		}
		rt.Proxy = nil
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
		all.Wait()
		runtime.ReadMemStats(&after)
		if err == nil {
			_ = resp.Body.Close()
			t.Errorf("%s: taken for an answer", name)
		}
		if cost := after.TotalAlloc - before.TotalAlloc; cost > 2<<20 {
			t.Errorf("%s: %d bytes were allocated: %v", name, cost, err)
		}
		rt.CloseIdleConnections()
	}
}
