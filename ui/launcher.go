package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/config/usercommand"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui/actions"
	"wallboard/ui/dialog"
	"wallboard/ui/snapshot"
)

// launcher runs the configured commands for one record.
type launcher struct {
	runner CommandRunner // nil: no commands
	record usercommand.Record
	calls  actions.Calls   // calls of agents; nil: the board is read-only
	ctx    context.Context //nolint:containedctx // commands outlive the call that makes them
}

// launcher returns the launcher for the selected record.
func (p *pages) launcher(sc *scene) launcher {
	l := launcher{runner: sc.Commands, ctx: sc.Context}
	if sc.Controller != nil {
		l.calls = sc.Controller.Calls
	}
	kind, code, channel, ok := p.currentPage().PointedRecord()
	if d := p.topDetail(); d != nil && d.FiguresFocused {
		kind, code, channel, ok = d.Kind, d.Key, "", true
	}
	if ok {
		l.record = recordOf(&sc.floor, kind, code, channel)
	}
	return l
}

// forTarget returns a copy of the launcher for the record of an agent or a campaign.
func (l launcher) forTarget(view *snapshot.View, t snapshot.Target) launcher {
	l.record = recordOf(view, t.Kind, t.Key, "")
	return l
}

// recordOf returns the values of a record for a command, by the names of the command's
// placeholders. It returns nil for a kind of record that commands do not support. A channel of ""
// means the channel on the screen.
func recordOf(view *snapshot.View, kind snapshot.RecordKind, code string, channel model.Channel) usercommand.Record {
	word := map[snapshot.RecordKind]string{snapshot.Service: "service", snapshot.Group: "group", snapshot.Agent: "user", snapshot.Campaign: "campaign"}[kind]
	if word == "" {
		return nil
	}
	if channel == "" {
		channel = view.Channel
	}
	name := view.Names.OfInSnapshot(view.Shown, kind.NameKind(), code)
	if kind == snapshot.Agent {
		name = view.AgentName(code)
	}
	return usercommand.Record{word: code, "name": name, "channel": string(channel)}
}

// run returns the tea.Cmd that runs the command c. The last line of the command's output appears in
// the footer.
func (l launcher) run(c *usercommand.Command) tea.Cmd {
	return dialog.Guard(func() tea.Msg {
		record, err := l.withCall(c)
		if err != nil {
			return dialog.NoticeMsg{Text: c.Name + ": " + err.Error()}
		}
		output, err := l.runner.Run(l.ctx, c, record)
		switch {
		case err != nil:
			return dialog.NoticeMsg{Text: c.Name + ": " + err.Error()}
		case output != "":
			return dialog.NoticeMsg{Text: c.Name + ": " + output}
		}
		return dialog.NoticeMsg{Text: c.Name + ": done"}
	})
}

// withCall returns the record. If c needs the values of a call, they are added to the record: those
// of the agent's current call. If the agent has several calls, the call that was answered last
// counts.
func (l launcher) withCall(c *usercommand.Command) (usercommand.Record, error) {
	if !c.NeedsCall() {
		return l.record, nil
	}
	if l.calls == nil {
		return nil, errors.New("it needs the call of an agent, and this board is read-only")
	}
	calls, err := l.calls.CallsOf(l.ctx, l.record["user"])
	if err != nil {
		return nil, err
	}
	calls = resource.CurrentCalls(calls)
	if len(calls) == 0 {
		return nil, fmt.Errorf("%s is not on a call", l.record["name"])
	}
	call := slices.MaxFunc(calls, func(a, b resource.Call) int {
		first, _ := a.Answer.Get()
		second, _ := b.Answer.Get()
		return first.Compare(second)
	})
	return l.record.WithCall(&call), nil
}

// allCommands returns all commands of the configuration.
func (l launcher) allCommands() []usercommand.Command {
	if l.runner == nil {
		return nil
	}
	return l.runner.List()
}

// applicableCommands returns the commands that can run for the record, because it has all values
// that they need.
func (l launcher) applicableCommands() []*usercommand.Command {
	var out []*usercommand.Command
	list := l.allCommands()
	for i := range list {
		if list[i].AcceptsRecord(l.record) {
			out = append(out, &list[i])
		}
	}
	return out
}

// press runs the command with the pressed key. The bool result is false if no command has that key.
func (l launcher) press(msg tea.KeyPressMsg, dialogs *dialog.Stack) (tea.Cmd, bool) {
	for _, c := range l.allCommands() {
		if c.Key == "" || msg.String() != c.Key {
			continue
		}
		dialogs.MuteKey(msg.String())
		if !c.AcceptsRecord(l.record) {
			return dialogs.Say(c.Name + ": nothing is selected that it works on"), true
		}
		return l.run(&c), true
	}
	return nil, false
}

// commands returns the entries of the palette for the applicable commands.
func (l launcher) commands() []dialog.Command {
	var out []dialog.Command
	for _, c := range l.applicableCommands() {
		name := c.Name
		if c.NeedsRecord() {
			name = l.record["name"] + ": " + name
		}
		out = append(out, dialog.Command{Name: name, Key: c.Key, Keywords: "run open command", Run: func() tea.Cmd { return l.run(c) }})
	}
	return out
}

// menuActions returns the entries of the menu of actions for the applicable commands that need a
// record.
func (l launcher) menuActions() []actions.LocalAction {
	var out []actions.LocalAction
	for _, c := range l.applicableCommands() {
		if !c.NeedsRecord() {
			continue
		}
		b := key.NewBinding(key.WithHelp(c.Key, c.Name))
		if c.Key != "" {
			b.SetKeys(c.Key)
		}
		out = append(out, actions.LocalAction{Key: b, Description: c.Name, Run: func() tea.Cmd { return l.run(c) }})
	}
	return out
}
