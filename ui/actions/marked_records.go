package actions

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/render"
	"wallboard/ui/table"
)

// MarkedRecords holds the agents or the campaigns marked by the viewer in a table, for an action on
// all of them.
type MarkedRecords struct {
	Targets      []floorview.Target // each with its name at the time when it was marked
	MissingNames []string           // names of the marked records that the feed no longer contains
	Clear        func()             // removes all marks
}

// bulkAction is an action that the viewer can carry out on several targets at once.
type bulkAction struct {
	operation   resource.Operation
	menuLine    words.Text                          // the action in the menu: "stop"
	buttonLabel words.Text                          // label of the button: "Stop"
	marked      func(n int) words.Text              // "5 marked campaigns"
	title       func(n int) words.Text              // "Stop 5 campaigns"
	question    func(n int) words.Text              // "Stop 5 campaigns? They make no calls …"
	warning     func([]floorview.Target) words.Text // returns a warning for the question, or zero; may be nil
	skipReason  func(floorview.Target) words.Text   // returns the reason why the action omits a target, or zero; may be nil
	execute     func(floorview.Target) func(context.Context, *Controller) words.ActionReport
}

// bulkActions returns the actions that are possible on several records of a kind, by the key
// bindings that start them.
func (a *Actions) bulkActions(kind floorview.RecordKind) map[*key.Binding]*bulkAction {
	if kind == floorview.Campaign {
		return map[*key.Binding]*bulkAction{&a.keys.Dial: a.campaigns.bulkStart(), &a.keys.Stop: a.campaigns.bulkStop()}
	}
	return map[*key.Binding]*bulkAction{&a.keys.Record: a.agents.recordCallsAction()}
}

// PressMarked handles the keys of actions while the records in m are marked. handled is false for
// all other keys, for Log and Mark, and on a read-only board.
func (a *Actions) PressMarked(msg tea.KeyPressMsg, m MarkedRecords) (cmd tea.Cmd, handled bool) {
	if !a.CanAct() || !a.keys.IsAction(msg) || key.Matches(msg, a.keys.Log, a.keys.Mark) {
		return nil, false
	}
	if len(m.Targets) == 0 {
		return a.orders.dialogs.ShowMessage(a.orders.translate(words.ActMarkedNone())), true
	}
	actions := a.bulkActions(m.Targets[0].Kind)
	if key.Matches(msg, a.keys.Actions) {
		a.orders.dialogs.MuteKey(msg.String())
		return a.openMarkedMenu(m, actions), true
	}
	for b, s := range actions {
		if key.Matches(msg, *b) {
			a.orders.dialogs.MuteKey(msg.String())
			return a.orders.askBulk(s, m), true
		}
	}
	return a.orders.dialogs.ShowMessage(a.orders.translate(words.ActMarkedSingle(a.keys.Actions.Help().Key))), true
}

// openMarkedMenu opens the menu of the given actions on the records in m.
func (a *Actions) openMarkedMenu(m MarkedRecords, actions map[*key.Binding]*bulkAction) tea.Cmd {
	d := &menuDialog{orders: a.orders}
	for _, b := range a.keys.All() {
		if s := actions[b]; s != nil {
			d.target.Name = a.orders.translate(s.marked(len(m.Targets)))
			d.actions = append(d.actions, action{key: *b, description: s.menuLine, operation: s.operation, run: func(floorview.Target) tea.Cmd {
				return a.orders.askBulk(s, m)
			}})
		}
	}
	return a.orders.dialogs.Open(d)
}

// skipReason returns the reason why the action s omits the target t, or the zero Text if the action is
// possible on t.
func (o *orderSender) skipReason(s *bulkAction, t floorview.Target) words.Text {
	if reason := o.floor.MissingReason(t); reason != "" {
		return words.Name(reason)
	}
	if t.Kind == floorview.Campaign { // a changed name means that the platform may have given the ID to another campaign
		if current, ok := o.floor.TargetOf(t.Kind, t.Key); ok && current.Name != t.Name {
			return words.ActRenamed(t.Name, current.Name)
		}
	}
	if s.skipReason != nil {
		return s.skipReason(t)
	}
	return words.Text{}
}

// splitTargets returns the marked targets on which the action s is possible. reasons contains a
// message for each marked record that is omitted.
func (o *orderSender) splitTargets(s *bulkAction, m MarkedRecords) (targets []floorview.Target, reasons []words.Text) {
	for _, name := range m.MissingNames {
		reasons = append(reasons, words.ActVanished(name))
	}
	for _, t := range m.Targets {
		if reason := o.skipReason(s, t); !reason.IsZero() {
			reasons = append(reasons, reason)
			continue
		}
		targets = append(targets, t)
	}
	return targets, reasons
}

// askBulk asks one question about all marked targets and, if the viewer confirms, carries out the
// action s on them.
func (o *orderSender) askBulk(s *bulkAction, m MarkedRecords) tea.Cmd {
	name := o.translate(words.OperationTitle(s.operation))
	if reason := o.refusal(s.operation); reason != "" {
		return o.dialogs.OpenWarning(name, reason, "")
	}
	targets, reasons := o.splitTargets(s, m)
	if len(targets) == 0 {
		return o.dialogs.OpenWarning(name, o.translate(words.ActNonePossible()), strings.Join(o.translateAll(reasons), "\n"))
	}
	return o.dialogs.OpenQuestionDialog(dialog.Question{
		Name: name, Text: o.translate(s.question(len(targets))), YesLabel: o.translate(s.buttonLabel), NoLabel: o.translate(words.ActButtonLeaveThem()),
		LiveLines: func() []string { return o.bulkLines(s, m) },
		OnYes: func(bool) tea.Cmd {
			if m.Clear != nil {
				m.Clear()
			}
			return o.dialogs.Open(&batchDialog{orders: o, action: s, items: newBatchItems(m.Targets)})
		},
	})
}

// maxNamedTargets limits the number of targets that a question lists by name. The rest is only
// counted, so that the question stays readable.
const maxNamedTargets = 60

// bulkLines returns the lines of the question about the marked targets: their names, the warning,
// and the reasons why marked records are omitted.
func (o *orderSender) bulkLines(s *bulkAction, m MarkedRecords) []string {
	targets, reasons := o.splitTargets(s, m)
	names := make([]string, 0, min(len(targets), maxNamedTargets))
	for _, t := range targets[:min(len(targets), maxNamedTargets)] {
		names = append(names, t.Name)
	}
	out := []string{strings.Join(names, ", ")}
	if more := len(targets) - len(names); more > 0 {
		out[0] = o.translate(words.ActNamesMore(out[0], more))
	}
	if s.warning != nil {
		if text := s.warning(targets); !text.IsZero() {
			out = append(out, o.translate(text))
		}
	}
	for _, reason := range reasons[:min(len(reasons), maxNamedTargets)] {
		out = append(out, o.translate(words.ActLeftOut(reason)))
	}
	return out
}

// bulkStart returns the action that starts several campaigns.
func (a *campaignActions) bulkStart() *bulkAction {
	return &bulkAction{
		operation: resource.OpCampaignStart, menuLine: words.ActMenuStart(), buttonLabel: words.ActButtonStart(),
		marked: words.ActCampaignMarked, title: words.ActCampaignStartSeveral, question: words.ActCampaignAskStartSeveral,
		skipReason: func(t floorview.Target) words.Text {
			if s := a.orders.floor.Newest; s != nil && isDialing(s.Campaigns.Get(int64(t.CampaignID()))) {
				return words.ActCampaignAlreadyRunning(t.Name)
			}
			return words.Text{}
		},
		execute: func(t floorview.Target) func(context.Context, *Controller) words.ActionReport {
			return func(ctx context.Context, c *Controller) words.ActionReport {
				return c.Campaigns.StartCampaign(ctx, resource.CampaignSwitch{ID: t.CampaignID()})
			}
		},
	}
}

// bulkStop returns the action that stops several campaigns.
func (a *campaignActions) bulkStop() *bulkAction {
	return &bulkAction{
		operation: resource.OpCampaignStop, menuLine: words.ActMenuStop(), buttonLabel: words.ActButtonStop(),
		marked: words.ActCampaignMarked, title: words.ActCampaignStopSeveral, question: words.ActCampaignAskStopSeveral,
		warning: func(targets []floorview.Target) words.Text {
			talking := 0
			for _, t := range targets {
				if n, known := a.talkingContacts(t); !known {
					return words.ActCampaignTalkingSeveralUnknown()
				} else if n > 0 {
					talking++
				}
			}
			if talking == 0 {
				return words.Text{}
			}
			return words.ActCampaignTalkingSeveral(talking)
		},
		execute: func(t floorview.Target) func(context.Context, *Controller) words.ActionReport {
			return func(ctx context.Context, c *Controller) words.ActionReport {
				return c.Campaigns.StopCampaign(ctx, resource.CampaignSwitch{ID: t.CampaignID()})
			}
		},
	}
}

// switchAll asks whether to carry out s, which starts or stops campaigns, on all campaigns for
// which applies returns true. If there are none, it shows the message none. It asks nothing while
// the figures of campaigns are outdated.
func (a *campaignActions) switchAll(s *bulkAction, applies func(*model.Campaign) bool, none words.Text) tea.Cmd {
	view := a.orders.floor
	if view.Newest == nil || view.DoubtAbout(model.OpCampaigns).Stale {
		return a.orders.dialogs.ShowMessage(a.orders.translate(words.ActCampaignNotLive()))
	}
	var m MarkedRecords
	for r := range view.Newest.Campaigns.All() {
		if t, ok := view.TargetOf(floorview.Campaign, strconv.FormatInt(r.Key(), 10)); ok && applies(r) {
			m.Targets = append(m.Targets, t)
		}
	}
	slices.SortFunc(m.Targets, func(a, b floorview.Target) int { return table.CompareFold(a.Name, b.Name) })
	if len(m.Targets) == 0 {
		return a.orders.dialogs.ShowMessage(a.orders.translate(none))
	}
	return a.orders.askBulk(s, m)
}

// isRunning reports whether a campaign is dialing, has lines, or has the state running on the
// board.
func isRunning(c *model.Campaign) bool {
	return isDialing(c) || c.AllocatedChannels.Or(0) > 0 || render.CampaignStateOf(c) == render.CampaignRunning
}

// canStart reports whether a campaign is not running and still has contacts to call.
func canStart(c *model.Campaign) bool {
	return !isRunning(c) && render.CampaignStateOf(c) != render.CampaignEmpty
}

// recordCallsAction returns the action that records the current calls of several agents.
func (a *agentActions) recordCallsAction() *bulkAction {
	return &bulkAction{
		operation: resource.OpRecordingStart, menuLine: words.ActMenuRecordSeveral(), buttonLabel: words.ActButtonRecord(),
		marked: words.ActCallMarked, title: words.ActCallRecordSeveral, question: words.ActCallAskRecordSeveral,
		skipReason: func(t floorview.Target) words.Text {
			if onCall, known := a.orders.isOnCall(t.Key); known && !onCall {
				return words.ActCallNotOnCall(t.Name)
			}
			return words.Text{}
		},
		execute: func(t floorview.Target) func(context.Context, *Controller) words.ActionReport {
			showCalls := a.keys.CallsOrSettings.Help().Key
			return func(ctx context.Context, c *Controller) words.ActionReport {
				call, problem := onlyCall(ctx, c, t, showCalls)
				if !problem.IsZero() {
					return words.ActionReport{Outcome: resource.OutcomeNotSent, Text: problem}
				}
				return callOrder(resource.OpRecordingStart, t.Key, call)(ctx, c)
			}
		},
	}
}

// onlyCall returns the call of an agent. If the calls cannot be read, or the agent does not have
// exactly one call with an ID, problem says so. showCalls is the key that shows the calls of an agent.
func onlyCall(ctx context.Context, c *Controller, t floorview.Target, showCalls string) (call resource.Call, problem words.Text) {
	list, err := c.Calls.CallsOf(ctx, t.Key)
	list = resource.CurrentCalls(list)
	switch {
	case err != nil:
		return call, words.TextOf(err)
	case len(list) == 0:
		return call, words.ActCallNone(t.Name)
	case len(list) > 1:
		return call, words.ActCallSeveral(t.Name, showCalls)
	case list[0].UniqueID == "":
		return call, words.ActCallNoId()
	}
	return list[0], words.Text{}
}
