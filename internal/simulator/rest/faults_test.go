package rest_test

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/webservice"
)

const createRoute = "POST /rest/addressbook-contact/external"

// raw sends a request on its own connection and returns the whole answer.
func (c caller) raw(p *testkit.PipeListener, route, body string) (answer string, err error) {
	c.t.Helper()
	conn, err := p.Dial(c.t.Context(), "", "")
	if err != nil {
		c.t.Fatal(err)
	}
	defer conn.Close()                                     //nolint:errcheck // the test is done with it
	go func() { _, _ = conn.Write(c.wire(route, body)) }() // fails if the connection is cut
	data, err := io.ReadAll(conn)
	synctest.Wait()
	return string(data), err
}

// wire returns the bytes of a request.
func (c caller) wire(route, body string) []byte {
	c.t.Helper()
	req := c.request(route, body)
	req.Close = true
	data, err := httputil.DumpRequestOut(req, true)
	if err != nil {
		c.t.Fatal(err)
	}
	return data
}

// The connection is cut after every byte of a request and of an answer. The
// execution must be deterministic.
func TestCutAtEveryByte(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := testkit.NewPipeListener()
		s := start(t, simulator.Options{Listener: p})
		s.Pause()
		c := client(t, s)
		const body = `{"name":"Ada"}`
		executed := 0
		did := func() bool {
			n := len(s.REST().Executions())
			defer func() { executed = n }()
			return n == executed+1
		}
		total := len(c.wire(createRoute, body))
		for n := range total + 2 {
			s.Faults().REST.CutRequest(n)
			answer, _ := c.raw(p, createRoute, body)
			if got, want := did(), n >= total; got != want {
				t.Fatalf("request cut at %d of %d: executed %v", n, total, got)
			}
			if got, want := answer != "", n > total; got != want {
				t.Fatalf("request cut at %d of %d: the answer is %q", n, total, answer)
			}
		}
		whole, err := c.raw(p, createRoute, body)
		if !did() || err != nil || !strings.Contains(whole, "200 OK") {
			t.Fatalf("without a fault: %q, %v", whole, err)
		}
		for n := range len(whole) + 2 {
			s.Faults().REST.CutResponse(n)
			answer, _ := c.raw(p, createRoute, body)
			if !did() {
				t.Fatalf("answer cut at %d: not executed", n)
			}
			if len(answer) != min(n, len(whole)) {
				t.Fatalf("answer cut at %d: %d bytes came", n, len(answer))
			}
		}
	})
}

// A cut affects the intended request, also on a reused connection and with TLS.
func TestCutOnKeptConnection(t *testing.T) {
	t.Parallel()
	donor := httptest.NewTLSServer(http.NotFoundHandler())
	defer donor.Close()
	s := frozen(t, simulator.Options{TLS: &tls.Config{Certificates: donor.TLS.Certificates, MinVersion: tls.VersionTLS12}})
	c := client(t, s)
	roots := x509.NewCertPool()
	roots.AddCert(donor.Certificate())
	trust := &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	c.client = &http.Client{Transport: &http.Transport{TLSClientConfig: trust}, Timeout: 20 * time.Second}
	defer c.client.CloseIdleConnections()
	s.Faults().REST.OnlyRequests("PUT ")
	s.Faults().REST.CutResponse(0)
	for range 3 {
		c.must(createRoute, `{"name":"Ada"}`)
	}
	if status, answer, err := c.try("PUT /rest/addressbook-contact/external", `{"id":"10002","name":"Bo"}`); err == nil {
		t.Errorf("unexpected answer: %d %s", status, answer)
	}
	if got := c.must("GET /rest/addressbook-contact/external/10002", ""); dig(got, "name") != "Bo" {
		t.Errorf("the request without an answer was not executed: %v", got)
	}
	s.Faults().REST.OnlyRequests("")
	s.Faults().REST.CutRequest(40)
	if _, _, err := c.try(createRoute, `{"name":"Ada"}`); err == nil {
		t.Error("unexpected answer")
	}
	if n := len(s.REST().Executions()); n != 4 {
		t.Errorf("%d requests were executed", n)
	}
}

func TestRandomRESTFaults(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{Faults: simulator.FaultRates{RESTError: 600}})
	waitUntil(t, func() bool {
		status, _ := client(t, s).call(checkSession, "")
		return status >= 500
	})
}

func TestRESTFaultAnswers(t *testing.T) {
	t.Parallel()
	s := frozen(t, simulator.Options{})
	c := client(t, s)
	s.Faults().REST.OnlyRequests("POST ")
	s.Faults().REST.AnswerWithStatus(504, "<html>gateway</html>", 2)
	c.must(checkSession, "")
	for range 2 {
		if status, answer := c.call(createRoute, `{"name":"Ada"}`); status != 504 || answer != "<html>gateway</html>" {
			t.Errorf("%d %s", status, answer)
		}
	}
	if n := len(s.REST().Executions()); n != 0 {
		t.Errorf("%d requests were executed", n)
	}
	c.must(createRoute, `{"name":"Ada"}`)
	s.Faults().REST.PadErrors(1 << 20)
	if status, answer := c.call("GET /rest/addressbook-contact/external/1", ""); status != 404 || len(answer) < 1<<20 {
		t.Errorf("%d with %d bytes", status, len(answer))
	}
	s.Faults().RefuseRequests(true)
	if status, _ := c.call(createRoute, `{"name":"Ada"}`); status != 503 {
		t.Errorf("refused with %d", status)
	}
	s.Faults().RefuseRequests(false)
	for what, r := range map[string]struct {
		contentType, body string
		want              int
	}{
		"form":      {"application/x-www-form-urlencoded", "name=Ada", 415},
		"not JSON":  {"application/json", "{", 400},
		"more":      {"application/json", `{"name":"a"} {}`, 400},
		"no object": {"application/json; charset=utf-8", `[]`, 400},
		// One byte too many: the server reads all of it. A client that still writes when the server
		// closes the connection may not see the answer.
		"too large": {"application/json", `{"name":"` + strings.Repeat("a", webservice.MaxBody+1-len(`{"name":""}`)) + `"}`, 413},
	} {
		req := c.request(createRoute, r.body)
		req.Header.Set("Content-Type", r.contentType)
		if res, _ := do(t, req); res.StatusCode != r.want {
			t.Errorf("%s: %d, want %d", what, res.StatusCode, r.want)
		}
	}
}

// A delayed answer: the request is executed without delay.
func TestRESTDelay(t *testing.T) {
	t.Parallel()
	inMemory(t, func(t *testing.T, s *simulator.Server, p *testkit.PipeListener) {
		c := client(t, s)
		conn, err := p.Dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close() //nolint:errcheck // the test is done with it
		s.Faults().REST.DelayAnswers(time.Minute)
		began := time.Now()
		if _, err := conn.Write(c.wire(createRoute, `{"name":"Ada"}`)); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if n := len(s.REST().Executions()); n != 1 {
			t.Errorf("%d requests were executed before the answer", n)
		}
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close() //nolint:errcheck // the body is not needed
		if res.StatusCode != http.StatusOK || time.Since(began) != time.Minute {
			t.Errorf("%d after %v", res.StatusCode, time.Since(began))
		}
	})
}

func TestRESTControls(t *testing.T) {
	t.Parallel()
	s := frozen(t, simulator.Options{Faults: simulator.FaultRates{RESTDelay: time.Millisecond}})
	c := client(t, s)
	base := strings.TrimSuffix(s.RESTURL(), "/platform") + "/simulator/"
	call := func(method, path string) (int, []byte) {
		req, err := http.NewRequestWithContext(t.Context(), method, base+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		res, body := do(t, req)
		return res.StatusCode, body
	}
	if _, body := call(http.MethodGet, "executions"); string(body) != "[]" {
		t.Errorf("executions %s", body)
	}
	for path, want := range map[string]int{
		"fault?kind=rest-only&begin=PUT":        http.StatusNoContent,
		"fault?kind=rest-huge&n=0":              http.StatusNoContent,
		"fault?kind=rest-delay&for=0s":          http.StatusNoContent,
		"fault?kind=rest-status&status=99":      http.StatusBadRequest,
		"fault?kind=rest-status&status=502&n=1": http.StatusNoContent,
		"fault?kind=cut-request&n=x":            http.StatusBadRequest,
		"fault?kind=cut-response&n=3":           http.StatusNoContent,
	} {
		if code, body := call(http.MethodPost, path); code != want {
			t.Errorf("%s: %d %s, want %d", path, code, body, want)
		}
	}
	c.must(createRoute, `{"name":"Ada"}`)
	if _, _, err := c.try("PUT /rest/addressbook-contact/external", `{"id":"10002","name":"Bo"}`); err == nil {
		t.Error("the answer was not cut")
	}
	if _, body := call(http.MethodGet, "executions"); !bytes.Contains(body, []byte(`"operation":"contact-create"`)) {
		t.Errorf("executions %s", body)
	}
}
