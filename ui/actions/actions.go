package actions

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/record/analysis"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/render"
)

// Keys holds the key bindings for actions on the selected agent or campaign. On a read-only board,
// all bindings except Mark are disabled.
type Keys struct {
	Actions         key.Binding
	Dial            key.Binding // dials for an agent, or starts a campaign
	Stop            key.Binding // hangs up, or stops a campaign
	Record          key.Binding
	CallsOrSettings key.Binding // an agent's calls, or a campaign's settings
	Edit            key.Binding
	Log             key.Binding
	Mark            key.Binding // marks a row, so that an action applies to several
}

// IsAction reports whether msg is the key of an enabled binding in k.
func (k *Keys) IsAction(msg tea.KeyPressMsg) bool {
	return slices.ContainsFunc(k.All(), func(b *key.Binding) bool { return key.Matches(msg, *b) })
}

// All returns all key bindings in the order in which the help lists them.
func (k *Keys) All() []*key.Binding {
	return []*key.Binding{&k.Actions, &k.Dial, &k.Stop, &k.Record, &k.CallsOrSettings, &k.Edit, &k.Log, &k.Mark}
}

// Actions holds the actions of one board.
type Actions struct {
	keys         *Keys
	orders       *orderSender
	extraActions func(floorview.Target) []LocalAction // returns the commands of the configuration for a target; nil: none

	agents    agentActions
	campaigns campaignActions
	lists     *listActions
	runs      runActions
	contacts  contactActions
	tickets   ticketActions
	messages  messageActions
}

// New returns the actions of a board. The board is read-only until [Actions.SetController] is
// called.
func New(dialogs *dialog.Stack, view *floorview.View, keys *Keys) *Actions {
	sender := &orderSender{dialogs: dialogs, floor: view}
	l := &listActions{orders: sender}
	return &Actions{
		keys: keys, orders: sender, agents: agentActions{orders: sender, keys: keys}, campaigns: campaignActions{orders: sender, lists: l}, lists: l,
		runs: runActions{orders: sender}, contacts: contactActions{orders: sender}, tickets: ticketActions{orders: sender}, messages: messageActions{orders: sender},
	}
}

// SetController sets the controller for actions. A nil controller makes the board read-only.
func (a *Actions) SetController(c *Controller) {
	a.orders.controller.Store(c)
	for _, b := range a.keys.All() {
		b.SetEnabled(c != nil || b == &a.keys.Mark) // a read-only board can still mark rows, because alerts are taken over without a controller
	}
}

// OnActionFinished sets a function that is called with a mark for the recording when an action has
// finished.
func (a *Actions) OnActionFinished(record func(model.Event)) { a.orders.recordEvent = record }

// SetEffectsFunc sets the function that returns the [analysis.EffectsFunc] of the log of actions.
// measure returns nil if effects currently cannot be measured.
func (a *Actions) SetEffectsFunc(measure func() analysis.EffectsFunc) { a.orders.measureFunc = measure }

// LocalAction is an action on a target that sends nothing to the platform, such as a configured
// command.
type LocalAction struct {
	Key         key.Binding
	Description string // the same in all languages
	Run         func() tea.Cmd
}

// SetExtraActions sets the function that returns the local actions on a target for the menu.
func (a *Actions) SetExtraActions(extras func(floorview.Target) []LocalAction) {
	a.extraActions = extras
}

// CanAct reports whether the board has a controller, that is, whether it is not read-only.
func (a *Actions) CanAct() bool { return a.orders.controller.Load() != nil }

// RunningNames returns the names of the actions whose outcome has not arrived yet.
func (a *Actions) RunningNames() []string {
	return a.orders.translateAll(a.orders.records.runningNames())
}

// PendingMarks returns the marks of recent actions on the rows of their targets. It returns nil if
// there are none.
func (a *Actions) PendingMarks() *render.ActionMarks { return a.orders.pending.rows }

// UpdateMarks updates the marks of recent actions from the newest snapshot and the clock. It
// reports whether a mark has changed or was removed.
func (a *Actions) UpdateMarks() bool { return a.orders.pending.update(a.orders.look(), a.orders.floor) }

// OpenMenu opens the menu of the actions on the target t. It does nothing on a read-only board, or
// if t is the zero Target.
func (a *Actions) OpenMenu(t floorview.Target) tea.Cmd {
	if !a.CanAct() || !t.IsSet() {
		return nil
	}
	return a.orders.dialogs.Open(&menuDialog{orders: a.orders, target: t, actions: a.actionsOn(t)})
}

// NoEffectReason returns the reason why the key of an action has no effect on a target. It returns
// "" if msg is not a key of an action.
func (a *Actions) NoEffectReason(msg tea.KeyPressMsg, t floorview.Target) string {
	for _, b := range a.keys.All() {
		switch help := b.Help(); { // on a read-only board the bindings are disabled
		case !slices.Contains(b.Keys(), msg.String()):
		case !a.CanAct():
			return a.orders.translate(words.ActReadOnly())
		case t.IsSet():
			return a.orders.translate(words.ActNotFor(help.Key, help.Desc, t.Name))
		default:
			return a.orders.translate(words.ActSelectFirst(help.Key, help.Desc))
		}
	}
	return ""
}

// Press handles the keys of actions on the target t. A zero t means that no record is selected.
// handled is false for all other keys, and on a read-only board.
func (a *Actions) Press(msg tea.KeyPressMsg, t floorview.Target) (cmd tea.Cmd, handled bool) {
	if !a.CanAct() {
		return nil, false
	}
	if key.Matches(msg, a.keys.Log) {
		return a.openLog(), true
	}
	if !t.IsSet() {
		return nil, false
	}
	run := func() tea.Cmd { return a.OpenMenu(t) }
	if !key.Matches(msg, a.keys.Actions) {
		run = nil
		for _, action := range a.actionsOn(t) {
			if key.Matches(msg, action.key) {
				run = func() tea.Cmd { return action.execute(a.orders, t) }
			}
		}
	}
	if run == nil {
		return nil, false
	}
	a.orders.dialogs.MuteKey(msg.String())
	return run(), true
}

// Commands returns the palette commands for actions. onTarget holds the commands for the target t,
// and is empty for the zero Target. anywhere holds the commands that do not depend on the
// selection.
func (a *Actions) Commands(t floorview.Target) (onTarget, anywhere []dialog.Command) {
	if t.IsSet() {
		for _, action := range a.actionsOn(t) {
			if action.isLocal {
				continue // the palette has it from [CommandLauncher.Commands]
			}
			onTarget = append(onTarget, dialog.Command{
				Name: a.orders.translate(words.ActOnTarget(t.Name, action.description)), Run: func() tea.Cmd { return action.execute(a.orders, t) },
				Key: action.key.Help().Key, AffectsOthers: action.operation != "",
			})
		}
	}
	anywhere = append(a.campaigns.commands(a.keys),
		dialog.Command{Name: a.orders.translate(words.ActPaletteLog()), Key: a.keys.Log.Help().Key, Run: a.openLog},
		dialog.Command{Name: a.orders.translate(words.ActCampaignPaletteCreate()), Run: a.campaigns.createCampaign})
	return onTarget, append(anywhere, a.commandsWithoutTarget()...)
}

// commandsWithoutTarget returns the palette commands for messages, tickets, contacts, lists and
// runs, which have no rows on the board.
func (a *Actions) commandsWithoutTarget() []dialog.Command {
	return slices.Concat(a.messages.commands(), a.tickets.commands(), a.contacts.commands(), a.lists.commands(), a.runs.commands())
}
