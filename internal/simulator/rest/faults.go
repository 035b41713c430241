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
	mu            sync.Mutex
	requestPrefix string // prefix of the affected requests
	cutRequest    cutPoint
	cutResponse   cutPoint
	answerStatus  int
	answerBody    string
	answersLeft   int // requests still to answer with answerStatus and answerBody
	delay         time.Duration
	minErrorBytes int // minimum size of the body of an error
	listChange    listChange
	retryAfter    time.Duration
	passFirst     int // requests to execute before the answers with answerStatus
}

// cutPoint is a request to cut a connection once, after a number of bytes.
type cutPoint struct {
	isSet      bool
	afterBytes int
}

func (o *cutPoint) take() cutPoint {
	taken := *o
	*o = cutPoint{}
	return taken
}

// CutRequest resets the connection of the next REST request after n bytes of the
// request. An incomplete request is not executed; a complete request is executed and
// its answer lost. A request shorter than n bytes is not affected.
func (f *Faults) CutRequest(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cutRequest = cutPoint{true, n}
}

// CutResponse executes the next REST request and cuts its connection after n bytes
// of the answer, including the status line. An answer of at most n bytes is not
// affected.
func (f *Faults) CutResponse(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cutResponse = cutPoint{true, n}
}

// AnswerStatus makes the service answer the next REST requests with a status and body instead of
// executing them. times is the number of affected requests.
func (f *Faults) AnswerStatus(status int, body string, times int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answerStatus, f.answerBody, f.answersLeft = status, body, times
}

// Delay delays every answer of the REST service by d. Requests are executed without
// delay.
func (f *Faults) Delay(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.delay = d
}

// PadErrors makes the body of every REST error at least this many bytes long; 0 turns the
// fault off.
func (f *Faults) PadErrors(bytes int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.minErrorBytes = bytes
}

// OnlyRequests limits CutRequest, CutResponse, Status and Delay to requests with the given
// prefix, for example "POST /rest/phone/call/dial" or "POST "; "" means all
// requests.
func (f *Faults) OnlyRequests(prefix string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requestPrefix = prefix
}

// takeCut returns and removes the cut for a request.
func (f *Faults) takeCut(request string) (cutRequest, cutResponse cutPoint) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case !strings.HasPrefix(request, f.requestPrefix):
		return cutPoint{}, cutPoint{}
	case f.cutRequest.isSet:
		return f.cutRequest.take(), cutPoint{}
	}
	return cutPoint{}, f.cutResponse.take()
}

// replacement returns the answer to send instead of executing a request; ok is false to
// execute it.
func (f *Faults) replacement(request string) (status int, body string, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.answersLeft <= 0 || !strings.HasPrefix(request, f.requestPrefix) {
		return 0, "", false
	}
	if f.passFirst > 0 {
		f.passFirst--
		return 0, "", false
	}
	f.answersLeft--
	return f.answerStatus, f.answerBody, true
}

// retryDelay returns the Retry-After time for an answer with the given status, or 0 for
// none.
func (f *Faults) retryDelay(status int) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	if status != http.StatusTooManyRequests {
		return 0
	}
	return f.retryAfter
}

func (f *Faults) delayFor(request string) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !strings.HasPrefix(request, f.requestPrefix) {
		return 0
	}
	return f.delay
}

// pad extends the body of an error to the size set by [Faults.PadErrors].
func (f *Faults) pad(body []byte) []byte {
	f.mu.Lock()
	missing := f.minErrorBytes - len(body)
	f.mu.Unlock()
	if missing <= 0 {
		return body
	}
	return append(body, strings.Repeat(" ", missing)...)
}
