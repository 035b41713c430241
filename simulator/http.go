package simulator

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"github.com/gorilla/websocket"
	"github.com/graph-gophers/graphql-go"
	"github.com/vektah/gqlparser/v2/ast"
)

// The cookies of document 2, section Authentication.
const (
	sessionCookie = "vendorRtdSessionID"
	tokenCookie   = "vendorRtdAccessToken"
)

// maxBodyBytes bounds a request; a filter with 10,000 names takes 200 kB.
const maxBodyBytes = 16 << 20

// request is the body of a POST, and the payload that starts an operation.
type request struct {
	Query         string         `json:"query"`
	OperationName string         `json:"operationName"`
	Variables     map[string]any `json:"variables"`
}

func parseRequest(data []byte) (request, bool) {
	var req request
	err := json.Unmarshal(data, &req)
	return req, err == nil && req.Query != ""
}

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc(s.opts.Path, s.serveService)
	s.rest.addRoutes(mux)
	mux.Handle(s.opts.StatPath+"/query", s.stat)
	s.addControls(mux)
	return mux
}

// serveService serves the one path of document 2, section Endpoints.
func (s *Server) serveService(w http.ResponseWriter, r *http.Request) {
	// The platform's clock is the world's: timeInState counts against it.
	w.Header().Set("Date", s.now().UTC().Format(http.TimeFormat))
	if s.faults.refusing() {
		http.Error(w, "Service Unavailable", http.StatusServiceUnavailable)
		return
	}
	if websocket.IsWebSocketUpgrade(r) && s.upgrade(w) {
		if s.admit(w, r) {
			s.serveWS(w, r)
		}
		return
	}
	if websocket.IsWebSocketUpgrade(r) && s.opts.Switches.Upgrade != UpgradeStripped {
		return // it was answered
	}
	req, status := readRequest(w, r)
	if status != http.StatusOK {
		http.Error(w, http.StatusText(status), status)
		return
	}
	c := &caller{credentials: credentialsOf(r)}
	c.loggedIn = func(l login) {
		http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure would hide it from a client of plain HTTP
			Name: sessionCookie, Value: l.session, Path: "/", HttpOnly: true,
			Secure: s.opts.TLS != nil, SameSite: http.SameSiteLaxMode,
			MaxAge: int(l.sessionLifetime / time.Second),
		})
	}
	body := s.answer(r, c, req)
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(s.opts.Switches.hostile(body)) // a client that went away is its own affair
}

// answer executes a request and returns the response's body.
func (s *Server) answer(r *http.Request, c *caller, req request) []byte {
	doc := inspect(req.Query, req.OperationName)
	if errs := s.refuse(c.credentials, doc, req.Variables); errs != nil {
		return append(append([]byte(`{"errors":`), errs...), '}')
	}
	req, shape, errs := s.facade.translate(req, doc.introspect)
	if errs != nil {
		return append(append([]byte(`{"errors":`), s.phrased(errs)...), '}')
	}
	resp := s.execute(withCaller(r.Context(), c), req, doc)
	if len(resp.Errors) > 0 && len(resp.Data) == 0 {
		return append(append([]byte(`{"errors":`), s.phrased(mustJSON(resp.Errors))...), '}')
	}
	return shape.restore(encodeResponse(resp, s.dialect(), false))
}

// execute runs a query or a mutation. To an introspection a facade answers with
// all that it is, whatever was asked for.
func (s *Server) execute(ctx context.Context, req request, doc document) *graphql.Response {
	if doc.introspect && s.facade != nil {
		return &graphql.Response{Data: s.facade.shown}
	}
	return s.schema.Exec(ctx, req.Query, req.OperationName, req.Variables)
}

// phrased counts a request that is not understood, and writes what is wrong with
// it in the words of the switches.
func (s *Server) phrased(errs json.RawMessage) json.RawMessage {
	s.refused.Add(1)
	return s.opts.Switches.phrase(errs)
}

func readRequest(w http.ResponseWriter, r *http.Request) (request, int) {
	switch r.Method {
	case http.MethodGet:
		q := r.URL.Query()
		req := request{Query: q.Get("query"), OperationName: q.Get("operationName")}
		if v := q.Get("variables"); v != "" && json.Unmarshal([]byte(v), &req.Variables) != nil {
			return req, http.StatusBadRequest
		}
		if req.Query == "" {
			return req, http.StatusBadRequest
		}
		return req, http.StatusOK
	case http.MethodPost:
		data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBodyBytes))
		if err != nil {
			return request{}, http.StatusRequestEntityTooLarge
		}
		req, ok := parseRequest(data)
		if !ok {
			return req, http.StatusBadRequest
		}
		return req, http.StatusOK
	}
	return request{}, http.StatusMethodNotAllowed
}

// credentialsOf returns what the cookies of a request present.
func credentialsOf(r *http.Request) *credentials {
	c := &credentials{}
	if cookie, err := r.Cookie(sessionCookie); err == nil {
		c.session = cookie.Value
	}
	if cookie, err := r.Cookie(tokenCookie); err == nil {
		c.token = cookie.Value
	}
	return c
}

// refuse returns the errors of a request that must not be executed, nil when
// it may. Mutations need no credentials: they are the two logins.
func (s *Server) refuse(c *credentials, doc document, variables map[string]any) json.RawMessage {
	if doc.kind != ast.Mutation && !s.authority.valid(c) {
		return unauthorized("no valid credentials in the current session")
	}
	if doc.introspect && s.opts.Switches.NoIntrospection {
		return mustJSON([]map[string]string{{"message": "GraphQL introspection is not allowed"}})
	}
	if reason := s.opts.Switches.refuseFilter(doc, variables); reason != "" {
		s.refused.Add(1)
		return mustJSON([]map[string]string{{"message": reason}})
	}
	return nil
}

// unauthorized is the list with the one error of a request without valid
// credentials.
func unauthorized(reason string) json.RawMessage {
	err := unauthorizedError{reason}
	return mustJSON([]map[string]any{{"message": err.Error(), "extensions": err.Extensions()}})
}

func (s *Server) dialect() dialect {
	w := s.opts.Switches
	return dialect{numbers: w.Numbers, dates: w.DateForm, quoted: w.QuotedDates, never: w.NeverHeld, now: s.now(), nullKeys: w.NullKeys}
}

// encodeResponse writes a response: errors only when there are some, data only
// when the request was executed.
func encodeResponse(resp *graphql.Response, d dialect, delta bool) []byte {
	b := make([]byte, 0, len(resp.Data)+64)
	b = append(b, '{')
	if len(resp.Errors) > 0 {
		b = append(b, `"errors":`...)
		b = append(b, mustJSON(resp.Errors)...)
	}
	if len(resp.Data) > 0 {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(b, `"data":`...)
		b = append(b, d.rewrite(resp.Data, delta)...)
	}
	return append(b, '}')
}
