// Package stat is the statistical data service of document 3: what the world
// has behind it, for who has the key and asks not too often. It starts no
// goroutines.
package stat

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/graph-gophers/graphql-go"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"wallboard/simulator/rest"
	"wallboard/simulator/wire"
	"wallboard/simulator/world"
)

//go:embed schema.graphql
var schemaSDL string

// DefaultAPIKey opens the service when [Options.APIKey] names no other.
const DefaultAPIKey = "demo-key"

// window is the time that [Options.Limit] is about.
const window = time.Minute

// Refusals is how the statistical data service refuses a request for its key
// or its rate, which document 3 does not show.
type Refusals string

// The ways to refuse.
const (
	RefusalsStatus Refusals = "status" // 401, 403 or 429
	RefusalsErrors Refusals = "errors" // 200, and the reason among the errors
)

// Options settle what document 3 leaves open. The zero value of each is its
// default.
type Options struct {
	Path      string   // base path; default /datamodel
	APIKey    string   // default [DefaultAPIKey]
	Limit     int      // requests per minute; default 100
	Refusals  Refusals // default [RefusalsStatus]
	MaxFields int      // of a query; 0 is no bound
	MostRows  int      // of a page, whatever is asked for; 0 is no bound
	Lacks     []string // operations that this edition does not have
	// NoIntrospection keeps the schema secret.
	NoIntrospection bool
}

// WithDefaults returns the options in which every zero value is its default.
func (o Options) WithDefaults() Options {
	o.Path = strings.TrimRight("/"+strings.TrimLeft(cmp.Or(o.Path, "/datamodel"), "/"), "/")
	o.APIKey = cmp.Or(o.APIKey, DefaultAPIKey)
	o.Limit = cmp.Or(o.Limit, 100)
	o.Refusals = cmp.Or(o.Refusals, RefusalsStatus)
	return o
}

// Validate says which option has no such value.
func (o Options) Validate() error {
	return wire.OneOf("refusals of statistics", o.WithDefaults().Refusals, RefusalsStatus, RefusalsErrors) //nolint:wrapcheck // it names the option
}

// Platform is what the service is a part of.
type Platform struct {
	World   *world.Shared
	Archive *world.Archive // of the world
	REST    *rest.Service  // has the address book
	Now     func() time.Time

	HostileTexts bool
	Logger       *slog.Logger
}

// Service is a running service. Its methods are safe for concurrent use.
type Service struct {
	opts     Options
	platform Platform
	schema   *graphql.Schema

	mu       sync.Mutex // guards what follows
	sent     []time.Time
	requests []Request
	delay    time.Duration
	failing  int // requests that something on the way answers
	failure  int // with this status
	busiest  int
}

// Request is a request that the service got.
type Request struct {
	At      time.Time
	Query   string
	Status  int  // that it was answered with
	Refused bool // for its key or its rate: nothing was looked at
}

// mostRequests bounds what is remembered.
const mostRequests = 10_000

// New returns the service of a platform. The options are complete
// ([Options.WithDefaults]).
func New(o Options, p Platform) (*Service, error) {
	s := &Service{opts: o, platform: p}
	options := []graphql.SchemaOpt{graphql.UseFieldResolvers(), graphql.MaxSelections(math.MaxInt), graphql.Logger(wire.PanicLogger{Logger: p.Logger})}
	if o.NoIntrospection {
		options = append(options, graphql.RestrictIntrospection(func(context.Context) bool { return false }))
	}
	var err error
	s.schema, err = graphql.ParseSchema(lacking(schemaSDL, o.Lacks), &queries{s}, options...)
	if err != nil {
		return nil, fmt.Errorf("parse the statistics' schema: %w", err)
	}
	return s, nil
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
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	req, status := wire.ReadRequest(w, r)
	if status != http.StatusOK {
		http.Error(w, http.StatusText(status), status)
		return
	}
	if status := s.fail(); status != 0 {
		s.note(req.Query, status, true)
		http.Error(w, "<html><h1>"+http.StatusText(status)+"</h1></html>", status)
		return
	}
	refusal, delay := s.admit(r.Header.Get("X-Vendor-APIKey"))
	if !wire.Wait(r.Context(), delay) {
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	if refusal != nil {
		status = s.refuse(w, *refusal)
		s.note(req.Query, status, true)
		return
	}
	s.note(req.Query, http.StatusOK, false)
	if most := s.opts.MaxFields; most > 0 && rootFields(req.Query) > most {
		_, _ = w.Write(errorsOf(fmt.Sprintf("the query is too complex: more than %d fields", most)))
		return
	}
	resp := s.schema.Exec(r.Context(), req.Query, req.OperationName, req.Variables)
	body, err := json.Marshal(resp)
	if err != nil {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	if s.platform.HostileTexts {
		body = wire.Spoil(body)
	}
	_, _ = w.Write(body) // a client that went away is its own affair
}

// fail returns the status that a request fails with, 0 for none.
func (s *Service) fail() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failing == 0 {
		return 0
	}
	s.failing--
	return s.failure
}

// refusal is why a request is not looked at.
type refusal struct {
	status  int
	message string
	after   time.Duration
}

// admit counts a request, and says why it is refused.
func (s *Service) admit(key string) (*refusal, time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if key == "" {
		return &refusal{status: http.StatusUnauthorized, message: "the API key is missing"}, s.delay
	}
	if key != s.opts.APIKey {
		return &refusal{status: http.StatusForbidden, message: "the API key is not valid"}, s.delay
	}
	now := s.platform.Now()
	recent := s.sent[:0]
	for _, at := range s.sent {
		if now.Sub(at) < window {
			recent = append(recent, at)
		}
	}
	s.sent = append(recent, now)
	s.busiest = max(s.busiest, len(s.sent))
	if len(s.sent) > s.opts.Limit {
		return &refusal{http.StatusTooManyRequests, "too many requests: the rate limit is " + strconv.Itoa(s.opts.Limit) + " per minute", window - now.Sub(s.sent[0])}, s.delay
	}
	return nil, s.delay
}

// refuse answers a refused request as the switches say, and returns the status.
func (s *Service) refuse(w http.ResponseWriter, r refusal) int {
	if s.opts.Refusals == RefusalsErrors {
		_, _ = w.Write(errorsOf(r.message))
		return http.StatusOK
	}
	if r.after > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(r.after.Seconds()))))
	}
	w.WriteHeader(r.status)
	_, _ = w.Write(errorsOf(r.message))
	return r.status
}

func errorsOf(message string) []byte {
	return wire.JSON(map[string]any{"errors": []map[string]string{{"message": message}}})
}

// rootFields counts the fields of the first operation of a document.
func rootFields(query string) int {
	doc, err := parser.ParseQuery(&ast.Source{Input: query})
	if err != nil || len(doc.Operations) == 0 {
		return 0 // executing it gives the error
	}
	return len(doc.Operations[0].SelectionSet)
}

func (s *Service) note(query string, status int, refused bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.requests) < mostRequests {
		s.requests = append(s.requests, Request{s.platform.Now(), query, status, refused})
	}
}

// Fail has something on the way answer so many requests with a status, as a
// proxy does whose service is started anew.
func (s *Service) Fail(status, times int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failure, s.failing = status, times
}

// Requests returns the requests that the service got.
func (s *Service) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Busiest returns the most requests with a valid key that came within a minute.
func (s *Service) Busiest() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.busiest
}

// Delay keeps every answer back.
func (s *Service) Delay(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.delay = d
}
