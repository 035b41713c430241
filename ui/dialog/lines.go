package dialog

import (
	"strings"

	"wallboard/themes"
	"wallboard/ui/style"
)

// Pair is the label and the value of a field.
type Pair struct{ Label, Value string }

// Pairs draws labels and values, one pair per line. It leaves out empty values.
func Pairs(lk *style.Look, w int, list ...Pair) []Line {
	labels := 16 // most are shorter
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

// Paragraph draws a text, wrapped to w cells.
func Paragraph(lk *style.Look, t themes.Token, text string, w int) []Line {
	var out []Line
	for _, line := range WrapLines(text, w) {
		out = append(out, Plain(lk, t, line))
	}
	return out
}

// Plain returns a line with one text.
func Plain(lk *style.Look, t themes.Token, text string) Line {
	return Line{Text: lk.Style(t).Render(text)}
}

// WrapLines breaks a text of several lines into lines of at most w cells.
func WrapLines(s string, w int) []string {
	var out []string
	for line := range strings.SplitSeq(s, "\n") {
		out = append(out, style.WrapText(line, w)...)
	}
	return out
}
