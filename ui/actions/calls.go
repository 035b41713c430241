package actions

import (
	"context"
	"maps"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/style"
	"wallboard/ui/table"
)

// callsDialog lists the calls of an agent. If it has an operation, the viewer chooses a call for
// it.
type callsDialog struct {
	orders    *orderSender
	keys      *Keys
	target    floorview.Target
	operation resource.Operation // operation for the chosen call; "": the dialog only lists the calls

	requestID int // number of the last request; answers to earlier requests are dropped
	loaded    bool
	err       error
	list      []resource.Call

	selected int             // index of the selected call
	top      int             // index of the first visible call
	rows     int             // number of visible calls
	text     dialog.Scroller // details of the selected call
}

// callsMsg carries the calls of an agent, or an error, to the dialog.
type callsMsg struct {
	requestID int
	list      []resource.Call
	err       error
}

// openCalls opens the dialog with the calls of an agent. If v is not "", the viewer chooses a call
// for the operation v. If the agent has only one call, that call is chosen automatically.
func (a *agentActions) openCalls(t floorview.Target, v resource.Operation) tea.Cmd {
	d := &callsDialog{orders: a.orders, keys: a.keys, target: t, operation: v}
	return a.orders.dialogs.Open(d)
}

// Begin implements [dialog.Starter]. It requests the calls from the platform.
func (d *callsDialog) Begin() tea.Cmd {
	d.requestID++
	d.loaded, d.err = false, nil
	ctx, requestID, username := d.orders.dialogs.Context(), d.requestID, d.target.Key
	read := withController(d.orders, func(ctx context.Context, c *Controller) ([]resource.Call, error) {
		return c.Calls.CallsOf(ctx, username)
	})
	return d.orders.dialogs.RouteAnswer(d, func() tea.Msg {
		list, err := read(ctx)
		return callsMsg{requestID, list, err}
	})
}

// Title implements [dialog.Dialog].
func (d *callsDialog) Title() string {
	switch d.operation { //nolint:exhaustive // other operations are not about a call
	case resource.OpHangUp:
		return d.orders.translate(words.ActCallHangUp(d.target.Name))
	case resource.OpRecordingStart:
		return d.orders.translate(words.ActCallRecord(d.target.Name))
	}
	return d.orders.translate(words.ActCallCalls(d.target.Name))
}

// Size implements [dialog.Dialog].
func (d *callsDialog) Size(maxW, maxH int) (w, h int) {
	const rows = 16 // lines in addition to the list, for the details of the selected call
	return min(dialog.SheetWidth, maxW), min(max(len(d.list), 1)+rows, maxH)
}

// Update implements [dialog.Dialog].
func (d *callsDialog) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case callsMsg:
		return d.showCalls(msg)
	case tea.KeyPressMsg:
		return d.press(msg)
	case tea.MouseClickMsg:
		if index := d.top + msg.Y - d.headLines(); msg.Button == tea.MouseLeft && msg.Y >= d.headLines() && msg.Y < d.headLines()+d.rows && index < len(d.list) {
			if index == d.selected && d.operation != "" {
				return d.actOnSelected()
			}
			d.selected = index
		}
	case tea.MouseWheelMsg:
		d.text.Wheel(msg)
	}
	return nil
}

func (d *callsDialog) showCalls(msg callsMsg) tea.Cmd {
	if msg.requestID != d.requestID {
		return nil
	}
	d.loaded, d.list, d.err, d.selected, d.top = true, msg.list, msg.err, 0, 0
	if d.operation == "" || d.err != nil || d.orders.dialogs.Top() != dialog.Dialog(d) {
		return nil
	}
	switch {
	case len(d.list) == 1:
		return d.actOnSelected()
	case len(d.list) == 0 && d.operation == resource.OpHangUp && !d.isOffCall():
		cmd := d.actOnSelected() // the agent may be on a call that the platform does not list
		d.orders.dialogs.Close(d)
		return cmd
	}
	return nil
}

// isOffCall reports whether the newest snapshot shows that the agent is not on a call. It returns
// false if this is unknown.
func (d *callsDialog) isOffCall() bool {
	onCall, known := d.orders.isOnCall(d.target.Key)
	return known && !onCall
}

func (d *callsDialog) press(msg tea.KeyPressMsg) tea.Cmd {
	k := d.keys
	switch t := table.DefaultKeyMap(); {
	case msg.String() == "r" && d.loaded:
		return d.Begin()
	case !d.loaded || d.err != nil:
	case msg.String() == "enter" && d.operation != "":
		return d.actOnSelected()
	case key.Matches(msg, k.Stop):
		return d.confirmAndSend(resource.OpHangUp)
	case key.Matches(msg, k.Record):
		return d.confirmAndSend(resource.OpRecordingStart)
	case msg.String() == stopRecordingKey:
		return d.confirmAndSend(resource.OpRecordingStop)
	case key.Matches(msg, t.LineUp):
		d.moveSelection(-1)
	case key.Matches(msg, t.LineDown):
		d.moveSelection(1)
	default:
		d.text.Press(msg)
	}
	return nil
}

// stopRecordingKey is the key that stops a recording. The key that starts a recording is
// configurable, see [Keys].
const stopRecordingKey = "w"

func (d *callsDialog) moveSelection(delta int) {
	d.selected = max(min(d.selected+delta, len(d.list)-1), 0)
	d.text.ScrollToTop()
}

// actOnSelected requests the operation of the dialog for the selected call. If that would start the
// recording of a call that is already recorded, it requests to stop the recording instead.
func (d *callsDialog) actOnSelected() tea.Cmd {
	if d.operation == resource.OpRecordingStart && d.selected < len(d.list) && d.list[d.selected].RecFileName != "" {
		return d.confirmAndSend(resource.OpRecordingStop)
	}
	return d.confirmAndSend(d.operation)
}

// confirmAndSend asks for confirmation of the operation v on the selected call, and then sends the
// order. The order contains the ID of the call, if known, so that the platform cannot apply the
// operation to another call. For an agent without a listed call, hanging up is the only possible
// operation.
func (d *callsDialog) confirmAndSend(v resource.Operation) tea.Cmd {
	var c resource.Call
	switch {
	case d.selected < len(d.list):
		c = d.list[d.selected]
	case v != resource.OpHangUp:
		return nil
	}
	if reason := d.orders.refusal(v); reason != "" {
		return d.orders.dialogs.ShowMessage(reason)
	}
	if v != resource.OpHangUp && c.UniqueID == "" {
		return d.orders.dialogs.ShowMessage(d.orders.translate(words.ActCallNoId()))
	}
	o := actionOrder{
		operation: v, target: callName(d.target.Name, c), names: []string{d.target.Name, c.CLID, c.DNIS}, markedTarget: d.target,
		execute: callOrder(v, d.target.Key, c),
	}
	text, yes := d.question(v, c)
	q := dialog.Question{
		Name: d.orders.translate(words.OperationTitle(v)), Text: d.orders.translate(text), Subject: d.orders.questionSubject(d.target),
		YesLabel: d.orders.translate(yes), NoLabel: d.orders.translate(words.ActButtonLeaveIt()),
		Lines: d.detailLines(c, min(dialog.QuestionWidth, d.orders.dialogs.Width())), OnYes: func(bool) tea.Cmd { return d.orders.send(o, nil) },
	}
	if d.operation == "" {
		o.onSuccess = d.Begin // read the calls again after the operation
	} else {
		q.OnYes = func(bool) tea.Cmd {
			d.orders.dialogs.Close(d)
			return d.orders.send(o, nil)
		}
	}
	return d.orders.dialogs.OpenQuestionDialog(q)
}

// question returns the question that confirms the operation v on the call c, and the label of its button
// for yes.
func (d *callsDialog) question(v resource.Operation, c resource.Call) (text, yes words.Text) {
	agent := d.target.Name
	switch {
	case v == resource.OpRecordingStart && c.RecFileName != "":
		return words.ActCallAskRecordAgain(agent), words.ActButtonRecord()
	case v == resource.OpRecordingStart:
		return words.ActCallAskRecord(agent), words.ActButtonRecord()
	case v == resource.OpRecordingStop:
		return words.ActCallAskStopRecording(agent), words.ActButtonStopRecording()
	case len(d.list) == 0:
		return words.ActCallAskHangUpUnlisted(agent), words.ResourceHangUpTitle()
	case c.UniqueID == "":
		return words.ActCallAskHangUpAny(agent), words.ResourceHangUpTitle()
	}
	return words.ActCallAskHangUp(agent), words.ResourceHangUpTitle()
}

// callOrder returns a function that carries out the operation v on the call c of the user with the
// given name.
func callOrder(v resource.Operation, username string, c resource.Call) func(context.Context, *Controller) words.ActionReport {
	r := resource.Recording{Username: username, CallID: c.UniqueID}
	switch v { //nolint:exhaustive // other operations are not about a call
	case resource.OpRecordingStart:
		return func(ctx context.Context, c *Controller) words.ActionReport { return c.Calls.StartRecording(ctx, r) }
	case resource.OpRecordingStop:
		return func(ctx context.Context, c *Controller) words.ActionReport { return c.Calls.StopRecording(ctx, r) }
	}
	h := resource.HangUp{CallID: c.UniqueID, Username: username}
	return func(ctx context.Context, c *Controller) words.ActionReport { return c.Calls.HangUp(ctx, h) }
}

// callName returns the name of the agent and the numbers of the call, for the log of actions.
func callName(agent string, c resource.Call) words.Text {
	switch {
	case c.CLID == "" && c.DNIS == "":
		return words.Name(agent)
	case c.CLID == "" || c.DNIS == "":
		return words.ActCallCall(agent, c.CLID+c.DNIS)
	}
	return words.ActCallCallBetween(agent, c.CLID, c.DNIS)
}

// headLines returns the number of lines above the list of calls.
func (d *callsDialog) headLines() int {
	if d.orders.floor.MissingReason(d.target) != "" {
		return 1
	}
	return 0
}

// View implements [dialog.Dialog].
func (d *callsDialog) View(w, h int) []string {
	lk := d.orders.look()
	out := make([]string, 0, h)
	if missing := d.orders.floor.MissingReason(d.target); missing != "" {
		out = append(out, lk.Style(themes.Warn).Render(style.Truncate(missing, w, lk.Glyphs.Ellipsis)))
	}
	available := max(h-1-len(out), 0)
	switch {
	case !d.loaded:
		out = append(out, lk.Wrap(themes.Dim, translate(lk, words.ActCallLoading(d.target.Name))+lk.Glyphs.Ellipsis, w)...)
	case d.err != nil:
		out = append(out, lk.Wrap(themes.Critical, style.OneLine(translate(lk, words.TextOf(d.err))), w)...)
	case len(d.list) == 0:
		out = append(out, lk.Wrap(themes.Text, translate(lk, d.emptyText()), w)...)
	default:
		d.rows = min(len(d.list), max(available-2, 1), max(available/2, 3))
		d.top = max(min(d.top, d.selected), d.selected-d.rows+1)
		for i := d.top; i < d.top+d.rows && i < len(d.list); i++ {
			out = append(out, d.drawRow(d.list[i], i == d.selected, w))
		}
		if rest := h - 1 - len(out); rest > 1 {
			out = append(out, lk.Style(themes.Border).Render(strings.Repeat(lk.Glyphs.Rule, w)))
			out = append(out, d.text.View(d.detailLines(d.list[d.selected], w), 0, len(out), w, rest-1)...)
		}
	}
	out = style.FitLines(out, w, max(h-1, 0), lk.Glyphs.Ellipsis)
	return append(out, lk.HintLine(w, d.hints()...))[:h]
}

func (d *callsDialog) emptyText() words.Text {
	if d.isOffCall() {
		return words.ActCallNoneIdle(d.target.Name)
	}
	return words.ActCallNone(d.target.Name)
}

func (d *callsDialog) hints() []style.KeyHint {
	hint := func(key string, does words.Text) style.KeyHint {
		return style.KeyHint{Key: key, Description: d.orders.translate(does)}
	}
	read := hint("r", words.DialogKeyReadAgain())
	switch {
	case !d.loaded:
		return nil
	case d.err != nil, len(d.list) == 0 && d.operation != resource.OpHangUp:
		return []style.KeyHint{hint("r", words.DialogKeyTryAgain())}
	case len(d.list) == 0:
		return []style.KeyHint{read, hint("enter", words.ActKeyHangUpAnyway())}
	case d.operation != "":
		return []style.KeyHint{hint("enter", words.ActKeyChoose()), read}
	}
	return []style.KeyHint{hint(d.keys.Stop.Help().Key, words.ResourceHangUp()), hint(d.keys.Record.Help().Key, words.ActKeyRecord()), hint(stopRecordingKey, words.ActKeyStopRecording()), read}
}

// drawRow returns the line of a call: its duration, state, numbers and service, and whether it is
// recorded. chosen is true if the call is selected. w is the width of the line in cells.
func (d *callsDialog) drawRow(c resource.Call, chosen bool, w int) string {
	lk := d.orders.look()
	st, dim, pointer := lk.Style(themes.Text), lk.Style(themes.Dim), "  "
	if chosen {
		st, dim, pointer = lk.Style(themes.Selection), lk.Style(themes.Selection), lk.Glyphs.Pointer+" "
	}
	const since = 8
	talking, ringing := translate(lk, words.ActCallTalking()), translate(lk, words.ActCallRinging())
	stateWidth := max(since, style.Width(talking)+1, style.Width(ringing)+1)
	l := style.NewLine(w, lk.Glyphs.Ellipsis).Add(st, pointer)
	startedAt := c.Answer
	word := talking
	if startedAt.IsZero() {
		startedAt, word = c.Start, ringing
	}
	age := startedAt.String()
	if t, ok := startedAt.Get(); ok {
		age = lk.FormatDuration(max(d.orders.floor.ToServerTime(d.orders.floor.LocalNow).Sub(t), 0))
	}
	l.Add(dim, style.Fit(age, since, lk.Glyphs.Ellipsis)).Add(dim, style.Fit(word, stateWidth, ""))
	l.Add(st, joinNonEmpty(" "+lk.Glyphs.Crumb+" ", c.CLID, c.DNIS))
	if c.Service != "" {
		l.Add(dim, "  "+d.orders.floor.NameAndCode(model.NameService, c.Service))
	}
	if c.RecFileName != "" {
		l.Add(dim, "  "+translate(lk, words.ActCallRecorded()))
	}
	return l.Finish(st)
}

// detailLines returns the lines with all details of a call, at most w cells wide.
func (d *callsDialog) detailLines(c resource.Call, w int) []string {
	lk := d.orders.look()
	list := []labeledValue{
		{words.ActFieldFrom(), c.CLID},
		{words.ActFieldTo(), c.DNIS},
		{words.ActFieldService(), d.orders.floor.NameAndCode(model.NameService, c.Service)},
		{words.ActFieldGroup(), d.orders.floor.NameAndCode(model.NameGroup, c.Skillset)},
		{words.ActFieldStarted(), formatTime(lk, c.Start)},
		{words.ActFieldAnswered(), formatTime(lk, c.Answer)},
		{words.ActFieldEnded(), formatTime(lk, c.End)},
		{words.ActFieldRecording(), c.RecFileName},
		{words.ActFieldCallData(), c.CallData},
		{words.ActFieldCallId(), c.UniqueID},
		{words.ActFieldSipCallId(), c.SIPCallID},
	}
	for _, k := range slices.Sorted(maps.Keys(c.CallInfo)) {
		list = append(list, labeledValue{words.Name(k), c.CallInfo[k]})
	}
	var out []string
	for _, l := range labeledValueLines(lk, w, list...) {
		out = append(out, l.Text)
	}
	return out
}
