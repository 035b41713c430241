package widgets

import (
	"slices"
	"strings"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/floorview"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// agentMapDrawing draws a map with agents as glyphs. It holds the lines drawn so far.
type agentMapDrawing struct {
	scene      AgentMapScene
	agentMap   *AgentMap
	x, y, w, h int
	agentWidth int // width of an agent in cells
	out        []string
}

// draw draws the groups one below the other, with a glyph for each agent. If not all agents fit,
// the last line says how many are missing.
func (d *agentMapDrawing) draw() []string {
	left := 0
	for _, g := range d.agentMap.order.groups {
		left += len(g.rows)
	}
	label := d.agentMap.labelWidth(d.w)
	available := max((d.w-label)/d.agentWidth, 1)
	for i, g := range d.agentMap.order.groups {
		title := g.title
		for rows := g.rows; len(rows) > 0; {
			n := min(available, len(rows))
			if len(d.out) == d.h-1 && left > n {
				what := words.PlotMoreAgents(left)
				if n := len(d.agentMap.order.groups) - i; n > 1 { // counts groups, because an agent may be in several of them
					what = words.PlotMoreGroups(n)
				}
				d.out = append(d.out, d.overflowLine(d.scene.Look.Translate(what)))
				return d.out
			}
			if len(d.out) >= d.h {
				return d.out
			}
			d.drawLine(title, label, rows[:n])
			title, rows = "", rows[n:]
			left -= n
		}
	}
	return d.out
}

// overflowLine returns a line about the agents that do not fit. what is a number of agents or
// groups, with a noun.
func (d *agentMapDrawing) overflowLine(what string) string {
	l := style.NewLine(d.w, d.scene.Look.Glyphs.Ellipsis)
	return l.Add(d.scene.Look.Style(themes.Dim), " "+d.scene.Look.Glyphs.Ellipsis+" "+what).Finish(themes.Style{})
}

// drawLine draws a line of a group: title in the first label cells, then the agents in rows.
// Neighboring agents in the same state share an escape sequence.
func (d *agentMapDrawing) drawLine(title string, label int, rows []int32) {
	sc, m := d.scene, d.agentMap
	l := style.NewLine(d.w, sc.Look.Glyphs.Ellipsis).AddRaw(m.groupLabel(sc, title, label), label)
	for i, row := range rows {
		m.AgentPositions = append(m.AgentPositions, AgentPosition{d.x + label + i*d.agentWidth, d.y + len(d.out), row})
	}
	gap := style.Blanks(d.agentWidth - 1)
	for len(rows) > 0 {
		r, n := m.rows.Record(int(rows[0])), d.runLength(rows)
		s := m.stateOf(r)
		if n == 0 {
			l.Add(sc.Look.Style(themes.Selection), s.Glyph(sc.Look.ASCII)).Add(themes.Style{}, gap)
			rows = rows[1:]
			continue
		}
		st, glyph := sc.Look.Style(s.Token), s.Glyph(sc.Look.ASCII)+gap
		l.AddRaw(st.Open+strings.Repeat(glyph, n)+st.Close, n*style.Width(glyph))
		rows = rows[n:]
	}
	d.out = append(d.out, l.Finish(themes.Style{}))
}

// groupLabel returns the title of a group, truncated or padded to w cells.
func (m *AgentMap) groupLabel(sc AgentMapScene, title string, w int) string {
	if title == "" {
		return style.Blanks(w)
	}
	l := style.NewLine(w, sc.Look.Glyphs.Ellipsis).Space(themes.Style{}, 1)
	return l.Add(sc.Look.Style(themes.Text), style.Truncate(title, w-2, sc.Look.Glyphs.Ellipsis)).Finish(themes.Style{})
}

// runLength returns how many of rows, beginning with the first, can be drawn with the same style,
// because their agents have the same state and none is under the cursor.
func (d *agentMapDrawing) runLength(rows []int32) int {
	m := d.agentMap
	state := m.order.stateIndexes[rows[0]]
	for n, row := range rows {
		if m.order.stateIndexes[row] != state || m.Cursor != "" && m.rows.Key(int(row)) == m.Cursor {
			return n
		}
	}
	return len(rows)
}

// stateLegend returns at most h lines with the number of agents in each state. It omits states
// without agents.
func (m *AgentMap) stateLegend(sc AgentMapScene, w, h int) []string {
	if h <= 0 {
		return nil
	}
	f := sc.Floor.FormatOf(sc.Look, AgentMapSubscriptions()...)
	var out []string
	l := style.NewLine(w, sc.Look.Glyphs.Ellipsis).Space(themes.Style{}, 1)
	for _, c := range m.countStates(sc.Floor.Channel) {
		text := c.state.Glyph(sc.Look.ASCII) + " " + c.state.Word.In(sc.Look.Format.Words) + " " + string(f.Count(nil, int64(c.agents)))
		if style.Width(text) > l.RemainingWidth() && l.UsedWidth() > 1 && len(out)+1 < h {
			out = append(out, l.Finish(themes.Style{}))
			l = style.NewLine(w, sc.Look.Glyphs.Ellipsis).Space(themes.Style{}, 1)
		}
		if style.Width(text) > l.RemainingWidth() {
			l.Add(sc.Look.Style(themes.Dim), sc.Look.Glyphs.Ellipsis)
			break
		}
		l.Add(sc.Look.Style(c.state.Token), text).Space(themes.Style{}, 2)
	}
	return append(out, l.Finish(themes.Style{}))
}

type stateCount struct {
	state  render.State
	agents int
}

// countStates returns the number of agents in each state with agents, in the order of the bar of
// states. If the data is too old, all agents are in the unknown state.
func (m *AgentMap) countStates(ch model.Channel) []stateCount {
	if m.stale {
		return []stateCount{{render.StateOf("", ch), len(m.order.rows)}}
	}
	var out []stateCount
	for s, rows := range m.order.states {
		switch {
		case len(rows) == 0:
		case s == floorview.OtherStateRank:
			for _, i := range rows {
				look := render.StateOf(m.rows.Record(int(i)).Status, ch)
				index := slices.IndexFunc(out, func(c stateCount) bool { return c.state.Word.Equal(look.Word) })
				if index < 0 {
					index, out = len(out), append(out, stateCount{state: look})
				}
				out[index].agents++
			}
		default:
			look := render.StateOf(m.rows.Record(int(rows[0])).Status, ch)
			out = append(out, stateCount{look, len(rows)})
		}
	}
	return out
}
