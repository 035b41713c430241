package actions

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/lib/textnorm"
	"wallboard/internal/words"
	"wallboard/model/resource"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
)

// agentActions implements the actions on agents and their calls.
type agentActions struct {
	orders *orderSender
	keys   *Keys
}

// openDialForm opens the form for dialing: the platform calls a number and connects the call to an
// agent.
func (a *agentActions) openDialForm(t floorview.Target) tea.Cmd {
	d, cmd := a.orders.openForm(words.ActCallDial(t.Name), a.orders.translate(words.ResourceDialTitle()), dialFields(a.orders.translate, a.servicesOf(t.Key)))
	d.Remark = func() string {
		text := a.orders.translate(words.ActCallStateUnknown(t.Name))
		if missing := a.orders.floor.MissingReason(t); missing != "" {
			text = missing
		} else if currentState := a.orders.floor.CurrentState(a.orders.look(), t); currentState != "" {
			text = a.orders.translate(words.ActCallState(t.Name, currentState))
		}
		return strings.TrimSpace(a.orders.pendingText(t) + " " + text)
	}
	d.OnSubmit = func() tea.Cmd {
		if reason := a.orders.floor.MissingReason(t); reason != "" {
			return d.ShowMessage(reason)
		}
		if reason := a.orders.refusal(resource.OpDial); reason != "" {
			return d.ShowMessage(reason)
		}
		call := dialFromForm(d.Fields, t.Key)
		return a.orders.send(actionOrder{
			operation: resource.OpDial, target: words.ActCallDialed(t.Name, call.Number), names: []string{t.Name, call.Number}, markedTarget: t,
			execute: func(ctx context.Context, c *Controller) words.ActionReport { return c.Calls.Dial(ctx, call) },
		}, d)
	}
	return cmd
}

// servicesOf returns the codes of an agent's services, or nil if they are unknown.
func (a *agentActions) servicesOf(username string) []string {
	if a.orders.floor.Shown == nil {
		return nil
	}
	if u := a.orders.floor.Shown.Users.Get(username); u != nil {
		return u.Services
	}
	return nil
}

func dialFields(tell func(words.Text) string, services []string) []dialog.Field {
	return []dialog.Field{
		{ID: "number", Label: tell(words.ActFieldNumber()), Required: true, Check: checkPhone},
		{ID: "service", Label: tell(words.ActFieldService()), Kind: dialog.ChoiceField, AnyText: true, Choices: services, Hint: tell(words.ActFieldHintService())},
		{ID: "record", Label: tell(words.ActFieldRecord()), Kind: dialog.ToggleField},
		{ID: "onConnect", Label: tell(words.ActFieldRecordOnConnect()), Kind: dialog.ToggleField, Hidden: true},
		{ID: "auto", Label: tell(words.ActFieldRecordAuto()), Kind: dialog.ToggleField, Hidden: true},
		{ID: "file", Label: tell(words.ActFieldRecordingFile()), Hidden: true},
		{ID: "recData", Label: tell(words.ActFieldRecordingData()), Hidden: true},
		{ID: "data", Label: tell(words.ActFieldCallData()), Hidden: true, Hint: tell(words.ActFieldHintCallData())},
		{ID: "dialer", Label: tell(words.ActFieldAgentNumber()), Hidden: true, Hint: tell(words.ActFieldHintAgentNumber())},
		{ID: "extenType", Label: tell(words.ActFieldExtensionType()), Kind: dialog.ChoiceField, Choices: resource.ExtenTypes(), Hidden: true},
		{ID: "exten", Label: tell(words.ActFieldExtension()), Hidden: true, Hint: tell(words.ActFieldHintExtension())},
		{ID: "access", Label: tell(words.ActFieldAccessCode()), Hidden: true},
		{ID: "callID", Label: tell(words.ActFieldRequestCallId()), Kind: dialog.ToggleField, Hidden: true, Hint: tell(words.ActFieldHintRequestCallId())},
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
