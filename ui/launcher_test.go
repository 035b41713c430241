package ui

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"wallboard/internal/config/usercommand"
	"wallboard/internal/words"
)

// ran is a launcher that records the commands that it ran.
type ran struct {
	list []usercommand.Command
	name string
	of   usercommand.Record
	err  error
}

func (r *ran) List() []usercommand.Command { return r.list }

func (r *ran) Run(_ context.Context, c *usercommand.Command, of usercommand.Record) (string, error) {
	r.name, r.of = c.Name, of
	return "looked \x1b[2Jup", r.err
}

// TestCommandsRunWithTheSelectedRecord runs commands by key, from the palette and from the
// menu, with the selected record, and checks the result in the footer.
func TestCommandsRunWithTheSelectedRecord(t *testing.T) {
	t.Parallel()
	r := &ran{list: []usercommand.Command{
		{Name: "crm", Link: "https://crm/{user}", Key: "N"},
		{Name: "wiki", Link: "https://wiki/{service}"},
		{Name: "rota", Link: "https://rota/"},
	}}
	b := newBoard(t, 120, 40, func(o *Options) {
		o.Actions.Commands = r
		o.Actions.Controller = controllerOf(newFloorController(words.ActionReport{}))
	})
	b.press("4")
	agent, _ := b.pages.CurrentPage().Focused().Table.Selected()
	b.press("N")
	if r.name != "crm" || r.of["user"] != agent || r.of["channel"] != "CALL" || r.of["service"] != "" {
		t.Errorf("by its key: %s about %v, want crm about %s", r.name, r.of, agent)
	}
	b.shows("crm: looked")
	r.name = ""
	b.press("a")
	b.shows("crm")
	b.hides("wiki")
	b.press("N")
	if r.name != "crm" || r.of["user"] != agent {
		t.Errorf("from the menu: %s about %v", r.name, r.of)
	}
	b.press("2")
	service, _ := b.pages.CurrentPage().Focused().Table.Selected()
	r.err = errors.New("it ended with 3")
	b.press(":")
	b.words("wiki")
	b.press("enter")
	if r.name != "wiki" || r.of["service"] != service {
		t.Errorf("from the palette: %s about %v, want wiki about %s", r.name, r.of, service)
	}
	b.shows("wiki: it ended with 3")
	r.name = ""
	b.press("N")
	if r.name != "" {
		t.Errorf("about a service: %s with %v", r.name, slices.Sorted(maps.Keys(r.of)))
	}
	b.shows("nothing is selected that it works on")
	b.press("esc", ":")
	b.words("rota")
	b.press("enter")
	if r.name != "rota" {
		t.Errorf("about nothing: %q", r.name)
	}
}

// TestCommandsStayThoseOfTheStart checks that a reload does not change the commands.
func TestCommandsStayThoseOfTheStart(t *testing.T) {
	t.Parallel()
	first, second := &ran{}, &ran{}
	b := newBoard(t, 120, 40, func(o *Options) { o.Actions.Commands = first })
	o := b.changed(func(o *Options) { o.Actions.Commands = second })
	b.send(reloadMsg{reload: Reload{Options: o}})
	if b.scene.Actions.Commands != first {
		t.Error("the commands are those of the changed configuration")
	}
}

// TestCommandAboutACallReadsIt runs a command with the call of the selected agent, and without one.
func TestCommandAboutACallReadsIt(t *testing.T) {
	t.Parallel()
	r := &ran{list: []usercommand.Command{{Name: "crm", Link: "https://crm/{number}?ivr={callInfo.ivr}", Key: "N"}}}
	c := newFloorController(words.ActionReport{})
	b := newBoard(t, 120, 40, func(o *Options) { o.Actions.Commands, o.Actions.Controller = r, controllerOf(c) })
	b.press("4", "N")
	if r.of["number"] != "+39 0471 555" || r.of["callId"] != "call-1" || r.of["callData"] != "order 4711" || r.of["callInfo.ivr"] != "2" {
		t.Errorf("it ran with %v", r.of)
	}
	r.name, c.CallsText = "", "[]"
	b.press("2", "4", "N")
	if b.shows("is not on a call"); r.name != "" {
		t.Errorf("it ran without a call, with %v", r.of)
	}
	r = &ran{list: r.list}
	readOnly := newBoard(t, 120, 40, func(o *Options) { o.Actions.Commands = r })
	readOnly.press("4", "N")
	if readOnly.shows("this board is read-only"); r.name != "" {
		t.Errorf("it ran on a read-only board, with %v", r.of)
	}
}
