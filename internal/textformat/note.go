package textformat

import (
	"time"

	"wallboard/internal/words"
	"wallboard/model"
)

// DescribeNote describes a note or a mark for the time now. times is the time of day of its start,
// followed by that of its end if it has ended, such as "13:40–15:00". text is its content with
// the author and, if the note is active, its end, such as "IVR down, until 15:00 (Anna)".
// clock formats a time of day.
//
// The end is rounded to the minute: an end entered as 15:00 is 14:59:59 on the server's clock if that
// is a little behind the local one.
func DescribeNote(n *model.Note, now time.Time, l *words.Language, clock func(time.Time) string) (times, text string) {
	times, text = clock(n.At), n.Text
	end := clock(n.Until.Round(time.Minute))
	switch {
	case n.IsActive(now):
		text = words.NowNoteUntil(text, end).In(l)
	case !n.Until.IsZero():
		times += "–" + end
	}
	if n.By != "" {
		text += " (" + n.By + ")"
	}
	return times, text
}
