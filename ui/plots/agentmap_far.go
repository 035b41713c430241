package plots

import (
	"slices"

	"wallboard/ui/chart"
	"wallboard/ui/style"
)

// viewFar draws the agents for a screen that is read from a distance, on which every figure has at
// least three lines. It draws blocks with large digits or, if these do not fit, colored blocks
// without text. Below the blocks are large numbers of agents in each state. It returns nil if
// nothing fits.
func (m *AgentMap) viewFar(sc MapScene, x, y, w, h int) []string {
	legend := m.largeLegend(sc, w, h/2)
	h -= len(legend)
	b, ok := blockSizeFor(digitSizes(), m.order.groups, w-m.labelWidth(w), h)
	if !ok {
		if b, ok = blockSizeFor(solidBlockSizes, m.order.groups, w-m.labelWidth(w), h); !ok {
			return nil
		}
		m.isSolid = true
	}
	m.blockSize = b
	out := m.drawBlocks(sc, m.order.groups, x, y, w)
	return append(style.FillLines(out, w, h), legend...)
}

// digitSizes returns those sizes of blocks that are high enough for large digits.
func digitSizes() []blockSize {
	return blockSizes[:slices.IndexFunc(blockSizes, func(f blockSize) bool { return f.h < minDigitsHeight })]
}

// largeLegend returns the number of agents in each state in large digits, in at most h lines. It
// leaves out the states for which there is no room.
func (m *AgentMap) largeLegend(sc MapScene, w, h int) []string {
	var out []string
	f := sc.Floor.FormatOf(sc.Look, MapSubscriptions()...)
	lines, used := make([]string, chart.HalfRows), 1
	end := func() {
		for _, l := range lines {
			out = append(out, " "+l+style.Blanks(w-used))
		}
		lines, used = make([]string, chart.HalfRows), 1
	}
	for _, c := range m.countStates(sc.Floor.Channel) {
		word := c.state.Glyph(sc.Look.ASCII) + " " + c.state.Word
		drawn, width := chart.LargeNumbers(string(f.Count(nil, int64(c.agents)))+" "+word, sc.Look.ChartGlyphs())
		const gap = 3
		if used+width > w && used > 1 {
			end()
		}
		if len(out)+chart.HalfRows > h || width+1 > w {
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
