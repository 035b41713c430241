package rtd_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"wallboard/internal/simulator"
	"wallboard/internal/simulator/world"
)

const token = "demo-token"

// small returns a world that starts quickly.
func small() world.Options {
	return world.Options{Seed: 7, Services: 4, Groups: 3, Agents: 16, Operators: 3, Campaigns: 3}
}

// start runs a simulator until the end of the test.
func start(t *testing.T, o simulator.Options) *simulator.Server {
	t.Helper()
	if o.World == (world.Options{}) {
		o.World = small()
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

// response is the body of an answer.
type response struct {
	Data   map[string]any `json:"data"`
	Errors []struct {
		Message string `json:"message"`
	} `json:"errors"`
}

// send sends a request with the token of the default account and returns the body of the answer.
func send(t *testing.T, req *http.Request) []byte {
	t.Helper()
	req.AddCookie(&http.Cookie{Name: "vendorRtdAccessToken", Value: token})
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close() //nolint:errcheck // the body was read
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// post sends a query.
func post(t *testing.T, s *simulator.Server, query string) response {
	t.Helper()
	text, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.HTTPURL(), bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	body := send(t, req)
	var r response
	if err := json.Unmarshal(body, &r); err != nil {
		t.Fatalf("answer %s: %v", body, err)
	}
	return r
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
