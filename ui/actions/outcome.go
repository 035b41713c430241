package actions

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
)

// outcomeDialog is the dialog that sends an order and waits for its outcome. It closes by itself if
// the outcome is OutcomeConfirmed. If the viewer closes the dialog earlier, the outcome is still
// stored in the log of actions.
type outcomeDialog struct {
	orders    *orderSender
	order     actionOrder
	form      *dialog.Form // form from which the order comes; nil: none
	startedAt time.Time
	report    *words.ActionReport // nil while running
	text      dialog.Scroller
}

// Begin implements [dialog.Starter]. It sends the order.
func (d *outcomeDialog) Begin() tea.Cmd { return d.orders.execute(d, d.order) }

// Title implements [dialog.Dialog].
func (d *outcomeDialog) Title() string {
	return d.orders.translate(words.OperationTitle(d.order.operation))
}

// Size implements [dialog.Dialog].
func (d *outcomeDialog) Size(maxW, maxH int) (w, h int) {
	w = min(dialog.QuestionWidth, maxW)
	h = len(d.lines(w))
	if d.canCorrect() {
		h += dialog.HintRows
	}
	return w, min(h, maxH)
}

func (d *outcomeDialog) lines(w int) []string {
	lk := d.orders.look()
	out := lk.Wrap(themes.Title, translate(lk, d.order.target), w)
	if d.report == nil {
		out = append(out, lk.Wrap(themes.Pending, translate(lk, d.orders.waitingText(d.startedAt)), w)...)
		return append(out, lk.Wrap(themes.Dim, translate(lk, words.ActClosing()), w)...)
	}
	token := outcomeToken(d.report.Outcome)
	out = append(out, lk.Wrap(token, outcomeGlyph(d.report.Outcome, lk.ASCII)+" "+translate(lk, outcomeTitle(d.report.Outcome)), w)...)
	for _, l := range style.WrapText(translate(lk, d.report.Text), w) {
		out = append(out, lk.Style(themes.Text).Render(l))
	}
	return out
}

// canCorrect reports whether the viewer can correct the form and send it again. It returns true
// only if the platform has certainly done nothing.
func (d *outcomeDialog) canCorrect() bool {
	return d.form != nil && d.report != nil &&
		(d.report.Outcome == resource.OutcomeRejected || d.report.Outcome == resource.OutcomeNotSent)
}

// View implements [dialog.Dialog].
func (d *outcomeDialog) View(w, h int) []string {
	lk := d.orders.look()
	if !d.canCorrect() {
		return d.text.ViewCounted(lk, d.lines(w), 0, 0, w, h)
	}
	out := d.text.ViewCounted(lk, d.lines(w), 0, 0, w, max(h-1, 0))
	return append(out, lk.HintLine(w, style.KeyHint{Key: "enter", Description: translate(lk, words.ActKeyCorrect())}))[:h]
}

// Update implements [dialog.Dialog].
func (d *outcomeDialog) Update(msg tea.Msg) tea.Cmd {
	dialogs := d.orders.dialogs
	switch msg := msg.(type) {
	case reportMsg:
		d.report = &msg.report
		if msg.report.Outcome != resource.OutcomeConfirmed {
			return nil
		}
		dialogs.Close(d)
		if d.order.onSuccess != nil {
			return d.order.onSuccess()
		}
	case tea.KeyPressMsg:
		if msg.String() != "enter" {
			d.text.Press(msg)
			return nil
		}
		if d.report != nil {
			dialogs.Close(d)
		}
		if d.canCorrect() {
			cmd := dialogs.Open(d.form)
			d.form.Fields.FocusFirst() // without this, the next enter would press the button of the form
			dialogs.MuteKey("enter")
			return cmd
		}
	case tea.MouseWheelMsg:
		d.text.Wheel(msg)
	}
	return nil
}

// outcomeGlyph returns the glyph for an outcome, one cell wide. If ascii is true, it is an ASCII
// character.
func outcomeGlyph(o resource.Outcome, ascii bool) string {
	switch o {
	case resource.OutcomeConfirmed:
		return markConfirmed.rowMark(ascii).Glyph
	case resource.OutcomeRejected, resource.OutcomeNotSent:
		return markRejected.rowMark(ascii).Glyph
	case resource.OutcomeUnknown:
	}
	return markUnconfirmed.rowMark(ascii).Glyph
}
