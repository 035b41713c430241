package simulator

import (
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"
)

// restFaults are the troubles of the REST service. The zero value makes none.
// It is safe for concurrent use.
type restFaults struct {
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
	f.rest.mu.Lock()
	defer f.rest.mu.Unlock()
	f.rest.cutRequest = order{true, n}
}

// CutResponse lets the next REST request be executed and ends its connection
// after n bytes of the answer, status line and all, were written: 0 is before
// any. An answer that is not longer than n is not touched.
func (f *Faults) CutResponse(n int) {
	f.rest.mu.Lock()
	defer f.rest.mu.Unlock()
	f.rest.cutResponse = order{true, n}
}

// RESTStatus answers the next REST requests, so many times, with a status and a
// body instead of executing them.
func (f *Faults) RESTStatus(status int, body string, times int) {
	f.rest.mu.Lock()
	defer f.rest.mu.Unlock()
	f.rest.status, f.rest.body, f.rest.times = status, body, times
}

// RESTDelay keeps every answer of the REST service back for d. What was asked
// for is executed at once.
func (f *Faults) RESTDelay(d time.Duration) {
	f.rest.mu.Lock()
	defer f.rest.mu.Unlock()
	f.rest.delay = d
}

// RESTHuge makes the body of every REST error at least so many bytes long; 0
// ends it.
func (f *Faults) RESTHuge(bytes int) {
	f.rest.mu.Lock()
	defer f.rest.mu.Unlock()
	f.rest.huge = bytes
}

// RESTOnly restricts CutRequest, CutResponse, RESTStatus and RESTDelay to
// requests that begin with the given text, as "POST /rest/phone/call/dial";
// "POST " is all that post, "" is all.
func (f *Faults) RESTOnly(begin string) {
	f.rest.mu.Lock()
	defer f.rest.mu.Unlock()
	f.rest.only = begin
}

// claim takes the cuts that are due for a request, at most one of the two.
func (f *restFaults) claim(request string) (cutRequest, cutResponse order) {
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
func (f *restFaults) instead(request string) (status int, body string, ok bool) {
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
func (f *restFaults) backIn(status int) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	if status != http.StatusTooManyRequests {
		return 0
	}
	return f.retryAfter
}

func (f *restFaults) delayOf(request string) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !strings.HasPrefix(request, f.only) {
		return 0
	}
	return f.delay
}

// pad makes an error's body as long as was asked for.
func (f *restFaults) pad(body []byte) []byte {
	f.mu.Lock()
	missing := f.huge - len(body)
	f.mu.Unlock()
	if missing <= 0 {
		return body
	}
	return append(body, strings.Repeat(" ", missing)...)
}

// rollREST makes the random faults of the REST service of one tick. A cut hits
// the next request, wherever in it the dice say.
func (f *Faults) rollREST(r FaultRates, rng *rand.Rand, happens func(perMinute float64) bool) {
	const mostBytes = 400 // about a request or an answer
	if happens(r.CutRequest) {
		f.CutRequest(rng.IntN(mostBytes))
	}
	if happens(r.CutResponse) {
		f.CutResponse(rng.IntN(mostBytes))
	}
	if happens(r.RESTError) {
		f.RESTStatus([]int{500, 502, 503, 504}[rng.IntN(4)], "", 1)
	}
	if happens(r.RESTLimit) {
		f.RESTLimit(time.Second, 1)
	}
}
