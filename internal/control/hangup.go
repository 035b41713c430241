package control

import (
	"context"
	"fmt"

	"wallboard/model/resource"
	"wallboard/restclient"
)

// HangUp ends a call, by its ID if it is known. Without an ID it reads the user's calls and
// ends the only one by its ID. If the list is empty, the user may be on a call without a
// service; then the call is ended by the user name, once.
func (d *Calls) HangUp(ctx context.Context, h resource.HangUp) resource.Report {
	if h.CallID == "" && h.Username == "" && h.Exten == "" {
		h.Username = d.do.standing.username()
	}
	c := &hangUpAction{desk: d, order: h, person: d.picture.person(h.Username)}
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
		verb: resource.OpHangUp, kind: "hangup", target: target,
		params: setParams("callId", h.CallID, "username", h.Username, "exten", h.Exten),
		say: phrase(subject, "was hung up", "look at the calls again",
			map[error]string{
				restclient.ErrRequired:     "the platform does not know which call is meant",
				restclient.ErrNotFound:     elsewhere,
				restclient.ErrPathNotFound: elsewhere,
			}),
		look: c.look, send: c.send, settle: c.settle,
	}
	return d.do.take(ctx, &c.action)
}

const elsewhere = "something on the way to the platform does not know the address; look at the calls again"

// hangUpAction is the action of ending a call.
type hangUpAction struct {
	action

	desk   *Calls
	order  resource.HangUp
	person string
	listed bool // the user's calls contained it before
}

// look finds the call among the user's calls.
func (c *hangUpAction) look(ctx context.Context) *resource.Report {
	if c.order.Username == "" {
		return nil // the user is needed to list calls
	}
	calls, err := c.desk.calls(ctx, c.order.Username)
	if err != nil {
		if isRefused(err) && c.order.CallID != "" {
			return nil // the ID is sufficient
		}
		return c.desk.do.unreachable(err, c.say.not)
	}
	if c.order.CallID == "" {
		return c.choose(calls)
	}
	c.listed = find(calls, c.order.CallID) != nil
	if !c.listed && len(calls) > 0 {
		r := c.say.rejected(replaced(c.person, calls))
		return &r
	}
	return nil
}

// choose selects the user's only call.
func (c *hangUpAction) choose(calls []resource.Call) *resource.Report {
	switch len(calls) {
	case 0:
	case 1:
		c.order = resource.HangUp{CallID: calls[0].UniqueID, Username: c.order.Username}
		c.params["callId"], c.also = c.order.CallID, "call "+c.order.CallID
		c.listed = true
	default:
		r := c.say.rejected(fmt.Sprintf("%s has %d calls; choose one of them", c.person, len(calls)))
		return &r
	}
	return nil
}

// replaced explains why a call that is no longer listed is not hung up while others are.
func replaced(who string, calls []resource.Call) string {
	return "it is not among the calls of " + who + " any more; now there is " + describe(calls[0])
}

func (c *hangUpAction) send(ctx context.Context) (resource.Report, error) {
	h := c.order
	if h.CallID != "" {
		h = resource.HangUp{CallID: h.CallID} // only the ID may select the call
	}
	ok, err := c.desk.service.HangUp(ctx, h)
	switch {
	case err == nil && ok:
		return confirmed("%s was hung up.", c.subject()), nil
	case err == nil:
		return c.say.rejected("the platform did not do it; look at the calls again"), nil
	case isNotFound(err) && (c.listed || c.desk.wasListed(c.order.Username, c.order.CallID)):
		return confirmed("%s is already over.", c.subject()), nil
	case isNotFound(err) && c.order.CallID != "":
		return c.say.rejected("the platform knows no call " + c.order.CallID), nil
	case isNotFound(err):
		return c.say.rejected("there is no call"), nil
	}
	return resource.Report{}, err
}

func (c *hangUpAction) subject() string {
	if c.order.Username == "" {
		return "The call"
	}
	return "The call of " + c.person
}

// settle reads the calls again. If the call is still there, it is hung up once more, by its
// ID, which can only end the same call.
func (c *hangUpAction) settle(ctx context.Context, _ error) *resource.Report {
	if !c.listed {
		return nil
	}
	var found *resource.Report
	again := true
	c.desk.do.poll(ctx, func() bool {
		calls, err := c.desk.calls(ctx, c.order.Username)
		switch {
		case err != nil:
		case find(calls, c.order.CallID) == nil:
			r := confirmed("%s is over.", c.subject())
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
