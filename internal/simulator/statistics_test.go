package simulator_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"wallboard/internal/simulator"
	"wallboard/internal/simulator/world"
)

// startStatistics runs a simulator of a world until the end of the test.
func startStatistics(t *testing.T, w world.Options, o simulator.StatisticsOptions) *simulator.Server {
	t.Helper()
	s, err := simulator.New(simulator.Options{World: w, Stat: o})
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

// askPast sends a statistical query as in document 3, section Endpoints.
func askPast(t *testing.T, s *simulator.Server, key, query string) (status int, body string) {
	t.Helper()
	text, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.StatURL()+"/query", bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if key != "" {
		req.Header.Set("X-Vendor-APIKey", key)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close() //nolint:errcheck // the body was only read
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(answer)
}

func TestStatisticsRefuse(t *testing.T) {
	t.Parallel()
	s := startStatistics(t, world.Options{
		Seed: 7, Services: 4, Groups: 3, Agents: 16, Operators: 3, Campaigns: 3,
		Start: time.Date(2026, time.March, 18, 10, 30, 0, 0, time.UTC),
	}, simulator.StatisticsOptions{})
	const page = "pagination: {limit: 1000, offset: 0}"
	key := simulator.DefaultAPIKey
	for _, tt := range []struct {
		name, key, query string
		status           int
		want             string
	}{
		{"no key", "", "{ inboundCallsCount(search: {year: 2026, month: 3}) }", 401, "key is missing"},
		{"another key", "other", "{ inboundCallsCount(search: {year: 2026, month: 3}) }", 403, "key is not valid"},
		{"no month", key, "{ inboundCallsCount(search: {year: 2026}) }", 200, "year and month are required"},
		{"no year", key, "{ inboundCalls(search: {month: 3, " + page + "}) { id } }", 200, "year and month are required"},
		{"no year to group", key, "{ inboundCallsCountGroup(groupBy: ORGANIZATION, search: {month: 3}) { count } }", 200, "year and month are required"},
		{"invalid month", key, "{ inboundChatsCount(search: {year: 2026, month: 13}) }", 200, "invalid month 13 of year 2026"},
		{"a page too large", key, "{ outboundCalls(search: {year: 2026, month: 3, pagination: {limit: 1001, offset: 0}}) { id } }", 200, "from 1 to 1000"},
		{"no page", key, "{ addressBookContacts(search: {}) { uuid } }", 200, "pagination with limit and offset is required"},
		{"no offset", key, "{ inboundCalls(search: {year: 2026, month: 3, pagination: {limit: 1}}) { id } }", 200, "pagination with limit and offset is required"},
		{"an operation that is none", key, "{ inboundFaxes { id } }", 200, "Cannot query field"},
		{"the largest page", key, "{ inboundCalls(search: {year: 2026, month: 3, " + page + "}) { id } }", 200, `"id":`},
		{"a month without data", key, "{ inboundCallsCount(search: {year: 2020, month: 3}) }", 200, `"inboundCallsCount":0`},
	} {
		status, body := askPast(t, s, tt.key, tt.query)
		if status != tt.status || !strings.Contains(body, tt.want) {
			t.Errorf("%s: %d, %.300s; want %d with %q", tt.name, status, body, tt.status, tt.want)
		}
	}
}

// TestRateLimit checks that requests above the limit are refused in both ways, and that the
// log holds all of them.
func TestRateLimit(t *testing.T) {
	t.Parallel()
	for refusals, status := range map[simulator.RefusalFormat]int{simulator.RefusalsStatus: http.StatusTooManyRequests, simulator.RefusalsErrors: http.StatusOK} {
		s := startStatistics(t, world.Options{Seed: 7, Services: 4, Groups: 3, Agents: 16}, simulator.StatisticsOptions{Limit: 2, Refusals: refusals})
		for i := range 3 {
			got, body := askPast(t, s, simulator.DefaultAPIKey, "{ inboundCallsCount(search: {year: 2020, month: 3}) }")
			isRefused := strings.Contains(body, "the rate limit is 2 per minute")
			if want := i == 2; isRefused != want || isRefused && got != status {
				t.Errorf("%s: answer %d is %d, %s", refusals, i+1, got, body)
			}
		}
		log := s.Statistics().Requests()
		if len(log) != 3 || log[0].Refused || !log[2].Refused || log[2].Status != status {
			t.Errorf("%s: the log is %+v", refusals, log)
		}
		if n := s.Statistics().MaxPerMinute(); n != 3 {
			t.Errorf("%s: at most %d requests in a minute, want 3", refusals, n)
		}
	}
}
