package control

import (
	"context"
	"fmt"

	"wallboard/model/resource"
	"wallboard/restclient"
)

// HangUp ends a call by its ID if the ID is known. Without an ID, HangUp reads the calls of the
// named user. If there is only one, it ends that call by its ID. If there is none, the user may be
// on a call without a service, so HangUp sends a single request with the user name. A call given by
// its extension is ended by the extension.
func (d *Calls) HangUp(ctx context.Context, h resource.HangUp) resource.Report {
	if h.CallID == "" && h.Username == "" && h.Exten == "" {
		h.Username = d.executor.status.username()
	}
	c := &hangUpAction{calls: d, request: h, person: d.feed.personName(h.Username)}
	subject := "the call of " + c.person
	switch {
	case h.Username != "":
	case h.CallID != "":
		subject = "call " + h.CallID
	case h.Exten != "":
		subject = "the call on extension " + h.Exten
	}
	target := "call " + h.CallID
	if h.CallID == "" {
		target = "call of " + h.Username + h.Exten
	}
	c.action = action{
		operation: resource.OpHangUp, kind: "hangup", target: target,
		params: setParams("callId", h.CallID, "username", h.Username, "exten", h.Exten),
		phrases: newPhrases(subject, "was hung up", "look at the calls again",
			map[error]string{
				restclient.ErrRequired:     "the platform does not know which call is meant",
				restclient.ErrNotFound:     unknownAddress,
				restclient.ErrPathNotFound: unknownAddress,
			}),
		read: c.read, send: c.send, resolve: c.resolve,
	}
	return d.executor.run(ctx, &c.action)
}

const unknownAddress = "something on the way to the platform does not know the address; look at the calls again"

type hangUpAction struct {
	action

	calls         *Calls
	request       resource.HangUp
	person        string
	wasAmongCalls bool // the call was among the user's calls before the request
}

// read checks that the call is among the user's calls, and rejects the action if the user has only
// other calls. If the ID is not known, it selects the user's only call.
func (c *hangUpAction) read(ctx context.Context) *resource.Report {
	if c.request.Username == "" {
		return nil // calls can be listed only for a user
	}
	calls, err := c.calls.currentCalls(ctx, c.request.Username)
	if err != nil {
		if isRefused(err) && c.request.CallID != "" {
			return nil // the ID is sufficient to end the call
		}
		return c.calls.executor.unreachable(err, c.phrases.rejectedSentence)
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
func (c *hangUpAction) selectOnlyCall(calls []resource.Call) *resource.Report {
	switch len(calls) {
	case 0:
	case 1:
		c.request = resource.HangUp{CallID: calls[0].UniqueID, Username: c.request.Username}
		c.params["callId"], c.secondTarget = c.request.CallID, "call "+c.request.CallID
		c.wasAmongCalls = true
	default:
		r := c.phrases.rejectedReport(fmt.Sprintf("%s has %d calls; choose one of them", c.person, len(calls)))
		return &r
	}
	return nil
}

// replacedText explains why an action on a call is refused: the user no longer has that call but
// has others.
func replacedText(who string, calls []resource.Call) string {
	return "it is not among the calls of " + who + " any more; now there is " + describeCall(calls[0])
}

func (c *hangUpAction) send(ctx context.Context) (resource.Report, error) {
	h := c.request
	if h.CallID != "" {
		h = resource.HangUp{CallID: h.CallID} // send only the ID, so that nothing else can select a call
	}
	ok, err := c.calls.service.HangUp(ctx, h)
	switch {
	case err == nil && ok:
		return confirmedReport("%s was hung up.", c.subject()), nil
	case err == nil:
		return c.phrases.rejectedReport("the platform did not do it; look at the calls again"), nil
	case isNotFound(err) && (c.wasAmongCalls || c.calls.wasListed(c.request.Username, c.request.CallID)):
		return confirmedReport("%s is already over.", c.subject()), nil
	case isNotFound(err) && c.request.CallID != "":
		return c.phrases.rejectedReport("the platform knows no call " + c.request.CallID), nil
	case isNotFound(err):
		return c.phrases.rejectedReport("there is no call"), nil
	}
	return resource.Report{}, err
}

func (c *hangUpAction) subject() string {
	if c.request.Username == "" {
		return "The call"
	}
	return "The call of " + c.person
}

// resolve reads the calls again to find out whether the call has ended. If it is still listed,
// resolve hangs it up once more by its ID, which cannot end another call. It returns nil if the
// call was not listed before.
func (c *hangUpAction) resolve(ctx context.Context, _ error) *resource.Report {
	if !c.wasAmongCalls {
		return nil
	}
	var found *resource.Report
	again := true
	c.calls.executor.poll(ctx, func() bool {
		calls, err := c.calls.currentCalls(ctx, c.request.Username)
		switch {
		case err != nil:
		case findCall(calls, c.request.CallID) == nil:
			r := confirmedReport("%s is over.", c.subject())
			found = &r
		case again:
			again = false
			if r, err := c.send(ctx); err == nil && r.Outcome == resource.Confirmed {
				found = &r
			}
		}
		return found != nil
	})
	return found
}
