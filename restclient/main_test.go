package restclient

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"go.uber.org/goleak"

	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/testkit"
)

func TestMain(m *testing.M) {
	testkit.ReduceGC()
	goleak.VerifyTestMain(m)
}

// serve runs a platform that answers with h under the base path /platform.
func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(http.StripPrefix("/platform", h))
	t.Cleanup(s.Close)
	return s.URL + "/platform"
}

// newClient returns a client with a bearer token, which needs no login, unless o says
// otherwise. It does not wait between attempts.
func newClient(t *testing.T, o Options) *Client {
	t.Helper()
	if o.Auth == "" {
		o.Auth, o.AccessToken = AuthBearer, secret.New("token-1234")
	}
	if o.Edition == "" {
		o.Edition = Edition140
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	c.Session.sender.jitter = func() float64 { return -0.25 } // makes the delays 0
	t.Cleanup(c.Close)
	return c
}

// respond answers a request.
func respond(w http.ResponseWriter, status int, body string) {
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body)) // the client may be gone, as some tests want
}
