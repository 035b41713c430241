package control

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"time"

	"wallboard/internal/words"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// Dial calls a number for a user. If the outcome is unknown, Dial looks for a new call among the
// user's calls, and for an outgoing call of the user in the live feed.
//
// Before dialing, Dial reads the user's calls. If the platform does not answer, Dial does not dial.
// If the platform refuses to list the calls, Dial dials, but only the live feed can resolve an
// unknown outcome. If a recording should start when the call is connected, Dial observes the call
// for at most half a minute.
func (d *Calls) Dial(ctx context.Context, o resource.Dial) words.ActionReport {
	if o.Username == "" {
		o.Username = d.executor.status.username()
	}
	always := true
	o.ReturnCallID = &always
	c := &dialAction{calls: d, request: o, person: d.feed.personName(o.Username)}
	if d.correlate {
		c.callMark = "wb=" + rand.Text() + ";" // at the front because long call data is truncated
		c.request.CallData = c.callMark + c.request.CallData
	}
	number := o.Number
	return d.executor.run(ctx, &action{
		operation: resource.OpDial, targetKind: "dial", target: "agent " + o.Username,
		params: nonEmptyParams("number", o.Number, "service", o.ServiceCode, "exten", o.Exten, "extenType", o.ExtenType, "dialerNumber", o.DialerNumber,
			"callData", c.request.CallData, "recFileName", o.RecFileName, "recData", o.RecData, "record", yesNo(o.RecordCall),
			"recordOnConnect", yesNo(o.RecordOnConnect), "recordAuto", yesNo(o.RecordAuto)),
		phrases: phrases{
			failed: words.ControlDialFailed(number, c.person), unknownOutcome: words.ControlDialUnclear(number, c.person), advice: words.ControlDialAdvice(),
			reasons: map[error]words.Text{
				restclient.ErrPreconditionFailed: words.ControlNoPhone(c.person),
				restclient.ErrInvalidArgument:    words.ControlDialInvalid(),
				restclient.ErrDialFailed:         words.ControlDialImpossible(),
				restclient.ErrNotFound:           words.ControlUnknownAgent(c.person),
			},
		},
		read: c.read, send: c.send, resolve: c.resolve, observe: c.observe,
	})
}

type dialAction struct {
	calls    *Calls
	request  resource.Dial
	person   words.Text
	callMark string // mark in the call data; "": none

	existingCalls            []string // IDs of the user's calls before the request; valid only if existingKnown is true
	existingKnown            bool
	requestStart, requestEnd time.Time // start and end of the request
}

// read stores the IDs of the user's calls before the request.
func (c *dialAction) read(ctx context.Context) *words.ActionReport {
	if c.request.Username == "" {
		return nil
	}
	calls, err := c.calls.service.ServiceCalls(ctx, c.request.Username, false)
	switch {
	case err == nil:
		c.existingKnown = true
		for i := range calls {
			c.existingCalls = append(c.existingCalls, calls[i].UniqueID)
		}
	case !isRefused(err):
		return c.calls.executor.unreachableReport(err, words.ControlDialFailed(c.request.Number, c.person))
	}
	return nil
}

func (c *dialAction) send(ctx context.Context) (words.ActionReport, error) {
	c.requestStart = c.calls.executor.now()
	id, err := c.calls.service.Dial(ctx, c.request)
	c.requestEnd = c.calls.executor.now()
	if err != nil {
		return words.ActionReport{}, err
	}
	if id == "" { // the call cannot be hung up reliably without its ID, so find it
		call, _ := c.findNewCall(ctx)
		id = call.UniqueID
	}
	return c.dialledReport(id), nil
}

func (c *dialAction) dialledReport(id string) words.ActionReport {
	r := confirmedReport(words.ControlDialStarted(c.request.Number, c.person))
	r.CallID = id
	if b := c.request.RecordOnConnect; b != nil && *b {
		r.Warning = words.ControlNotYetRecorded()
	}
	return r
}

func (c *dialAction) resolve(ctx context.Context, err error) *words.ActionReport {
	var found *words.ActionReport
	c.calls.executor.poll(ctx, func() bool {
		if call, ok := c.findNewCall(ctx); ok {
			r := c.dialledReport(call.UniqueID)
			if c.wantsRecording() && call.RecFileName == "" && r.Warning.IsZero() {
				r.Warning = words.ControlRecordingNotConfirmed()
			}
			found = &r
		}
		return found != nil
	})
	if !errors.Is(err, restclient.ErrRecordingFailed) {
		return found
	}
	if found == nil {
		return &words.ActionReport{
			Text:    words.ControlDialRecordingProblem(c.request.Number, c.person),
			Warning: words.ControlUnrecordedIfUp(),
		}
	}
	found.Text, found.Warning = words.ControlDialNotRecorded(c.request.Number, c.person), words.ControlUnrecorded()
	return found
}

func (c *dialAction) observe(ctx context.Context, r words.ActionReport) words.ActionReport {
	f := recordingObserver{calls: c.calls, username: c.request.Username, callID: r.CallID, person: c.person}
	return f.observe(ctx, r)
}

// wantsRecording reports whether the call should be recorded.
func (c *dialAction) wantsRecording() bool {
	return slices.ContainsFunc([]*bool{c.request.RecordCall, c.request.RecordOnConnect, c.request.RecordAuto},
		func(b *bool) bool { return b != nil && *b })
}

// findNewCall looks for the call that was just dialed. If only the live feed shows it, the result
// has no details. ok is false if the call was not found.
func (c *dialAction) findNewCall(ctx context.Context) (call resource.Call, ok bool) {
	if c.existingKnown {
		calls, err := c.calls.service.ServiceCalls(ctx, c.request.Username, false)
		i := slices.IndexFunc(calls, c.isOwnCall)
		if err == nil && i >= 0 {
			return calls[i], true
		}
	}
	return call, c.request.Username != "" && c.calls.feed.showsOutgoingCall(c.request.Username, c.requestStart, c.requestEnd)
}

func (c *dialAction) isOwnCall(call resource.Call) bool {
	if slices.Contains(c.existingCalls, call.UniqueID) {
		return false
	}
	if c.callMark != "" {
		return strings.Contains(call.CallData, c.callMark)
	}
	// The caller's number is not compared, because an incoming call may come from the dialed
	// number.
	return sameNumber(call.DNIS, c.request.Number)
}

// isRefused reports whether err is an answer of the platform that refuses the request. Missing
// answers and refused logins do not count.
func isRefused(err error) bool {
	var e *restclient.Error
	return errors.As(err, &e) && e.Status != 0 && e.Outcome == resource.OutcomeRejected &&
		!errors.Is(err, restclient.ErrUnauthorized) && !errors.Is(err, restclient.ErrPasswordExpired)
}

// nonEmptyParams returns a map of the given pairs of names and values. It leaves out pairs with an empty
// value.
func nonEmptyParams(pairs ...string) map[string]string {
	m := make(map[string]string)
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			m[pairs[i]] = pairs[i+1]
		}
	}
	return m
}

func yesNo(b *bool) string {
	switch {
	case b == nil:
		return ""
	case *b:
		return "yes"
	}
	return "no"
}
