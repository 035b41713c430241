package dialog

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/style"
	"wallboard/ui/table"
)

// Scroller shows a part of a list of lines. The keys that scroll are those of a table.
type Scroller struct {
	offset     int
	total      int // number of lines in the last call of View
	x, y, w, h int // area on the screen in the last call of View
}

// Press scrolls if msg is a key for scrolling.
func (s *Scroller) Press(msg tea.KeyPressMsg) {
	switch k := table.DefaultKeyMap(); {
	case key.Matches(msg, k.LineUp):
		s.scrollBy(-1)
	case key.Matches(msg, k.LineDown):
		s.scrollBy(1)
	case key.Matches(msg, k.PageUp):
		s.scrollBy(1 - s.h)
	case key.Matches(msg, k.PageDown):
		s.scrollBy(s.h - 1)
	case key.Matches(msg, k.GotoTop):
		s.scrollBy(-s.total)
	case key.Matches(msg, k.GotoBottom):
		s.scrollBy(s.total)
	}
}

// Wheel scrolls if the mouse is over the area of the lines. It returns false if the mouse is
// elsewhere.
func (s *Scroller) Wheel(msg tea.MouseWheelMsg) bool {
	if msg.X < s.x || msg.X >= s.x+s.w || msg.Y < s.y || msg.Y >= s.y+s.h {
		return false
	}
	s.ScrollAnywhere(msg)
	return true
}

// Update scrolls if msg is a key for scrolling, or a message of the mouse wheel over the area of
// the lines.
func (s *Scroller) Update(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		s.Press(msg)
	case tea.MouseWheelMsg:
		s.Wheel(msg)
	}
}

// ScrollAnywhere handles the mouse wheel, regardless of the position of the mouse.
func (s *Scroller) ScrollAnywhere(msg tea.MouseWheelMsg) {
	const step = 3
	switch msg.Button { //nolint:exhaustive // other buttons have no wheel
	case tea.MouseWheelUp:
		s.scrollBy(-step)
	case tea.MouseWheelDown:
		s.scrollBy(step)
	}
}

// HandleKey scrolls if msg is a key for scrolling and not all lines are visible. Otherwise it
// returns false.
func (s *Scroller) HandleKey(msg tea.KeyPressMsg) bool {
	k := table.DefaultKeyMap()
	if s.total <= s.h || !key.Matches(msg, k.LineUp, k.LineDown, k.PageUp, k.PageDown, k.GotoTop, k.GotoBottom) {
		return false
	}
	s.Press(msg)
	return true
}

func (s *Scroller) position(lk *style.Look) words.Text {
	if s.h <= 0 || s.total <= s.h {
		return words.Text{}
	}
	return words.DialogPosition(lk.FormatCountRange(s.offset+1, s.offset+s.h), s.total)
}

// HeadingStatus returns the range of the visible lines. It returns the zero HeadingStatus if all
// lines are visible.
func (s *Scroller) HeadingStatus(lk *style.Look) style.HeadingStatus {
	at := s.position(lk)
	if at.IsZero() {
		return style.HeadingStatus{}
	}
	return style.HeadingStatus{Text: words.DialogPositionLines(at).In(lk.Format.Words), Brief: at.In(lk.Format.Words)}
}

// ScrollToTop scrolls to the first line.
func (s *Scroller) ScrollToTop() { s.offset = 0 }

// Disable makes HandleKey ignore keys until the next call of View.
func (s *Scroller) Disable() { s.total = 0 }

func (s *Scroller) scrollBy(n int) { s.offset = max(min(s.offset+n, s.total-s.h), 0) }

// View returns the visible part of lines, as h lines of w cells. x and y are the position of the
// first line on the screen, for mouse events.
func (s *Scroller) View(lines []string, x, y, w, h int) []string {
	return style.FitLines(s.visible(lines, x, y, w, h), w, h, "")
}

// ViewCounted is like View, but if not all lines are visible, its last line says how many are above
// and below.
func (s *Scroller) ViewCounted(lk *style.Look, lines []string, x, y, w, h int) []string {
	const least = 3 // minimum height for a line with the numbers of hidden lines
	if len(lines) <= h || h < least {
		return s.View(lines, x, y, w, h)
	}
	out := s.View(lines, x, y, w, h-1)
	hidden := lk.Translate(words.List(HiddenLinesTexts(s.offset, s.total-s.offset-s.h)))
	return append(out, lk.Style(themes.Dim).Render(style.Fit(hidden, w, lk.Glyphs.Ellipsis)))
}

// HiddenLinesTexts returns phrases with the numbers of hidden lines above and below the visible
// lines.
func HiddenLinesTexts(above, under int) (out []words.Text) {
	if above > 0 {
		out = append(out, words.KeysMoreAbove(above))
	}
	if under > 0 {
		out = append(out, words.KeysMoreBelow(under))
	}
	return out
}

// ViewFitted is like View, but for lines that are already exactly w cells wide.
func (s *Scroller) ViewFitted(lines []string, x, y, w, h int) []string {
	return style.FillLines(s.visible(lines, x, y, w, h), w, h)
}

// visible stores the area on the screen and returns the lines that are visible in it.
func (s *Scroller) visible(lines []string, x, y, w, h int) []string {
	s.total, s.x, s.y, s.w, s.h = len(lines), x, y, w, h
	s.scrollBy(0)
	end := min(s.offset+max(h, 0), len(lines))
	return append(make([]string, 0, max(h, 0)), lines[s.offset:end]...)
}
