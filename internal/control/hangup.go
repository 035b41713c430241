package control

import (
	"context"

	"wallboard/internal/words"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// HangUp ends a call by its ID if the ID is known. Without an ID, HangUp reads the calls of the
// named user. If there is only one, it ends that call by its ID; if there are several, it refuses. If
// there is none, the user may be on a call without a service, so HangUp sends a single request with
// the user name. A call given by its extension is ended by the extension.
func (d *Calls) HangUp(ctx context.Context, h resource.HangUp) words.ActionReport {
	if h.CallID == "" && h.Username == "" && h.Exten == "" {
		h.Username = d.executor.status.username()
	}
	c := &hangUpAction{calls: d, request: h, person: d.feed.personName(h.Username)}
	target := "call " + h.CallID
	if h.CallID == "" {
		target = "call of " + h.Username + h.Exten
	}
	c.action = action{
		operation: resource.OpHangUp, targetKind: "hangup", target: target,
		params:  nonEmptyParams("callId", h.CallID, "username", h.Username, "exten", h.Exten),
		phrases: hangUpPhrases(h, c.person), read: c.read, send: c.send, resolve: c.resolve,
	}
	return d.executor.run(ctx, &c.action)
}

func hangUpPhrases(h resource.HangUp, person words.Text) phrases {
	p := phrases{
		failed: words.ControlHangUpFailed(person), unknownOutcome: words.ControlHangUpUnclear(person), advice: words.ControlHangUpAdvice(),
		reasons: map[error]words.Text{
			restclient.ErrPreconditionFailed: words.ControlWhichCall(),
			restclient.ErrNotFound:           words.ControlUnknownAddress(),
			restclient.ErrPathNotFound:       words.ControlUnknownAddress(),
		},
	}
	switch {
	case h.Username != "":
	case h.CallID != "":
		p.failed, p.unknownOutcome = words.ControlHangUpFailedId(h.CallID), words.ControlHangUpUnclearId(h.CallID)
	case h.Exten != "":
		p.failed, p.unknownOutcome = words.ControlHangUpFailedExtension(h.Exten), words.ControlHangUpUnclearExtension(h.Exten)
	}
	return p
}

type hangUpAction struct {
	action

	calls         *Calls
	request       resource.HangUp
	person        words.Text
	wasAmongCalls bool // the call was among the user's calls before the request
}

// read checks that the call is among the user's calls, and rejects the action if the user has only
// other calls. If the ID is not known, it selects the user's only call.
func (c *hangUpAction) read(ctx context.Context) *words.ActionReport {
	if c.request.Username == "" {
		return nil // calls can be listed only for a user
	}
	calls, err := c.calls.currentCalls(ctx, c.request.Username)
	if err != nil {
		if isRefused(err) && c.request.CallID != "" {
			return nil // the ID is sufficient to end the call
		}
		return c.calls.executor.unreachableReport(err, c.phrases.failed)
	}
	if c.request.CallID == "" {
		return c.selectOnlyCall(calls)
	}
	c.wasAmongCalls = findCall(calls, c.request.CallID) != nil
	if !c.wasAmongCalls && len(calls) > 0 {
		r := c.phrases.rejectedReport(replacedText(c.person, calls))
		return &r
	}
	return nil
}

// selectOnlyCall makes the request end the user's only call. If the user has several calls, it
// returns a report.
func (c *hangUpAction) selectOnlyCall(calls []resource.Call) *words.ActionReport {
	switch len(calls) {
	case 0:
	case 1:
		c.request = resource.HangUp{CallID: calls[0].UniqueID, Username: c.request.Username}
		c.params["callId"], c.secondTarget = c.request.CallID, "call "+c.request.CallID
		c.wasAmongCalls = true
	default:
		r := c.phrases.rejectedReport(words.ControlSeveralCalls(c.person, len(calls)))
		return &r
	}
	return nil
}

// replacedText explains why an action on a call is refused: the user no longer has that call but
// has others.
func replacedText(person words.Text, calls []resource.Call) words.Text {
	return words.ControlCallReplaced(person, describeCall(calls[0]))
}

func (c *hangUpAction) send(ctx context.Context) (words.ActionReport, error) {
	h := c.request
	if h.CallID != "" {
		h = resource.HangUp{CallID: h.CallID} // send only the ID, so that nothing else can select a call
	}
	ok, err := c.calls.service.HangUp(ctx, h)
	switch {
	case err == nil && ok:
		return c.confirmedReport(words.ControlHungUp, words.ControlHungUpOf), nil
	case err == nil:
		return c.phrases.rejectedReport(words.ControlHangUpDeclined()), nil
	case isNotFound(err) && (c.wasAmongCalls || c.calls.wasListed(c.request.Username, c.request.CallID)):
		return c.confirmedReport(words.ControlAlreadyOver, words.ControlAlreadyOverOf), nil
	case isNotFound(err) && c.request.CallID != "":
		return c.phrases.rejectedReport(words.ControlUnknownCall(c.request.CallID)), nil
	case isNotFound(err):
		return c.phrases.rejectedReport(words.ControlNoCall()), nil
	}
	return words.ActionReport{}, err
}

// confirmedReport returns a report whose text names the user of the call if there is one.
func (c *hangUpAction) confirmedReport(text func() words.Text, textOf func(person words.Text) words.Text) words.ActionReport {
	if c.request.Username == "" {
		return confirmedReport(text())
	}
	return confirmedReport(textOf(c.person))
}

// resolve reads the calls again to find out whether the call has ended. If it is still listed,
// resolve hangs it up once more by its ID, which cannot end another call. It returns nil if the
// call was not listed before, or if the outcome remains unknown.
func (c *hangUpAction) resolve(ctx context.Context, _ error) *words.ActionReport {
	if !c.wasAmongCalls {
		return nil
	}
	var found *words.ActionReport
	again := true
	c.calls.executor.poll(ctx, func() bool {
		calls, err := c.calls.currentCalls(ctx, c.request.Username)
		switch {
		case err != nil:
		case findCall(calls, c.request.CallID) == nil:
			r := c.confirmedReport(words.ControlOver, words.ControlOverOf)
			found = &r
		case again:
			again = false
			if r, err := c.send(ctx); err == nil && r.Outcome == resource.OutcomeConfirmed {
				found = &r
			}
		}
		return found != nil
	})
	return found
}
