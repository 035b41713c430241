package actions

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/recount"
	"wallboard/ui/dialog"
	"wallboard/ui/floor"
	"wallboard/ui/palette"
	"wallboard/ui/render"
)

// Keys are what acts on the selected agent or campaign. They are disabled on a
// board that can only look.
type Keys struct {
	Actions key.Binding
	Dial    key.Binding // dials for an agent, starts a campaign
	Stop    key.Binding // hangs up, stops a campaign
	Record  key.Binding
	Calls   key.Binding // an agent's calls, a campaign's settings
	Edit    key.Binding
	Log     key.Binding
}

// Does reports whether a key is one of them.
func (k *Keys) Does(msg tea.KeyPressMsg) bool {
	return slices.ContainsFunc(k.All(), func(b *key.Binding) bool { return key.Matches(msg, *b) })
}

// All returns the keys in the order of the help.
func (k *Keys) All() []*key.Binding {
	return []*key.Binding{&k.Actions, &k.Dial, &k.Stop, &k.Record, &k.Calls, &k.Edit, &k.Log}
}

// Actions is what can be done from one board.
type Actions struct {
	keys *Keys
	do   *orders
	also func(floor.Target) []Extra // what a configuration adds; nil: nothing

	agents    agents
	campaigns campaigns
	lists     *lists
	runs      runs
	contacts  contacts
	tickets   tickets
	messages  messages
}

// New returns the actions of a board that has dialogs and a view of the floor. It
// can only look until [Actions.Use].
func New(on *dialog.Stack, view *floor.View, keys *Keys) *Actions {
	do := &orders{dialogs: on, floor: view}
	l := &lists{do: do}
	return &Actions{
		keys: keys, do: do, agents: agents{do: do, keys: keys}, campaigns: campaigns{do: do, lists: l}, lists: l,
		runs: runs{do: do}, contacts: contacts{do: do}, tickets: tickets{do: do}, messages: messages{do: do},
	}
}

// Use has the orders go to a platform; nil: the board can only look.
func (a *Actions) Use(c *Controller) {
	a.do.platform = c
	for _, b := range a.keys.All() {
		b.SetEnabled(c != nil)
	}
}

// Note has a function know what was done, and what became of it.
func (a *Actions) Note(noted func(model.Event)) { a.do.noted = noted }

// Measure has a function say what came of what was done; it may return nil.
func (a *Actions) Measure(by func() recount.Measure) { a.do.measure = by }

// Extra is what can be done with a target besides what the platform can do.
type Extra struct {
	Key  key.Binding
	Does string
	Run  func() tea.Cmd
}

// Also has a function say what else can be done with a target.
func (a *Actions) Also(more func(floor.Target) []Extra) { a.also = more }

// Can reports whether the board can do more than look.
func (a *Actions) Can() bool { return a.do.platform != nil }

// UnderWay returns what was asked for and has no outcome yet, by name.
func (a *Actions) UnderWay() []string { return a.do.records.underWay() }

// Pending returns what is to be seen of actions on the rows, nil when there is
// nothing.
func (a *Actions) Pending() *render.Marks { return a.do.pending.rows }

// Follow compares what is pending with the newest picture and the clock, and
// reports whether anything of it has changed.
func (a *Actions) Follow() bool { return a.do.pending.follow(a.do.look(), a.do.floor) }

// Done takes the outcome of an order.
func (a *Actions) Done(msg DoneMsg) tea.Cmd { return a.do.done(msg) }

// Menu lists what can be done with a target, if anything can.
func (a *Actions) Menu(t floor.Target) tea.Cmd {
	if !a.Can() || !t.Some() {
		return nil
	}
	return a.do.dialogs.Open(&menu{do: a.do, on: t, list: a.on(t)})
}

// Meant reports whether a key would act on a target if the board could do more than
// look: the keys of such a board are disabled.
func (a *Actions) Meant(msg tea.KeyPressMsg, t floor.Target) bool {
	if a.Can() {
		return false
	}
	return slices.ContainsFunc(a.keys.All(), func(b *key.Binding) bool {
		return slices.Contains(b.Keys(), msg.String()) && (t.Some() || b == &a.keys.Log)
	})
}

// Press obeys the keys that act on a target; the zero target is none.
func (a *Actions) Press(msg tea.KeyPressMsg, t floor.Target) (cmd tea.Cmd, done bool) {
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
		for _, one := range a.on(t) {
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

// Commands returns everything that can be done by name: with a target, if it is
// one, and without any.
func (a *Actions) Commands(t floor.Target) (on, anywhere []palette.Command) {
	if t.Some() {
		for _, one := range a.on(t) {
			if one.extra {
				continue // the palette has it anyway
			}
			on = append(on, palette.Command{Name: t.Name + ": " + one.does, Run: func() tea.Cmd { return one.take(a.do, t) }, Key: one.key.Help().Key})
		}
	}
	anywhere = append(a.campaigns.commands(a.keys),
		palette.Command{Name: "log of my actions", Key: a.keys.Log.Help().Key, Run: a.openLog},
		palette.Command{Name: "create a campaign", Run: a.campaigns.createCampaign})
	return on, append(anywhere, a.anywhere()...)
}

// anywhere returns the commands for everything the platform can be asked and told
// besides the calls and campaigns on the board.
func (a *Actions) anywhere() []palette.Command {
	return slices.Concat(a.messages.commands(), a.tickets.commands(), a.contacts.commands(), a.lists.commands(), a.runs.commands())
}
