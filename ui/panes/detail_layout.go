package panes

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/ui/floorview"
	"wallboard/ui/frame"
	"wallboard/ui/style"
	"wallboard/ui/widgets"
)

// hasParts reports whether the page shows more than figures: the record's agents, or the chart of a
// campaign.
func (d *Detail) hasParts() bool { return d.agents != nil || d.Kind == floorview.Campaign }

// agentLines returns the number of lines that the table of agents needs, including its heading and
// the column titles. For a record without agents, it returns the minimum height of a chart.
func (d *Detail) agentLines(sc *Scene) int {
	if d.agents == nil {
		return minChartHeight
	}
	return max(d.agents.lineCount(d.agents.Rows.Len()), len(d.departureLines(sc)), 1) + 2
}

// minChartHeight is the minimum height of a chart in lines, including its heading.
const minChartHeight = 8

// drawSplit draws the figures and their chart on the left, and the agents on the right. Figures that
// do not fit continue below the agents, above their last hour. If there are many agents, only their
// last hour is below their table. For a record without agents, the chart is on the right.
func (d *Detail) drawSplit(sc *Scene, x, y, w, h int) []string {
	left := min((w-frame.Gutter)/2, maxTextWidth)
	if d.agents == nil {
		right := w - left - frame.Gutter
		return style.JoinBlocks(d.viewFigures(sc, x, y, left, h), d.drawRecordChart(sc, x+left+frame.Gutter, y, right, h), left, right, h)
	}
	rows := d.agentLines(sc)
	hoursFillPage := w >= minAgentHoursWidth && 5*rows >= h && sc.Alarms.LastHour != nil // with three lines for each agent, their last hours fill the page
	if w >= minFigureColumnsWidth && !hoursFillPage {
		if out := d.drawTwoColumns(sc, x, y, w, h); out != nil {
			return out
		}
	}
	if hoursFillPage {
		left = w * 3 / 5
	}
	right, index := w-left-frame.Gutter, x+left+frame.Gutter
	below := h - rows - 1 // lines below the agents and the blank line or lower edge that follows them
	if below < minChartHeight {
		below = 0
	}
	if hoursFillPage {
		text := d.leftLines(d.figureLines(sc, left-2), h, 0)
		crew := append(d.drawAgents(sc, index, y, right, h-below), d.lastHours.drawHours(sc, d.agents, right, below)...)
		return style.JoinBlocks(append(d.viewFigures(sc, x, y, left, text), d.drawRecordChart(sc, x, y+text, left, h-text)...), crew, left, right, h)
	}
	all := d.figureLines(sc, left-2)
	text := d.leftLines(all, h, below)
	figures := d.viewFigures(sc, x, y, left, text+below)
	d.overflowArea = frame.Area{X: index, Y: y + h - below, W: right, H: below}
	crew := d.drawAgents(sc, index, y, right, h-below)
	rest := len(all) - text
	for i, l := range figures[text:] {
		if i > rest && i+minHoursHeight <= below { // there is room below the figures and a blank line
			crew = append(crew, d.lastHours.drawHours(sc, d.agents, right, below-i)...)
			break
		}
		crew = append(crew, l+style.Blanks(right-left))
	}
	return style.JoinBlocks(append(figures[:text:text], d.drawRecordChart(sc, x, y+text, left, h-text)...), crew, left, right, h)
}

// minFigureColumnsWidth is the minimum width of a page, in cells, with figures in two columns.
const minFigureColumnsWidth = 200

// drawTwoColumns draws the figures in two columns, with the chart on the right. The agents are
// below the figures if they fit there, and otherwise above the chart. It returns nil if there are
// too few figures to fill the space.
func (d *Detail) drawTwoColumns(sc *Scene, x, y, w, h int) []string {
	columnWidth := (w/2 - 2*frame.Gutter) / 2
	left := 2*columnWidth + frame.Gutter
	index, right := x+left+frame.Gutter, w-left-frame.Gutter
	all := d.figureLines(sc, columnWidth-2)
	cut := min(len(all), h)
	for n := (len(all) + 1) / 2; n < cut; n++ {
		if strings.TrimSpace(ansi.Strip(all[n-1])) == "" {
			cut = n
		}
	}
	used, rows := max(cut, len(all)-cut)+1, d.agentLines(sc)+1 // plus a blank line or the lower edge of a frame
	under := used+rows <= h
	if !under {
		rows = 0
	}
	if 5*(h-used-rows) > 2*h {
		return nil
	}
	figures := d.viewFigures(sc, x, y, columnWidth, cut+h)
	d.overflowArea = frame.Area{X: x + columnWidth + frame.Gutter, Y: y, W: columnWidth, H: min(used, h)}
	out := style.JoinBlocks(figures[:cut:cut], figures[cut:], columnWidth, columnWidth, h)
	drawRight := d.drawAgentsAndChart
	if under {
		out, drawRight = append(out[:used:used], d.drawAgents(sc, x, y+used, left, rows)...), d.drawRecordChart
	}
	if used += rows; used+minHoursHeight <= h {
		out = append(out[:used:used], d.lastHours.drawHours(sc, d.agents, left, h-used)...)
	}
	return style.JoinBlocks(out, drawRight(sc, index, y, right, h), left, right, h)
}

// leftLines returns how many lines of all to draw on the left, above the chart. It prefers to cut
// between sections. The remaining lines go below the agents, where below lines are available. h is
// the height of the page.
func (d *Detail) leftLines(all []string, h, below int) int {
	maximum := max(h-max(h*2/5+1, minChartHeight), 0)
	if below == 0 {
		return min(len(all), maximum)
	}
	if len(all) > maximum+below { // the figures do not fit without scrolling
		return lastSectionBreak(all, maximum, h/4)
	}
	for n := max(len(all)-below, h/4, 1); n < min(maximum, len(all)); n++ {
		if endsSection(all, n) {
			return n
		}
	}
	return maximum
}

// lastSectionBreak returns the largest number of lines, between least and most, with which a
// section of all ends. It returns most if there is none.
func lastSectionBreak(all []string, most, least int) int {
	for n := most; n >= max(least, 1); n-- {
		if endsSection(all, n) {
			return n
		}
	}
	return most
}

// endsSection reports whether the first n lines end with a blank line, which separates sections.
func endsSection(all []string, n int) bool { return strings.TrimSpace(ansi.Strip(all[n-1])) == "" }

// drawAgentsAndChart draws the table of agents, and the chart below it if there is room. For a
// record without agents, it draws only the chart.
func (d *Detail) drawAgentsAndChart(sc *Scene, x, y, w, h int) []string {
	if d.agents == nil {
		return d.drawRecordChart(sc, x, y, w, h)
	}
	chart := h - d.agentLines(sc) - 1 // without the blank line or lower edge between agents and chart
	if chart < minChartHeight {
		chart = 0
	}
	out := d.drawAgents(sc, x, y, w, h-chart)
	if chart == 0 {
		return out
	}
	return append(out, d.drawRecordChart(sc, x, y+len(out), w, chart)...)
}

// departureLines describes each agent whose departure caused the record's situation. It returns nil if
// the table of agents has rows.
func (d *Detail) departureLines(sc *Scene) []string {
	if _, matching, total, _ := d.agents.position(); total > 0 || matching > 0 {
		return nil
	}
	return departureTexts(sc.SituationOf(sc.KeyOf(d.Kind, d.Key)), sc)
}

// drawAgents draws the table of agents as a part of the page. If the table is empty, it lists the
// agents who have left instead.
func (d *Detail) drawAgents(sc *Scene, x, y, w, h int) []string {
	inner, title := sc.InnerArea(x, y, w, h), words.PageAgents()
	lines := d.agents.view(sc, inner.X, inner.Y, inner.W, inner.H)
	if left := d.departureLines(sc); len(left) > 0 {
		if more := len(left) - inner.H; more > 0 && inner.H > 0 {
			left = append(left[:inner.H-1], sc.translate(words.PaneAndMore(more+1)))
		}
		title, lines = words.PaneAgentsLeft(), style.FitLines(left, inner.W-2, inner.H, sc.Look.Glyphs.Ellipsis)
		style.Inset(lines)
	}
	return sc.DrawPart(w, h, sc.translate(title), d.agents.status(sc), d.partKeys != nil && !d.FiguresFocused, lines, sc.KeyHints.forTable(d.agents)...)
}

func (d *Detail) drawRecordChart(sc *Scene, x, y, w, h int) []string {
	if d.chart.Subjects == nil {
		subject := sc.KeyOf(d.Kind, d.Key)
		subject.Channel = "" // "" means the channel on the screen
		d.chart = widgets.Plot{Subjects: []alert.Key{subject}, SpanIndex: widgets.SpanFor(0)}
	}
	return d.drawChart(sc, sc.translate(words.PaneOverTime()), x, y, w, h)
}

func (d *Detail) drawChart(sc *Scene, title string, x, y, w, h int) []string {
	inner := sc.InnerArea(x, y, w, h)
	lines := d.chart.View(sc.Charts(), inner.X, inner.Y, inner.W, inner.H)
	sc.Floor.FadeStale(sc.Look, lines, d.Subscriptions()[0])
	return sc.DrawPart(w, h, title, style.HeadingStatus{}, false, lines)
}
