package rest

import (
	"net/http"
	"strings"
	"sync"
	"time"
)

// Faults are the troubles that the service makes on request. The zero value makes none.
// It is safe for concurrent use.
type Faults struct {
	mu          sync.Mutex
	only        string // the beginning of the requests concerned
	cutRequest  order
	cutResponse order
	status      int
	body        string
	times       int
	delay       time.Duration
	huge        int
	change      listChange
	retryAfter  time.Duration
	later       int
}

// order is a cut after so many bytes, to be made once.
type order struct {
	given bool
	after int
}

func (o *order) take() order {
	taken := *o
	*o = order{}
	return taken
}

// CutRequest resets the connection of the next REST request after n bytes of
// the request were read. A request that is not complete by then is not
// executed; a complete one is, and its answer is lost. A request that is
// shorter than n is not touched.
func (f *Faults) CutRequest(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cutRequest = order{true, n}
}

// CutResponse lets the next REST request be executed and ends its connection
// after n bytes of the answer, status line and all, were written: 0 is before
// any. An answer that is not longer than n is not touched.
func (f *Faults) CutResponse(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cutResponse = order{true, n}
}

// Status answers the next REST requests, so many times, with a status and a
// body instead of executing them.
func (f *Faults) Status(status int, body string, times int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.status, f.body, f.times = status, body, times
}

// Delay keeps every answer of the REST service back for d. What was asked
// for is executed at once.
func (f *Faults) Delay(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.delay = d
}

// Huge makes the body of every REST error at least so many bytes long; 0
// ends it.
func (f *Faults) Huge(bytes int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.huge = bytes
}

// Only restricts CutRequest, CutResponse, Status and Delay to
// requests that begin with the given text, as "POST /rest/phone/call/dial";
// "POST " is all that post, "" is all.
func (f *Faults) Only(begin string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.only = begin
}

// claim takes the cuts that are due for a request, at most one of the two.
func (f *Faults) claim(request string) (cutRequest, cutResponse order) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case !strings.HasPrefix(request, f.only):
		return order{}, order{}
	case f.cutRequest.given:
		return f.cutRequest.take(), order{}
	}
	return order{}, f.cutResponse.take()
}

// instead returns what a request is to be answered with instead of being
// executed; ok is false when there is nothing.
func (f *Faults) instead(request string) (status int, body string, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.times <= 0 || !strings.HasPrefix(request, f.only) {
		return 0, "", false
	}
	if f.later > 0 {
		f.later--
		return 0, "", false
	}
	f.times--
	return f.status, f.body, true
}

// backIn returns when to come back after an answer with a status, 0 for any time.
func (f *Faults) backIn(status int) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	if status != http.StatusTooManyRequests {
		return 0
	}
	return f.retryAfter
}

func (f *Faults) delayOf(request string) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !strings.HasPrefix(request, f.only) {
		return 0
	}
	return f.delay
}

// pad makes an error's body as long as was asked for.
func (f *Faults) pad(body []byte) []byte {
	f.mu.Lock()
	missing := f.huge - len(body)
	f.mu.Unlock()
	if missing <= 0 {
		return body
	}
	return append(body, strings.Repeat(" ", missing)...)
}
