package ui

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/config/usercommand"
	"wallboard/model"
	"wallboard/ui/actions"
	"wallboard/ui/dialog"
	"wallboard/ui/snapshot"
)

// launcher runs the configured commands for one record.
type launcher struct {
	desk Launcher // nil: no commands
	of   usercommand.Record
	ctx  context.Context //nolint:containedctx // commands outlive the call that makes them
}

// launcher returns the launcher for the selection.
func (p *pages) launcher(sc *scene) launcher {
	l := launcher{desk: sc.Commands, ctx: sc.Context}
	of, code, on, ok := p.page().Pointed()
	if d := p.detail(); d != nil && d.FiguresFocused {
		of, code, on, ok = d.Kind, d.Key, "", true
	}
	if ok {
		l.of = recordOf(&sc.floor, of, code, on)
	}
	return l
}

// about returns a launcher for an agent or a campaign.
func (l launcher) about(view *snapshot.View, t snapshot.Target) launcher {
	l.of = recordOf(view, t.Kind, t.Key, "")
	return l
}

// recordOf returns the values that a command can use, by their names.
func recordOf(view *snapshot.View, of snapshot.Kind, code string, on model.Channel) usercommand.Record {
	word := map[snapshot.Kind]string{snapshot.Service: "service", snapshot.Group: "group", snapshot.Agent: "user", snapshot.Campaign: "campaign"}[of]
	if word == "" {
		return nil
	}
	if on == "" {
		on = view.Channel
	}
	name := view.Names.In(view.Shown, of.NameKind(), code)
	if of == snapshot.Agent {
		name = view.AgentName(code)
	}
	return usercommand.Record{word: code, "name": name, "channel": string(on)}
}

// run starts a command and shows its result in the footer.
func (l launcher) run(c *usercommand.Command) tea.Cmd {
	return dialog.Guard(func() tea.Msg {
		said, err := l.desk.Run(l.ctx, c, l.of)
		switch {
		case err != nil:
			return dialog.NoticeMsg{Text: c.Name + ": " + err.Error()}
		case said != "":
			return dialog.NoticeMsg{Text: c.Name + ": " + said}
		}
		return dialog.NoticeMsg{Text: c.Name + ": done"}
	})
}

// list returns all commands.
func (l launcher) list() []usercommand.Command {
	if l.desk == nil {
		return nil
	}
	return l.desk.List()
}

// fitting returns the commands for which the record has all values.
func (l launcher) fitting() []*usercommand.Command {
	var out []*usercommand.Command
	list := l.list()
	for i := range list {
		if list[i].AcceptsRecord(l.of) {
			out = append(out, &list[i])
		}
	}
	return out
}

// press handles the key of a command.
func (l launcher) press(msg tea.KeyPressMsg, on *dialog.Stack) (tea.Cmd, bool) {
	for _, c := range l.list() {
		if c.Key == "" || msg.String() != c.Key {
			continue
		}
		on.Mute(msg.String())
		if !c.AcceptsRecord(l.of) {
			return on.Say(c.Name + ": nothing is selected that it works on"), true
		}
		return l.run(&c), true
	}
	return nil, false
}

// commands returns the fitting commands for the palette.
func (l launcher) commands() []dialog.Command {
	var out []dialog.Command
	for _, c := range l.fitting() {
		name := c.Name
		if c.NeedsRecord() {
			name = l.of["name"] + ": " + name
		}
		out = append(out, dialog.Command{Name: name, Key: c.Key, Keywords: "run open command", Run: func() tea.Cmd { return l.run(c) }})
	}
	return out
}

// extras returns the fitting commands about a record for the menu of actions.
func (l launcher) extras() []actions.Extra {
	var out []actions.Extra
	for _, c := range l.fitting() {
		if !c.NeedsRecord() {
			continue
		}
		b := key.NewBinding(key.WithHelp(c.Key, c.Name))
		if c.Key != "" {
			b.SetKeys(c.Key)
		}
		out = append(out, actions.Extra{Key: b, Does: c.Name, Run: func() tea.Cmd { return l.run(c) }})
	}
	return out
}
