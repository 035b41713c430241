package history

import (
	"strconv"
	"strings"
	"time"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/themes"
	"wallboard/ui/style"
)

// drawContact draws the times of a contact and, for each of its steps, a line with a time bar.
func (v *callsView) drawContact(kind contact.Kind, c contact.Call, x, y, w, h int) []string {
	lk := v.board.look()
	start, end := c.Start(), c.End()
	if end.IsZero() {
		for _, s := range c.Steps {
			for _, t := range []time.Time{s.Start, s.End} {
				if t.After(end) {
					end = t
				}
			}
		}
	}
	times := words.HistoryContactUnknown()
	if !start.IsZero() {
		start := v.inContactCenterZone(start)
		began := words.CalendarLongTime(words.LongDate(start), start.Format(time.TimeOnly))
		times = words.HistoryContactBegan(began)
		if d, ok := c.Duration(); ok {
			times = words.HistoryContactTook(began, v.inContactCenterZone(end).Format(time.TimeOnly), d)
		}
	}
	title := style.NewLine(w, lk.Glyphs.Ellipsis).Add(lk.Style(themes.Title), " "+model.CleanText(c.ID, model.MaxName))
	title.Add(lk.Style(themes.Dim), "  "+lk.Translate(kindNamesOf(kind).singular))
	out := append([]string{title.Finish(themes.Style{})}, paragraph(lk, themes.Text, times, w)...)
	out = append(out, style.Blanks(w))
	widths := [4]int{5, 10, 10, 10}
	head, bar := style.NewLine(w, lk.Glyphs.Ellipsis), w-3
	for i, text := range [...]words.Text{words.HistoryColumnStep(), words.HistoryColumnBegan(), words.HistoryColumnEnded(), words.HistoryColumnTook()} {
		title := lk.Translate(text)
		widths[i] = max(widths[i], style.Width(title)+1)
		head.Add(lk.Style(themes.Header), style.PadLeft(title, widths[i]))
		bar -= widths[i]
	}
	out = append(out, head.Finish(themes.Style{}))
	lines := make([]string, 0, len(c.Steps))
	for _, s := range c.Steps {
		lines = append(lines, v.drawStep(s, start, end, widths, max(bar, 0), w))
	}
	return append(out, v.text.View(lines, x, y+len(out), w, max(h-len(out), 0))...)
}

// drawStep draws a line with the times of a step in columns of the given widths. A bar of bar cells represents the time from start
// to end, and the step's part of it is highlighted.
func (v *callsView) drawStep(s contact.Step, start, end time.Time, widths [4]int, bar, w int) string {
	lk := v.board.look()
	unknown := string(lk.Format.Unknown(nil))
	began, ended, duration := unknown, unknown, unknown
	if !s.Start.IsZero() {
		began = v.inContactCenterZone(s.Start).Format(time.TimeOnly)
	}
	if !s.End.IsZero() {
		ended = v.inContactCenterZone(s.End).Format(time.TimeOnly)
	}
	known := !s.Start.IsZero() && !s.End.IsZero() && !s.End.Before(s.Start)
	if known {
		duration = lk.FormatDuration(s.End.Sub(s.Start))
	}
	l := style.NewLine(w, lk.Glyphs.Ellipsis)
	l.Add(lk.Style(themes.Accent), style.PadLeft(strconv.Itoa(s.Number), widths[0]))
	l.Add(lk.Style(themes.Text), style.PadLeft(began, widths[1])+style.PadLeft(ended, widths[2]))
	l.Add(lk.Style(themes.Digits), style.PadLeft(duration, widths[3])).Space(themes.Style{}, 2)
	whole := end.Sub(start)
	if !known || whole <= 0 || bar < 8 {
		return l.Finish(themes.Style{})
	}
	place := func(t time.Time) int { return int(float64(bar) * float64(t.Sub(start)) / float64(whole)) }
	from := min(place(s.Start), bar-1)
	to := max(min(place(s.End), bar), from+1)
	mark := "█"
	if lk.ASCII {
		mark = "#"
	}
	l.Add(lk.Style(themes.Faint), strings.Repeat(lk.Glyphs.Dot, from)).Add(lk.Style(themes.Gauge), strings.Repeat(mark, to-from))
	return l.Add(lk.Style(themes.Faint), strings.Repeat(lk.Glyphs.Dot, bar-to)).Finish(themes.Style{})
}
