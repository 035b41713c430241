package simulator

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

	"wallboard/internal/simulator/rest"
	"wallboard/internal/simulator/webservice"
	"wallboard/internal/simulator/world"
)

//go:embed statistics.graphql
var schemaSDL string

// DefaultAPIKey is the default value of [StatisticsOptions.APIKey].
const DefaultAPIKey = "demo-key"

// rateWindow is the period for which [StatisticsOptions.Limit] limits the number of requests.
const rateWindow = time.Minute

// RefusalFormat selects the answer to a request with a missing or invalid key, or above the rate
// limit. Document 3 does not show this answer.
type RefusalFormat string

// Values of RefusalFormat.
const (
	RefusalsStatus RefusalFormat = "status" // 401, 403 or 429
	RefusalsErrors RefusalFormat = "errors" // 200, with the reason in errors
)

// StatisticsOptions selects the behavior of the [StatisticsService] where document 3 leaves it
// open. The zero value of an option selects its default.
type StatisticsOptions struct {
	Path              string        // base path; default /datamodel
	APIKey            string        // default [DefaultAPIKey]
	Limit             int           // requests per minute; default 100
	Refusals          RefusalFormat // default [RefusalsStatus]
	MaxFields         int           // maximum number of root fields of a query; 0 means no limit
	MaxRows           int           // maximum number of rows on a page; 0: no limit
	MissingOperations []string      // operations that the schema does not contain
	// NoIntrospection makes the service reject introspection.
	NoIntrospection bool
}

// WithDefaults returns the options with zero values replaced by the defaults.
func (o StatisticsOptions) WithDefaults() StatisticsOptions {
	o.Path = strings.TrimRight("/"+strings.TrimLeft(cmp.Or(o.Path, "/datamodel"), "/"), "/")
	o.APIKey = cmp.Or(o.APIKey, DefaultAPIKey)
	o.Limit = cmp.Or(o.Limit, 100)
	o.Refusals = cmp.Or(o.Refusals, RefusalsStatus)
	return o
}

// Validate reports options with invalid values.
func (o StatisticsOptions) Validate() error {
	return webservice.CheckOneOf("refusals of statistics", o.WithDefaults().Refusals, RefusalsStatus, RefusalsErrors)
}

// statisticsPlatform holds the parts of the simulated platform that the service uses.
type statisticsPlatform struct {
	World   *world.LockedWorld
	Archive *world.Archive // archive of the contacts of World
	REST    *rest.Service  // provides the address book
	Now     func() time.Time

	HostileTexts bool
	Logger       *slog.Logger
}

// StatisticsService is a running statistical data service. Its methods are safe for concurrent use.
type StatisticsService struct {
	opts     StatisticsOptions
	platform statisticsPlatform
	schema   *graphql.Schema

	mu            sync.Mutex  // guards the fields below
	requestTimes  []time.Time // times of the requests with a valid key in the last minute
	requests      []StatisticsRequest
	delay         time.Duration
	failuresLeft  int // number of requests still to be answered with failureStatus
	failureStatus int // set by [StatisticsService.FailRequests]
	maxPerMinute  int
}

// StatisticsRequest is a received request, for the request log.
type StatisticsRequest struct {
	At      time.Time
	Query   string
	Status  int  // status of the answer
	Refused bool // not executed, because of its key, the rate limit or [StatisticsService.FailRequests]
}

// maxLoggedRequests is the maximum number of requests in the request log. Further requests are
// not logged.
const maxLoggedRequests = 10_000

// newStatisticsService returns the service of a simulated platform. o must contain no zero values
// that stand for defaults (see [StatisticsOptions.WithDefaults]).
func newStatisticsService(o StatisticsOptions, p statisticsPlatform) (*StatisticsService, error) {
	s := &StatisticsService{opts: o, platform: p}
	options := []graphql.SchemaOpt{graphql.UseFieldResolvers(), graphql.MaxSelections(math.MaxInt), graphql.Logger(webservice.PanicLogger{Logger: p.Logger})}
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

// withoutOperations returns a schema without the given operations.
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

// ServeHTTP answers requests to {datamodel_base}/query (document 3, section Endpoints).
func (s *StatisticsService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	req, status := webservice.ReadRequest(w, r)
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
	if !webservice.SleepContext(r.Context(), delay) {
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
		body = webservice.InsertAttacks(body)
	}
	_, _ = w.Write(body) // the client may have disconnected
}

// nextFailure counts the request and returns the status set by [StatisticsService.FailRequests] for it, or
// 0 if the service must execute the request.
func (s *StatisticsService) nextFailure() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failuresLeft == 0 {
		return 0
	}
	s.failuresLeft--
	return s.failureStatus
}

// refusal is the reason for refusing a request. retryAfter is the time in the header
// Retry-After; if it is 0, the answer has no such header.
type refusal struct {
	status     int
	message    string
	retryAfter time.Duration
}

// admit checks the key of a request and, if the key is valid, counts the request. It returns
// nil if the request may be executed, otherwise the reason for refusing it. The second result
// is the delay of the answer.
func (s *StatisticsService) admit(key string) (*refusal, time.Duration) {
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

// refuse answers a refused request in the way that [StatisticsOptions.Refusals] selects. It returns the
// status of the answer.
func (s *StatisticsService) refuse(w http.ResponseWriter, r refusal) int {
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
	return webservice.JSON(map[string]any{"errors": []map[string]string{{"message": message}}})
}

// countRootFields returns the number of root fields that the first operation of a query selects.
func countRootFields(query string) int {
	doc, err := parser.ParseQuery(&ast.Source{Input: query})
	if err != nil || len(doc.Operations) == 0 {
		return 0 // the query cannot be parsed; its execution reports the error
	}
	return len(doc.Operations[0].SelectionSet)
}

func (s *StatisticsService) logRequest(query string, status int, refused bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.requests) < maxLoggedRequests {
		s.requests = append(s.requests, StatisticsRequest{s.platform.Now(), query, status, refused})
	}
}

// FailRequests makes the service answer the next times requests with a status instead of executing
// them, like a proxy while the service restarts.
func (s *StatisticsService) FailRequests(status, times int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failureStatus, s.failuresLeft = status, times
}

// Requests returns the request log, oldest request first.
func (s *StatisticsService) Requests() []StatisticsRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]StatisticsRequest(nil), s.requests...)
}

// MaxPerMinute returns the highest number of requests with a valid key within any minute so far.
func (s *StatisticsService) MaxPerMinute() int { return webservice.GetLocked(&s.mu, &s.maxPerMinute) }

// DelayAnswers delays the answers to later requests by d, except for the answers caused by
// [StatisticsService.FailRequests].
func (s *StatisticsService) DelayAnswers(d time.Duration) { webservice.SetLocked(&s.mu, &s.delay, d) }
