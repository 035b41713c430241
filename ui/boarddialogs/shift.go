package boarddialogs

import (
	"strconv"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/record/analysis"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/panes"
	"wallboard/ui/render"
	"wallboard/ui/style"
	"wallboard/ui/widgets"
)

// shiftMsg carries the recorded shifts of an agent, one for each channel, or an error.
type shiftMsg struct {
	shifts []analysis.Shift
	err    error
}

type agentShift struct {
	requested bool
	shifts    []analysis.Shift // one shift for each channel; nil: not read yet
	note      words.Text       // why the shift is unknown; zero: it is known or not read yet
}

// setResult stores the shift in msg. If there is none, it stores a note with the reason.
func (s *agentShift) setResult(msg shiftMsg) {
	s.shifts, s.note = msg.shifts, words.Text{}
	switch {
	case msg.err != nil:
		s.note = words.DialogShiftUnknown(words.TextOf(msg.err).MapNames(style.OneLine))
	case len(msg.shifts) == 0:
		s.note = words.DialogShiftNotRecorded()
	}
}

// fillUnknownStates returns h, the last hour on the channel ch, with unknown states filled in from the
// recorded shift.
func (s *agentShift) fillUnknownStates(h diagnosis.AgentHour, ch model.Channel) diagnosis.AgentHour {
	for i := range s.shifts {
		if s.shifts[i].Channel != ch {
			continue
		}
		begin := h.End.Add(-time.Duration(len(h.States)) * h.Step)
		for step := range h.States {
			at := begin.Add(time.Duration(step)*h.Step + h.Step/2)
			for _, b := range s.shifts[i].Periods {
				if h.States[step] == "" && !b.LoggedOut && !at.Before(b.From) && at.Before(b.To) {
					h.States[step] = b.State
				}
			}
		}
	}
	return h
}

// lines draws the shift as a band of states for each channel. Below the bands, it draws the
// contacts and totals of the channel of subject.
func (s *agentShift) lines(sc *panes.Scene, subject alert.Key, w int) []string {
	lk, available := sc.Look, w-widgets.HourLabelWidth
	if !s.requested || available < 10 {
		return nil
	}
	out := []string{"", lk.Style(themes.Title).Render(words.DialogShift().In(lk.Format.Words))}
	dim := func(text string) string {
		return lk.Style(themes.Dim).Render(style.Fit(text, w, lk.Glyphs.Ellipsis))
	}
	switch {
	case !s.note.IsZero():
		return append(out, dim(s.note.In(lk.Format.Words)))
	case s.shifts == nil:
		return append(out, dim(words.DialogShiftReading().In(lk.Format.Words)+lk.Glyphs.Ellipsis))
	}
	from, to := s.period()
	first := &s.shifts[0]
	for i := range s.shifts {
		part := &s.shifts[i]
		if part.Channel == subject.Channel {
			first = part
		}
		l := style.NewLine(w, lk.Glyphs.Ellipsis).Add(lk.Style(themes.Text), style.Fit(words.ChannelName(part.Channel).In(lk.Format.Words), widgets.HourLabelWidth, lk.Glyphs.Ellipsis))
		addStateCells(sc, l, part, from, to, available)
		out = append(out, l.Finish(themes.Style{}))
	}
	out = append(out, contactsLine(sc, first, from, to, w, available), shiftTicks(sc, from, to, w, available))
	return append(out, shiftTotals(sc, first, w)...)
}

// period returns the beginning and the end of the time during which the agent was logged in.
func (s *agentShift) period() (from, to time.Time) {
	for i := range s.shifts {
		for _, b := range s.shifts[i].Periods {
			if b.LoggedOut {
				continue
			}
			if from.IsZero() || b.From.Before(from) {
				from = b.From
			}
			if b.To.After(to) {
				to = b.To
			}
		}
	}
	if !to.After(from) {
		to = from.Add(time.Minute)
	}
	return from, to
}

// addStateCells adds cells to the line l, as many as available says. Each cell shows the state that
// lasted longest in its part of the time between from and to.
func addStateCells(sc *panes.Scene, l *style.Line, s *analysis.Shift, from, to time.Time, available int) {
	line := widgets.HourLine{Channel: s.Channel}
	for x := range available {
		a, b := intervalStart(from, to, x, available), intervalStart(from, to, x+1, available)
		best, longest, out := model.UserStatus(""), time.Duration(0), false
		for _, stretch := range s.Periods {
			if lasted := earlierTime(stretch.To, b).Sub(laterTime(stretch.From, a)); lasted > longest {
				best, longest, out = stretch.State, lasted, stretch.LoggedOut
			}
		}
		switch {
		case out:
			l.Add(sc.Look.Style(themes.Dim), " ")
		default:
			line.AddCell(sc.Look, l, best)
		}
	}
}

// contactsLine returns a line with the number of contacts that were answered in each part of the
// time between from and to.
func contactsLine(sc *panes.Scene, s *analysis.Shift, from, to time.Time, w, available int) string {
	lk := sc.Look
	l := style.NewLine(w, lk.Glyphs.Ellipsis).Add(lk.Style(themes.Text), style.Fit(words.DialogShiftContacts().In(lk.Format.Words), widgets.HourLabelWidth, lk.Glyphs.Ellipsis))
	cells := make([]int64, available)
	for _, c := range s.Answered {
		if x := int(float64(available) * float64(c.At.Sub(from)) / float64(to.Sub(from))); x >= 0 && c.At.Before(to.Add(time.Second)) {
			cells[min(x, available-1)] += c.Count
		}
	}
	for _, n := range cells {
		switch {
		case n <= 0:
			l.Add(lk.Style(themes.Dim), " ")
		case n > 9:
			l.Add(lk.Style(themes.Digits), "+")
		default:
			l.Add(lk.Style(themes.Digits), strconv.FormatInt(n, 10))
		}
	}
	return l.Finish(themes.Style{})
}

// shiftTicks returns a line with the time from and the times of full hours. It omits times that do
// not fit.
func shiftTicks(sc *panes.Scene, from, to time.Time, w, available int) string {
	const label = 6
	line := []rune(strings.Repeat(" ", w))
	zone := sc.Look.Zone()
	begin := from.In(zone)
	copy(line[widgets.HourLabelWidth:], []rune(textformat.Clock(begin, nil)))
	next := widgets.HourLabelWidth + label
	for at := begin.Truncate(time.Hour).Add(time.Hour); at.Before(to); at = at.Add(time.Hour) {
		x := widgets.HourLabelWidth + int(float64(available)*float64(at.Sub(from))/float64(to.Sub(from)))
		if x < next || x+label > w {
			continue
		}
		copy(line[x:], []rune(textformat.Clock(at, nil)))
		next = x + label
	}
	return sc.Look.Style(themes.Dim).Render(string(line))
}

// shiftTotals returns two lines. The first contains the number of answered contacts and the time in
// each state, in the order of [model.States]. The second explains how accurate the first is.
func shiftTotals(sc *panes.Scene, s *analysis.Shift, w int) []string {
	lk := sc.Look
	l := style.NewLine(w, lk.Glyphs.Ellipsis)
	if n := s.Contacts(); n > 0 || len(s.Answered) > 0 {
		l.Add(lk.Style(themes.Text), words.CountContacts(int(n)).In(lk.Format.Words)).Space(themes.Style{}, 3)
	}
	for _, status := range model.States() {
		total := s.TimeInState(status)
		if total < time.Second {
			continue
		}
		state := render.StateOf(status, s.Channel)
		text, lasted := state.Glyph(lk.ASCII)+" "+state.Word.In(lk.Format.Words), " "+lk.FormatDuration(total)
		if style.Width(text+lasted) > l.RemainingWidth() {
			break
		}
		l.Add(lk.Style(state.Token), text).Add(lk.Style(themes.Text), lasted).Space(themes.Style{}, 3)
	}
	note := words.DialogShiftNote().In(lk.Format.Words)
	return []string{l.Finish(themes.Style{}), lk.Style(themes.Dim).Render(style.Fit(note, w, lk.Glyphs.Ellipsis))}
}

// intervalStart divides the time between from and to into total equal parts and returns the start of
// part x, counted from 0.
func intervalStart(from, to time.Time, x, total int) time.Time {
	return from.Add(time.Duration(float64(to.Sub(from)) * float64(x) / float64(total)))
}

func earlierTime(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func laterTime(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
