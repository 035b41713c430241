package boarddialogs

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/ui/dialog"
	"wallboard/ui/panes"
	"wallboard/ui/style"
	"wallboard/ui/widgets"
)

// chartDialog is the dialog that shows the chart of a record on the whole screen.
type chartDialog struct {
	dialogs *dialog.Stack
	board   Board
	subject alert.Key
	plot    widgets.Plot
	shift   agentShift // recorded shift of an agent
}

// OpenChart opens a dialog with a chart of the figures of a record. For an agent, the dialog also
// shows the last hour and the recorded shift.
func OpenChart(dialogs *dialog.Stack, b Board, subject alert.Key) tea.Cmd {
	return dialogs.Open(&chartDialog{dialogs: dialogs, board: b, subject: subject, plot: widgets.Plot{Subjects: []alert.Key{subject}}})
}

// Begin implements [dialog.Starter]. If the record is an agent, it returns a command that reads the
// recorded shift.
func (d *chartDialog) Begin() tea.Cmd {
	shifts := d.board.Shifts()
	if d.subject.Scope != alert.User || shifts == nil {
		return nil
	}
	d.shift.requested = true
	ctx, username := d.dialogs.Context(), d.subject.Code
	return d.dialogs.RouteAnswer(d, func() tea.Msg {
		known, err := shifts(ctx, username)
		return shiftMsg{known, err}
	})
}

// Title implements [dialog.Dialog].
func (d *chartDialog) Title() string { return d.board.Scene().Charts().TitleOf(d.subject) }

// Size implements [dialog.Dialog]. The dialog takes all available lines. For an agent without a
// chart, it takes only the lines of the last hour and the shift.
func (d *chartDialog) Size(maxW, maxH int) (w, h int) {
	if sc := d.board.Scene(); d.hasNoChart(sc) {
		return maxW, min(len(d.shiftLines(sc, maxW)), maxH)
	}
	return maxW, maxH
}

// shiftLines returns the lines above the chart of an agent: the last hour, with its gaps filled from the
// recorded shift, and the shift itself. It returns nil if the record is not an agent or there is no snapshot.
func (d *chartDialog) shiftLines(sc *panes.Scene, w int) []string {
	if d.subject.Scope != alert.User || sc.Floor.Shown == nil {
		return nil
	}
	ch := cmp.Or(d.subject.Channel, sc.Floor.Channel)
	known := widgets.HourLines(sc.Floor.Shown, d.subject.Code, ch, sc.Alarms.LastHour)
	for i := range known {
		known[i].AgentHour = d.shift.fillUnknownStates(known[i].AgentHour, known[i].Channel)
	}
	return append(widgets.DrawHours(sc.Look, known, w), d.shift.lines(sc, d.subject, w)...)
}

// hasNoChart reports whether the dialog has no chart because the record is an agent and there are
// no configured figures of agents.
func (d *chartDialog) hasNoChart(sc *panes.Scene) bool {
	return d.subject.Scope == alert.User && len(sc.Alarms.Engine.ChartedKPIs(alert.User)) == 0
}

// View implements [dialog.Dialog].
func (d *chartDialog) View(w, h int) []string {
	sc := d.board.Scene()
	above := d.shiftLines(sc, w)
	if d.hasNoChart(sc) {
		return above[:min(len(above), h)]
	}
	if len(above) > 0 {
		above = append(above, "")
	}
	const least = 8 // minimum number of lines for the chart
	if h-len(above)-1 < least {
		above = nil
	}
	out := d.plot.View(sc.Charts(), 0, len(above), w, h-1-len(above))
	out = append(above, out...)
	sc.Floor.FadeStale(sc.Look, out, d.subject.Scope.Subscriptions()...)
	keys := widgets.Keys(sc.Look)
	if d.plot.Window.Step == 0 { // there are no figures to draw
		keys = nil
	}
	if !d.plot.Cursor.IsZero() {
		keys = append([]style.KeyHint{{Key: "esc", Description: words.DialogKeyBackToNow().In(sc.Look.Format.Words)}}, keys...)
	}
	return append(out, sc.Look.HintLine(w, keys...))
}

// Update implements [dialog.Dialog].
func (d *chartDialog) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case shiftMsg:
		d.shift.setResult(msg)
	case tea.KeyPressMsg:
		d.plot.Press(msg.String())
	case tea.MouseClickMsg:
		d.plot.Click(msg.X, msg.Y)
	case tea.MouseWheelMsg:
		d.plot.Wheel(msg)
	}
	return nil
}

// HandleEsc implements [dialog.EscHandler]. The first esc only removes the cursor of the chart.
func (d *chartDialog) HandleEsc() bool { return d.plot.ClearCursor() }
