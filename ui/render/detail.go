package render

import (
	"slices"
	"strings"

	"wallboard/internal/phrases"
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

// noDataLines returns the lines of a detail view if there is no data. what is the name of the
// record.
func (v *View) noDataLines(width int, what string) []string {
	if width <= 0 {
		return nil
	}
	p := v.newDetailWriter(width)
	p.Paragraph(textlayout.NewSpan("No data about "+what+".", themes.Dim))
	return p.Lines
}

// heading returns the first block of a detail view: the name of the record, followed by other spans
// on the same line.
func heading(name string, beside ...textlayout.Span) block {
	return block{draw: func(p *detailWriter) {
		p.Line(append([]textlayout.Span{textlayout.NewSpan(name, themes.Title)}, beside...)...)
		p.Lines = append(p.Lines, strings.Repeat(" ", p.Width))
	}}
}

// figureRow is a row of a table drawn by drawMatrix: a figure that has a value on each channel.
type figureRow[R any] struct {
	label string
	value func(*View, *R) textlayout.Span
}

// drawMatrix draws a table with a row for each figure and a column for each channel. records holds
// the record for each channel. If there is not enough room for all channels, the others are drawn
// below, in another table. Figures that are 0 on all channels share one row.
func drawMatrix[R any](p *detailWriter, channels []model.Channel, records []*R, rows []figureRow[R]) {
	const room = 11 // width of a figure and the gap before it in cells
	fits := max((p.Width-20)/room, 1)
	for from := 0; from < len(records); from += fits {
		p.BlankLine()
		to := min(from+fits, len(records))
		head := []textlayout.Column{textlayout.LeftColumn("")}
		for _, c := range channels[from:to] {
			head = append(head, textlayout.RightColumn(phrases.ShortChannelName(c)))
		}
		grid := make([][]textlayout.Span, 0, len(rows))
		none, zero := 0, p.v.intSpan(model.IntOf(0))
		for _, r := range rows {
			line := []textlayout.Span{textlayout.NewSpan(r.label, themes.Dim)}
			for _, rec := range records[from:to] {
				line = append(line, r.value(p.v, rec))
			}
			if !p.v.Options.Blank && !slices.ContainsFunc(line[1:], func(s textlayout.Span) bool { return s.Text != zero.Text }) {
				none++
				continue
			}
			grid = append(grid, line)
		}
		if none > 0 {
			line := []textlayout.Span{textlayout.NewSpan(zeroLine(len(grid), none, "figure", "figures"), themes.Dim)}
			for range records[from:to] {
				line = append(line, zero)
			}
			grid = append(grid, line)
		}
		p.Grid(head, grid...)
	}
}

// recordsByChannel returns the records for which keep returns true, one for each channel, together
// with their channels. The view's channel comes first; the other channels are in the order of
// document 2.
func recordsByChannel[R any](v *View, records []*R, channel func(*R) model.Channel, keep func(*R) bool) ([]model.Channel, []*R) {
	var found []*R
	for _, r := range records {
		if keep(r) {
			found = append(found, r)
		}
	}
	order := model.Channels()
	rank := func(c model.Channel) int {
		if c == v.Channel {
			return -1
		}
		if i := slices.Index(order[:], c); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortFunc(found, func(a, b *R) int {
		x, y := channel(a), channel(b)
		if c := rank(x) - rank(y); c != 0 {
			return c
		}
		return strings.Compare(string(x), string(y))
	})
	channels := make([]model.Channel, len(found))
	for i, r := range found {
		channels[i] = channel(r)
	}
	return channels, found
}
