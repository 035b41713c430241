package simulator

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"wallboard/internal/simulator/rest"
	"wallboard/internal/simulator/webservice"
)

// addControls adds HTTP endpoints for scripts that control the simulator: GET /simulator/truth and
// /simulator/executions, POST /simulator/pause, /simulator/resume, /simulator/stage?name=… and
// /simulator/fault?kind=…. They are not part of the platform's API, require no credentials, and reject
// requests from other machines.
func (s *Server) addControls(mux *http.ServeMux) {
	mux.HandleFunc("GET /simulator/truth", localOnly(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_, _ = w.Write(s.CurrentState()) // the client may have disconnected
	}))
	mux.HandleFunc("GET /simulator/executions", localOnly(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_, _ = w.Write(webservice.JSON(append([]rest.Execution{}, s.rest.Executions()...))) // an empty list is encoded as [], not null
	}))
	mux.HandleFunc("POST /simulator/pause", localOnly(func(w http.ResponseWriter, _ *http.Request) {
		s.Pause()
		w.WriteHeader(http.StatusNoContent)
	}))
	mux.HandleFunc("POST /simulator/resume", localOnly(func(w http.ResponseWriter, _ *http.Request) {
		s.Resume()
		w.WriteHeader(http.StatusNoContent)
	}))
	mux.HandleFunc("POST /simulator/stage", localOnly(func(w http.ResponseWriter, r *http.Request) {
		_, location, err := s.StartScenario(r.URL.Query().Get("name"), 0)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_, _ = w.Write(webservice.JSON(location))
	}))
	mux.HandleFunc("POST /simulator/fault", localOnly(func(w http.ResponseWriter, r *http.Request) {
		if err := s.injectFault(r.URL.Query()); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}))
}

// localOnly returns a handler that rejects requests from other machines and passes other
// requests to h.
func localOnly(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.RemoteAddr)
		if err == nil && !net.ParseIP(host).IsLoopback() {
			http.Error(w, "Forbidden", http.StatusForbidden)
			return
		}
		h(w, r) // also if err != nil: the address of an in-memory connection has no port
	}
}

// injectFault injects the fault selected by the query parameter kind. The other parameters are
// code, for, n, on, root, pause, token, status, body and begin. injectFault returns an error if
// the kind is unknown or, after injecting the fault, if a parameter is invalid.
func (s *Server) injectFault(q url.Values) error {
	p := queryParams{values: q}
	inject, ok := map[string]func(){
		"drop":      func() { s.faults.DropSockets(p.integer("code", 0)) },
		"stall":     func() { s.faults.StallWrites(p.duration("for", 20*time.Second)) },
		"refuse":    func() { s.faults.RefuseRequests(p.flag("on")) },
		"reset":     func() { s.faults.ResetConnections(p.flag("on")) },
		"expire":    s.faults.ExpireSession,
		"allow":     func() { p.require("token", s.faults.AllowToken(q.Get("token"))) },
		"lose":      func() { s.faults.RTD.LoseDelta(p.integer("n", 1)) },
		"repeat":    func() { s.faults.RTD.RepeatDelta(p.integer("n", 1)) },
		"malformed": func() { s.faults.RTD.CorruptMessages(p.integer("n", 1)) },
		"huge":      func() { s.faults.RTD.EnlargeMessage(p.integer("n", 1<<20)) },
		"slow":      func() { s.faults.SlowWrites(p.integer("n", 0), p.duration("pause", 10*time.Millisecond)) },
		"error":     func() { s.faults.RTD.FailSubscription(q.Get("root"), p.integer("n", 0)) },
		"cease":     func() { s.faults.RTD.SetUnavailable(q.Get("root"), p.flag("on")) },
		"health":    func() { s.faults.RTD.SetHealth(q.Get("status")) },

		"cut-request":  func() { s.faults.REST.CutRequest(p.integer("n", 0)) },
		"cut-response": func() { s.faults.REST.CutResponse(p.integer("n", 0)) },
		"rest-status":  func() { s.faults.REST.AnswerWithStatus(p.status(), q.Get("body"), p.integer("n", 1)) },
		"stat-status":  func() { s.stat.FailRequests(p.status(), p.integer("n", 1)) },
		"rest-delay":   func() { s.faults.REST.DelayAnswers(p.duration("for", 5*time.Second)) },
		"rest-huge":    func() { s.faults.REST.PadErrors(p.integer("n", 1<<20)) },
		"rest-only":    func() { s.faults.REST.OnlyRequests(q.Get("begin")) },
	}[q.Get("kind")]
	if !ok {
		return fmt.Errorf("unknown fault kind %q", q.Get("kind"))
	}
	inject()
	return p.err
}

// queryParams parses the parameters of a query. It keeps the first error, which the caller
// checks after the last parameter.
type queryParams struct {
	values url.Values
	err    error
}

func (p *queryParams) require(name string, ok bool) {
	if !ok && p.err == nil {
		p.err = fmt.Errorf("%s %q is not valid", name, p.values.Get(name))
	}
}

func (p *queryParams) integer(name string, def int) int {
	v := p.values.Get(name)
	if v == "" {
		return def
	}
	n, err := strconv.Atoi(v)
	p.require(name, err == nil && n >= 0)
	return n
}

// status returns the value of the parameter "status", or 500 if it is missing.
func (p *queryParams) status() int {
	n := p.integer("status", http.StatusInternalServerError)
	p.require("status", n >= 200 && n <= 599)
	return n
}

func (p *queryParams) duration(name string, def time.Duration) time.Duration {
	v := p.values.Get(name)
	if v == "" {
		return def
	}
	d, err := time.ParseDuration(v)
	p.require(name, err == nil && d >= 0)
	return d
}

// flag returns the value of a boolean parameter, or true if it is missing.
func (p *queryParams) flag(name string) bool {
	v := p.values.Get(name)
	if v == "" {
		return true
	}
	value, err := strconv.ParseBool(v)
	p.require(name, err == nil)
	return value
}
