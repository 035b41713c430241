package phrases

import (
	"time"

	"wallboard/model"
)

// DescribeNote describes a note or a mark for the time now. times is the time of day of its start,
// followed by that of its end if it has ended, such as "13:40–15:00". text is its content with
// the author and, if the note is active, its end, such as "IVR down, until 15:00 (Anna)".
// clock formats a time of day.
func DescribeNote(n *model.Note, now time.Time, clock func(time.Time) string) (times, text string) {
	times, text = clock(n.At), n.Text
	switch {
	case n.IsActive(now):
		text += ", until " + clock(n.Until)
	case !n.Until.IsZero():
		times += "–" + clock(n.Until)
	}
	if n.By != "" {
		text += " (" + n.By + ")"
	}
	return times, text
}
