package simulator

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/graph-gophers/graphql-go"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

//go:embed stat.graphql
var statSDL string

// DefaultAPIKey opens the statistical data service when [Options.APIKey] names
// no other.
const DefaultAPIKey = "demo-key"

// statWindow is the time that [Options.StatLimit] is about.
const statWindow = time.Minute

// stat is the statistical data service of document 3: what its world has behind
// it, for who has the key and asks not too often.
type stat struct {
	s      *Server
	schema *graphql.Schema

	mu       sync.Mutex // guards what follows
	sent     []time.Time
	requests []StatRequest
	delay    time.Duration
	failing  int // requests that something on the way answers
	failure  int // with this status
	busiest  int
}

// StatRequest is a request that the statistical data service got.
type StatRequest struct {
	At      time.Time
	Query   string
	Status  int  // that it was answered with
	Refused bool // for its key or its rate: nothing was looked at
}

// mostStatRequests bounds what is remembered.
const mostStatRequests = 10_000

func newStat(s *Server) (*stat, error) {
	st := &stat{s: s}
	options := []graphql.SchemaOpt{graphql.UseFieldResolvers(), graphql.MaxSelections(math.MaxInt), graphql.Logger(panicLogger{s.opts.Logger})}
	if s.opts.Switches.NoStatIntrospection {
		options = append(options, graphql.RestrictIntrospection(func(context.Context) bool { return false }))
	}
	var err error
	st.schema, err = graphql.ParseSchema(lacking(statSDL, s.opts.Switches.StatLacks), &statQueries{s}, options...)
	if err != nil {
		return nil, fmt.Errorf("parse the statistics' schema: %w", err)
	}
	return st, nil
}

// lacking takes operations out of a schema.
func lacking(sdl string, operations []string) string {
	var b strings.Builder
	for line := range strings.Lines(sdl) {
		name, _, isField := strings.Cut(strings.TrimSpace(line), "(")
		taken := false
		for _, op := range operations {
			taken = taken || isField && name == op
		}
		if !taken {
			b.WriteString(line)
		}
	}
	return b.String()
}

// ServeHTTP serves {datamodel_base}/query (document 3, section Endpoints).
func (st *stat) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	req, status := readRequest(w, r)
	if status != http.StatusOK {
		http.Error(w, http.StatusText(status), status)
		return
	}
	if status := st.fail(); status != 0 {
		st.note(req.Query, status, true)
		http.Error(w, "<html><h1>"+http.StatusText(status)+"</h1></html>", status)
		return
	}
	refusal, delay := st.admit(req.Query, r.Header.Get("X-Vendor-APIKey"))
	if !st.pause(r, delay) {
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	if refusal != nil {
		status = st.refuse(w, *refusal)
		st.note(req.Query, status, true)
		return
	}
	st.note(req.Query, http.StatusOK, false)
	if most := st.s.opts.Switches.StatMaxFields; most > 0 && rootFields(req.Query) > most {
		_, _ = w.Write(statErrors(fmt.Sprintf("the query is too complex: more than %d fields", most)))
		return
	}
	resp := st.schema.Exec(r.Context(), req.Query, req.OperationName, req.Variables)
	body, err := json.Marshal(resp)
	if err != nil {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	_, _ = w.Write(st.s.opts.Switches.hostile(body)) // a client that went away is its own affair
}

// StatFail has something on the way answer so many requests to the statistical
// data service with a status, as a proxy does whose service is started anew.
func (s *Server) StatFail(status, times int) {
	s.stat.mu.Lock()
	defer s.stat.mu.Unlock()
	s.stat.failure, s.stat.failing = status, times
}

// fail returns the status that a request fails with, 0 for none.
func (st *stat) fail() int {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.failing == 0 {
		return 0
	}
	st.failing--
	return st.failure
}

// refusal is why a request is not looked at.
type refusal struct {
	status  int
	message string
	after   time.Duration
}

// admit counts a request, and says why it is refused.
func (st *stat) admit(_, key string) (*refusal, time.Duration) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if key == "" {
		return &refusal{status: http.StatusUnauthorized, message: "the API key is missing"}, st.delay
	}
	if key != st.s.opts.APIKey {
		return &refusal{status: http.StatusForbidden, message: "the API key is not valid"}, st.delay
	}
	now := st.s.opts.Now()
	recent := st.sent[:0]
	for _, at := range st.sent {
		if now.Sub(at) < statWindow {
			recent = append(recent, at)
		}
	}
	st.sent = append(recent, now)
	st.busiest = max(st.busiest, len(st.sent))
	if len(st.sent) > st.s.opts.StatLimit {
		return &refusal{http.StatusTooManyRequests, "too many requests: the rate limit is " + strconv.Itoa(st.s.opts.StatLimit) + " per minute", statWindow - now.Sub(st.sent[0])}, st.delay
	}
	return nil, st.delay
}

// pause keeps an answer back; ok is false when the client went away.
func (st *stat) pause(r *http.Request, d time.Duration) (ok bool) {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
		return false
	}
}

// refuse answers a refused request as the switches say, and returns the status.
func (st *stat) refuse(w http.ResponseWriter, r refusal) int {
	if st.s.opts.Switches.StatRefusals == StatRefusalsErrors {
		_, _ = w.Write(statErrors(r.message))
		return http.StatusOK
	}
	if r.after > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(r.after.Seconds()))))
	}
	w.WriteHeader(r.status)
	_, _ = w.Write(statErrors(r.message))
	return r.status
}

func statErrors(message string) []byte {
	return mustJSON(map[string]any{"errors": []map[string]string{{"message": message}}})
}

// rootFields counts the fields of the first operation of a document.
func rootFields(query string) int {
	doc, err := parser.ParseQuery(&ast.Source{Input: query})
	if err != nil || len(doc.Operations) == 0 {
		return 0 // executing it gives the error
	}
	return len(doc.Operations[0].SelectionSet)
}

func (st *stat) note(query string, status int, refused bool) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if len(st.requests) < mostStatRequests {
		st.requests = append(st.requests, StatRequest{st.s.opts.Now(), query, status, refused})
	}
}

// StatURL returns {datamodel_base} of document 3, which /query follows.
func (s *Server) StatURL() string { return s.url("http", s.opts.StatPath) }

// StatRequests returns the requests that the statistical data service got.
func (s *Server) StatRequests() []StatRequest {
	s.stat.mu.Lock()
	defer s.stat.mu.Unlock()
	return append([]StatRequest(nil), s.stat.requests...)
}

// StatBusiest returns the most requests with a valid key that came within a
// minute.
func (s *Server) StatBusiest() int {
	s.stat.mu.Lock()
	defer s.stat.mu.Unlock()
	return s.stat.busiest
}

// StatDelay keeps every answer of the statistical data service back.
func (s *Server) StatDelay(d time.Duration) {
	s.stat.mu.Lock()
	defer s.stat.mu.Unlock()
	s.stat.delay = d
}
