package rtd

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/gorilla/websocket"
	"github.com/graph-gophers/graphql-go"
	"github.com/vektah/gqlparser/v2/ast"

	"wallboard/internal/simulator/webservice"
)

// Names of the cookies of document 2, section Authentication.
const (
	sessionCookie = "vendorRtdSessionID"
	tokenCookie   = "vendorRtdAccessToken"
)

// ServeHTTP serves queries, mutations and WebSocket upgrades at the path of document 2,
// section Endpoints.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// Use the world's clock, because clients compare timeInState with this header.
	w.Header().Set("Date", s.platform.World.Now().UTC().Format(http.TimeFormat))
	if s.platform.IsRefusing() {
		http.Error(w, "Service Unavailable", http.StatusServiceUnavailable)
		return
	}
	if websocket.IsWebSocketUpgrade(r) && s.answerUpgrade(w) {
		if s.admitSocket(w, r) {
			s.serveWS(w, r)
		}
		return
	}
	if websocket.IsWebSocketUpgrade(r) && s.opts.Switches.Upgrade != UpgradeStripped {
		return // answerUpgrade has answered
	}
	req, status := webservice.ReadRequest(w, r)
	if status != http.StatusOK {
		http.Error(w, http.StatusText(status), status)
		return
	}
	c := &caller{Credentials: credentialsOf(r)}
	c.onLogin = func(l webservice.Login) {
		http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure would hide it from a client over plain HTTP
			Name: sessionCookie, Value: l.Session, Path: "/", HttpOnly: true,
			Secure: s.opts.Secure, SameSite: http.SameSiteLaxMode,
			MaxAge: int(l.SessionLifetime / time.Second),
		})
	}
	body := s.answer(r, c, req)
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(s.withHostileTexts(body)) //nolint:gosec // JSON, not a page; the client may have disconnected
}

// answer executes a request over HTTP and returns the body of the response.
func (s *Service) answer(r *http.Request, c *caller, req webservice.Request) []byte {
	doc := summarizeRequest(req.Query, req.OperationName)
	if errs := s.refusalErrors(c.Credentials, doc, req.Variables); errs != nil {
		return append(append([]byte(`{"errors":`), errs...), '}')
	}
	req, shape, errs := s.clientSchema.translateRequest(req, doc.selectsSchema)
	if errs != nil {
		return append(append([]byte(`{"errors":`), s.rewordErrors(errs)...), '}')
	}
	resp := s.execute(withCaller(r.Context(), c), req, doc)
	if len(resp.Errors) > 0 && len(resp.Data) == 0 {
		return append(append([]byte(`{"errors":`), s.rewordErrors(webservice.JSON(resp.Errors))...), '}')
	}
	return shape.convertAnswer(encodeResponse(resp, s.dialect(), false))
}

// execute runs a query or a mutation. If clients see a schema that differs from the executed
// one, an introspection returns all of that schema, regardless of its selection.
func (s *Service) execute(ctx context.Context, req webservice.Request, doc requestSummary) *graphql.Response {
	if doc.selectsSchema && s.clientSchema != nil {
		return &graphql.Response{Data: s.clientSchema.introspection}
	}
	execute := func() *graphql.Response {
		return s.executeQuery(ctx, &directEncoding{compile: s.planCompiler(req)}, req)
	}
	if doc.isSchemaOnly && len(req.Query) <= maxMemoQuery {
		return memos.introspections.getOrCompute(introspectionKey{s.sdl, req.Query, req.OperationName}, execute)
	}
	return execute()
}

// rewordErrors counts a rejected request. It returns the errors with the messages that
// [Switches.ErrorWords] selects.
func (s *Service) rewordErrors(errs json.RawMessage) json.RawMessage {
	s.refused.Add(1)
	return s.opts.Switches.reword(errs)
}

// credentialsOf returns the credentials in the cookies of a request.
func credentialsOf(r *http.Request) *webservice.Credentials {
	c := &webservice.Credentials{}
	if cookie, err := r.Cookie(sessionCookie); err == nil {
		c.SetSession(cookie.Value)
	}
	if cookie, err := r.Cookie(tokenCookie); err == nil {
		c.SetToken(cookie.Value)
	}
	return c
}

// refusalErrors returns the errors for a request that must not be executed, or nil. Mutations
// need no credentials, because they are the two logins.
func (s *Service) refusalErrors(c *webservice.Credentials, doc requestSummary, variables map[string]any) json.RawMessage {
	if doc.kind != ast.Mutation && !s.platform.Accounts.Authenticate(s.opts.Switches.Rules.acceptedCredentials(c)) {
		return unauthorizedErrors("no valid credentials in the current session")
	}
	if doc.selectsSchema && s.opts.Switches.NoIntrospection {
		return webservice.JSON([]map[string]string{{"message": "GraphQL introspection is not allowed"}})
	}
	for _, reason := range []string{s.opts.Switches.filterRefusal(doc, variables), s.opts.Switches.Rules.refusalMessage(&doc)} {
		if reason != "" {
			s.refused.Add(1)
			return webservice.JSON([]map[string]string{{"message": reason}})
		}
	}
	if s.faults.isUnavailable(doc.root) {
		return internalErrors()
	}
	return nil
}

// unauthorizedErrors returns the errors for a request without valid credentials.
func unauthorizedErrors(reason string) json.RawMessage {
	err := unauthorizedError{reason}
	return webservice.JSON([]map[string]any{{"message": err.Error(), "extensions": err.Extensions()}})
}

func (s *Service) dialect() dialect {
	w := s.opts.Switches
	return dialect{numbers: w.Numbers, dates: w.DateForm, quotedDates: w.QuotedDates, neverHeld: w.NeverHeld, now: s.platform.World.Now(), nullKeys: w.NullKeys}
}

// encodeResponse returns the body of a response, with its data in the dialect d. It omits an
// empty list of errors, and the data if the request was not executed. delta reports whether
// the response is an update.
func encodeResponse(resp *graphql.Response, d dialect, delta bool) []byte {
	b := make([]byte, 0, len(resp.Data)+64)
	b = append(b, '{')
	if len(resp.Errors) > 0 {
		b = append(b, `"errors":`...)
		b = append(b, webservice.JSON(resp.Errors)...)
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
