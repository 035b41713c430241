package textlayout

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/lib/textnorm"
	"wallboard/themes"
)

// Span is a piece of text with the token of its style.
type Span struct {
	Text  string
	Token themes.Token
}

// NewSpan returns a span with the given text and token.
func NewSpan(text string, token themes.Token) Span { return Span{text, token} }

// PlainSpan returns a span of ordinary text.
func PlainSpan(s string) Span { return Span{Text: s} }

// PenSettings holds the drawing settings of a [Pen].
type PenSettings struct {
	Theme       themes.Theme
	ASCII       bool        // use only ASCII characters
	WidthMethod ansi.Method // how the terminal measures the width of text
}

// Pen draws lines of exactly Width cells and appends them to Lines.
type Pen struct {
	PenSettings

	Width int
	Lines []string
}

// glyphOrASCII returns glyph, or ascii if only ASCII characters may be drawn.
func (i *PenSettings) glyphOrASCII(glyph, ascii string) string {
	if i.ASCII {
		return ascii
	}
	return glyph
}

func (i *PenSettings) ellipsis() string { return i.glyphOrASCII("…", "~") }

// TitleLine returns a line with the title of a block, followed by a rule.
func (p *Pen) TitleLine(title string) string {
	var b strings.Builder
	b.Grow(3*p.Width + styleBytesPerLine)
	used := p.writeSpan(&b, Span{title, themes.Title}, p.Width)
	if rest := p.Width - used - 1; rest > 0 {
		st := p.Theme.Style(themes.Border)
		b.WriteByte(' ')
		b.WriteString(st.Open)
		writeRule(&b, rest, p.ASCII)
		b.WriteString(st.Close)
	} else {
		writeBlanks(&b, p.Width-used)
	}
	return b.String()
}

// writeSpan writes a span in at most width cells and cuts it if necessary. It returns the number of
// cells used.
func (p *Pen) writeSpan(b *strings.Builder, s Span, width int) int {
	if width <= 0 || s.Text == "" {
		return 0
	}
	text, cells := p.fit(s.Text, width)
	st := p.Theme.Style(s.Token)
	if s.Token == themes.Text {
		st = themes.Style{}
	}
	open, end := st.Open, st.Close
	if open == "" && !isASCII(text) {
		// A reset before and after the text keeps a stray combining character from joining the
		// adjacent space, which would change the width of the line.
		open, end = resetSequence, resetSequence
	}
	b.WriteString(open)
	b.WriteString(text)
	b.WriteString(end)
	return cells
}

const resetSequence = "\x1b[m"

// fit returns s, cut to width cells if necessary, and the width of the result in cells.
func (p *Pen) fit(s string, width int) (string, int) {
	if isASCII(s) {
		if len(s) <= width {
			return s, len(s)
		}
		return s[:max(width-1, 0)] + p.ellipsis(), width
	}
	m := p.WidthMethod
	if cells := m.StringWidth(s); cells <= width {
		return s, cells
	}
	// m.Truncate is not used, because it always measures grapheme clusters, and returns joined
	// emoji that are wider than requested.
	end, cells := 0, 0
	for end < len(s) {
		cluster, w := ansi.FirstGraphemeCluster(s[end:], m)
		if cells+w > width-1 {
			break
		}
		end += len(cluster)
		cells += w
	}
	return s[:end] + p.ellipsis(), cells + 1
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

func writeBlanks(b *strings.Builder, n int) {
	const many = "                                                            " // 60 spaces
	for ; n > 0; n -= len(many) {
		b.WriteString(many[:min(n, len(many))])
	}
}

// writeRule draws a horizontal rule of n cells.
func writeRule(b *strings.Builder, n int, ascii bool) {
	const (
		many   = "────────────────────────────────────────" // 40 cells
		dashes = "----------------------------------------"
	)
	for ; n > 0; n -= len(dashes) {
		if cells := min(n, len(dashes)); ascii {
			b.WriteString(dashes[:cells])
		} else {
			b.WriteString(many[:cells*len("─")])
		}
	}
}

// styleBytesPerLine is the typical number of bytes that the styles of a line take, in addition to
// its text.
const styleBytesPerLine = 120

// writeCell writes a span in exactly width cells. The text is right-aligned if right is true.
func (p *Pen) writeCell(b *strings.Builder, s Span, width int, right bool) {
	if width <= 0 {
		return
	}
	if right {
		_, cells := p.fit(s.Text, width)
		writeBlanks(b, width-cells)
		p.writeSpan(b, s, width)
		return
	}
	writeBlanks(b, width-p.writeSpan(b, s, width))
}

// Line appends a line with the given spans, separated by spaces. It omits empty spans and cuts the
// line to the width of the pen.
func (p *Pen) Line(spans ...Span) {
	var b strings.Builder
	b.Grow(p.Width + styleBytesPerLine)
	used := 0
	for _, s := range spans {
		if s.Text == "" || used >= p.Width {
			continue
		}
		if used > 0 {
			b.WriteByte(' ')
			used++
		}
		used += p.writeSpan(&b, s, p.Width-used)
	}
	writeBlanks(&b, p.Width-used)
	p.Lines = append(p.Lines, b.String())
}

// BlankLine appends a blank line between two parts of a block. If there are no lines yet, it does
// nothing.
func (p *Pen) BlankLine() {
	if len(p.Lines) > 0 {
		p.Lines = append(p.Lines, strings.Repeat(" ", p.Width))
	}
}

// Paragraph appends the text of s, wrapped at the width of the pen.
func (p *Pen) Paragraph(s Span) {
	wrapped := textnorm.WrapKeepingUnits(s.Text, func(text string) string { return p.WidthMethod.Wrap(text, p.Width, "") })
	for l := range strings.SplitSeq(wrapped, "\n") {
		p.Line(Span{strings.TrimRight(l, " "), s.Token})
	}
}

// LabeledValue is a label with its value.
type LabeledValue struct {
	Label string
	Value Span
}

// NewLabeledValue returns a pair of a label and its value.
func NewLabeledValue(label string, value Span) LabeledValue { return LabeledValue{label, value} }

// LabeledValues appends labels with their values. If they fit, they are in two columns, each filled from
// top to bottom. Each value has a minimum width, so the layout stays the same when a value gets a
// little longer.
func (p *Pen) LabeledValues(ps ...LabeledValue) {
	const (
		gap   = 3
		value = 8
	)
	n, w := 2, (p.Width-gap)/2
	for _, it := range ps {
		_, need := p.fit(it.Value.Text, p.Width)
		if len(it.Label)+1+max(need, value) > w {
			n, w = 1, p.Width
			break
		}
	}
	rows := (len(ps) + n - 1) / n
	for y := range rows {
		var b strings.Builder
		b.Grow(p.Width + styleBytesPerLine)
		x := 0
		for index := y; index < len(ps); index += rows {
			if x > 0 {
				writeBlanks(&b, gap)
				x += gap
			}
			p.writeLabeledValue(&b, ps[index], w)
			x += w
		}
		writeBlanks(&b, p.Width-x)
		p.Lines = append(p.Lines, b.String())
	}
}

// writeLabeledValue writes a pair in exactly width cells. If the pair is too long, the value is cut,
// because a value without its label would be meaningless.
func (p *Pen) writeLabeledValue(b *strings.Builder, it LabeledValue, width int) {
	label := min(len(it.Label)+1, width)
	p.writeCell(b, Span{it.Label, themes.Dim}, label, false)
	p.writeCell(b, it.Value, width-label, true)
}

// LabelledLines appends a line for each pair, with the values below each other.
func (p *Pen) LabelledLines(pairs ...LabeledValue) {
	width := 0
	for _, pair := range pairs {
		width = max(width, ansi.StringWidth(pair.Label))
	}
	for _, pair := range pairs {
		blanks := strings.Repeat(" ", width-ansi.StringWidth(pair.Label))
		p.Line(NewSpan(pair.Label+blanks, themes.Dim), pair.Value)
	}
}
