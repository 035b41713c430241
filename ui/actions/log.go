package actions

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/record/analysis"
	"wallboard/internal/words"
	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
)

// actionLog is the dialog that lists the last maxRecords actions of this board, newest first.
type actionLog struct {
	orders  *orderSender
	text    dialog.Scroller
	effects map[uint64]string // measured effects, by number of the action in the log
}

// effectsMsg carries the measured effects to the log, by the numbers of the actions.
type effectsMsg map[uint64]string

// measureEffectsMsg makes the log of actions measure the effects again.
type measureEffectsMsg struct{}

// effectsInterval is the time between two measurements of the effects of actions. A shorter
// interval would be useless, because effects appear after minutes and a recording has a full
// snapshot only once a minute.
const effectsInterval = time.Minute

// Begin implements [dialog.Starter]. It returns a command that measures the effects of the actions,
// or nil if effects cannot be measured. While the log is open, Begin is called again every
// effectsInterval.
func (d *actionLog) Begin() tea.Cmd {
	var measure analysis.EffectsFunc
	if d.orders.measureFunc != nil {
		measure = d.orders.measureFunc()
	}
	if measure == nil {
		return nil
	}
	actions, numbers := d.orders.records.measurableActions(d.orders.floor)
	ctx := d.orders.dialogs.Context()
	return d.orders.dialogs.RouteAnswer(d, func() tea.Msg {
		if len(actions) == 0 {
			return effectsMsg(nil)
		}
		found, err := measure(ctx, actions)
		if err != nil { // without effects, the log still shows the actions
			return effectsMsg(nil)
		}
		out := make(effectsMsg, len(found))
		for i, text := range found {
			out[numbers[i]] = text
		}
		return out
	})
}

// openLog opens the log of actions.
func (a *Actions) openLog() tea.Cmd {
	return a.orders.dialogs.Open(&actionLog{orders: a.orders})
}

// Title implements [dialog.Dialog].
func (d *actionLog) Title() string { return d.orders.translate(words.ActLogTitle()) }

// Size implements [dialog.Dialog].
func (d *actionLog) Size(maxW, maxH int) (w, h int) {
	const least = 8
	w = min(dialog.SheetWidth, maxW)
	return w, min(max(len(d.lines(w)), least), maxH)
}

// Update implements [dialog.Dialog].
func (d *actionLog) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case effectsMsg:
		d.effects = msg
		return d.orders.dialogs.RouteAnswer(d, dialog.DelayMsg(d.orders.dialogs.Context(), effectsInterval, measureEffectsMsg{}))
	case measureEffectsMsg:
		return d.Begin()
	}
	d.text.Update(msg)
	return nil
}

// View implements [dialog.Dialog].
func (d *actionLog) View(w, h int) []string {
	return d.text.ViewCounted(d.orders.look(), d.lines(w), 0, 0, w, h)
}

func (d *actionLog) lines(w int) []string {
	if len(d.orders.records.list) == 0 {
		return d.orders.look().Wrap(themes.Text, d.orders.translate(words.ActLogEmpty()), w)
	}
	var out []string
	for i := len(d.orders.records.list) - 1; i >= 0; i-- {
		if len(out) > 0 {
			out = append(out, "")
		}
		out = append(out, d.entryLines(&d.orders.records.list[i], w)...)
	}
	return out
}

// entryLines returns the lines of an action: its time, outcome and name, then its details. It omits
// the name of the target if the message of the outcome contains it.
func (d *actionLog) entryLines(e *loggedAction, w int) []string {
	lk := d.orders.look()
	token, word, glyph := themes.Pending, words.ActLogPending(), markPending.rowMark(lk.ASCII).Glyph
	if !e.endedAt.IsZero() {
		o := e.report.Outcome
		token, word, glyph = outcomeToken(o), words.OutcomeName(o), outcomeGlyph(o, lk.ASCII)
		if o == resource.OutcomeUnknown {
			token, word = themes.BadgeWarn, words.ActLogUnknown()
		}
	}
	width := 10 // width of the words for outcomes in cells, at least 10
	for _, t := range []words.Text{words.ActConfirmed(), words.ActRejected(), words.ActNotSent(), words.ActLogUnknown(), words.ActLogPending()} {
		width = max(width, style.Width(translate(lk, t)))
	}
	l := style.NewLine(w, lk.Glyphs.Ellipsis)
	l.Add(lk.Style(themes.Dim), string(lk.Format.Clock(nil, d.orders.floor.ToServerTime(e.askedAt)))+"  ")
	l.Add(lk.Style(token), glyph+" "+style.Fit(translate(lk, word), width, "")).Space(themes.Style{}, 1)
	l.Add(lk.Style(themes.Accent), translate(lk, words.OperationTitle(e.order.operation)))
	out := []string{l.Finish(themes.Style{})}
	const indent = 10
	outcomeText := e.report.Text.In(lk.Format.Words)
	if e.endedAt.IsZero() {
		outcomeText = translate(lk, d.orders.waitingText(e.askedAt))
	}
	target := translate(lk, e.order.target)
	if e.order.isNamedIn(outcomeText) {
		target = ""
	}
	for _, text := range []struct {
		token themes.Token
		said  string
	}{{themes.Text, target}, {themes.Critical, e.report.Warning.In(lk.Format.Words)}, {themes.Dim, outcomeText}, {themes.Accent, d.effects[e.number]}} {
		if text.said == "" {
			continue
		}
		for _, line := range style.WrapText(text.said, max(w-indent, 1)) {
			out = append(out, style.Blanks(indent)+lk.Style(text.token).Render(line))
		}
	}
	return out
}

// isNamedIn reports whether text contains all names of the target.
func (o *actionOrder) isNamedIn(text string) bool {
	return len(o.names) > 0 && !slices.ContainsFunc(o.names, func(name string) bool { return !strings.Contains(text, name) })
}
