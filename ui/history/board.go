package history

import (
	"time"

	"charm.land/bubbles/v2/key"

	"wallboard/internal/words"
	"wallboard/model/contact"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/style"
)

// Board gives the page History access to its board.
type Board struct {
	Reader         Reader    // nil: there is no history service
	Recording      Recording // nil: there is no recording
	Dialogs        *dialog.Stack
	Floor          *floorview.View
	Save           dialog.Saver // nil: saving is disabled
	Kiosk          bool         // the board is unattended
	NoReaderReason words.Text   // why Reader is nil; zero: the service is not configured
}

func (b *Board) look() *style.Look { return b.Dialogs.Look() }

// zone returns the time zone of the contact center.
func (b *Board) zone() *time.Location {
	if b.Reader == nil {
		return b.look().Zone()
	}
	return b.Reader.Location()
}

// hasNoSource reports whether there is neither a history service nor a recording.
func (b *Board) hasNoSource() bool { return b.Reader == nil && b.Recording == nil }

// serviceWorks reports whether the history service answered the last request of any board, or has
// got a new API key since.
func (b *Board) serviceWorks() bool {
	return b.Reader != nil && b.Reader.IsWorking()
}

// serverTime converts a local time to the server's clock and the contact center's time zone.
func (b *Board) serverTime(t time.Time) time.Time { return b.Floor.ToServerTime(t).In(b.zone()) }

// today returns the start of today in the contact center's time zone.
func (b *Board) today() time.Time { return contact.StartOfDay(b.serverTime(b.Floor.LocalNow), 0) }

// withHint returns text followed by hint, which is a sentence about a key. It omits hint on a kiosk, because a kiosk
// ignores keys.
func (b *Board) withHint(text, hint words.Text) words.Text {
	if b.Kiosk {
		return text
	}
	return words.JoinSentences(text, hint)
}

// helpOf returns the binding k with another description.
func (b *Board) helpOf(k key.Binding, description words.Text) key.Binding {
	return style.WithHelp(k, b.look().Translate(description))
}

// paragraph wraps text into lines of readable width with a margin on the left. w is the width of
// the page in cells.
func paragraph(lk *style.Look, t themes.Token, text words.Text, w int) []string {
	lines := lk.Wrap(t, lk.Translate(text), max(min(w-2, dialog.SheetWidth), 1))
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return lines
}

// selection holds the day and the kind of contact that the viewer has selected.
type selection struct {
	board *Board
	kind  contact.Kind
	day   time.Time // midnight in the contact center's time zone; zero: today
	// referenceDay is the single day that the selected day is compared with. The zero time means the
	// last four days with the same weekday.
	referenceDay time.Time
}

// date returns the start of the selected day.
func (c *selection) date() time.Time {
	if c.day.IsZero() {
		return c.board.today()
	}
	return c.day
}

// setDay selects a day, or today if the day is in the future.
func (c *selection) setDay(day time.Time) {
	if c.day = day; !day.Before(c.board.today()) {
		c.day = time.Time{}
	}
}

// selectKind selects the kind of contact that is delta positions after the selected one.
func (c *selection) selectKind(delta int) {
	n := len(contact.Kinds())
	c.kind = contact.Kinds()[(int(c.kind)+delta+n)%n]
}

// describe returns the selected kind of contact followed by when, which describes a period.
func (c *selection) describe(when words.Text) words.Text {
	return words.JoinStatements(kindNamesOf(c.kind).title, when)
}

// dayStep returns the day that is delta steps after day. A step is a day, some weeks or a month,
// depending on the view.
type dayStep func(day time.Time, delta int) time.Time

// narrowWidth is the width of the page in cells below which dates are abbreviated.
const narrowWidth = 60

// dayText returns the date of the selected day. It is abbreviated if w is less than narrowWidth.
func (c *selection) dayText(w int) words.Text {
	if w < narrowWidth {
		return words.ShortDateYear(c.date())
	}
	return words.LongDate(c.date())
}

func (c *selection) monthText() words.Text { return words.MonthYear(c.date()) }
