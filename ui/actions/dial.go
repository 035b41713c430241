package actions

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/lib/textnorm"
	"wallboard/model/resource"
	"wallboard/ui/dialog"
	"wallboard/ui/snapshot"
)

// agents implements the actions on agents and their calls.
type agents struct {
	orders *orderSender
	keys   *Keys
}

// openDial opens the form for dialing: the platform calls a number and connects the call to an
// agent.
func (a *agents) openDial(t snapshot.Target) tea.Cmd {
	d, cmd := a.orders.openForm("Dial for "+t.Name, "Dial", dialFields(a.servicesOf(t.Key)))
	d.Remark = func() string {
		text := "The state of " + t.Name + " on calls is unknown."
		if missing := a.orders.floor.MissingReason(t); missing != "" {
			text = missing
		} else if currentState := a.orders.floor.CurrentState(a.orders.look(), t); currentState != "" {
			text = t.Name + ": " + currentState
		}
		return strings.TrimSpace(a.orders.pendingText(t) + " " + text)
	}
	d.OnSubmit = func() tea.Cmd {
		if reason := a.orders.floor.MissingReason(t); reason != "" {
			return d.Say(reason)
		}
		if reason := a.orders.refusal(resource.OpDial); reason != "" {
			return d.Say(reason)
		}
		call := dialFromForm(d.Fields, t.Key)
		return a.orders.send(order{
			operation: resource.OpDial, target: t.Name + ", " + call.Number, markedTarget: t,
			execute: func(ctx context.Context, c *Controller) resource.Report { return c.Calls.Dial(ctx, call) },
		}, d)
	}
	return cmd
}

// servicesOf returns the codes of an agent's services, or nil if they are unknown.
func (a *agents) servicesOf(username string) []string {
	if a.orders.floor.Shown == nil {
		return nil
	}
	if u := a.orders.floor.Shown.Users.Get(username); u != nil {
		return u.Services
	}
	return nil
}

func dialFields(services []string) []dialog.Field {
	return []dialog.Field{
		{ID: "number", Label: "Number", Required: true, Check: checkPhone},
		{ID: "service", Label: "Service", Kind: dialog.ChoiceField, AnyText: true, Choices: services, Hint: "its code; the call is counted for it."},
		{ID: "record", Label: "Record", Kind: dialog.ToggleField},
		{ID: "onConnect", Label: "Record on connect", Kind: dialog.ToggleField, Hidden: true},
		{ID: "auto", Label: "Record by itself", Kind: dialog.ToggleField, Hidden: true, Hint: "automatic recording"},
		{ID: "file", Label: "Recording file", Hidden: true},
		{ID: "recData", Label: "Recording data", Hidden: true},
		{ID: "data", Label: "Call data", Hidden: true, Hint: "goes with the call; agents may see it"},
		{ID: "dialer", Label: "Agent's number", Hidden: true, Hint: "the number of the agent who makes the call"},
		{ID: "extenType", Label: "Kind of extension", Kind: dialog.ChoiceField, Choices: resource.ExtenTypes(), Hidden: true},
		{ID: "exten", Label: "Extension", Hidden: true, Hint: "of the agent, when they have several"},
		{ID: "access", Label: "Access code", Hidden: true},
		{ID: "callID", Label: "Ask for call id", Kind: dialog.ToggleField, Hidden: true, Hint: "not set: yes"},
	}
}

func dialFromForm(f *dialog.Fields, username string) resource.Dial {
	return resource.Dial{
		Number: textnorm.PhoneNumber(f.Value("number")), Username: username, DialerNumber: textnorm.PhoneNumber(f.Value("dialer")), AccessCode: f.Value("access"),
		CallData: f.Value("data"), RecordCall: f.Bool("record"), RecordOnConnect: f.Bool("onConnect"),
		RecordAuto: f.Bool("auto"), RecFileName: f.Value("file"), RecData: f.Value("recData"),
		ReturnCallID: f.Bool("callID"), ServiceCode: f.Value("service"), ExtenType: f.Value("extenType"),
		Exten: f.Value("exten"),
	}
}
