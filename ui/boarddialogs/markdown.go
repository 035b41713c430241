package boarddialogs

import (
	"slices"
	"strings"

	"wallboard/internal/report/handover"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
)

// markdownLines draws the Markdown text of a handover report. Headings lose their # signs, tables
// are drawn in columns, and all other lines are wrapped at w cells.
func markdownLines(lk *style.Look, text string, w int) []dialog.Line {
	text = textformat.ToASCII(text, lk.ASCII)
	var out []dialog.Line
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		switch {
		case strings.HasPrefix(l, "|"):
			var rows [][]string
			for ; i < len(lines) && strings.HasPrefix(lines[i], "|"); i++ {
				if cells := handover.TableCells(lines[i]); cells != nil {
					rows = append(rows, cells)
				}
			}
			i--
			out = append(out, alignColumns(lk, rows, w)...)
		case strings.HasPrefix(l, "#"):
			out = append(out, dialog.ParagraphLines(lk, themes.Title, handover.StripMarkdown(strings.TrimLeft(l, "# ")), w)...)
		default:
			out = append(out, itemLines(lk, handover.StripMarkdown(l), w)...)
		}
	}
	return slices.Clip(out)
}

// itemLines wraps a line of text at w cells. The continuation lines of a list item are indented.
func itemLines(lk *style.Look, l string, w int) []dialog.Line {
	text := strings.TrimPrefix(strings.TrimLeft(l, " "), "- ")
	indent := len(l) - len(text)
	var out []dialog.Line
	for i, part := range dialog.WrapLines(text, w-indent) {
		previous := l[:indent]
		if i > 0 {
			previous = strings.Repeat(" ", indent)
		}
		out = append(out, dialog.PlainLine(lk, themes.Text, previous+part))
	}
	return out
}

// minNameWidth is the minimum width of the first column in cells. Other columns are dropped before
// the first column gets narrower.
const minNameWidth = 12

// columnWidths returns the width of each column of a table in cells.
func columnWidths(rows [][]string) []int {
	widths := make([]int, len(rows[0]))
	for i := range widths {
		for _, row := range rows {
			if i < len(row) {
				widths[i] = max(widths[i], style.Width(row[i]))
			}
		}
	}
	return widths
}

// splitLastColumn returns a table without its last column, whose index is last, and this column.
func splitLastColumn(rows [][]string, last int) (others [][]string, column []string) {
	for _, row := range rows {
		n := min(last, len(row))
		others, column = append(others, row[:n]), append(column, strings.Join(row[n:], " "))
	}
	return others, column
}

// minTextWidth is the width in cells above which the last column of a table is text. The text is
// drawn beside the other columns if they leave at least this width and a third of the table.
const minTextWidth = 24

// alignColumns draws a table whose first row is the header. The first column is left-aligned, and
// cut if necessary. The other columns are right-aligned. Figures are neither cut nor wrapped:
// columns that do not fit are omitted, and a line below the table lists their titles. A last column of
// text is wrapped, beside the other columns or below them.
func alignColumns(lk *style.Look, rows [][]string, w int) []dialog.Line {
	if len(rows) == 0 || len(rows[0]) == 0 {
		return nil
	}
	widths := columnWidths(rows)
	var texts []string // the last column; nil: it is not text
	if last := len(widths) - 1; widths[last] > minTextWidth {
		rows, texts = splitLastColumn(rows, last)
		widths = widths[:last]
	}
	total := 0
	for _, width := range widths {
		total += width
	}
	gap := 2
	if total+gap*(len(widths)-1) > w {
		gap = 1
	}
	name, available, n := min(widths[0], minNameWidth), w, 1
	for available -= name; n < len(widths) && available >= gap+widths[n]; n++ {
		available -= gap + widths[n]
	}
	indent, textWidth := 2, w-total-gap*len(widths) // indentation and width of the text in the last column
	if isBeside := textWidth >= max(minTextWidth, w/3); isBeside {
		indent = w - textWidth
	} else {
		textWidth = w - indent
	}
	widths[0] = min(widths[0], max(name+available, 0))
	var out []dialog.Line
	for r, row := range rows {
		var text []string
		if texts != nil && (r > 0 || indent > 2) {
			text = dialog.WrapLines(texts[r], max(textWidth, 1))
		}
		token := themes.Text
		if r == 0 {
			token = themes.Header
		}
		l := style.NewLine(w, lk.Glyphs.Ellipsis).Add(lk.Style(token), style.Fit(row[0], widths[0], lk.Glyphs.Ellipsis))
		for i := 1; i < min(n, len(row)); i++ {
			l.Add(lk.Style(token), style.Blanks(gap+widths[i]-style.Width(row[i]))+row[i])
		}
		if indent > 2 && len(text) > 0 {
			l.Add(lk.Style(token), style.Blanks(gap)+text[0])
			text = text[1:]
		}
		out = append(out, dialog.Line{Text: l.Finish(themes.Style{})})
		for _, part := range text {
			out = append(out, dialog.PlainLine(lk, token, style.Blanks(indent)+part))
		}
	}
	more := slices.DeleteFunc(slices.Clone(rows[0][n:]), func(head string) bool { return head == "" })
	if len(more) > 0 {
		out = append(out, dialog.ParagraphLines(lk, themes.Dim, words.DialogMoreColumns(strings.Join(more, ", ")).In(lk.Format.Words), w)...)
	}
	return out
}
