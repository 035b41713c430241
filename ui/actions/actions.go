package actions

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/record/analysis"
	"wallboard/model"
	"wallboard/ui/dialog"
	"wallboard/ui/render"
	"wallboard/ui/snapshot"
)

// Keys holds the keys that act on the selected agent or campaign. They are disabled on a
// read-only board.
type Keys struct {
	Actions key.Binding
	Dial    key.Binding // dials for an agent, or starts a campaign
	Stop    key.Binding // hangs up, or stops a campaign
	Record  key.Binding
	Calls   key.Binding // an agent's calls, or a campaign's settings
	Edit    key.Binding
	Log     key.Binding
}

// Does reports whether msg is one of the keys.
func (k *Keys) Does(msg tea.KeyPressMsg) bool {
	return slices.ContainsFunc(k.All(), func(b *key.Binding) bool { return key.Matches(msg, *b) })
}

// All returns the keys in the order of the help.
func (k *Keys) All() []*key.Binding {
	return []*key.Binding{&k.Actions, &k.Dial, &k.Stop, &k.Record, &k.Calls, &k.Edit, &k.Log}
}

// Actions holds the actions of one board.
type Actions struct {
	keys *Keys
	do   *orders
	also func(snapshot.Target) []Extra // extra actions from the configuration; nil: none

	agents    agents
	campaigns campaigns
	lists     *lists
	runs      runs
	contacts  contacts
	tickets   tickets
	messages  messages
}

// New returns the actions of a board. It is read-only until [Actions.Use].
func New(on *dialog.Stack, view *snapshot.View, keys *Keys) *Actions {
	do := &orders{dialogs: on, floor: view}
	l := &lists{do: do}
	return &Actions{
		keys: keys, do: do, agents: agents{do: do, keys: keys}, campaigns: campaigns{do: do, lists: l}, lists: l,
		runs: runs{do: do}, contacts: contacts{do: do}, tickets: tickets{do: do}, messages: messages{do: do},
	}
}

// Use sets the controller; nil makes the board read-only.
func (a *Actions) Use(c *Controller) {
	a.do.platform = c
	for _, b := range a.keys.All() {
		b.SetEnabled(c != nil)
	}
}

// Note sets the function that receives finished actions for the recording.
func (a *Actions) Note(noted func(model.Event)) { a.do.noted = noted }

// Measure sets the function that measures the effects of actions; its result may be nil.
func (a *Actions) Measure(by func() analysis.Measure) { a.do.measure = by }

// Extra is an action that is not the platform's.
type Extra struct {
	Key  key.Binding
	Does string
	Run  func() tea.Cmd
}

// AddExtras sets the function that returns extra actions on a target.
func (a *Actions) AddExtras(more func(snapshot.Target) []Extra) { a.also = more }

// Can reports whether the board can act on the platform.
func (a *Actions) Can() bool { return a.do.platform != nil }

// UnderWay returns the names of the running actions.
func (a *Actions) UnderWay() []string { return a.do.records.underWay() }

// Pending returns the marks of actions on rows, nil if there are none.
func (a *Actions) Pending() *render.Marks { return a.do.pending.rows }

// Follow updates the marks from the newest snapshot and the clock, and reports whether any
// changed.
func (a *Actions) Follow() bool { return a.do.pending.follow(a.do.look(), a.do.floor) }

// Done handles the outcome of an action.
func (a *Actions) Done(msg DoneMsg) tea.Cmd { return a.do.done(msg) }

// Menu opens the menu of actions on a target, if there are any.
func (a *Actions) Menu(t snapshot.Target) tea.Cmd {
	if !a.Can() || !t.Some() {
		return nil
	}
	return a.do.dialogs.Open(&menu{do: a.do, on: t, list: a.actionsOn(t)})
}

// WouldAct reports whether a key would be an action on a board that is not read-only. On a
// read-only board the bindings are disabled.
func (a *Actions) WouldAct(msg tea.KeyPressMsg, t snapshot.Target) bool {
	if a.Can() {
		return false
	}
	return slices.ContainsFunc(a.keys.All(), func(b *key.Binding) bool {
		return slices.Contains(b.Keys(), msg.String()) && (t.Some() || b == &a.keys.Log)
	})
}

// Press handles the keys of actions. The zero target means none.
func (a *Actions) Press(msg tea.KeyPressMsg, t snapshot.Target) (cmd tea.Cmd, done bool) {
	if !a.Can() {
		return nil, false
	}
	if key.Matches(msg, a.keys.Log) {
		return a.openLog(), true
	}
	if !t.Some() {
		return nil, false
	}
	run := func() tea.Cmd { return a.Menu(t) }
	if !key.Matches(msg, a.keys.Actions) {
		run = nil
		for _, one := range a.actionsOn(t) {
			if key.Matches(msg, one.key) {
				run = func() tea.Cmd { return one.take(a.do, t) }
			}
		}
	}
	if run == nil {
		return nil, false
	}
	a.do.dialogs.Mute(msg.String())
	return run(), true
}

// Commands returns the palette's commands: those on the target, if it is not zero, and the
// others.
func (a *Actions) Commands(t snapshot.Target) (on, anywhere []dialog.Command) {
	if t.Some() {
		for _, one := range a.actionsOn(t) {
			if one.extra {
				continue // in the palette already
			}
			on = append(on, dialog.Command{Name: t.Name + ": " + one.does, Run: func() tea.Cmd { return one.take(a.do, t) }, Key: one.key.Help().Key})
		}
	}
	anywhere = append(a.campaigns.commands(a.keys),
		dialog.Command{Name: "log of my actions", Key: a.keys.Log.Help().Key, Run: a.openLog},
		dialog.Command{Name: "create a campaign", Run: a.campaigns.createCampaign})
	return on, append(anywhere, a.anywhere()...)
}

// anywhere returns the commands that need no target on the board.
func (a *Actions) anywhere() []dialog.Command {
	return slices.Concat(a.messages.commands(), a.tickets.commands(), a.contacts.commands(), a.lists.commands(), a.runs.commands())
}
