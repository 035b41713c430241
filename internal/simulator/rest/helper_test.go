package rest_test

import (
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/world"
)

func TestMain(m *testing.M) {
	testkit.ReduceGC()
	// A connection whose request is too large sleeps for half a second before it is closed.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait"))
}

const token = "demo-token"

// start runs a simulator until the end of the test.
func start(t *testing.T, o simulator.Options) *simulator.Server {
	t.Helper()
	if o.World == (world.Options{}) {
		o.World = world.Options{Seed: 7, Services: 4, Groups: 3, Agents: 16, Operators: 3, Campaigns: 3}
	}
	s, err := simulator.New(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// inMemory runs a synctest with a simulator on in-memory connections.
func inMemory(t *testing.T, test func(t *testing.T, s *simulator.Server, p *testkit.PipeListener)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := testkit.NewPipeListener()
		test(t, start(t, simulator.Options{Listener: p}), p)
	})
}

// httpClient does not keep connections, so that it leaves no goroutines.
func httpClient() *http.Client {
	return &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 20 * time.Second}
}

// reply is the header of an answer.
type reply struct {
	StatusCode int
	cookies    []*http.Cookie
}

// Cookies returns the cookies that were set.
func (r reply) Cookies() []*http.Cookie { return r.cookies }

func do(t *testing.T, req *http.Request) (reply, []byte) {
	t.Helper()
	res, err := httpClient().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close() //nolint:errcheck // the body was read
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{res.StatusCode, res.Cookies()}, body
}

// truth returns the decoded [simulator.Server.CurrentState].
func truth(t *testing.T, s *simulator.Server) map[string][]any {
	t.Helper()
	var v map[string][]any
	if err := json.Unmarshal(s.CurrentState(), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func waitUntil(t *testing.T, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(20 * time.Second)
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal("the state did not come")
		}
	}
}
