package widgets

import (
	"slices"
	"strconv"
	"strings"

	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/frame"
	"wallboard/ui/style"
)

// Minimum width in cells and minimum height in lines for [AgentMap.ViewOnWall].
const (
	minWallViewWidth  = 60
	minWallViewHeight = 2*chart.HalfDigitRows + 2 + minDigitsHeight
)

// FitsWallView reports whether w cells and h lines are enough for [AgentMap.ViewOnWall].
func FitsWallView(w, h int) bool { return w >= minWallViewWidth && h >= minWallViewHeight }

// ViewOnWall draws the number of agents in each state in large digits, the agents over a limit as
// blocks, and all agents as glyphs. Only the first lines of the blocks are filled with a color, so
// that the screen stays dark while no agent is over a limit.
func (m *AgentMap) ViewOnWall(sc AgentMapScene, x, y, w, h int) []string {
	m.AgentPositions, m.isWallView = nil, true
	d := agentMapDrawing{scene: sc, agentMap: m, x: x, w: w, agentWidth: 2}
	d.h = min(blockSize{d.agentWidth, 1}.linesFor(m.order.groups, w-m.labelWidth(w)), max(h/4, 1))
	overLimit := m.agentsOverLimit()
	tint, about := overLimitText(len(overLimit), m.stale)
	text := sc.Look.Translate(about)
	out := m.largeLegend(sc, w, 2*chart.HalfDigitRows)
	if len(overLimit) == 0 {
		const lines = 3 // a sentence with a blank line above and below it
		if cards := m.countCards(sc, w, h-d.h-lines); cards != nil {
			out = cards
		}
	}
	said := []string{text}
	if sc.LargeFigures {
		said, _ = chart.LargeNumbers(text, sc.Look.ChartGlyphs())
	}
	out = append(out, style.Blanks(w))
	for _, l := range said {
		if strings.TrimSpace(l) != "" {
			out = append(out, style.NewLine(w, sc.Look.Glyphs.Ellipsis).Space(themes.Style{}, 1).Add(sc.Look.Style(tint), l).Finish(themes.Style{}))
		}
	}
	out = append(out, style.Blanks(w))
	if available := h - len(out) - d.h; len(overLimit) > 0 && available > 0 {
		blocks := m.drawLargeBlocks(sc, overLimit, x, y+len(out), w, available-1)
		out = append(out, append(blocks, style.Blanks(w))...)
	}
	d.y = y + len(out)
	out = append(out, d.draw()...)
	sc.Floor.FadeStale(sc.Look, out, AgentMapSubscriptions()...)
	return style.FillLines(out, w, h)
}

// countCards draws the number of agents in each state as cards. It returns nil if the cards do not
// fit.
func (m *AgentMap) countCards(sc AgentMapScene, w, h int) []string {
	f, counts := sc.Floor.FormatOf(sc.Look, AgentMapSubscriptions()...), m.countStates(sc.Floor.Channel)
	g, ok := frame.FitGrid(len(counts), w, h)
	if !ok {
		return nil
	}
	return g.Draw(len(counts), w, h, func(i, w, h int) []string {
		c := &counts[i]
		text, lines := string(f.Count(nil, int64(c.agents))), h-style.PanelFrameLines
		d := chart.Digits{
			Width: w - style.PanelSideCells, Set: sc.Look.ChartGlyphs(), Style: sc.Look.Theme.OpenSequence(c.state.Token), HalfHeight: h < frame.LargeCardHeight,
		}
		d.DotHeight = chart.DotHeightFor(text, d.Set, d.Width, lines)
		p := style.Panel{Title: c.state.Glyph(sc.Look.ASCII) + " " + c.state.Word.In(sc.Look.Format.Words), TitleToken: c.state.Token}
		return sc.Look.Frame(w, p, style.FillLines(d.Render(text), d.Width, lines))
	})
}

// agentsOverLimit returns the rows of the agents over a limit, the most urgent first. It returns
// nil if the data is too old.
func (m *AgentMap) agentsOverLimit() []int32 {
	if m.stale {
		return nil
	}
	out := slices.DeleteFunc(slices.Clone(m.order.rows), func(row int32) bool { return !m.rows.IsOverLimit(int(row)) })
	slices.SortStableFunc(out, func(a, b int32) int { return m.rows.CompareUrgency(int(a), int(b)) })
	return slices.Compact(out)
}

// overLimitText returns a message about n agents over a limit, for a wall, and its color. If stale
// is true, the message says that the number is unknown.
func overLimitText(n int, stale bool) (themes.Token, words.Text) {
	switch {
	case stale:
		return themes.Text, words.PlotOverUnknown()
	case n == 0:
		return themes.OK, words.PlotNoneOver()
	}
	return themes.Warn, words.PlotOver(words.CountAgents(n))
}

// drawLargeBlocks draws the agents in rows as blocks with large digits. If not all blocks fit, the
// last block says how many are missing.
func (m *AgentMap) drawLargeBlocks(sc AgentMapScene, rows []int32, x, y, w, h int) []string {
	sizes := digitSizes()
	b, ok := blockSizeFor(sizes, []agentGroup{{rows: rows}}, w-1, h)
	if !ok {
		b = sizes[len(sizes)-1]
		most := max((w-1)/b.w*(h/b.h), 1)
		left := len(rows) - most + 1
		rows = append(slices.Clone(rows[:most-1]), noAgent)
		b = b.enlarge([]agentGroup{{rows: rows}}, w-1, h)
		lines, width := chart.LargeNumbers("+"+strconv.Itoa(left), sc.Look.ChartGlyphs())
		for i := range lines {
			lines[i] = style.Blanks((b.w-3-width)/2) + lines[i]
		}
		m.overflowText = append([]string{sc.Look.Translate(words.PlotMore())}, lines...)
	}
	m.blockSize = b
	return style.FillLines(m.drawBlocks(sc, []agentGroup{{rows: rows}}, x, y, w), w, min(len(rows)*b.h, h))
}
