package render

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/textlayout"
)

func snapshotOrEmpty(s *model.Snapshot) *model.Snapshot {
	if s == nil {
		return &model.Snapshot{}
	}
	return s
}

// noDataLines returns the lines of a detail view if there is no data, which text says.
func (v *View) noDataLines(width int, text words.Text) []string {
	if width <= 0 {
		return nil
	}
	p := v.newDetailWriter(width)
	p.Paragraph(textlayout.NewSpan(v.translate(text), themes.Dim))
	return p.Lines
}

// heading returns the first block of a detail view: the name of the record, followed by as many of the
// other spans as fit on the line.
func heading(name string, beside ...textlayout.Span) block {
	return block{draw: func(p *detailWriter) {
		line, room := []textlayout.Span{textlayout.NewSpan(name, themes.Title)}, p.Width-ansi.StringWidth(name)
		for _, s := range beside {
			if room -= ansi.StringWidth(s.Text) + 1; room < 0 {
				break
			}
			line = append(line, s)
		}
		p.Line(line...)
		p.Lines = append(p.Lines, strings.Repeat(" ", p.Width))
	}}
}

// figureRow is a row of a table drawn by drawMatrix: a figure that has a value on each channel.
type figureRow[R any] struct {
	label  words.Text
	isPart bool // the figure is a part of the one above it
	value  func(*View, *R) textlayout.Span
}

// asPart returns a copy of the row that is a part of the row above it.
func (r figureRow[R]) asPart() figureRow[R] {
	r.isPart = true
	return r
}

// drawMatrix draws a table with a row for each figure and a column for each channel. records holds
// the record for each channel. If there is not enough room for all channels, the others are drawn
// below, in another table. Figures that are 0 on all channels of a table share one row.
func drawMatrix[R any](p *detailWriter, channels []model.Channel, records []*R, rows []figureRow[R]) {
	const room = 11 // width of a figure and the gap before it in cells
	fits := max((p.Width-20)/room, 1)
	for from := 0; from < len(records); from += fits {
		p.BlankLine()
		to := min(from+fits, len(records))
		head := []textlayout.Column{textlayout.LeftColumn("")}
		for _, c := range channels[from:to] {
			head = append(head, p.rightColumn(words.ShortChannelName(c)))
		}
		grid := make([][]textlayout.Span, 0, len(rows))
		none, zero := 0, p.view.intSpan(model.IntOf(0))
		for _, r := range rows {
			line := []textlayout.Span{textlayout.NewSpan(p.view.translate(r.label), themes.Dim)}
			if r.isPart {
				line[0].Text = indented(line[0].Text)
			}
			for _, rec := range records[from:to] {
				line = append(line, r.value(p.view, rec))
			}
			if !p.view.Options.BlankFigures && !slices.ContainsFunc(line[1:], func(s textlayout.Span) bool { return s.Text != zero.Text }) {
				none++
				continue
			}
			grid = append(grid, line)
		}
		if none > 0 {
			line := []textlayout.Span{p.zeroSpan(len(grid), none, words.CountFigures, words.DetailMoreFigures)}
			for range records[from:to] {
				line = append(line, zero)
			}
			grid = append(grid, line)
		}
		p.Grid(head, grid...)
	}
}
