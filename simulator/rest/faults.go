package rest

import (
	"net/http"
	"strings"
	"sync"
	"time"
)

// Faults injects faults into the service. The zero value injects none. It is safe
// for concurrent use.
type Faults struct {
	mu          sync.Mutex
	only        string // prefix of the affected requests
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

// order is a request to cut a connection once, after a number of bytes.
type order struct {
	given bool
	after int
}

func (o *order) take() order {
	taken := *o
	*o = order{}
	return taken
}

// CutRequest resets the connection of the next REST request after n bytes of the
// request. An incomplete request is not executed; a complete request is executed and
// its answer lost. A request shorter than n bytes is not affected.
func (f *Faults) CutRequest(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cutRequest = order{true, n}
}

// CutResponse executes the next REST request and cuts its connection after n bytes
// of the answer, including the status line. An answer of at most n bytes is not
// affected.
func (f *Faults) CutResponse(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cutResponse = order{true, n}
}

// Status answers the next REST requests with a status and body instead of executing
// them. times is the number of affected requests.
func (f *Faults) Status(status int, body string, times int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.status, f.body, f.times = status, body, times
}

// Delay delays every answer of the REST service by d. Requests are executed without
// delay.
func (f *Faults) Delay(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.delay = d
}

// Huge makes the body of every REST error at least this many bytes long; 0 turns the
// fault off.
func (f *Faults) Huge(bytes int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.huge = bytes
}

// Only limits CutRequest, CutResponse, Status and Delay to requests with the given
// prefix, for example "POST /rest/phone/call/dial" or "POST "; "" means all
// requests.
func (f *Faults) Only(begin string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.only = begin
}

// claim returns and removes the cut for a request.
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

// instead returns the answer to send instead of executing a request; ok is false to
// execute it.
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

// backIn returns the Retry-After time for an answer with the given status, or 0 for
// none.
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

// pad extends the body of an error to the size set by [Faults.Huge].
func (f *Faults) pad(body []byte) []byte {
	f.mu.Lock()
	missing := f.huge - len(body)
	f.mu.Unlock()
	if missing <= 0 {
		return body
	}
	return append(body, strings.Repeat(" ", missing)...)
}
