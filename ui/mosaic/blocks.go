package mosaic

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/look"
)

// form is how agents stand as blocks in the colour of their state: how many cells
// and lines each of them has, with the gap after it.
type form struct{ w, h int }

// The forms of blocks, from the largest: a name above the time in digits of three lines,
// name and time, and initials.
var forms = []form{
	{40, 8}, {34, 7}, {28, 6}, {24, 5}, {22, 5}, {20, 5}, {24, 4}, {22, 3}, {20, 3}, {18, 3}, {20, 2}, {18, 2}, {16, 2}, {14, 2}, {7, 3}, {7, 2}, {6, 2}, {5, 2}, {5, 1}, {4, 1},
}

// leastNamed is the least width of a block with a name in it, leastDigits the least
// height of one with large digits.
const (
	leastNamed  = 14
	leastDigits = 1 + chart.HalfRows + 1
)

// lines is how many lines groups of agents take in w cells.
func (b form) lines(groups []bunch, w int) int {
	columns, n := w/b.w, 0
	if columns <= 0 {
		return math.MaxInt
	}
	for _, g := range groups {
		n += (len(g.rows) + columns - 1) / columns * b.h
	}
	return n
}

// formFor returns the largest form in which groups of agents fit in w cells and h lines,
// as wide and then as high as it can be there; ok is false where none does, and of
// nobody.
func formFor(groups []bunch, w, h int) (b form, ok bool) {
	if len(groups) == 0 || len(groups[0].rows) == 0 {
		return form{}, false
	}
	for _, b := range forms {
		if b.lines(groups, w) > h {
			continue
		}
		most := form{b.w * 3 / 2, b.h * 3 / 2}
		for wider := (form{b.w + 1, b.h}); wider.w <= most.w && wider.lines(groups, w) <= h; wider.w++ {
			b = wider
		}
		for higher := (form{b.w, b.h + 1}); higher.h <= most.h && higher.lines(groups, w) <= h; higher.h++ {
			b = higher
		}
		return b, true
	}
	return form{}, false
}

// tiled draws the agents as blocks, the titles of their groups beside them.
func (m *Model) tiled(sc Scene, x, y, w int, b form) []string {
	label := m.labelled(w)
	columns := (w - label) / b.w
	var out []string
	for _, g := range m.order.groups {
		title := m.label(sc, g.title, label)
		for rows := range slices.Chunk(g.rows, columns) {
			for i, row := range rows {
				m.Spots = append(m.Spots, Spot{x + label + i*b.w, y + len(out), row})
			}
			drawn := make([]*look.Line, b.h)
			for i := range drawn {
				drawn[i] = look.NewLine(w, sc.Look.Glyphs.Ellipsis).Raw(title, label)
				title = look.Blanks(label)
			}
			for _, row := range rows {
				m.block(sc, row, b, drawn)
			}
			for _, l := range drawn {
				out = append(out, l.End(themes.Style{}))
			}
		}
	}
	return out
}

// block draws an agent at the end of lines.
func (m *Model) block(sc Scene, row int32, b form, lines []*look.Line) {
	r, name := m.rows.Record(int(row)), m.rows.Name(int(row))
	state := m.state(r)
	st := reversed(sc.Look.Style(state.Token))
	sign := state.Glyph(sc.Look.ASCII)
	if m.Cursor != "" && m.rows.Key(int(row)) == m.Cursor {
		st, sign = sc.Look.Style(themes.Selection), sc.Look.Glyphs.Pointer
	}
	room, high := b.w-1, b.h // the gap to the next
	if high > 2 {
		high-- // and to those below
	}
	since := ""
	if d, ok := r.TimeInState.Since(sc.Floor.Now()); ok && !m.old {
		if since = sc.Look.Duration(d); look.Width(since) > room {
			since = rounded(d) // rather than that the longest are missing
		}
	}
	text := []string{sign + initials(name), since}
	if look.Width(text[0]) > room { // without colours, the sign is all that tells the state
		text[0] = sign
	}
	if b.w >= leastNamed {
		text = []string{sign + " " + look.Cut(name, room-4, sc.Look.Glyphs.Ellipsis), "  " + since}
	}
	if b.h >= leastDigits {
		d := chart.Digits{Width: room - 2, Set: sc.Look.Chart(), Half: true}
		text = append(text[:1], d.Render(since)...)
	}
	for i, l := range lines {
		switch {
		case i >= high:
			l.Space(themes.Style{}, b.w)
			continue
		case i < len(text) && look.Width(text[i]) <= room:
			lead := min(room-look.Width(text[i]), 1)
			l.Add(st, look.Blanks(lead)+text[i]+look.Blanks(room-lead-look.Width(text[i])))
		default:
			l.Add(st, look.Blanks(room))
		}
		l.Space(themes.Style{}, 1)
	}
}

// rounded is a duration in whole hours or minutes.
func rounded(d time.Duration) string {
	if d >= time.Hour {
		return strconv.Itoa(int(d/time.Hour)) + "h"
	}
	return strconv.Itoa(int(d/time.Minute)) + "m"
}

// reversed is a style with its colour behind the text.
func reversed(st themes.Style) themes.Style {
	return themes.Style{Open: st.Open + ansi.SGR(ansi.AttrReverse), Close: ansi.ResetStyle}
}

// initials are the first letters of the first two words of a name, of a number all of
// it: "Agent 12" is 12.
func initials(name string) string {
	out := ""
	for i, word := range strings.Fields(name) {
		first, _ := utf8.DecodeRuneInString(word)
		if unicode.IsDigit(first) && i > 0 {
			return word
		}
		if i < 2 && look.Width(string(first)) == 1 {
			out += string(unicode.ToUpper(first))
		}
	}
	return out
}

// spotAt is the place in [Model.Spots] of the agent at a place on the screen, -1 for none.
func (m *Model) spotAt(x, y int) int {
	for i, s := range m.Spots {
		if x >= s.X && x < s.X+max(m.form.w-1, 2) && y >= s.Y && y < s.Y+max(m.form.h-1, 1) {
			return i
		}
	}
	return -1
}
