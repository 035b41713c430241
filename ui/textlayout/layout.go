package textlayout

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Block is a titled part of a sheet. Draw draws its content with a pen. The layout sets the width
// of the pen.
type Block struct {
	Title string
	Draw  func(*Pen)
}

// The layout has as many columns as fit, but at most maxColumns. A column is at least
// minColumnWidth cells wide.
const (
	minColumnWidth = 48
	maxColumns     = 3
	columnGap      = 3
)

// Layout draws a heading and blocks below it. It returns lines of exactly width cells, or nil if
// width is not positive. Each block goes into the column that is the shortest so far. A block
// without content is omitted together with its title.
func Layout(ink PenSettings, width int, heading Block, blocks ...Block) []string {
	if width <= 0 {
		return nil
	}
	n := min(max((width+columnGap)/(minColumnWidth+columnGap), 1), maxColumns)
	w := (width - columnGap*(n-1)) / n
	columns := make([][]string, n)
	for _, b := range blocks {
		p := &Pen{PenSettings: ink, Width: w}
		b.Draw(p)
		if len(p.Lines) == 0 {
			continue
		}
		index := 0
		for i := range columns {
			if len(columns[i]) < len(columns[index]) {
				index = i
			}
		}
		if len(columns[index]) > 0 {
			columns[index] = append(columns[index], strings.Repeat(" ", w))
		}
		columns[index] = append(columns[index], p.TitleLine(b.Title))
		columns[index] = append(columns[index], p.Lines...)
	}
	top := &Pen{PenSettings: ink, Width: width}
	heading.Draw(top)
	return append(top.Lines, joinColumns(columns, w, width)...)
}

// joinColumns returns lines of width cells with the columns side by side. Each column is w cells
// wide.
func joinColumns(columns [][]string, w, width int) []string {
	if len(columns) == 1 && w == width {
		return columns[0]
	}
	height := 0
	for _, c := range columns {
		height = max(height, len(c))
	}
	out := make([]string, height)
	for y := range out {
		var b strings.Builder
		b.Grow(width + len(columns)*styleBytesPerLine)
		x := 0
		for i, c := range columns {
			if index := i * (w + columnGap); index > x {
				writeBlanks(&b, index-x)
				x = index
			}
			if y < len(c) {
				b.WriteString(c[y])
				x += w
			}
		}
		writeBlanks(&b, width-x)
		out[y] = b.String()
	}
	return out
}

// TruncateMiddle returns text if it is at most w cells wide. Otherwise it replaces the middle of text with
// an ellipsis. keep is the number of a cell of text, counted from 1, that stays visible if w is at least
// 5, even if the end of text must then be cut, too. A keep of 0 means that all cells are equally
// important.
func TruncateMiddle(text string, w, keep int, ascii bool) string {
	full := ansi.StringWidth(text)
	if full <= w {
		return text
	}
	dots := "…"
	if ascii {
		dots = "~"
	}
	end := max((w-1)/2, 0)
	start := max(w-1-end, 0)
	if from := keep - 1; from >= start && from < full-end && w >= 5 {
		if start = w - 1 - (full - from); start >= w/4 {
			end = full - from
		} else {
			start = w / 4
			return ansi.Truncate(text, start, "") + dots + ansi.Cut(text, from, from+w-start-2) + dots
		}
	}
	return ansi.Truncate(text, start, "") + dots + ansi.TruncateLeft(text, full-end, "")
}

// TruncateWords returns text if it is at most w cells wide. Otherwise it cuts text between words
// and appends an ellipsis.
func TruncateWords(text string, w int, ascii bool) string {
	if ansi.StringWidth(text) <= w {
		return text
	}
	dots := "…"
	if ascii {
		dots = "..."
	}
	cut := ansi.Truncate(text, w-len([]rune(dots))-1, "")
	if i := strings.LastIndexByte(cut, ' '); i > 0 && text[len(cut)] != ' ' {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ,;:") + " " + dots
}
