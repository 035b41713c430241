package rest

import (
	"net/http"
	"strings"
	"sync"
	"time"

	"wallboard/internal/simulator/webservice"
)

// Faults injects faults into the service. The zero value injects none. It is safe
// for concurrent use.
type Faults struct {
	mu            sync.Mutex
	requestPrefix string // prefix of the affected requests, see [Faults.OnlyRequests]; "": all
	cutRequest    cutPoint
	cutResponse   cutPoint
	answerStatus  int
	answerBody    string
	answersLeft   int // number of requests still to be answered with answerStatus and answerBody
	delay         time.Duration
	minErrorBytes int // minimum size in bytes of the body of an error
	listChange    listChange
	retryAfter    time.Duration
	passFirst     int // number of requests to execute before the first is answered with answerStatus
}

// cutPoint is a number of bytes after which a connection is cut, once.
type cutPoint struct {
	isSet      bool
	afterBytes int
}

func (o *cutPoint) take() cutPoint {
	taken := *o
	*o = cutPoint{}
	return taken
}

// CutRequest resets the connection of the next REST request after n bytes of the request. If
// these bytes are only a part of the request, the service does not execute it. If they are the
// whole request, the service executes it, but the client gets no answer. A request shorter
// than n bytes is not cut.
func (f *Faults) CutRequest(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cutRequest = cutPoint{true, n}
}

// CutResponse cuts the connection of the next REST request after n bytes of the answer, including
// the status line. The service executes the request. An answer of at most n bytes is not cut.
func (f *Faults) CutResponse(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cutResponse = cutPoint{true, n}
}

// AnswerWithStatus makes the service answer the next times REST requests with a status and a body
// instead of executing them.
func (f *Faults) AnswerWithStatus(status int, body string, times int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answerStatus, f.answerBody, f.answersLeft = status, body, times
}

// DelayAnswers delays all answers of the REST service by d. The requests are executed at once.
func (f *Faults) DelayAnswers(d time.Duration) { webservice.SetLocked(&f.mu, &f.delay, d) }

// PadErrors pads the body of REST errors to at least the given number of bytes. 0 ends the fault.
func (f *Faults) PadErrors(bytes int) { webservice.SetLocked(&f.mu, &f.minErrorBytes, bytes) }

// OnlyRequests limits CutRequest, CutResponse, AnswerWithStatus and DelayAnswers to requests that begin
// with prefix, for example "POST /rest/phone/call/dial" or "POST ". An empty prefix means all
// requests.
func (f *Faults) OnlyRequests(prefix string) { webservice.SetLocked(&f.mu, &f.requestPrefix, prefix) }

// takeCut returns and removes the cut for a request or for its answer. At most one of the two
// results is set.
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

// replacementAnswer returns the status and the body to send instead of executing a request. ok is
// false if the service must execute the request.
func (f *Faults) replacementAnswer(request string) (status int, body string, ok bool) {
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

// retryDelay returns the time in the header Retry-After of an answer with the given status, or
// 0 for no such header.
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

// pad appends spaces to the body of an error, up to the size set by [Faults.PadErrors].
func (f *Faults) pad(body []byte) []byte {
	f.mu.Lock()
	missing := f.minErrorBytes - len(body)
	f.mu.Unlock()
	if missing <= 0 {
		return body
	}
	return append(body, strings.Repeat(" ", missing)...)
}
