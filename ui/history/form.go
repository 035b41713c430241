package history

import (
	"errors"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/model/contact"
	"wallboard/ui/dialog"
)

// defaultLimit is the default maximum number of results: as many as the platform sends in one page.
const defaultLimit = 1000

// limitField returns the form field for the maximum number of results. n is the initial value.
func limitField(n int) dialog.Field {
	return dialog.Field{
		ID: "most", Label: "At most", Kind: dialog.NumberField, Value: strconv.Itoa(n), Check: dialog.CheckNotNegative,
		Hint: "0: all of them; the platform gives 1000 at a time",
	}
}

// openForm opens a form whose dates are in the contact center's time zone. onSubmit is called when
// the viewer submits the form.
func (b *Board) openForm(name, button string, onSubmit func(*dialog.Form) tea.Cmd, fields []dialog.Field) tea.Cmd {
	d := dialog.NewSearch(b.Dialogs, name, button, fields, b.zone())
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
		return errors.New("a day that has come")
	}
	return nil
}

// search opens the form for selecting a day and a day to compare it with. It ignores the function
// for sending a question, because the new selection leads to a new question anyway.
func (c *selection) search(func() tea.Cmd) tea.Cmd {
	return c.board.openForm("Go to a day", "Show", func(d *dialog.Form) tea.Cmd {
		at, _ := d.Fields.Date("day") // the form has already checked the text
		c.setDay(contact.StartOfDay(at.In(c.board.zone()), 0))
		c.reference = time.Time{}
		if reference, ok := d.Fields.Date("against"); ok {
			c.reference = contact.StartOfDay(reference.In(c.board.zone()), 0)
		}
		c.board.Dialogs.Close(d)
		return nil
	}, []dialog.Field{c.dayField(), {
		ID: "against", Label: "Compare with", Kind: dialog.DateField, Value: formatDate(c.reference),
		Hint: "one day; empty: the last four of its weekday", Check: c.board.rejectFuture, SubmitsOnEnter: true,
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
	return dialog.Field{
		ID: "day", Label: "Day", Kind: dialog.DateField, Value: c.date().Format(time.DateOnly), Required: true,
		Hint: "yesterday, monday, -7d or 2026-01-31; the weeks end with it", Check: c.board.rejectFuture, SubmitsOnEnter: true,
	}
}
