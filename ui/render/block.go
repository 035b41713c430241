package render

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"wallboard/themes"
	"wallboard/ui/chart"
)

// block is one titled part of a drill-down. It draws itself at the width that
// the layout gives it.
type block struct {
	title string
	draw  func(*pen)
}

// The layout of a drill-down: as many columns as have room, each at least this
// wide.
const (
	minColumn  = 48
	maxColumns = 3
	columnGap  = 3
)

// layout draws blocks into lines of exactly width cells. Each block goes into
// the column that is the shortest so far; a block that draws nothing is left
// out with its title.
func (v *View) layout(width int, heading block, blocks ...block) []string {
	if width <= 0 {
		return nil
	}
	n := min(max((width+columnGap)/(minColumn+columnGap), 1), maxColumns)
	w := (width - columnGap*(n-1)) / n
	columns := make([][]string, n)
	for _, b := range blocks {
		p := &pen{v: v, width: w}
		b.draw(p)
		if len(p.lines) == 0 {
			continue
		}
		at := 0
		for i := range columns {
			if len(columns[i]) < len(columns[at]) {
				at = i
			}
		}
		if len(columns[at]) > 0 {
			columns[at] = append(columns[at], strings.Repeat(" ", w))
		}
		columns[at] = append(columns[at], p.rule(b.title))
		columns[at] = append(columns[at], p.lines...)
	}
	top := &pen{v: v, width: width}
	heading.draw(top)
	return append(top.lines, beside(columns, w, width)...)
}

// beside puts columns of width w beside each other.
func beside(columns [][]string, w, width int) []string {
	height := 0
	for _, c := range columns {
		height = max(height, len(c))
	}
	out := make([]string, height)
	for y := range out {
		var b strings.Builder
		b.Grow(width + len(columns)*styles)
		x := 0
		for i, c := range columns {
			if at := i * (w + columnGap); at > x {
				blanks(&b, at-x)
				x = at
			}
			if y < len(c) {
				b.WriteString(c[y])
				x += w
			}
		}
		blanks(&b, width-x)
		out[y] = b.String()
	}
	return out
}

// span is a piece of text with a meaning.
type span struct {
	text  string
	token themes.Token
}

// plain returns a span of ordinary text.
func plain(s string) span { return span{text: s} }

// pen draws lines of exactly width cells.
type pen struct {
	v     *View
	width int
	lines []string
}

// rule returns the line with a block's title.
func (p *pen) rule(title string) string {
	var b strings.Builder
	b.Grow(3*p.width + styles)
	used := p.put(&b, span{title, themes.Title}, p.width)
	if rest := p.width - used - 1; rest > 0 {
		st := p.v.Options.Theme.Style(themes.Border)
		b.WriteByte(' ')
		b.WriteString(st.Open)
		for range rest {
			b.WriteString(p.v.pick("─", "-"))
		}
		b.WriteString(st.Close)
	} else {
		blanks(&b, p.width-used)
	}
	return b.String()
}

// put writes a span in at most width cells, cut if need be, and returns how
// many it took.
func (p *pen) put(b *strings.Builder, s span, width int) int {
	if width <= 0 || s.text == "" {
		return 0
	}
	text, cells := p.fit(s.text, width)
	st := p.v.Options.Theme.Style(s.token)
	if s.token == themes.Text {
		st = themes.Style{}
	}
	open, end := st.Open, st.Close
	if open == "" && !ascii(text) {
		// A stray combining character must not join the blank beside it:
		// that would change the width of the line.
		open, end = reset, reset
	}
	b.WriteString(open)
	b.WriteString(text)
	b.WriteString(end)
	return cells
}

const reset = "\x1b[m"

// fit cuts a text to a width and returns how wide it is then.
func (p *pen) fit(s string, width int) (string, int) {
	if ascii(s) {
		if len(s) <= width {
			return s, len(s)
		}
		return s[:max(width-1, 0)] + p.v.pick("…", "~"), width
	}
	m := p.v.Options.Width
	if cells := m.StringWidth(s); cells <= width {
		return s, cells
	}
	// Not m.Truncate: it decides by the width of grapheme clusters whatever
	// the method, and returns joined emoji wider than asked.
	end, cells := 0, 0
	for end < len(s) {
		cluster, w := ansi.FirstGraphemeCluster(s[end:], m)
		if cells+w > width-1 {
			break
		}
		end += len(cluster)
		cells += w
	}
	return s[:end] + p.v.pick("…", "~"), cells + 1
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

func blanks(b *strings.Builder, n int) {
	const many = "                                                            " // 60
	for ; n > 0; n -= len(many) {
		b.WriteString(many[:min(n, len(many))])
	}
}

// styles is how many bytes a line takes beside its cells, as a rule.
const styles = 120

// cell writes a span in exactly width cells.
func (p *pen) cell(b *strings.Builder, s span, width int, right bool) {
	if width <= 0 {
		return
	}
	if right {
		_, cells := p.fit(s.text, width)
		blanks(b, width-cells)
		p.put(b, s, width)
		return
	}
	blanks(b, width-p.put(b, s, width))
}

// line appends one line of spans, set apart by a blank.
func (p *pen) line(spans ...span) {
	var b strings.Builder
	b.Grow(p.width + styles)
	used := 0
	for _, s := range spans {
		if s.text == "" || used >= p.width {
			continue
		}
		if used > 0 {
			b.WriteByte(' ')
			used++
		}
		used += p.put(&b, s, p.width-used)
	}
	blanks(&b, p.width-used)
	p.lines = append(p.lines, b.String())
}

// gap appends a blank line between two parts of a block.
func (p *pen) gap() {
	if len(p.lines) > 0 {
		p.lines = append(p.lines, strings.Repeat(" ", p.width))
	}
}

// paragraph appends a text, wrapped.
func (p *pen) paragraph(s span) {
	wrapped := p.v.Options.Width.Wrap(s.text, p.width, "")
	for l := range strings.SplitSeq(wrapped, "\n") {
		p.line(span{strings.TrimRight(l, " "), s.token})
	}
}

// pair is a label with its value.
type pair struct {
	label string
	value span
}

// pairs appends labels with their values, in two columns when there is room,
// read down each. Room for a value is kept free, so that the layout does not
// change with it.
func (p *pen) pairs(ps ...pair) {
	const (
		gap   = 3
		value = 8
	)
	n, w := 2, (p.width-gap)/2
	for _, it := range ps {
		_, need := p.fit(it.value.text, p.width)
		if len(it.label)+1+max(need, value) > w {
			n, w = 1, p.width
			break
		}
	}
	rows := (len(ps) + n - 1) / n
	for y := range rows {
		var b strings.Builder
		b.Grow(p.width + styles)
		x := 0
		for at := y; at < len(ps); at += rows {
			if x > 0 {
				blanks(&b, gap)
				x += gap
			}
			p.pair(&b, ps[at], w)
			x += w
		}
		blanks(&b, p.width-x)
		p.lines = append(p.lines, b.String())
	}
}

// pair writes one pair in exactly width cells. A value that is too long is cut:
// without its label it would say nothing.
func (p *pen) pair(b *strings.Builder, it pair, width int) {
	label := min(len(it.label)+1, width)
	p.cell(b, span{it.label, themes.Dim}, label, false)
	p.cell(b, it.value, width-label, true)
}

// set returns the characters that charts are drawn with.
func (v *View) set() chart.Set {
	if v.Options.ASCII {
		return chart.ASCII
	}
	return chart.Blocks
}

// gauge returns a horizontal bar.
func (v *View) gauge(width int) chart.Gauge {
	return chart.Gauge{
		Width: width, Set: v.set(),
		Style: v.style(themes.Gauge), EmptyStyle: v.style(themes.GaugeEmpty),
	}
}
