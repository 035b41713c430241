package dialog

import (
	"strings"

	"wallboard/themes"
	"wallboard/ui/style"
)

// LabeledValue is a label with its value, for [LabeledValueLines].
type LabeledValue struct{ Label, Value string }

// LabeledValueLines returns lines, at most w cells wide, with labels on the left and values on the
// right. Long values are wrapped. Labels with an empty value are omitted.
func LabeledValueLines(lk *style.Look, w int, list ...LabeledValue) []Line {
	labels := 16 // width in cells; most labels are shorter
	for _, p := range list {
		labels = max(labels, style.Width(p.Label))
	}
	labels = min(labels, w*2/5)
	var out []Line
	for _, p := range list {
		if strings.TrimSpace(p.Value) == "" {
			continue
		}
		label := style.Fit(p.Label, labels, lk.Glyphs.Ellipsis)
		for _, text := range WrapLines(p.Value, w-labels-2) {
			out = append(out, Line{Text: lk.Style(themes.Dim).Render(label) + "  " + lk.Style(themes.Text).Render(text)})
			label = style.Blanks(labels)
		}
	}
	return out
}

// ParagraphLines returns text as lines, wrapped at w cells. t is the theme token of its style.
func ParagraphLines(lk *style.Look, t themes.Token, text string, w int) []Line {
	var out []Line
	for _, line := range WrapLines(text, w) {
		out = append(out, PlainLine(lk, t, line))
	}
	return out
}

// PlainLine returns a line of text in the style of a theme token.
func PlainLine(lk *style.Look, t themes.Token, text string) Line {
	return Line{Text: lk.Style(t).Render(text)}
}

// WrapLines wraps s at w cells and returns the lines. It preserves line breaks in s.
func WrapLines(s string, w int) []string {
	var out []string
	for line := range strings.SplitSeq(s, "\n") {
		out = append(out, style.WrapText(line, w)...)
	}
	return out
}
