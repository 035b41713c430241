// Package stat implements the statistical data service of document 3: GraphQL
// queries about the past contacts of package world, with an API key and a rate
// limit. A [Service] owns its request log and limits. It starts no goroutines.
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

	"wallboard/internal/simulator/endpoint"
	"wallboard/internal/simulator/rest"
	"wallboard/internal/simulator/world"
)

//go:embed schema.graphql
var schemaSDL string

// DefaultAPIKey is the default of [Options.APIKey].
const DefaultAPIKey = "demo-key"

// rateWindow is the period of [Options.Limit].
const rateWindow = time.Minute

// Refusals selects the answer to a request with an invalid key or above the rate
// limit, which document 3 does not show.
type Refusals string

// Values of Refusals.
const (
	RefusalsStatus Refusals = "status" // 401, 403 or 429
	RefusalsErrors Refusals = "errors" // 200 with the reason in errors
)

// Options configures the behaviour that document 3 leaves open. The zero value of an
// option selects its default.
type Options struct {
	Path              string   // base path; default /datamodel
	APIKey            string   // default [DefaultAPIKey]
	Limit             int      // requests per minute; default 100
	Refusals          Refusals // default [RefusalsStatus]
	MaxFields         int      // maximum number of root fields of a query; 0 means no limit
	MaxRows           int      // maximum number of rows of a page; 0 means no limit
	MissingOperations []string // operations that this edition does not support
	// NoIntrospection refuses introspection.
	NoIntrospection bool
}

// WithDefaults returns the options with zero values replaced by the defaults.
func (o Options) WithDefaults() Options {
	o.Path = strings.TrimRight("/"+strings.TrimLeft(cmp.Or(o.Path, "/datamodel"), "/"), "/")
	o.APIKey = cmp.Or(o.APIKey, DefaultAPIKey)
	o.Limit = cmp.Or(o.Limit, 100)
	o.Refusals = cmp.Or(o.Refusals, RefusalsStatus)
	return o
}

// Validate reports options with invalid values.
func (o Options) Validate() error {
	return endpoint.OneOf("refusals of statistics", o.WithDefaults().Refusals, RefusalsStatus, RefusalsErrors)
}

// Platform holds the parts of the simulated platform that the service uses.
type Platform struct {
	World   *world.Shared
	Archive *world.Archive // archive of World
	REST    *rest.Service  // provides the address book
	Now     func() time.Time

	HostileTexts bool
	Logger       *slog.Logger
}

// Service is a running statistical data service. Its methods are safe for concurrent
// use.
type Service struct {
	opts     Options
	platform Platform
	schema   *graphql.Schema

	mu            sync.Mutex  // guards the fields below
	requestTimes  []time.Time // admitted within the last minute
	requests      []Request
	delay         time.Duration
	failuresLeft  int // number of requests still to answer with failureStatus
	failureStatus int // status of these answers
	maxPerMinute  int
}

// Request is a received request.
type Request struct {
	At      time.Time
	Query   string
	Status  int  // status of the answer
	Refused bool // not executed because of its key, the rate limit or [Service.Fail]
}

// maxLoggedRequests limits the length of the request log.
const maxLoggedRequests = 10_000

// New returns the service of a platform. o must be complete (see
// [Options.WithDefaults]).
func New(o Options, p Platform) (*Service, error) {
	s := &Service{opts: o, platform: p}
	options := []graphql.SchemaOpt{graphql.UseFieldResolvers(), graphql.MaxSelections(math.MaxInt), graphql.Logger(endpoint.PanicLogger{Logger: p.Logger})}
	if o.NoIntrospection {
		options = append(options, graphql.RestrictIntrospection(func(context.Context) bool { return false }))
	}
	var err error
	s.schema, err = graphql.ParseSchema(withoutOperations(schemaSDL, o.MissingOperations), &queries{s}, options...)
	if err != nil {
		return nil, fmt.Errorf("parse schema of the statistical data service: %w", err)
	}
	return s, nil
}

// withoutOperations removes operations from a schema.
func withoutOperations(sdl string, operations []string) string {
	var b strings.Builder
	for line := range strings.Lines(sdl) {
		name, _, isField := strings.Cut(strings.TrimSpace(line), "(")
		isRemoved := false
		for _, op := range operations {
			isRemoved = isRemoved || isField && name == op
		}
		if !isRemoved {
			b.WriteString(line)
		}
	}
	return b.String()
}

// ServeHTTP serves {datamodel_base}/query (document 3, section Endpoints).
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	req, status := endpoint.ReadRequest(w, r)
	if status != http.StatusOK {
		http.Error(w, http.StatusText(status), status)
		return
	}
	if status := s.nextFailure(); status != 0 {
		s.logRequest(req.Query, status, true)
		http.Error(w, "<html><h1>"+http.StatusText(status)+"</h1></html>", status)
		return
	}
	refusal, delay := s.admit(r.Header.Get("X-Vendor-APIKey"))
	if !endpoint.Wait(r.Context(), delay) {
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	if refusal != nil {
		status = s.refuse(w, *refusal)
		s.logRequest(req.Query, status, true)
		return
	}
	s.logRequest(req.Query, http.StatusOK, false)
	if limit := s.opts.MaxFields; limit > 0 && countRootFields(req.Query) > limit {
		_, _ = w.Write(errorBody(fmt.Sprintf("the query is too complex: more than %d fields", limit)))
		return
	}
	resp := s.schema.Exec(r.Context(), req.Query, req.OperationName, req.Variables)
	body, err := json.Marshal(resp)
	if err != nil {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	if s.platform.HostileTexts {
		body = endpoint.InsertAttacks(body)
	}
	_, _ = w.Write(body) // the client may have disconnected
}

// nextFailure counts a request and returns the status of [Service.Fail] to answer it with, or
// 0 to execute it.
func (s *Service) nextFailure() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failuresLeft == 0 {
		return 0
	}
	s.failuresLeft--
	return s.failureStatus
}

// refusal is the reason to refuse a request.
type refusal struct {
	status     int
	message    string
	retryAfter time.Duration
}

// admit counts a request with a valid key. It returns the reason to refuse the request, or
// nil, and the delay of the answer.
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
	recent := s.requestTimes[:0]
	for _, at := range s.requestTimes {
		if now.Sub(at) < rateWindow {
			recent = append(recent, at)
		}
	}
	s.requestTimes = append(recent, now)
	s.maxPerMinute = max(s.maxPerMinute, len(s.requestTimes))
	if len(s.requestTimes) > s.opts.Limit {
		return &refusal{http.StatusTooManyRequests, "too many requests: the rate limit is " + strconv.Itoa(s.opts.Limit) + " per minute", rateWindow - now.Sub(s.requestTimes[0])}, s.delay
	}
	return nil, s.delay
}

// refuse answers a refused request as the options say, and returns the status.
func (s *Service) refuse(w http.ResponseWriter, r refusal) int {
	if s.opts.Refusals == RefusalsErrors {
		_, _ = w.Write(errorBody(r.message))
		return http.StatusOK
	}
	if r.retryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(r.retryAfter.Seconds()))))
	}
	w.WriteHeader(r.status)
	_, _ = w.Write(errorBody(r.message))
	return r.status
}

func errorBody(message string) []byte {
	return endpoint.JSON(map[string]any{"errors": []map[string]string{{"message": message}}})
}

// countRootFields returns the number of root fields of the first operation of a query.
func countRootFields(query string) int {
	doc, err := parser.ParseQuery(&ast.Source{Input: query})
	if err != nil || len(doc.Operations) == 0 {
		return 0 // the execution reports the error
	}
	return len(doc.Operations[0].SelectionSet)
}

func (s *Service) logRequest(query string, status int, refused bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.requests) < maxLoggedRequests {
		s.requests = append(s.requests, Request{s.platform.Now(), query, status, refused})
	}
}

// Fail makes the service answer the next requests with a status, as a proxy does while the
// service behind it restarts. times is the number of affected requests.
func (s *Service) Fail(status, times int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failureStatus, s.failuresLeft = status, times
}

// Requests returns the received requests.
func (s *Service) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// MaxPerMinute returns the maximum number of requests with a valid key within a minute.
func (s *Service) MaxPerMinute() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.maxPerMinute
}

// Delay delays every answer by d, except those of [Service.Fail].
func (s *Service) Delay(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.delay = d
}
