package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// screen is what a terminal shows: as much of a VT220 as Bubble Tea uses there,
// without colours.
type screen struct {
	parser      *ansi.Parser
	w, h        int
	cells       [][]string // "" is the right half of a wide character
	x, y        int        // the cursor; x is w after the last column was written
	top, bottom int        // the lines that scroll
	modes       map[int]bool
	strange     string // the first sequence that is not known here
}

func newScreen(w, h int) *screen {
	s := &screen{parser: ansi.NewParser(), w: w, h: h, modes: map[int]bool{}}
	s.parser.SetHandler(ansi.Handler{Print: s.print, Execute: s.control, HandleCsi: s.sequence, HandleEsc: s.escape})
	s.cells = make([][]string, h)
	s.clear(0, h)
	s.bottom = h - 1
	return s
}

// String returns the text on the screen.
func (s *screen) String() string {
	var b strings.Builder
	for _, row := range s.cells {
		b.WriteString(strings.TrimRight(strings.Join(row, ""), " ") + "\n")
	}
	return b.String()
}

func (s *screen) clear(from, to int) {
	for y := from; y < to; y++ {
		s.cells[y] = slices.Repeat([]string{" "}, s.w)
	}
}

func (s *screen) print(r rune) {
	w := ansi.StringWidth(string(r))
	if w == 0 {
		if s.x > 0 {
			s.cells[s.y][s.x-1] += string(r)
		}
		return
	}
	if s.x+w > s.w {
		if !s.modes[ansi.ModeAutoWrap.Mode()] {
			s.x = s.w - w
		} else {
			s.x = 0
			s.lineFeed()
		}
	}
	s.cells[s.y][s.x] = string(r)
	for i := 1; i < w; i++ {
		s.cells[s.y][s.x+i] = ""
	}
	s.x += w
}

func (s *screen) control(b byte) {
	switch b {
	case '\r':
		s.x = 0
	case '\n':
		s.lineFeed()
	case '\b':
		s.x = max(min(s.x, s.w-1)-1, 0)
	case '\t':
		s.x = min(s.x/8*8+8, s.w-1)
	}
}

func (s *screen) lineFeed() {
	if s.y == s.bottom {
		s.scroll(s.top, 1)
	} else {
		s.y = min(s.y+1, s.h-1)
	}
}

// scroll moves the lines from y to the bottom up by n, or down by -n.
func (s *screen) scroll(y, n int) {
	lines := s.cells[y : s.bottom+1]
	n = max(min(n, len(lines)), -len(lines))
	if n >= 0 {
		copy(lines, lines[n:])
		s.clear(s.bottom+1-n, s.bottom+1)
	} else {
		copy(lines[-n:], lines)
		s.clear(y, y-n)
	}
}

func (s *screen) escape(cmd ansi.Cmd) {
	switch {
	case cmd.Final() == 'M' && s.y == s.top: // reverse index
		s.scroll(s.top, -1)
	case cmd.Final() == 'M':
		s.y = max(s.y-1, 0)
	}
}

// sequence obeys a control sequence.
func (s *screen) sequence(cmd ansi.Cmd, params ansi.Params) {
	arg := func(i, def int) int {
		n, _, _ := params.Param(i, def)
		return n
	}
	if cmd.Prefix() != 0 || cmd.Intermediate() != 0 {
		s.private(cmd, arg(0, 0))
		return
	}
	n := max(arg(0, 1), 1)
	s.x = min(s.x, s.w-1)
	switch cmd.Final() {
	case 'A':
		s.y = max(s.y-n, 0)
	case 'B':
		s.y = min(s.y+n, s.h-1)
	case 'C':
		s.x = min(s.x+n, s.w-1)
	case 'D':
		s.x = max(s.x-n, 0)
	case 'H':
		s.y, s.x = min(n, s.h)-1, min(max(arg(1, 1), 1), s.w)-1
	case 'J', 'K':
		s.erase(cmd.Final(), arg(0, 0))
	case 'L':
		s.scroll(s.y, -n)
	case 'M':
		s.scroll(s.y, n)
	case 'S':
		s.scroll(s.top, n)
	case 'T':
		s.scroll(s.top, -n)
	case '@':
		row := slices.Concat(s.cells[s.y][:s.x], slices.Repeat([]string{" "}, n), s.cells[s.y][s.x:])
		s.cells[s.y] = row[:s.w]
	case 'P':
		row := slices.Delete(s.cells[s.y], s.x, min(s.x+n, s.w))
		s.cells[s.y] = append(row, slices.Repeat([]string{" "}, s.w-len(row))...)
	case 'r':
		s.top, s.bottom = n-1, arg(1, s.h)-1
		s.x, s.y = 0, 0
	case 'm', 'h', 'l', 't', 'c': // colours, modes, the window, a question
	default:
		s.strange = fmt.Sprintf("CSI %v %c", params, cmd.Final())
	}
}

// erase clears to the end of the screen or line, from its beginning, or all.
func (s *screen) erase(what byte, how int) {
	from, to := s.x, s.w
	if how != 0 {
		from = 0
	}
	if how == 1 {
		to = s.x + 1
	}
	for x := from; x < to; x++ {
		s.cells[s.y][x] = " "
	}
	if what == 'K' {
		return
	}
	if how != 1 {
		s.clear(s.y+1, s.h)
	}
	if how != 0 {
		s.clear(0, s.y)
	}
}

// private notes the modes. What else there is changes nothing here.
func (s *screen) private(cmd ansi.Cmd, mode int) {
	if cmd.Prefix() != '?' || cmd.Intermediate() != 0 || cmd.Final() != 'h' && cmd.Final() != 'l' {
		return
	}
	s.modes[mode] = cmd.Final() == 'h'
	if mode == ansi.ModeAltScreenSaveCursor.Mode() {
		s.clear(0, s.h)
	}
}
