package history

import (
	"time"

	"wallboard/model/contact"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
)

// Board is the part of the board that the page uses.
type Board struct {
	Reader         Reader    // nil: no history
	Recording      Recording // nil: no recording
	Dialogs        *dialog.Stack
	Floor          *snapshot.View
	Save           dialog.Saver // nil: saving is disabled
	Kiosk          bool         // unattended display
	NoReaderReason string       // reason for a nil Reader; "": not configured
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

// serviceWorks reports whether the history service answered the last request of any board, or
// has a new API key since then.
func (b *Board) serviceWorks() bool {
	if b.Reader == nil {
		return false
	}
	_, ok := b.Reader.State()
	return ok
}

// serverTime converts a local time to the contact center's clock.
func (b *Board) serverTime(t time.Time) time.Time { return b.Floor.ToServerTime(t).In(b.zone()) }

// today returns the start of today in the contact center's time zone.
func (b *Board) today() time.Time { return contact.StartOfDay(b.serverTime(b.Floor.LocalNow), 0) }

// hint returns a text about a key; on a kiosk, "".
func (b *Board) hint(text string) string {
	if b.Kiosk {
		return ""
	}
	return text
}

// paragraph wraps a text into lines of readable width with a margin.
func paragraph(lk *style.Look, t themes.Token, text string, w int) []string {
	lines := lk.Wrap(t, text, max(min(w-2, dialog.SheetWidth), 1))
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return lines
}

// selection is the day and the kind of contact on the page.
type selection struct {
	board *Board
	kind  contact.Kind
	day   time.Time // zero: today
	// reference is the day to compare with; zero means the last four of the same weekday.
	reference time.Time
}

// date returns the selected day.
func (c *selection) date() time.Time {
	if c.day.IsZero() {
		return c.board.today()
	}
	return c.day
}

// setDay selects a day; for a day in the future, it selects today.
func (c *selection) setDay(day time.Time) {
	if c.day = day; !day.Before(c.board.today()) {
		c.day = time.Time{}
	}
}

// selectKind selects the kind of contact that is delta places after the current one.
func (c *selection) selectKind(delta int) {
	n := len(contact.Kinds())
	c.kind = contact.Kinds()[(int(c.kind)+delta+n)%n]
}

// describe returns a text with the selected kind and the period when.
func (c *selection) describe(when string) string {
	return style.Capitalize(c.kind.String()) + " " + c.board.look().Glyphs.Dot + " " + when
}

// dayStep returns the day that is delta steps later.
type dayStep func(day time.Time, delta int) time.Time

// narrowWidth is the width below which days are abbreviated.
const narrowWidth = 60

// dayText formats the selected day, abbreviated if w is narrow.
func (c *selection) dayText(w int) string {
	if w < narrowWidth {
		return c.date().Format("Mon 2 Jan 2006")
	}
	return c.date().Format("Monday, 2 January 2006")
}

func (c *selection) monthText() string { return c.date().Format("January 2006") }
