package restclient

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/model/resource"
)

// conn is a client's connection on the platform's side.
type conn struct {
	net.Conn
	in *bufio.Reader
}

// pipes is an in-memory network in which handle serves each connection.
type pipes struct {
	handle func(*conn)
	count  atomic.Int32
}

func newPipes(handle func(*conn)) *pipes { return &pipes{handle: handle} }

func (p *pipes) DialContext(context.Context, string, string) (net.Conn, error) {
	p.count.Add(1)
	client, server := net.Pipe()
	go func() {
		defer server.Close() //nolint:errcheck // whatever the handler left of it
		p.handle(&conn{server, bufio.NewReader(server)})
	}()
	return client, nil
}

const success = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n" + `"call-1" `

// TestConnectionsThatDie cuts the connection at each byte of the request and of the answer. The reported
// outcome must be true, and the request must not be executed twice.
func TestConnectionsThatDie(t *testing.T) {
	t.Parallel()
	const never = 1 << 20
	var length int64 // length of the request
	try := func(request, response int64) (executed int32, err error) {
		var ran atomic.Int32
		network := newPipes(func(c *conn) {
			limited := &io.LimitedReader{R: c, N: request}
			r, err := http.ReadRequest(bufio.NewReader(limited))
			if err != nil {
				return
			}
			if _, err := io.Copy(io.Discard, r.Body); err != nil {
				return
			}
			length = request - limited.N
			ran.Add(1)
			_, _ = io.WriteString(c, success[:min(response, int64(len(success)))]) // the client may be gone
			if response == never {
				<-t.Context().Done()
			}
		})
		c := newClient(t, Options{URL: "http://host/platform", DialContext: network.DialContext})
		_, err = c.Session.getText(t.Context(), newDial())
		if n := network.count.Load(); n != 1 {
			t.Errorf("request cut at %d, response at %d: %d connections", request, response, n)
		}
		return ran.Load(), err
	}
	if n, err := try(never, int64(len(success))); n != 1 || err != nil {
		t.Fatalf("uncut: %v, executed %d times", err, n)
	}
	for cut := range length {
		n, err := try(cut, never)
		if outcome := OutcomeOf(err); n != 0 || outcome != resource.OutcomeUnknown && outcome != resource.OutcomeNotSent {
			t.Errorf("request cut at %d of %d: %v (%v), executed %d times", cut, length, outcome, err, n)
		}
	}
	for cut := range len(success) {
		n, err := try(never, int64(cut))
		// Even without its last byte, which is white space, the answer is incomplete, because the
		// announced length includes it.
		if outcome := OutcomeOf(err); n != 1 || outcome != resource.OutcomeUnknown {
			t.Errorf("response cut at %d: %v (%v), executed %d times", cut, outcome, err, n)
		}
	}
}

// TestTooLateToSend checks that a request that is no longer allowed when its connection is ready is not
// sent, and that the error says so. An allowed request is sent.
func TestTooLateToSend(t *testing.T) {
	t.Parallel()
	var ran atomic.Int32
	network := newPipes(func(c *conn) {
		if r, err := http.ReadRequest(c.in); err == nil {
			_, _ = io.Copy(io.Discard, r.Body)
			ran.Add(1)
			_, _ = io.WriteString(c, success)
		}
	})
	var may atomic.Bool
	slow := func(ctx context.Context, n, addr string) (net.Conn, error) {
		may.Store(false) // the permission is lost while the client connects
		return network.DialContext(ctx, n, addr)
	}
	may.Store(true)
	c := newClient(t, Options{URL: "http://host/platform", DialContext: slow})
	_, err := c.Session.getText(WithPermission(t.Context(), may.Load), newDial())
	if !errors.Is(err, ErrPermissionLost) || OutcomeOf(err) != resource.OutcomeNotSent || ran.Load() != 0 {
		t.Errorf("%v (%v), carried out %d times", err, OutcomeOf(err), ran.Load())
	}
	c = newClient(t, Options{URL: "http://host/platform", DialContext: network.DialContext})
	if _, err := c.Session.getText(WithPermission(t.Context(), func() bool { return true }), newDial()); err != nil || ran.Load() != 1 {
		t.Errorf("%v, carried out %d times", err, ran.Load())
	}
}

func newDial() request {
	return request{op: resource.OpDial, query: map[string][]string{"number": {"0123-canary"}, "callData": {strings.Repeat("data", 10)}}}
}

func TestRequestsThatDoNotLeave(t *testing.T) {
	t.Parallel()
	refuse := func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("no route") }
	plain := newPipes(func(c *conn) {
		if _, err := c.in.ReadByte(); err == nil {
			go func() { _, _ = io.Copy(io.Discard, c.in) }()             // reads the client's TLS handshake
			_, _ = io.WriteString(c, "HTTP/1.1 400 Bad Request\r\n\r\n") // the client may be gone
		}
	})
	secure := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was sent") }))
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.TLS = &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}
	secure.StartTLS()
	t.Cleanup(secure.Close)
	strange := httptest.NewUnstartedServer(secure.Config.Handler)
	strange.Config.ErrorLog = secure.Config.ErrorLog
	strange.StartTLS()
	t.Cleanup(strange.Close)
	for name, o := range map[string]Options{
		"TLS 1.1":              {URL: secure.URL, TLS: &tls.Config{MinVersion: tls.VersionTLS10, RootCAs: trust(secure)}},
		"unknown issuer":       {URL: strange.URL},
		"no connection":        {URL: "http://host", DialContext: refuse},
		"no secure connection": {URL: "https://host", DialContext: plain.DialContext},
		"nobody there":         {URL: "http://127.0.0.1:1"},
	} {
		if err := newClient(t, o).Session.send(t.Context(), newDial()); OutcomeOf(err) != resource.OutcomeNotSent {
			t.Errorf("%s: %v is %v", name, err, OutcomeOf(err))
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := newClient(t, Options{URL: serve(t, func(http.ResponseWriter, *http.Request) { t.Error("it was sent") })})
	if err := c.Session.send(ctx, newDial()); !errors.Is(err, context.Canceled) || OutcomeOf(err) != resource.OutcomeNotSent {
		t.Errorf("cancelled before: %v is %v", err, OutcomeOf(err))
	}
}

// trust makes the client trust s.
func trust(s *httptest.Server) *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	return pool
}

func TestSecureConnections(t *testing.T) {
	t.Parallel()
	s := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(s.Close)
	c := newClient(t, Options{URL: s.URL, TLS: &tls.Config{RootCAs: trust(s)}})
	if err := c.Session.send(t.Context(), newDial()); err != nil {
		t.Error(err)
	}
}

// TestActionsAreNotRepeatedOnDroppedConnections checks that no action is repeated after a failure of a
// reused connection. net/http repeats a GET in this case, and logout is a GET.
func TestActionsAreNotRepeatedOnDroppedConnections(t *testing.T) {
	t.Parallel()
	for _, op := range []resource.Operation{resource.OpDial, resource.OpContactUpdate, resource.OpLogout, resource.OpTicketSearch} {
		var executed atomic.Int32
		c := newClient(t, Options{URL: "http://host", DialContext: newPipes(func(c *conn) {
			for {
				if _, err := http.ReadRequest(c.in); err != nil {
					return
				}
				if executed.Add(1) > 1 {
					return
				}
				_, _ = io.WriteString(c, success) // on an error, the client's test fails
			}
		}).DialContext})
		x := &preparedRequest{op: op, url: c.Session.sender.baseURL}
		if _, err := c.Session.sender.sendWithRetry(t.Context(), x, credentials{}); err != nil {
			t.Fatal(err)
		}
		_, err := c.Session.sender.sendWithRetry(t.Context(), x, credentials{})
		if OutcomeOf(err) != resource.OutcomeUnknown || executed.Load() != 2 {
			t.Errorf("%s: %v, executed %d times", op, err, executed.Load())
		}
	}
}

// TestCancelledRequestsAreNotSentOrUnknown checks that a cancelled request that is reported as not sent
// does not arrive later. net/http writes requests in its own goroutine.
func TestCancelledRequestsAreNotSentOrUnknown(t *testing.T) {
	t.Parallel()
	outcomes := map[resource.Outcome]int{}
	for range 300 {
		ctx, cancel := context.WithCancel(t.Context())
		var executed atomic.Bool
		served := make(chan struct{})
		network := newPipes(func(c *conn) {
			defer close(served)
			if _, err := http.ReadRequest(c.in); err == nil {
				executed.Store(true)
				<-ctx.Done()
			}
		})
		c := newClient(t, Options{URL: "http://host", DialContext: func(ctx context.Context, n, a string) (net.Conn, error) {
			conn, err := network.DialContext(ctx, n, a)
			go func() {
				for range rand.IntN(200) {
					_ = time.Now()
				}
				cancel()
			}()
			return conn, err
		}})
		err := c.Session.send(ctx, newDial())
		if network.count.Load() > 0 {
			<-served
		}
		outcome := OutcomeOf(err)
		outcomes[outcome]++
		if executed.Load() && outcome != resource.OutcomeUnknown || outcome == resource.OutcomeConfirmed {
			t.Fatalf("%v (%v), executed: %v", outcome, err, executed.Load())
		}
		cancel()
	}
	t.Log(outcomes)
}

// TestAbandonedRequestsStayUnsent checks that the end of the headers is not sent after a request was
// reported as not sent.
func TestAbandonedRequestsStayUnsent(t *testing.T) {
	t.Parallel()
	client, server := net.Pipe()
	defer server.Close() //nolint:errcheck // a pipe's Close cannot fail
	var tr requestTrace
	ctx := tr.attach(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://host/", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if !tr.abandon() {
		t.Fatal("a request that was not begun counts as sent")
	}
	transport := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return client, nil }}
	go func() {
		if resp, err := transport.RoundTrip(r); err == nil {
			t.Error("the request was answered")
			_ = resp.Body.Close() // the test has failed already
		}
	}()
	b := make([]byte, 1<<10)
	if n, err := server.Read(b); !errors.Is(err, io.EOF) {
		t.Errorf("%q left, %v", b[:n], err)
	}
}

func TestPlatformsThatDoNotAnswer(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		op     resource.Operation
		limit  time.Duration // Options.Timeout
		answer string
		want   time.Duration
	}{
		"dial":                  {resource.OpDial, 0, "", ringTimeout},
		"hangup":                {resource.OpHangUp, 0, "", headerTimeout},
		"hangup, limited":       {resource.OpHangUp, time.Second, "", time.Second},
		"hangup, half a header": {resource.OpHangUp, 0, success[:20], headerTimeout},
		"hangup, half an answer": {
			resource.OpHangUp, 0, success[:len(success)-4],
			connectTimeout + tlsTimeout + headerTimeout + bodyTimeout,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var wg sync.WaitGroup
				end := make(chan struct{})
				network := newPipes(func(c *conn) {
					wg.Add(1)
					defer wg.Done()
					if _, err := http.ReadRequest(c.in); err != nil {
						t.Error(err)
					}
					_, _ = io.WriteString(c, tt.answer) // the client may not read it
					<-end
				})
				c := newClient(t, Options{URL: "http://host", Timeout: tt.limit, DialContext: network.DialContext})
				began := time.Now()
				err := c.Session.send(t.Context(), request{op: tt.op})
				if !errors.Is(err, context.DeadlineExceeded) || OutcomeOf(err) != resource.OutcomeUnknown {
					t.Errorf("%v is %v", err, OutcomeOf(err))
				}
				if took := time.Since(began); took != tt.want {
					t.Errorf("it took %v, want %v", took, tt.want)
				}
				close(end)
				wg.Wait()
			})
		})
	}
}
