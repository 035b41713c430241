package restclient

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"wallboard/internal/lib/netconn"
	"wallboard/model/resource"
)

// Maximum sizes of bodies, in bytes.
const (
	maxBody      = 8 << 20  // of a successful answer
	maxErrorBody = 64 << 10 // of an unsuccessful answer
)

// reply is a successful answer.
type reply struct {
	op     resource.Operation
	status int
	header http.Header
	body   []byte
}

// readReply reads an answer. For an unsuccessful answer, it returns an error that contains
// none of the secrets.
func readReply(op resource.Operation, resp *http.Response, secrets []string) (*reply, error) {
	if resp.StatusCode/100 != 2 {
		var body []byte
		if resp.StatusCode >= http.StatusMultipleChoices { // after a status below 200 the connection has switched protocols
			// A partial body is good enough for an excerpt.
			body, _ = io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
		}
		refused := answerError(op, resp.StatusCode, resp.Header, body, secrets...)
		refused.RetryAfter = netconn.RetryAfter(resp.Header, time.Now())
		return nil, refused
	}
	r := &reply{op: op, status: resp.StatusCode, header: resp.Header}
	var err error
	r.body, err = io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	switch {
	case err != nil:
		return nil, r.unusableError(describeCause(err, true))
	case len(r.body) > maxBody:
		return nil, r.unusableError(ErrTooLarge)
	}
	return r, nil
}

// unusableError returns an error for a successful answer that cannot be used. Its outcome is
// [resource.OutcomeUnknown], because the answer may come from a proxy instead of the platform.
func (r *reply) unusableError(err error) *Error {
	return &Error{Operation: r.op, Status: r.status, Outcome: resource.OutcomeUnknown, Err: err}
}

// decode decodes the answer into out (see [request.decodeInto]). It does not return the errors
// of the JSON decoder, because they quote the answer.
func (r *reply) decode(out any) error {
	body := bytes.TrimSpace(r.body)
	if bytes.HasPrefix(body, []byte("<")) {
		return r.unusableError(errWebPage) // no documented answer begins with <
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
	case errors.Is(err, ErrActionDeclined):
		return &Error{Operation: r.op, Status: r.status, Outcome: resource.OutcomeRejected, Err: ErrActionDeclined}
	case errors.As(err, new(*ShapeError)):
		return r.unusableError(err)
	case err != nil:
		return r.unusableError(ErrInvalidAnswer)
	}
	return nil
}
