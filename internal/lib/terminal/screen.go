package terminal

import (
	"fmt"
	"image/color"
	"maps"
	"slices"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// Cell is a cell of the screen. The second cell of a wide character has no text.
type Cell struct {
	Text  string
	Style uv.Style
}

// Screen emulates the subset of a VT220 that Bubble Tea uses. Use [NewScreen] to create one.
type Screen struct {
	parser          *ansi.Parser
	w, h            int
	cells           [][]Cell
	pen             uv.Style
	x, y            int // cursor position; x is w after a character was written to the last column
	top, bottom     int // scrolling region
	modes           map[int]bool
	lastRune        rune  // last printed character, for REP
	lastCell        *Cell // cell that holds the last printed character
	insertMode      bool
	fg, bg          color.Color // default colors; nil: those of the terminal
	unknownSequence string      // the last unknown sequence that was written; "" if there was none
}

// NewScreen returns a blank screen of w columns and h lines.
func NewScreen(w, h int) *Screen {
	s := &Screen{parser: ansi.NewParser(), w: w, h: h}
	s.modes = map[int]bool{ansi.ModeAutoWrap.Mode(): true, ansi.ModeTextCursorEnable.Mode(): true}
	s.parser.SetHandler(ansi.Handler{Print: s.print, Execute: s.executeControl, HandleCsi: s.executeCSI, HandleEsc: s.executeEscape, HandleOsc: s.setColor})
	s.cells = make([][]Cell, h)
	s.clearLines(0, h)
	s.bottom = h - 1
	return s
}

// Write implements [io.Writer]. It interprets b as terminal output and never returns an error.
func (s *Screen) Write(b []byte) (int, error) {
	s.parser.Parse(b)
	return len(b), nil
}

// Cursor returns the cursor position, and whether the cursor is visible.
func (s *Screen) Cursor() (x, y int, shown bool) {
	return min(s.x, s.w-1), s.y, s.modes[ansi.ModeTextCursorEnable.Mode()]
}

// Modes returns the DEC private modes that were set or reset, with the value true for those
// that are set.
func (s *Screen) Modes() map[int]bool { return maps.Clone(s.modes) }

// Colors returns the colors of cells without a style, as set by OSC 10 and 11. They are nil if the
// terminal's own colors apply.
func (s *Screen) Colors() (fg, bg color.Color) { return s.fg, s.bg }

// setColor sets or resets a default color. It ignores other OSC sequences.
func (s *Screen) setColor(cmd int, data []byte) {
	_, value, _ := strings.Cut(string(data), ";")
	switch cmd {
	case 10, 110:
		s.fg = ansi.XParseColor(value)
	case 11, 111:
		s.bg = ansi.XParseColor(value)
	}
}

// UnknownSequence returns the last unknown sequence written to the screen, or "" if there was none.
func (s *Screen) UnknownSequence() string { return s.unknownSequence }

// String returns the lines of the screen, each without trailing blanks and followed by a newline.
func (s *Screen) String() string {
	var b strings.Builder
	var line strings.Builder
	for _, row := range s.cells {
		line.Reset()
		for i := range row {
			line.WriteString(row[i].Text)
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// Cell returns the cell in column x of line y. Both are counted from 0.
func (s *Screen) Cell(x, y int) Cell { return s.cells[y][x] }

// blankCell returns an erased cell with the background of the current style.
func (s *Screen) blankCell() Cell { return Cell{Text: " ", Style: uv.Style{Bg: s.pen.Bg}} }

func (s *Screen) clearLines(from, to int) {
	for y := from; y < to; y++ {
		s.cells[y] = slices.Repeat([]Cell{s.blankCell()}, s.w)
	}
}

func (s *Screen) print(r rune) {
	w := ansi.StringWidth(string(r))
	s.lastRune = r
	if w == 0 {
		if s.lastCell != nil {
			s.lastCell.Text += string(r)
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
	if s.insertMode {
		s.editLine('@', w)
	}
	s.cells[s.y][s.x], s.lastCell = Cell{Text: string(r), Style: s.pen}, &s.cells[s.y][s.x]
	for i := 1; i < w; i++ {
		s.cells[s.y][s.x+i] = Cell{Style: s.pen}
	}
	s.x += w
	if !s.modes[ansi.ModeAutoWrap.Mode()] {
		s.x = min(s.x, s.w-1)
	}
}

func (s *Screen) executeControl(b byte) {
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

func (s *Screen) lineFeed() {
	if s.y == s.bottom {
		s.scroll(s.top, 1)
	} else {
		s.y = min(s.y+1, s.h-1)
	}
}

// scroll moves the lines between line y and the bottom of the scrolling region up by n, or
// down if n is negative. It clears the lines that become free.
func (s *Screen) scroll(y, n int) {
	lines := s.cells[y : s.bottom+1]
	n = max(min(n, len(lines)), -len(lines))
	if n >= 0 {
		copy(lines, lines[n:])
		s.clearLines(s.bottom+1-n, s.bottom+1)
	} else {
		copy(lines[-n:], lines)
		s.clearLines(y, y-n)
	}
}

func (s *Screen) executeEscape(cmd ansi.Cmd) {
	switch {
	case cmd.Final() == 'M' && s.y == s.top: // reverse index (RI)
		s.scroll(s.top, -1)
	case cmd.Final() == 'M':
		s.y = max(s.y-1, 0)
	}
}

// executeCSI executes a CSI control sequence.
func (s *Screen) executeCSI(cmd ansi.Cmd, params ansi.Params) {
	arg := func(i, def int) int {
		n, _, _ := params.Param(i, def)
		return n
	}
	if cmd.Prefix() != 0 || cmd.Intermediate() != 0 {
		s.setPrivateMode(cmd, arg(0, 0))
		return
	}
	n := max(arg(0, 1), 1)
	s.x = min(s.x, s.w-1)
	switch final := cmd.Final(); final {
	case 'J', 'K':
		s.erase(final, arg(0, 0))
	case 'r':
		s.top, s.bottom = n-1, arg(1, s.h)-1
		s.x, s.y = 0, 0
	case 'h', 'l':
		s.insertMode = final == 'h' && n == modeInsert
	case 'b': // repeat the last character
		for range n {
			s.print(s.lastRune)
		}
	case 'm':
		uv.ReadStyle(params, &s.pen)
	case 't', 'c': // window operations and queries
	default:
		if !s.moveCursor(final, n, max(arg(1, 1), 1)) && !s.editLine(final, n) {
			s.unknownSequence = fmt.Sprintf("CSI %v %c", params, final)
		}
	}
}

// modeInsert is the insert mode (IRM), in which a printed character shifts the rest of the line
// to the right.
const modeInsert = 4

// moveCursor executes a CSI sequence that moves the cursor. n and m are its parameters. It
// returns false if the sequence does not move the cursor.
func (s *Screen) moveCursor(final byte, n, m int) bool {
	switch final {
	case 'A':
		s.y = max(s.y-n, 0)
	case 'B':
		s.y = min(s.y+n, s.h-1)
	case 'C':
		s.x = min(s.x+n, s.w-1)
	case 'D':
		s.x = max(s.x-n, 0)
	case 'G', '`':
		s.x = min(n, s.w) - 1
	case 'd':
		s.y = min(n, s.h) - 1
	case 'H':
		s.y, s.x = min(n, s.h)-1, min(m, s.w)-1
	default:
		return false
	}
	return true
}

// editLine executes a CSI sequence that scrolls lines, or inserts, deletes or erases
// characters. It returns false for all other sequences.
func (s *Screen) editLine(final byte, n int) bool {
	row := s.cells[s.y]
	switch final {
	case 'L':
		s.scroll(s.y, -n)
	case 'M':
		s.scroll(s.y, n)
	case 'S':
		s.scroll(s.top, n)
	case 'T':
		s.scroll(s.top, -n)
	case '@':
		s.cells[s.y] = slices.Insert(row, min(s.x, s.w), slices.Repeat([]Cell{s.blankCell()}, n)...)[:s.w]
	case 'P':
		row = slices.Delete(row, s.x, min(s.x+n, s.w))
		s.cells[s.y] = append(row, slices.Repeat([]Cell{s.blankCell()}, s.w-len(row))...)
	case 'X':
		for x := s.x; x < min(s.x+n, s.w); x++ {
			row[x] = s.blankCell()
		}
	default:
		return false
	}
	return true
}

// erase erases a part of the cursor's line (target 'K') or of the screen (target 'J'). extent
// is 0 for the part from the cursor on, 1 for the part up to the cursor, and 2 for everything.
func (s *Screen) erase(target byte, extent int) {
	from, to := s.x, s.w
	if extent != 0 {
		from = 0
	}
	if extent == 1 {
		to = s.x + 1
	}
	for x := from; x < to; x++ {
		s.cells[s.y][x] = s.blankCell()
	}
	if target == 'K' {
		return
	}
	if extent != 1 {
		s.clearLines(s.y+1, s.h)
	}
	if extent != 0 {
		s.clearLines(0, s.y)
	}
}

// setPrivateMode sets or resets a DEC private mode. It ignores other private sequences.
func (s *Screen) setPrivateMode(cmd ansi.Cmd, mode int) {
	if cmd.Prefix() != '?' || cmd.Intermediate() != 0 || cmd.Final() != 'h' && cmd.Final() != 'l' {
		return
	}
	s.modes[mode] = cmd.Final() == 'h'
	if mode == ansi.ModeAltScreenSaveCursor.Mode() {
		s.clearLines(0, s.h)
	}
}
