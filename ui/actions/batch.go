package actions

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
)

// batchDialog is the dialog that carries out an action on several targets and shows the outcome for
// each. It closes by itself if all outcomes are OutcomeConfirmed. If the viewer closes it earlier,
// the action continues.
type batchDialog struct {
	orders *orderSender
	action *bulkAction
	items  []batchItem
	text   dialog.Scroller
}

// batchItem is one target of a batch.
type batchItem struct {
	target       floorview.Target
	recordNumber uint64              // number of the order in the log
	report       *words.ActionReport // nil while running
}

func newBatchItems(targets []floorview.Target) []batchItem {
	out := make([]batchItem, len(targets))
	for i, t := range targets {
		out[i].target = t
	}
	return out
}

// maxParallel limits the number of orders of a batch that run at the same time, and thus the load
// on the platform.
const maxParallel = 4

// Begin implements [dialog.Starter]. It sends an order for each target. If the action is not
// possible on a target, the outcome for that target is OutcomeNotSent.
func (d *batchDialog) Begin() tea.Cmd {
	slots := make(chan struct{}, maxParallel)
	cmds := make([]tea.Cmd, len(d.items))
	for i := range d.items {
		t := d.items[i].target
		o := actionOrder{operation: d.action.operation, target: words.Name(t.Name), names: []string{t.Name}, markedTarget: t, execute: limitParallelOrders(slots, d.action.execute(t))}
		if reason := d.orders.skipReason(d.action, t); !reason.IsZero() {
			o.execute = func(context.Context, *Controller) words.ActionReport {
				return words.ActionReport{Outcome: resource.OutcomeNotSent, Text: reason}
			}
		}
		cmds[i] = d.orders.execute(d, o)
		d.items[i].recordNumber = d.orders.records.lastNumber
	}
	return tea.Batch(cmds...)
}

// limitParallelOrders returns a function that waits for a free slot and then calls execute. The
// capacity of slots is the maximum number of orders that run at the same time. If the board is
// closed before a slot is free, the outcome is OutcomeNotSent.
func limitParallelOrders(slots chan struct{}, execute func(context.Context, *Controller) words.ActionReport) func(context.Context, *Controller) words.ActionReport {
	return func(ctx context.Context, c *Controller) words.ActionReport {
		select {
		case slots <- struct{}{}: // with a free slot, the order is executed even if ctx has ended
		default:
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
				return words.ActionReport{Outcome: resource.OutcomeNotSent, Text: words.ActBoardClosed()}
			}
		}
		defer func() { <-slots }()
		return execute(ctx, c)
	}
}

// finish stores the outcome r of the order with the number record. After the last outcome, it shows
// a summary in the footer and closes the dialog if all outcomes are OutcomeConfirmed.
func (d *batchDialog) finish(record uint64, r words.ActionReport) tea.Cmd {
	running, failed := 0, 0
	for i := range d.items {
		item := &d.items[i]
		if item.recordNumber == record {
			item.report = &r
		}
		switch {
		case item.report == nil:
			running++
		case item.report.Outcome != resource.OutcomeConfirmed:
			failed++
		}
	}
	if running > 0 {
		return nil
	}
	if failed == 0 {
		d.orders.dialogs.Close(d)
	}
	return d.orders.dialogs.ShowMessage(d.orders.translate(words.ActSeveralDone(words.OperationTitle(d.action.operation), d.counts())))
}

// counts returns the number of orders with each outcome, and the names of the targets whose orders
// were not confirmed: "4 confirmed", "1 rejected: Spring".
func (d *batchDialog) counts() []words.Text {
	var out []words.Text
	for _, o := range []resource.Outcome{resource.OutcomeConfirmed, resource.OutcomeRejected, resource.OutcomeNotSent, resource.OutcomeUnknown} {
		var names []words.Text
		for _, item := range d.items {
			if item.report != nil && item.report.Outcome == o {
				names = append(names, words.Name(item.target.Name))
			}
		}
		if len(names) > 0 {
			out = append(out, countOutcome(o, names))
		}
	}
	return out
}

func countOutcome(o resource.Outcome, targets []words.Text) words.Text {
	n := len(targets)
	switch o {
	case resource.OutcomeConfirmed:
		return words.ActCountConfirmed(n)
	case resource.OutcomeRejected:
		return words.ActCountRejected(n, targets)
	case resource.OutcomeNotSent:
		return words.ActCountNotSent(n, targets)
	case resource.OutcomeUnknown:
	}
	return words.ActCountUnknown(n, targets)
}

// Title implements [dialog.Dialog].
func (d *batchDialog) Title() string {
	return d.orders.translate(d.action.title(len(d.items)))
}

// Size implements [dialog.Dialog].
func (d *batchDialog) Size(maxW, maxH int) (w, h int) {
	w = min(dialog.QuestionWidth, maxW)
	return w, min(len(d.lines(w)), maxH)
}

func (d *batchDialog) lines(w int) []string {
	lk := d.orders.look()
	running := 0
	var out []string
	for _, item := range d.items {
		if item.report == nil {
			running++
			out = append(out, lk.Wrap(themes.Pending, markPending.rowMark(lk.ASCII).Glyph+" "+item.target.Name, w)...)
			continue
		}
		text := words.ActItem(item.target.Name, words.OutcomeName(item.report.Outcome))
		if item.report.Outcome != resource.OutcomeConfirmed && !item.report.Text.IsZero() {
			text = words.ActItemReason(item.target.Name, words.OutcomeName(item.report.Outcome), item.report.Text)
		}
		out = append(out, lk.Wrap(outcomeToken(item.report.Outcome), outcomeGlyph(item.report.Outcome, lk.ASCII)+" "+translate(lk, text), w)...)
	}
	end := words.ActSeveralCounts(d.counts())
	if running > 0 {
		end = words.ActSeveralWaiting(running, len(d.items))
	}
	return append(lk.Wrap(themes.Text, translate(lk, end), w), append([]string{""}, out...)...)
}

// View implements [dialog.Dialog].
func (d *batchDialog) View(w, h int) []string {
	return d.text.ViewCounted(d.orders.look(), d.lines(w), 0, 0, w, h)
}

// Update implements [dialog.Dialog].
func (d *batchDialog) Update(msg tea.Msg) tea.Cmd {
	if k, ok := msg.(tea.KeyPressMsg); ok && k.String() == "enter" {
		d.orders.dialogs.Close(d)
		return nil
	}
	d.text.Update(msg)
	return nil
}
