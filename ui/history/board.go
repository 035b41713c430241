package history

import (
	"time"

	"wallboard/model/past"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/floor"
	"wallboard/ui/look"
)

// Board is what the page needs of the board that it is a page of.
type Board struct {
	Reader    Reader    // nil: there is no history
	Recording Recording // nil: nothing is recorded
	Dialogs   *dialog.Stack
	Floor     *floor.View
	Save      dialog.Saver // nil: nothing can be saved
	Kiosk     bool         // nobody operates the board
	Untold    string       // why there is no Reader; "": it is not configured
}

func (b *Board) look() *look.Look { return b.Dialogs.Look() }

// zone is the time zone of the contact center.
func (b *Board) zone() *time.Location {
	if b.Reader == nil {
		return b.look().Zone()
	}
	return b.Reader.Location()
}

// nothing reports whether there is nothing to be told: neither a service to ask nor a
// recording.
func (b *Board) nothing() bool { return b.Reader == nil && b.Recording == nil }

// server returns a time of our clock as the contact center's shows it.
func (b *Board) server(t time.Time) time.Time { return b.Floor.Server(t).In(b.zone()) }

// today is when the present day of the contact center began.
func (b *Board) today() time.Time { return past.StartOfDay(b.server(b.Floor.Ours), 0) }

// hint is a remark about a key, which nobody at a kiosk can press.
func (b *Board) hint(text string) string {
	if b.Kiosk {
		return ""
	}
	return text
}

// paragraph returns a sentence in lines that are easy to read, off the edge.
func paragraph(lk *look.Look, t themes.Token, text string, w int) []string {
	lines := lk.Said(t, text, max(min(w-2, dialog.SheetWidth), 1))
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return lines
}

// chosen is which day and which kind of contact the views are about.
type chosen struct {
	board *Board
	kind  past.Kind
	day   time.Time // zero: today, whatever day that is
	// against is the one day that the day is compared with; zero: with the last four of
	// its weekday.
	against time.Time
}

// date is the day that is looked at.
func (c *chosen) date() time.Time {
	if c.day.IsZero() {
		return c.board.today()
	}
	return c.day
}

// goTo goes to a day, but to none that is to come.
func (c *chosen) goTo(day time.Time) {
	if c.day = day; !day.Before(c.board.today()) {
		c.day = time.Time{}
	}
}

// turnKind goes to another kind of contact.
func (c *chosen) turnKind(by int) {
	n := len(past.Kinds())
	c.kind = past.Kinds()[(int(c.kind)+by+n)%n]
}

// words says which kind is looked at, and of when.
func (c *chosen) words(when string) string {
	return look.Capital(c.kind.String()) + " " + c.board.look().Glyphs.Dot + " " + when
}

// stepper returns the day that is some steps later.
type stepper func(day time.Time, by int) time.Time

// narrow is the width below which a day is written short.
const narrow = 60

// dayWords is the day as people say it, in short where there is little room.
func (c *chosen) dayWords(w int) string {
	if w < narrow {
		return c.date().Format("Mon 2 Jan 2006")
	}
	return c.date().Format("Monday, 2 January 2006")
}

func (c *chosen) monthWords() string { return c.date().Format("January 2006") }
