package actions

import (
	"context"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/config/usercommand"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
)

// CommandRunner runs the commands from the configuration. [usercommand.Runner] implements it. A nil
// [usercommand.Runner] has no commands.
type CommandRunner interface {
	// List returns all commands.
	List() []usercommand.Command
	// Run runs a command for a record and returns the last line of the command's output.
	Run(ctx context.Context, c *usercommand.Command, r usercommand.Record) (string, error)
}

// CommandLauncher runs the configured commands for one record. The zero CommandLauncher has no commands.
type CommandLauncher struct {
	Runner  CommandRunner      // nil: no commands
	Record  usercommand.Record // nil: no record is selected, or no command supports its kind
	Calls   Calls              // calls of agents; nil: the board is read-only
	Context context.Context    //nolint:containedctx // Commands outlive the call that makes them
	Words   *words.Language    // language of the viewer; nil: English
}

// CommandRecord returns the values of a record for commands, by placeholder name. It returns nil if
// commands do not support this kind of record. The empty channel means the channel on the screen.
func CommandRecord(view *floorview.View, kind floorview.RecordKind, code string, channel model.Channel) usercommand.Record {
	word := map[floorview.RecordKind]string{floorview.Service: "service", floorview.Group: "group", floorview.Agent: "user", floorview.Campaign: "campaign"}[kind]
	if word == "" {
		return nil
	}
	if channel == "" {
		channel = view.Channel
	}
	name := view.Names.NameInSnapshot(view.Shown, kind.NameKind(), code)
	if kind == floorview.Agent {
		name = view.AgentName(code)
	}
	return usercommand.Record{word: code, "name": name, "channel": string(channel)}
}

// run returns a tea.Cmd that runs the command c and shows the last line of its output, or its
// error, in the footer.
func (l CommandLauncher) run(c *usercommand.Command) tea.Cmd {
	notice := func(t words.Text) tea.Msg { return dialog.NoticeMsg{Text: t.In(l.Words)} }
	return dialog.RecoverPanic(func() tea.Msg {
		record, err := l.recordWithCall(c)
		if err != nil {
			return notice(words.ActCommand(c.Name, words.TextOf(err)))
		}
		output, err := l.Runner.Run(l.Context, c, record)
		switch {
		case err != nil:
			return notice(words.ActCommand(c.Name, words.TextOf(err)))
		case output != "":
			return notice(words.ActCommand(c.Name, words.Name(output)))
		}
		return notice(words.ActCommandDone(c.Name))
	})
}

// recordWithCall returns the record of the launcher. If c needs the values of a call, recordWithCall adds those
// of the agent's current call or, if there are several, of the call that was answered last.
func (l CommandLauncher) recordWithCall(c *usercommand.Command) (usercommand.Record, error) {
	if !c.NeedsCall() {
		return l.Record, nil
	}
	if l.Calls == nil {
		return nil, words.NewError(words.ActCommandReadOnly(), nil)
	}
	calls, err := l.Calls.CallsOf(l.Context, l.Record["user"])
	if err != nil {
		return nil, err
	}
	calls = resource.CurrentCalls(calls)
	if len(calls) == 0 {
		return nil, words.NewError(words.ActCommandNotOnCall(l.Record["name"]), nil)
	}
	call := slices.MaxFunc(calls, func(a, b resource.Call) int {
		first, _ := a.Answer.Get()
		second, _ := b.Answer.Get()
		return first.Compare(second)
	})
	return l.Record.WithCall(&call), nil
}

// allCommands returns all commands of the configuration.
func (l CommandLauncher) allCommands() []usercommand.Command {
	if l.Runner == nil {
		return nil
	}
	return l.Runner.List()
}

// applicableCommands returns the commands whose required values the record has.
func (l CommandLauncher) applicableCommands() []*usercommand.Command {
	var out []*usercommand.Command
	list := l.allCommands()
	for i := range list {
		if list[i].AcceptsRecord(l.Record) {
			out = append(out, &list[i])
		}
	}
	return out
}

// Press runs the command with the key msg, or says why not. It returns false if no command has this key.
func (l CommandLauncher) Press(msg tea.KeyPressMsg, dialogs *dialog.Stack) (tea.Cmd, bool) {
	for _, c := range l.allCommands() {
		if c.Key == "" || msg.String() != c.Key {
			continue
		}
		dialogs.MuteKey(msg.String())
		if !c.AcceptsRecord(l.Record) {
			return dialogs.ShowMessage(words.ActCommandNotFor(c.Name).In(l.Words)), true
		}
		return l.run(&c), true
	}
	return nil, false
}

// Commands returns the applicable commands as commands of the palette.
func (l CommandLauncher) Commands() []dialog.Command {
	var out []dialog.Command
	for _, c := range l.applicableCommands() {
		name := c.Name
		if c.NeedsRecord() {
			name = words.ActOnTarget(l.Record["name"], words.Name(name)).In(l.Words)
		}
		out = append(out, dialog.Command{Name: name, Key: c.Key, Keywords: words.ActCommandKeywords().In(l.Words), Run: func() tea.Cmd { return l.run(c) }})
	}
	return out
}

// MenuActions returns the applicable commands that need a record, as entries of the menu of
// actions.
func (l CommandLauncher) MenuActions() []LocalAction {
	var out []LocalAction
	for _, c := range l.applicableCommands() {
		if !c.NeedsRecord() {
			continue
		}
		b := key.NewBinding(key.WithHelp(c.Key, c.Name))
		if c.Key != "" {
			b.SetKeys(c.Key)
		}
		out = append(out, LocalAction{Key: b, Description: c.Name, Run: func() tea.Cmd { return l.run(c) }})
	}
	return out
}
