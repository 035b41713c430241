package actions

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/lib/textnorm"
	"wallboard/model/resource"
	"wallboard/ui/form"
	"wallboard/ui/snapshot"
)

// agents holds the actions on agents and their calls.
type agents struct {
	do   *orders
	keys *Keys
}

// openDial opens the form that dials a number for an agent.
func (a *agents) openDial(t snapshot.Target) tea.Cmd {
	d, cmd := a.do.form("Dial for "+t.Name, "Dial", dialFields(a.servicesOf(t.Key)))
	d.About = func() string {
		text := "What " + t.Name + " is doing on calls is not known."
		if gone := a.do.floor.Gone(t); gone != "" {
			text = gone
		} else if now := a.do.floor.CurrentState(a.do.look(), t); now != "" {
			text = t.Name + ": " + now
		}
		return strings.TrimSpace(a.do.waiting(t) + " " + text)
	}
	d.Done = func() tea.Cmd {
		if why := a.do.floor.Gone(t); why != "" {
			return d.Say(why)
		}
		if why := a.do.refusal(resource.OpDial); why != "" {
			return d.Say(why)
		}
		call := dialOf(d.Fields, t.Key)
		return a.do.send(order{
			verb: resource.OpDial, target: t.Name + ", " + call.Number, about: t,
			do: func(ctx context.Context, c *Controller) resource.Report { return c.Calls.Dial(ctx, call) },
		}, d)
	}
	return cmd
}

// servicesOf returns the codes of an agent's services, as far as known.
func (a *agents) servicesOf(username string) []string {
	if a.do.floor.Shown == nil {
		return nil
	}
	if u := a.do.floor.Shown.Users.Get(username); u != nil {
		return u.Services
	}
	return nil
}

func dialFields(services []string) []form.Field {
	return []form.Field{
		{ID: "number", Label: "Number", Required: true, Check: phone},
		{ID: "service", Label: "Service", Kind: form.Choice, Free: true, Choices: services, Hint: "its code; the call is counted for it."},
		{ID: "record", Label: "Record", Kind: form.Toggle},
		{ID: "onConnect", Label: "Record on connect", Kind: form.Toggle, More: true},
		{ID: "auto", Label: "Record by itself", Kind: form.Toggle, More: true, Hint: "automatic recording"},
		{ID: "file", Label: "Recording file", More: true},
		{ID: "recData", Label: "Recording data", More: true},
		{ID: "data", Label: "Call data", More: true, Hint: "goes with the call; agents may see it"},
		{ID: "dialer", Label: "Agent's number", More: true, Hint: "the number of whoever makes the call"},
		{ID: "extenType", Label: "Kind of extension", Kind: form.Choice, Choices: resource.ExtenTypes(), More: true},
		{ID: "exten", Label: "Extension", More: true, Hint: "of the agent, when they have several"},
		{ID: "access", Label: "Access code", More: true},
		{ID: "callID", Label: "Ask for call id", Kind: form.Toggle, More: true, Hint: "not set: yes"},
	}
}

func dialOf(f *form.Form, username string) resource.Dial {
	return resource.Dial{
		Number: textnorm.Number(f.Value("number")), Username: username, DialerNumber: textnorm.Number(f.Value("dialer")), AccessCode: f.Value("access"),
		CallData: f.Value("data"), RecordCall: f.Bool("record"), RecordOnConnect: f.Bool("onConnect"),
		RecordAuto: f.Bool("auto"), RecFileName: f.Value("file"), RecData: f.Value("recData"),
		ReturnCallID: f.Bool("callID"), ServiceCode: f.Value("service"), ExtenType: f.Value("extenType"),
		Exten: f.Value("exten"),
	}
}
