package restclient

import (
	"context"
	"net/url"
	"strconv"

	"wallboard/model/resource"
)

// Calls makes, ends and records calls (document 1, section Phone channel - Call).
type Calls struct{ session *Session }

// Dial makes a call (document 1, section Phone channel - Call). It returns the ID of the call,
// or "" if the platform returned none. [ErrRecordingFailed] may mean that the call is up but is not
// recorded.
func (c *Calls) Dial(ctx context.Context, d resource.Dial) (callID string, err error) {
	if err := checkDial(d); err != nil {
		return "", err
	}
	yes := true
	if d.ReturnCallID == nil {
		d.ReturnCallID = &yes
	}
	q := url.Values{}
	setText(q, "number", d.Number)
	setText(q, "username", d.Username)
	setText(q, "dialerNumber", d.DialerNumber)
	setText(q, "accessCode", d.AccessCode)
	setText(q, "callData", d.CallData)
	setBool(q, "recordCall", d.RecordCall)
	setBool(q, "recordOnConnect", d.RecordOnConnect)
	setBool(q, "recordAuto", d.RecordAuto)
	setText(q, "recFileName", d.RecFileName)
	setText(q, "recData", d.RecData)
	setBool(q, "returnCallId", d.ReturnCallID)
	setText(q, "serviceCode", d.ServiceCode)
	setText(q, "extenType", d.ExtenType)
	setText(q, "exten", d.Exten)
	return c.session.getText(ctx, request{op: resource.OpDial, query: q, secrets: []string{d.AccessCode}})
}

// HangUp ends a call and returns the platform's answer. If h has no CallID, the platform may
// end any call of the user.
func (c *Calls) HangUp(ctx context.Context, h resource.HangUp) (bool, error) {
	q := url.Values{}
	setText(q, "callId", h.CallID)
	setText(q, "username", h.Username)
	setText(q, "exten", h.Exten)
	return c.session.getBool(ctx, request{op: resource.OpHangUp, query: q})
}

// StartRecording starts to record a call and returns the file name of the recording.
// [ErrNotFound] means that the user does not exist.
func (c *Calls) StartRecording(ctx context.Context, r resource.Recording) (file string, err error) {
	if err := checkRecording(resource.OpRecordingStart, r); err != nil {
		return "", err
	}
	q := url.Values{}
	setText(q, "recFileName", r.FileName)
	setBool(q, "recordOnConnect", r.OnConnect)
	return c.session.getText(ctx, request{op: resource.OpRecordingStart, path: []string{r.Username, r.CallID}, query: q})
}

// StopRecording ends the recording of a call and returns the platform's answer. [ErrNotFound]
// means that the user does not exist.
func (c *Calls) StopRecording(ctx context.Context, r resource.Recording) (bool, error) {
	if err := checkRecording(resource.OpRecordingStop, r); err != nil {
		return false, err
	}
	return c.session.getBool(ctx, request{op: resource.OpRecordingStop, path: []string{r.Username, r.CallID}})
}

// ServiceCalls returns the service calls of a user, or only the answered ones if onlyAnswered
// is true.
func (c *Calls) ServiceCalls(ctx context.Context, user string, onlyAnswered bool) ([]resource.Call, error) {
	ck := requestCheck{op: resource.OpServiceCalls}
	ck.checkPathID("username", "the name of the user", user)
	if err := ck.err(); err != nil {
		return nil, err
	}
	q := url.Values{}
	if onlyAnswered {
		q.Set("onlyAnswered", "true")
	}
	var calls listAnswer[resource.Call]
	err := c.session.send(ctx, request{op: resource.OpServiceCalls, path: []string{user}, query: q, decodeInto: &calls})
	return calls.list, err
}

// setText adds a parameter to a query unless value is empty.
func setText(q url.Values, name, value string) {
	if value != "" {
		q.Set(name, value)
	}
}

func setBool(q url.Values, name string, value *bool) {
	if value != nil {
		q.Set(name, strconv.FormatBool(*value))
	}
}

func setInt(q url.Values, name string, value *int) {
	if value != nil {
		q.Set(name, strconv.Itoa(*value))
	}
}
