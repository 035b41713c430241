package plots

import (
	"slices"
	"strconv"

	"wallboard/ui/chart"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// viewFar draws the agents for a screen read from a distance, with figures of at least
// three lines: as blocks with large digits, as plain colored blocks if those do not
// fit, or only the most urgent agents. Large counts of the states are shown below. It
// returns nil if nothing fits.
func (m *AgentMap) viewFar(sc MapScene, x, y, w, h int) []string {
	legend := m.largeLegend(sc, w, h/2)
	h -= len(legend)
	timed := blockSizes[:slices.IndexFunc(blockSizes, func(f blockSize) bool { return f.h < minDigitsHeight })]
	smallest := timed[len(timed)-1]
	groups, left, wrong := m.order.groups, 0, 0
	b, ok := blockSizeFor(timed, groups, w-m.labelWidth(w), h)
	switch maximum := (w - m.labelWidth(w)) / smallest.w * (h / smallest.h); {
	case ok:
	case m.TimesFirst && maximum > 1:
		groups, left, wrong = m.urgent(maximum - 1)
		b = smallest.enlarge([]agentGroup{{rows: make([]int32, maximum)}}, w-m.labelWidth(w), h)
	default:
		if b, ok = blockSizeFor(solidSizes, groups, w-m.labelWidth(w), h); !ok {
			return nil
		}
		m.isSolid = true
	}
	m.blockSize = b
	if left > 0 {
		m.overflowText = m.others(sc, left, wrong)
		groups[0].rows = append(groups[0].rows, noAgent)
	}
	out := m.drawBlocks(sc, groups, x, y, w)
	return append(style.FillLines(out, w, h), legend...)
}

// urgent returns the n most urgent agents across groups, those over a limit first. remaining is
// the number of the others, and overLimit how many of these are over a limit.
func (m *AgentMap) urgent(n int) (out []agentGroup, remaining, overLimit int) {
	rows := slices.Clone(m.order.rows)
	slices.SortStableFunc(rows, func(a, b int32) int { return m.rows.Urgency(int(a), int(b)) })
	for _, row := range rows[min(n, len(rows)):] {
		if m.rows.Level(int(row)) != render.Normal {
			overLimit++
		}
	}
	n = min(n, len(rows))
	return []agentGroup{{rows: rows[:n]}}, len(rows) - n, overLimit
}

// others returns the text of the block that counts the agents without a block.
func (m *AgentMap) others(sc MapScene, remaining, overLimit int) []string {
	said := "none over a limit"
	if overLimit == 1 {
		said = "one over a limit"
	} else if overLimit > 1 {
		said = "some over a limit"
	}
	lines, width := chart.Words("+"+strconv.Itoa(remaining), sc.Look.Chart())
	available := m.blockSize.w - 3
	for i := range lines {
		lines[i] = style.Blanks((available-width)/2) + lines[i]
	}
	return append([]string{style.FirstFitting(available, "more, "+said, said, "more")}, lines...)
}

// largeLegend returns the legend with large counts, in at most h lines.
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
	for _, c := range m.counts(sc.Floor.Channel) {
		word := c.look.Glyph(sc.Look.ASCII) + " " + c.look.Word
		drawn, width := chart.Words(string(f.Count(nil, int64(c.agents)))+" "+word, sc.Look.Chart())
		const gap = 3
		if used+width > w && used > 1 {
			end()
		}
		if len(out)+chart.HalfRows > h || width+1 > w {
			return out
		}
		st := sc.Look.Style(c.look.Token)
		for i := range lines {
			lines[i] += st.Render(drawn[i]) + style.Blanks(min(gap, w-used-width))
		}
		used = min(used+width+gap, w)
	}
	end()
	return out
}
