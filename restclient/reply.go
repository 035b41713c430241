package restclient

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"wallboard/internal/retryafter"
	"wallboard/model/resource"
)

// The largest bodies that are read, in bytes.
const (
	maxBody      = 8 << 20
	maxErrorBody = 64 << 10
)

// reply is a successful answer.
type reply struct {
	op     resource.Operation
	status int
	header http.Header
	body   []byte
}

// read reads an answer.
func read(op resource.Operation, resp *http.Response, secrets []string) (*reply, error) {
	if resp.StatusCode/100 != 2 {
		var body []byte
		if resp.StatusCode >= http.StatusMultipleChoices { // else the connection now speaks something else
			// What there is of it is all the same good for an excerpt.
			body, _ = io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
		}
		refused := refusal(op, resp.StatusCode, resp.Header, body, secrets...)
		refused.RetryAfter = retryafter.In(resp.Header, time.Now())
		return nil, refused
	}
	r := &reply{op: op, status: resp.StatusCode, header: resp.Header}
	var err error
	r.body, err = io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	switch {
	case err != nil:
		return nil, r.broken(causeOf(err, true))
	case len(r.body) > maxBody:
		return nil, r.broken(ErrTooLarge)
	}
	return r, nil
}

// broken is the error for an answer of success that cannot be used. Whether
// it is the platform's word at all is unknown: see the package's documentation.
func (r *reply) broken(err error) *Error {
	return &Error{Operation: r.op, Status: r.status, Outcome: resource.Unknown, Err: err}
}

// into decodes the answer. The decoder's own errors quote the answer.
func (r *reply) into(out any) error {
	body := bytes.TrimSpace(r.body)
	if bytes.HasPrefix(body, []byte("<")) {
		return r.broken(ErrAnswer) // a page of a proxy; no documented answer begins so
	}
	var err error
	switch out := out.(type) {
	case nil:
	case answer:
		err = out.decode(body)
	default:
		err = json.Unmarshal(body, out)
	}
	switch {
	case errors.Is(err, ErrDeclined):
		return &Error{Operation: r.op, Status: r.status, Outcome: resource.Rejected, Err: ErrDeclined}
	case errors.As(err, new(*ShapeError)):
		return r.broken(err)
	case err != nil:
		return r.broken(ErrAnswer)
	}
	return nil
}
