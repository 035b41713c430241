package history

import (
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model/contact"
	"wallboard/ui/dialog"
)

// defaultLimit is the default maximum number of results: as many as the platform sends in one page.
const defaultLimit = 1000

// limitField returns the form field for the maximum number of results. n is the initial value.
func (b *Board) limitField(n int) dialog.Field {
	return dialog.Field{
		ID: "most", Label: b.look().Translate(words.HistoryFieldMost()), Kind: dialog.NumberField, Value: strconv.Itoa(n), Check: dialog.CheckNotNegative,
		Hint: b.look().Translate(words.HistoryFieldMostHint()),
	}
}

// openForm opens a form whose dates are in the contact center's time zone. onSubmit is called when
// the viewer submits the form.
func (b *Board) openForm(name, button words.Text, onSubmit func(*dialog.Form) tea.Cmd, fields []dialog.Field) tea.Cmd {
	d := dialog.NewSearch(b.Dialogs, b.look().Translate(name), b.look().Translate(button), fields, b.zone())
	d.OnSubmit = func() tea.Cmd { return onSubmit(d) }
	return b.Dialogs.Open(d)
}

// rejectFuture is a check for form fields. It returns an error if text is not a date or is in the
// future.
func (b *Board) rejectFuture(text string) error {
	now := b.serverTime(b.Floor.LocalNow)
	at, parsed := contact.ParseDay(text, now)
	if !parsed {
		var err error
		if at, err = dialog.ParseDate(text, b.zone()); err != nil {
			return err
		}
	}
	if at.After(now) {
		return words.NewError(words.HistoryNotFuture(), nil)
	}
	return nil
}

// search opens the form for selecting a day and a day to compare it with. It ignores the function
// for sending a query, because the new selection leads to a new query anyway.
func (c *selection) search(func() tea.Cmd) tea.Cmd {
	lk := c.board.look()
	return c.board.openForm(words.HistoryDayTitle(), words.HistoryDayButton(), func(d *dialog.Form) tea.Cmd {
		at, _ := d.Fields.Date("day") // the form has already checked the text
		c.setDay(contact.StartOfDay(at.In(c.board.zone()), 0))
		c.referenceDay = time.Time{}
		if reference, ok := d.Fields.Date("against"); ok {
			c.referenceDay = contact.StartOfDay(reference.In(c.board.zone()), 0)
		}
		c.board.Dialogs.Close(d)
		return nil
	}, []dialog.Field{c.dayField(), {
		ID: "against", Label: lk.Translate(words.HistoryFieldAgainst()), Kind: dialog.DateField, Value: formatDate(c.referenceDay),
		Hint: lk.Translate(words.HistoryFieldAgainstHint()), Check: c.board.rejectFuture, SubmitsOnEnter: true,
	}})
}

// formatDate formats a day for a form. It returns "" for the zero time.
func formatDate(day time.Time) string {
	if day.IsZero() {
		return ""
	}
	return day.Format(time.DateOnly)
}

// dayField returns the form field for selecting the day.
func (c *selection) dayField() dialog.Field {
	lk := c.board.look()
	return dialog.Field{
		ID: "day", Label: lk.Translate(words.HistoryFieldDay()), Kind: dialog.DateField, Value: c.date().Format(time.DateOnly), Required: true,
		Hint: lk.Translate(words.HistoryFieldDayHint()), Check: c.board.rejectFuture, SubmitsOnEnter: true,
	}
}
