package widgets

import (
	"slices"
	"strings"
	"time"

	"wallboard/internal/record/analysis"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/style"
)

const (
	// minShiftGap is the minimum time between two shifts. A shorter absence belongs to the shift.
	minShiftGap = 4 * time.Hour
	// minHours is the minimum number of hours to draw. A shorter strip would show no more than the
	// last hour does.
	minHours = 2
	// minStripWidth is the minimum width of a strip in cells.
	minStripWidth = 24
)

// contactsWidth returns the width in cells of the number of contacts to the right of each hour.
func contactsWidth(lk *style.Look) int { return 2 + style.Width(lk.Translate(words.PlotContacts())) }

// channelShift is the recorded shift of an agent on one channel, combined with the board's own data
// since the shift was read.
type channelShift struct {
	analysis.Shift
	readAt   time.Time // when the shift was read; the recorded part ends there
	now      time.Time
	hour     HourLine // the last hour as the board itself has seen it
	answered int64    // number of contacts answered since readAt
}

// Draw draws the shift of an agent on each channel in the result of lastHour. It draws a strip of
// states for each hour, the newest hour last, and the number of contacts answered in that hour. s
// is the shown snapshot, and now is the time of s on the server's clock. Draw returns nil if the
// shift is unknown or shorter than minHours, or if minHours do not fit.
func (b *ShiftCache) Draw(lk *style.Look, s *model.Snapshot, username string, now time.Time, lastHour func() []HourLine, w, h int) []string {
	if b == nil || w < HourLabelWidth+minStripWidth+contactsWidth(lk) {
		return nil
	}
	k := b.results[username]
	if k == nil || !k.isValid(now) || len(k.shifts) == 0 {
		return nil
	}
	var days []channelShift
	for _, line := range lastHour() {
		index := slices.IndexFunc(k.shifts, func(s analysis.Shift) bool { return s.Channel == line.Channel })
		if index < 0 {
			continue
		}
		since := answeredBy(s, username, line.Channel) - k.answered[line.Channel]
		days = append(days, channelShift{k.shifts[index], k.readAt, now, line, max(since, 0)})
	}
	if len(days) == 0 {
		return nil
	}
	begin := now
	for i := range days {
		if at := days[i].startTime(); at.Before(begin) {
			begin = at
		}
	}
	zone := lk.Zone()
	first, last := startOfHour(begin, zone), startOfHour(now, zone)
	n := int(last.Sub(first)/time.Hour) + 1
	n = min(n, (h-1)/len(days)-1) // each channel has a heading, and all channels share a line with an explanation
	if n < minHours {
		return nil
	}
	var out []string
	for i := range days {
		out = append(out, days[i].drawHeading(lk, w))
		for j := range n {
			out = append(out, days[i].drawHour(lk, last.Add(time.Duration(j-n+1)*time.Hour), w))
		}
	}
	note := style.NewLine(w, lk.Glyphs.Ellipsis)
	note.Add(lk.Style(themes.Dim), lk.Translate(words.PlotShiftNote(lk.Glyphs.Dot)))
	return append(out, note.Finish(themes.Style{}))
}

// startOfHour returns the start of the hour that contains the time at, in a time zone.
func startOfHour(at time.Time, zone *time.Location) time.Time {
	at = at.In(zone)
	return at.Add(-time.Duration(at.Minute())*time.Minute - time.Duration(at.Second())*time.Second - time.Duration(at.Nanosecond()))
}

// startTime returns when the shift began, that is, the first login after the last absence of at
// least minShiftGap.
func (d *channelShift) startTime() time.Time {
	begin := d.now
	for i := len(d.Periods) - 1; i >= 0; i-- {
		stretch := &d.Periods[i]
		if stretch.LoggedOut || stretch.From.After(d.now) {
			continue
		}
		if begin.Sub(stretch.To) >= minShiftGap {
			break
		}
		begin = stretch.From
	}
	return begin
}

// drawHeading returns the line above the hours. It contains the name of the channel, the quarters
// of an hour, and the title of the number of contacts.
func (d *channelShift) drawHeading(lk *style.Look, w int) string {
	available := w - HourLabelWidth - contactsWidth(lk)
	line := []rune(strings.Repeat(" ", w-HourLabelWidth))
	for i, text := range []string{":00", ":15", ":30", ":45"} {
		copy(line[i*available/4:], []rune(text))
	}
	copy(line[available+2:], []rune(lk.Translate(words.PlotContacts())))
	l := style.NewLine(w, lk.Glyphs.Ellipsis).Add(lk.Style(themes.Text), style.Fit(d.hour.ChannelName(lk), HourLabelWidth, lk.Glyphs.Ellipsis))
	return l.Add(lk.Style(themes.Dim), string(line)).Finish(themes.Style{})
}

// drawHour returns the line for the hour that begins at from. It contains the strip of states and
// the number of contacts.
func (d *channelShift) drawHour(lk *style.Look, from time.Time, w int) string {
	contacts := contactsWidth(lk)
	available := w - HourLabelWidth - contacts
	l := style.NewLine(w, lk.Glyphs.Ellipsis).Add(lk.Style(themes.Dim), style.Fit(textformat.Clock(from, nil), HourLabelWidth, ""))
	for x := range available {
		a := from.Add(time.Hour * time.Duration(x) / time.Duration(available))
		b := from.Add(time.Hour * time.Duration(x+1) / time.Duration(available))
		state, out := d.longestState(a, b)
		if out || !a.Before(d.now) {
			l.Space(themes.Style{}, 1)
			continue
		}
		d.hour.AddCell(lk, l, state)
	}
	text := "–"
	if n, ok := d.contactsInHour(from); ok {
		text = lk.FormatCount(int(n))
	} else if lk.ASCII {
		text = "-"
	}
	l.Space(themes.Style{}, max(contacts-style.Width(text), 0))
	return l.Add(lk.Style(themes.Text), text).Finish(themes.Style{})
}

// longestState returns the state that lasted longest between the times a and b. It returns "" if
// the state is unknown. If the agent was logged out for longest, out is true and the state is "".
func (d *channelShift) longestState(a, b time.Time) (state model.UserStatus, out bool) {
	longest := time.Duration(0)
	if a.Before(d.readAt) {
		for i := range d.Periods {
			stretch := &d.Periods[i]
			if !stretch.From.Before(b) {
				break
			}
			from, to := stretch.From, stretch.To
			if from.Before(a) {
				from = a
			}
			if to.After(b) {
				to = b
			}
			if lasted := to.Sub(from); lasted > longest {
				state, out, longest = stretch.State, stretch.LoggedOut, lasted
			}
		}
	}
	if longest > 0 {
		if out {
			state = ""
		}
		return state, out
	}
	if middle := a.Add(b.Sub(a) / 2); middle.Before(d.now) {
		return d.hour.StateAt(middle), false
	}
	return d.hour.StateAt(d.now), false
}

// contactsInHour returns the number of contacts answered in the hour that begins at from. ok is
// false if the number is unknown.
func (d *channelShift) contactsInHour(from time.Time) (n int64, ok bool) {
	to := from.Add(time.Hour)
	for i := range d.Periods {
		stretch := &d.Periods[i]
		ok = ok || !stretch.LoggedOut && stretch.From.Before(to) && stretch.To.After(from)
	}
	for _, c := range d.Answered {
		if !c.At.Before(from) && c.At.Before(to) {
			n += c.Count
		}
	}
	if !d.now.Before(from) && d.now.Before(to) { // adds the contacts since readAt, which belong to this hour
		n, ok = n+d.answered, true
	}
	return n, ok
}
