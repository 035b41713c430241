package widgets

import (
	"slices"
	"strings"

	"wallboard/ui/chart"
	"wallboard/ui/style"
)

// drawForDistance draws the agents for a screen that is read from a distance, with figures of at
// least three lines: blocks with large digits, and large counts of the states below them. If the
// blocks of all agents do not fit, it draws only the blocks of agents over a limit, below the
// counts and a sentence. It returns nil if nothing fits.
func (m *AgentMap) drawForDistance(sc AgentMapScene, x, y, w, h int) []string {
	legend := m.largeLegend(sc, w, h/2)
	if b, ok := blockSizeFor(digitSizes(), m.order.groups, w-m.labelWidth(w), h-len(legend)); ok {
		m.blockSize = b
		out := m.drawBlocks(sc, m.order.groups, x, y, w)
		return append(style.FillLines(out, w, h-len(legend)), legend...)
	}
	if len(legend) == 0 {
		return nil
	}
	m.isWallView = true
	overLimit := m.agentsOverLimit()
	token, text := overLimitText(len(overLimit), m.stale)
	out := append(legend, style.Blanks(w))
	said, _ := chart.LargeNumbers(sc.Look.Translate(text), sc.Look.ChartGlyphs())
	for _, l := range said {
		if strings.TrimSpace(l) != "" && len(out) < h {
			out = append(out, sc.Look.CellLine(w, token, l))
		}
	}
	if rest := h - len(out) - 1; len(overLimit) > 0 && rest >= minDigitsHeight {
		out = append(out, style.Blanks(w))
		out = append(out, m.drawLargeBlocks(sc, overLimit, x, y+len(out), w, rest)...)
	}
	return out
}

// digitSizes returns the block sizes that are high enough for large digits.
func digitSizes() []blockSize {
	return blockSizes[:slices.IndexFunc(blockSizes, func(f blockSize) bool { return f.h < minDigitsHeight })]
}

// largeLegend returns the number of agents in each state in large digits, in at most h lines. It
// omits states that do not fit.
func (m *AgentMap) largeLegend(sc AgentMapScene, w, h int) []string {
	var out []string
	f := sc.Floor.FormatOf(sc.Look, AgentMapSubscriptions()...)
	lines, used := make([]string, chart.HalfDigitRows), 1
	end := func() {
		for _, l := range lines {
			out = append(out, " "+l+style.Blanks(w-used))
		}
		lines, used = make([]string, chart.HalfDigitRows), 1
	}
	for _, c := range m.countStates(sc.Floor.Channel) {
		word := c.state.Glyph(sc.Look.ASCII) + " " + c.state.Word.In(sc.Look.Format.Words)
		drawn, width := chart.LargeNumbers(string(f.Count(nil, int64(c.agents)))+" "+word, sc.Look.ChartGlyphs())
		const gap = 3
		if used+width > w && used > 1 {
			end()
		}
		if len(out)+chart.HalfDigitRows > h || width+1 > w {
			return out
		}
		st := sc.Look.Style(c.state.Token)
		for i := range lines {
			lines[i] += st.Render(drawn[i]) + style.Blanks(min(gap, w-used-width))
		}
		used = min(used+width+gap, w)
	}
	end()
	return out
}
