package widgets

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// blockSize is the size of an agent's block in cells and lines. It includes the gap to the next
// block.
type blockSize struct{ w, h int }

// blockSizes lists the sizes of blocks with text, the largest first. The largest blocks contain the
// name above the time in digits of three lines. Smaller blocks contain the name and the time, or
// initials and the time, and the smallest ones only initials.
var blockSizes = []blockSize{
	{40, 8}, {34, 7}, {28, 6}, {24, 5}, {22, 5}, {20, 5}, {18, 5}, {16, 5}, {24, 4}, {22, 3}, {20, 3}, {18, 3}, {20, 2}, {18, 2}, {16, 2}, {14, 2}, {7, 3}, {7, 2}, {6, 2}, {5, 2}, {5, 1}, {4, 1},
}

// minNamedWidth is the minimum width in cells of a block with a name. minDigitsHeight is the
// minimum height in lines of a block with large digits.
const (
	minNamedWidth   = 14
	minDigitsHeight = 1 + chart.HalfDigitRows + 1
)

// linesFor returns the number of lines that the blocks of all groups take at a width of w cells.
func (b blockSize) linesFor(groups []agentGroup, w int) int {
	columns, n := w/b.w, 0
	if columns <= 0 {
		return math.MaxInt
	}
	for _, g := range groups {
		n += (len(g.rows) + columns - 1) / columns * b.h
	}
	return n
}

// blockSizeFor returns the first of the sizes at which the blocks of all groups fit into w cells
// and h lines, enlarged to use the remaining room. ok is false if no size fits or there are no
// agents.
func blockSizeFor(sizes []blockSize, groups []agentGroup, w, h int) (b blockSize, ok bool) {
	if len(groups) == 0 || len(groups[0].rows) == 0 {
		return blockSize{}, false
	}
	for _, b := range sizes {
		if b.linesFor(groups, w) <= h {
			return b.enlarge(groups, w, h), true
		}
	}
	return blockSize{}, false
}

// enlarge returns b enlarged by at most half, first in width, then in height. The blocks of all
// groups must still fit.
func (b blockSize) enlarge(groups []agentGroup, w, h int) blockSize {
	largest := blockSize{b.w * 3 / 2, b.h * 3 / 2}
	for wider := (blockSize{b.w + 1, b.h}); wider.w <= largest.w && wider.linesFor(groups, w) <= h; wider.w++ {
		b = wider
	}
	for higher := (blockSize{b.w, b.h + 1}); higher.h <= largest.h && higher.linesFor(groups, w) <= h; higher.h++ {
		b = higher
	}
	return b
}

// drawBlocks draws groups of agents as blocks, with the titles of the groups on the left. x and y
// are the position on the screen.
func (m *AgentMap) drawBlocks(sc AgentMapScene, groups []agentGroup, x, y, w int) []string {
	b, label := m.blockSize, m.labelWidth(w)
	columns := (w - label) / b.w
	var out []string
	for _, g := range groups {
		title := m.groupLabel(sc, g.title, label)
		for rows := range slices.Chunk(g.rows, columns) {
			for i, row := range rows {
				if row != noAgent {
					m.AgentPositions = append(m.AgentPositions, AgentPosition{x + label + i*b.w, y + len(out), row})
				}
			}
			drawn := make([]*style.Line, b.h)
			for i := range drawn {
				drawn[i] = style.NewLine(w, sc.Look.Glyphs.Ellipsis).AddRaw(title, label)
				title = style.Blanks(label)
			}
			for _, row := range rows {
				if row == noAgent {
					m.paintBlock(m.overflowText, themes.Style{}, themes.Style{}, drawn)
					continue
				}
				m.drawBlock(sc, row, drawn)
			}
			for _, l := range drawn {
				out = append(out, l.Finish(themes.Style{}))
			}
		}
	}
	return out
}

// drawBlock appends the block of the agent in a row to lines. The color of the first line shows an
// alert, or that the state is new.
func (m *AgentMap) drawBlock(sc AgentMapScene, row int32, lines []*style.Line) {
	r, name, b := m.rows.Record(int(row)), m.rows.Name(int(row)), m.blockSize
	state := m.stateOf(r)
	st := sc.Look.Theme.BlockStyle(state.Token)
	firstLineStyle, sign, mark := st, state.Glyph(sc.Look.ASCII), ""
	if m.isWallView {
		st = sc.Look.Style(state.Token)
		name += " " + sc.Look.Glyphs.Dot + " " + state.Word.In(sc.Look.Format.Words)
	}
	elapsed, known := r.TimeInState.Since(sc.Floor.Now())
	switch level := m.rows.TimeLevel(int(row)); {
	case m.Cursor != "" && m.rows.Key(int(row)) == m.Cursor:
		st, sign = sc.Look.Style(themes.Selection), sc.Look.Glyphs.Pointer
		firstLineStyle = st
	case m.stale:
	case level == render.Critical:
		firstLineStyle, mark = sc.Look.Style(themes.BadgeCritical), level.Glyph(sc.Look.ASCII)
	case level != render.Normal:
		firstLineStyle, mark = sc.Look.Style(themes.BadgeWarn), level.Glyph(sc.Look.ASCII)
	case known && elapsed < newStateDuration:
		if mark = sc.Look.Glyphs.New; sc.Flash {
			firstLineStyle = sc.Look.Style(themes.Flash)
		}
	}
	available := b.w - 1 // the gap to the next block stays free
	if b.w >= minNamedWidth {
		sign += mark // without colors, only the glyph shows the state
	}
	text := m.blockText(sc, sign, name, m.rows.Key(int(row)), elapsed, known && !m.stale, available)
	m.paintBlock(text, firstLineStyle, st, lines)
}

// noAgent is the row number of the block that counts the agents without a block.
const noAgent = -1

// newStateDuration is how long an agent's state is marked as new.
const newStateDuration = 2 * time.Second

// blockText returns the lines of text in a block: as much of the name as fits, and the time in
// state with the largest digits that fit. If known is false, it omits the time.
func (m *AgentMap) blockText(sc AgentMapScene, sign, name, user string, elapsed time.Duration, known bool, available int) []string {
	since := ""
	if known {
		if since = sc.Look.FormatDuration(elapsed); style.Width(since) > available {
			since = roundDuration(elapsed) // whole hours or minutes, because long times must not be omitted
		}
	}
	nameLine := sign + initials(name, user)
	if style.Width(nameLine) > available { // only the glyph is left, because without colors only the glyph shows the state
		nameLine = sign
	}
	if m.blockSize.w < minNamedWidth {
		return []string{nameLine, since}
	}
	nameLine = sign + " " + style.Truncate(name, available-3-style.Width(sign), sc.Look.Glyphs.Ellipsis)
	if m.blockSize.h < minDigitsHeight {
		return []string{nameLine, "  " + since}
	}
	for _, since := range []string{since, strconv.Itoa(int(elapsed/time.Minute)) + "m", roundDuration(elapsed)} {
		if lines, width := chart.LargeNumbers(since, sc.Look.ChartGlyphs()); known && width <= available-2 {
			for i := range lines {
				lines[i] = style.Blanks((available-2-width)/2) + lines[i]
			}
			return append([]string{nameLine}, lines...)
		}
	}
	return []string{nameLine}
}

// paintBlock appends the lines of a block with the given text to lines. The first line has the
// style head, the others have the style st.
func (m *AgentMap) paintBlock(text []string, head, st themes.Style, lines []*style.Line) {
	available, high := m.blockSize.w-1, m.blockSize.h
	if high > 2 {
		high-- // the gap to the block below stays free
	}
	for i, l := range lines {
		if i >= high {
			l.Space(themes.Style{}, m.blockSize.w)
			continue
		}
		on := st
		if i == 0 {
			on = head
		}
		said := ""
		if i < len(text) && style.Width(text[i]) <= available {
			said = style.Blanks(min(available-style.Width(text[i]), 1)) + text[i]
		}
		l.Add(on, said+style.Blanks(available-style.Width(said))).Space(themes.Style{}, 1)
	}
}

// roundDuration formats a duration in whole hours, or in whole minutes below one hour.
func roundDuration(d time.Duration) string {
	if d >= time.Hour {
		return strconv.Itoa(int(d/time.Hour)) + "h"
	}
	return strconv.Itoa(int(d/time.Minute)) + "m"
}

// initials returns the first letters of the first two words of a name, or a number in the name,
// such as "12" for "Agent 12". If the letters are two cells wide, it returns only the first letter.
// For a name without letters, it returns the initials of the user name.
func initials(name, user string) string {
	out, wideLetter := "", ""
	for i, word := range strings.Fields(name) {
		first, _ := utf8.DecodeRuneInString(word)
		if unicode.IsDigit(first) && i > 0 {
			return word
		}
		switch letter := unicode.IsLetter(first); style.Width(string(first)) {
		case 1:
			if i < 2 {
				out += string(unicode.ToUpper(first))
			}
		case 2:
			if wideLetter == "" && letter {
				wideLetter = string(first)
			}
		}
	}
	switch {
	case out != "" || wideLetter != "":
		return cmp.Or(out, wideLetter)
	case user == "" || name == "":
		return ""
	}
	return initials(strings.NewReplacer(".", " ", "_", " ", "-", " ").Replace(user), "")
}

// positionAt returns the index in [AgentMap.AgentPositions] of the agent at a screen position, or -1 if there is
// none.
func (m *AgentMap) positionAt(x, y int) int {
	for i, s := range m.AgentPositions {
		if x >= s.X && x < s.X+max(m.blockSize.w-1, 2) && y >= s.Y && y < s.Y+max(m.blockSize.h-1, 1) {
			return i
		}
	}
	return -1
}
