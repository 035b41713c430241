package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/look"
	"wallboard/ui/table"
)

// scroller shows a part of some lines. It obeys the keys of a table.
type scroller struct {
	offset     int
	total      int // lines there were at the last view
	x, y, w, h int // where they were
}

func (s *scroller) press(msg tea.KeyPressMsg) {
	switch k := table.DefaultKeyMap(); {
	case key.Matches(msg, k.LineUp):
		s.by(-1)
	case key.Matches(msg, k.LineDown):
		s.by(1)
	case key.Matches(msg, k.PageUp):
		s.by(1 - s.h)
	case key.Matches(msg, k.PageDown):
		s.by(s.h - 1)
	case key.Matches(msg, k.GotoTop):
		s.by(-s.total)
	case key.Matches(msg, k.GotoBottom):
		s.by(s.total)
	}
}

// wheel scrolls if the mouse is over the lines, and reports whether it is.
func (s *scroller) wheel(msg tea.MouseWheelMsg) bool {
	if msg.X < s.x || msg.X >= s.x+s.w || msg.Y < s.y || msg.Y >= s.y+s.h {
		return false
	}
	s.turn(msg)
	return true
}

// obey scrolls by a key, or by the wheel over the lines.
func (s *scroller) obey(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		s.press(msg)
	case tea.MouseWheelMsg:
		s.wheel(msg)
	}
}

// turn scrolls wherever the mouse is.
func (s *scroller) turn(msg tea.MouseWheelMsg) {
	const step = 3
	switch msg.Button { //nolint:exhaustive // other buttons have no wheel
	case tea.MouseWheelUp:
		s.by(-step)
	case tea.MouseWheelDown:
		s.by(step)
	}
}

// scrolls obeys a key if it is one that scrolls and there is more to see, and
// reports whether it is.
func (s *scroller) scrolls(msg tea.KeyPressMsg) bool {
	k := table.DefaultKeyMap()
	if s.total <= s.h || !key.Matches(msg, k.LineUp, k.LineDown, k.PageUp, k.PageDown, k.GotoTop, k.GotoBottom) {
		return false
	}
	s.press(msg)
	return true
}

// standing says which lines are in view, where they are not all.
func (s *scroller) standing(sc *scene) standing {
	if s.h <= 0 || s.total <= s.h {
		return standing{}
	}
	at := sc.look.Span(s.offset+1, s.offset+s.h) + " of " + sc.look.Count(s.total)
	return standing{text: at + " lines", brief: at}
}

func (s *scroller) by(n int) { s.offset = max(min(s.offset+n, s.total-s.h), 0) }

// view returns h lines of w cells.
func (s *scroller) view(lines []string, x, y, w, h int) []string {
	s.total, s.x, s.y, s.w, s.h = len(lines), x, y, w, h
	s.by(0)
	end := min(s.offset+max(h, 0), len(lines))
	out := append(make([]string, 0, max(h, 0)), lines[s.offset:end]...)
	return look.FitLines(out, w, h, "")
}

// beside puts two blocks of lines next to each other, two cells apart.
func beside(left, right []string, lw, rw, h int) []string {
	left, right = fitHeight(left, lw, h), fitHeight(right, rw, h)
	out := make([]string, h)
	for i := range out {
		out[i] = left[i] + "  " + right[i]
	}
	return out
}

// inset puts a blank on both sides of each line.
func inset(lines []string) {
	for i, l := range lines {
		lines[i] = " " + l + " "
	}
}
