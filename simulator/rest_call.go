package simulator

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
	"time"
)

// restCall is one request to an operation.
type restCall struct {
	http     *http.Request
	query    url.Values
	body     []byte
	account  Account      // who asks, empty for what is open
	session  string       // the valid session that he asks with, "" when it is something else
	cookie   *http.Cookie // to be set
	executed *Execution   // nil when nothing was done
	lists    Lists
	gone     func() int // how many rows of a list are not there now
}

// did notes that the request has taken effect.
func (c *restCall) did(target string) *Execution {
	c.executed = &Execution{Target: target}
	return c.executed
}

// handler serves one operation.
func (r *rest) handler(op restOp) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Date", r.s.now().UTC().Format(http.TimeFormat))
		faults := &r.s.faults.rest
		asked := req.Method + " " + strings.TrimPrefix(req.URL.EscapedPath(), r.s.opts.RESTPath)
		body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxBodyBytes))
		var tooLarge *http.MaxBytesError
		if err != nil && !errors.As(err, &tooLarge) {
			panic(http.ErrAbortHandler) // it did not arrive: nothing is executed, and nobody is there for an answer
		}
		c := &restCall{http: req, query: req.URL.Query(), body: body, lists: r.s.opts.Lists, gone: faults.changed}
		var answer restAnswer
		if status, text, ok := faults.instead(asked); ok {
			answer = restAnswer{status, contentTypeOf(text), []byte(text)}
			if after := faults.backIn(status); after > 0 {
				w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(after.Seconds()))))
			}
		} else {
			answer = r.answer(op, c, err)
		}
		if answer.status >= http.StatusBadRequest {
			answer.body = faults.pad(answer.body)
		}
		if !wait(req, faults.delayOf(asked)) {
			panic(http.ErrAbortHandler)
		}
		if c.cookie != nil {
			http.SetCookie(w, c.cookie)
		}
		answer.write(w)
	})
}

// wait waits for d, or returns false when the client has gone or the server
// stops.
func wait(req *http.Request, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-req.Context().Done():
		return false
	}
}

// answer checks who asks, executes the request, and keeps what was executed.
func (r *rest) answer(op restOp, c *restCall, tooLarge error) restAnswer {
	switch {
	case r.s.faults.refusing():
		return restAnswer{status: http.StatusServiceUnavailable}
	case tooLarge != nil:
		return restAnswer{status: http.StatusRequestEntityTooLarge}
	case !op.open && !r.authenticate(c):
		return r.failure(unauthenticated("log in first, or the session has expired"))
	case len(c.body) > 0 && !isJSON(c.http.Header.Get("Content-Type")):
		return restAnswer{status: http.StatusUnsupportedMediaType}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	result, err := op.serve(c)
	if list, ok := result.(listAnswer); ok {
		result = list.in(c.lists.Form)
	}
	answer := restAnswer{http.StatusOK, jsonType, nil}
	if err != nil {
		answer = r.failure(err)
	} else {
		answer.body = mustJSON(result)
	}
	answer.body = r.s.opts.Switches.hostile(answer.body)
	if c.executed != nil {
		c.executed.Operation, c.executed.Status, c.executed.At = op.name, answer.status, r.s.now()
		r.executed.add(*c.executed)
	}
	return answer
}

const jsonType = "application/json; charset=utf-8"

func isJSON(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	return err == nil && kind == "application/json"
}

// restAnswer is an answer to be written.
type restAnswer struct {
	status      int
	contentType string
	body        []byte
}

func (a restAnswer) write(w http.ResponseWriter) {
	if a.contentType != "" {
		w.Header().Set("Content-Type", a.contentType)
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(a.body)))
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body) // a client that went away is its own affair
}

// contentTypeOf guesses what a text is.
func contentTypeOf(text string) string {
	switch {
	case text == "":
		return ""
	case json.Valid([]byte(text)):
		return jsonType
	case strings.HasPrefix(text, "<"):
		return "text/html; charset=utf-8"
	}
	return "text/plain; charset=utf-8"
}
