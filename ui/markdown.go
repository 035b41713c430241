package ui

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"charm.land/lipgloss/v2/table"

	"wallboard/handover"
	"wallboard/themes"
)

// markdownLines draws the Markdown of a handover as it reads: headings without
// their marks, tables in columns.
func (sc *scene) markdownLines(text string, w int) []sheetLine {
	var out []sheetLine
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		switch {
		case strings.HasPrefix(l, "|"):
			var rows [][]string
			for ; i < len(lines) && strings.HasPrefix(lines[i], "|"); i++ {
				if cells := handover.Cells(lines[i]); cells != nil {
					rows = append(rows, cells)
				}
			}
			i--
			out = append(out, sc.columns(rows, w)...)
		case strings.HasPrefix(l, "#"):
			out = append(out, sc.paragraph(themes.Title, handover.Plain(strings.TrimLeft(l, "# ")), w)...)
		default:
			out = append(out, sc.paragraph(themes.Text, handover.Plain(l), w)...)
		}
	}
	return slices.Clip(out)
}

// columns draws rows of which the first is the head: the first column to the left,
// the others to the right.
func (sc *scene) columns(rows [][]string, w int) []sheetLine {
	if len(rows) == 0 {
		return nil
	}
	t := table.New().BorderTop(false).BorderBottom(false).BorderLeft(false).BorderRight(false).
		BorderHeader(false).BorderColumn(false).
		Headers(rows[0]...).Rows(rows[1:]...).
		StyleFunc(func(row, col int) lipgloss.Style {
			st := lipgloss.NewStyle().AlignVertical(lipgloss.Bottom)
			if row == table.HeaderRow {
				st = st.Bold(true)
			}
			if col > 0 {
				st = st.Align(lipgloss.Right).PaddingLeft(1)
			}
			return st
		})
	if lipgloss.Width(t.Render()) > w {
		t = t.Width(w)
	}
	var out []sheetLine
	for l := range strings.SplitSeq(t.Render(), "\n") {
		out = append(out, sc.plain(themes.Text, l))
	}
	return out
}
