package rest

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"wallboard/internal/simulator/webservice"
)

// apiRequest is a request to an operation, together with results of the operation that are not part
// of the answer's body.
type apiRequest struct {
	request         *http.Request
	query           url.Values
	body            []byte
	account         webservice.Account // account of the user; empty for operations without login
	session         string             // id of the session in the cookie; "" with other credentials
	cookie          *http.Cookie       // cookie to set in the answer
	execution       *Execution         // nil if nothing was changed
	listOptions     ListOptions
	nextMissingRows func() int // returns how many rows to leave out at the start of a list; see [Faults.NextMissingRows]
}

// recordExecution records that the request has changed target. It returns the record, to which
// the caller can add further fields.
func (c *apiRequest) recordExecution(target string) *Execution {
	c.execution = &Execution{Target: target}
	return c.execution
}

// handler returns the HTTP handler of an operation.
func (s *Service) handler(op operation) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Date", s.platform.World.Now().UTC().Format(http.TimeFormat))
		faults := s.faults
		request := req.Method + " " + strings.TrimPrefix(req.URL.EscapedPath(), s.opts.Path)
		body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, webservice.MaxBody))
		var tooLarge *http.MaxBytesError
		if err != nil && !errors.As(err, &tooLarge) {
			panic(http.ErrAbortHandler) // the request is incomplete: do not execute it, and send no answer
		}
		c := &apiRequest{request: req, query: req.URL.Query(), body: body, listOptions: s.opts.Lists, nextMissingRows: faults.NextMissingRows}
		var answer reply
		if status, text, ok := faults.replacementAnswer(request); ok {
			answer = reply{status, contentTypeOf(text), []byte(text)}
			if after := faults.retryDelay(status); after > 0 {
				w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(after.Seconds()))))
			}
		} else {
			answer = s.answer(op, c, err)
		}
		if answer.status >= http.StatusBadRequest {
			answer.body = faults.pad(answer.body)
		}
		if !webservice.SleepContext(req.Context(), faults.delayFor(request)) {
			panic(http.ErrAbortHandler)
		}
		if c.cookie != nil {
			http.SetCookie(w, c.cookie)
		}
		answer.write(w)
	})
}

// answer authenticates and executes a request and returns the answer. It records requests that
// changed something as executions. tooLarge is the error for a body that is too large, or nil.
func (s *Service) answer(op operation, c *apiRequest, tooLarge error) reply {
	switch {
	case s.platform.IsRefusing():
		return reply{status: http.StatusServiceUnavailable}
	case tooLarge != nil:
		return reply{status: http.StatusRequestEntityTooLarge}
	case !op.withoutLogin && !s.authenticate(c):
		return s.errorReply(unauthenticatedError("log in first, or the session has expired"))
	case len(c.body) > 0 && !isJSON(c.request.Header.Get("Content-Type")):
		return reply{status: http.StatusUnsupportedMediaType}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	result, err := op.serve(c)
	if list, ok := result.(listAnswer); ok {
		result = list.inForm(c.listOptions.Form)
	}
	answer := reply{http.StatusOK, jsonContentType, nil}
	if err != nil {
		answer = s.errorReply(err)
	} else {
		answer.body = webservice.JSON(result)
	}
	answer.body = s.withHostileTexts(answer.body)
	if c.execution != nil {
		c.execution.Operation, c.execution.Status, c.execution.At = op.name, answer.status, s.platform.World.Now()
		s.executions.add(*c.execution)
	}
	return answer
}

const jsonContentType = "application/json; charset=utf-8"

func isJSON(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	return err == nil && kind == "application/json"
}

// reply is an HTTP answer.
type reply struct {
	status      int
	contentType string
	body        []byte
}

func (a reply) write(w http.ResponseWriter) {
	if a.contentType != "" {
		w.Header().Set("Content-Type", a.contentType)
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(a.body)))
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body) // the client may have disconnected
}

// contentTypeOf guesses the content type of text.
func contentTypeOf(text string) string {
	switch {
	case text == "":
		return ""
	case json.Valid([]byte(text)):
		return jsonContentType
	case strings.HasPrefix(text, "<"):
		return "text/html; charset=utf-8"
	}
	return "text/plain; charset=utf-8"
}
