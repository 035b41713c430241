package widgets

import (
	"strings"
	"time"

	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// HourLabelWidth is the width, in cells, of the channel name to the left of a strip of states.
const HourLabelWidth = 11

// minHourStripWidth is the minimum width of a strip of states in cells.
const minHourStripWidth = 10

// HourLine holds the states of an agent on a channel during the last hour.
type HourLine struct {
	Channel model.Channel
	diagnosis.AgentHour
}

// HourLines returns the last hours of an agent on all channels for which the snapshot has figures,
// beginning with the one that first names. hour returns the last hour of an agent on one channel.
func HourLines(s *model.Snapshot, username string, first model.Channel, hour func(model.UserStatKey) diagnosis.AgentHour) []HourLine {
	var out []HourLine
	for _, ch := range model.Channels() {
		u := s.UserStats.Get(model.UserStatKey{Username: username, Channel: ch})
		switch {
		case u == nil:
		case ch == first:
			out = append([]HourLine{{ch, hour(u.Key())}}, out...)
		default:
			out = append(out, HourLine{ch, hour(u.Key())})
		}
	}
	return out
}

// DrawHours draws a strip of states for each channel and, below the strips, how long the agent was in
// each state on the first channel. Without data or room, it draws a note. Lines are w cells wide.
func DrawHours(lk *style.Look, lines []HourLine, w int) []string {
	available := w - HourLabelWidth
	if len(lines) == 0 || available < minHourStripWidth {
		return []string{dimLine(lk, lk.Translate(words.PlotNoAgentData()), w)}
	}
	var out []string
	for _, line := range lines {
		l := style.NewLine(w, lk.Glyphs.Ellipsis).Add(lk.Style(themes.Text), style.Fit(line.ChannelName(lk), HourLabelWidth, lk.Glyphs.Ellipsis))
		line.drawStrip(lk, l, available)
		out = append(out, l.Finish(themes.Style{}))
	}
	out = append(out, lines[0].quarterLabels(lk, w, HourLabelWidth), style.Blanks(w))
	return append(out, lines[0].drawTotals(lk, w)...)
}

// AgentHour is the last hour of an agent, with the agent's name.
type AgentHour struct {
	Name string
	HourLine
}

// agentHourLines is the number of lines for an agent, including a blank line.
const agentHourLines = 3

// MaxAgentHours returns the number of agents that [DrawAgentHours] can draw in h lines.
func MaxAgentHours(h int) int { return max(h/agentHourLines, 0) }

// DrawAgentHours draws the last hour of each agent in two lines: the duration of each state, and a
// strip of states. It omits agents that do not fit into h lines.
func DrawAgentHours(lk *style.Look, agents []AgentHour, w, h int) []string {
	agents = agents[:min(len(agents), MaxAgentHours(h))]
	if len(agents) == 0 || w < HourLabelWidth+minHourStripWidth {
		return nil
	}
	out := make([]string, 0, len(agents)*agentHourLines)
	for i := range agents {
		agent := &agents[i]
		l := style.NewLine(w, lk.Glyphs.Ellipsis).Add(lk.Style(themes.Text), style.Fit(agent.Name, w/3, lk.Glyphs.Ellipsis)).Space(themes.Style{}, 2)
		agent.drawDurations(lk, l)
		strip := style.NewLine(w, lk.Glyphs.Ellipsis)
		agent.drawStrip(lk, strip, w)
		out = append(out, l.Finish(themes.Style{}), strip.Finish(themes.Style{}), style.Blanks(w))
	}
	out[len(out)-1] = agents[0].quarterLabels(lk, w, 0)
	return out
}

// drawStrip adds a strip of available cells to the line l. Each cell shows the state at the start
// of its part of the hour.
func (h *HourLine) drawStrip(lk *style.Look, l *style.Line, available int) {
	for x := range available {
		h.AddCell(lk, l, h.States[x*len(h.States)/available])
	}
}

// AddCell adds a cell for the state s to the line l. An unknown state, "", is drawn as a dot.
func (h *HourLine) AddCell(lk *style.Look, l *style.Line, s model.UserStatus) {
	if s == "" {
		l.Add(lk.Style(themes.Dim), lk.Glyphs.Dot)
		return
	}
	state, glyph := render.StateOf(s, h.Channel), "█"
	if lk.ASCII {
		glyph = "#"
	}
	if sign := lk.Render.BarGlyph(state); sign != "" {
		glyph = sign
	}
	l.Add(lk.Style(state.Token), glyph)
}

// ChannelName returns the name of the channel.
func (h *HourLine) ChannelName(lk *style.Look) string {
	return lk.Translate(words.ChannelName(h.Channel))
}

// StateAt returns the state at the time t. It returns "" if the state is unknown.
func (h *HourLine) StateAt(t time.Time) model.UserStatus {
	i := len(h.States) - 1 - int(h.End.Sub(t)/max(h.Step, 1))
	if t.After(h.End) || i < 0 {
		return ""
	}
	return h.States[i]
}

// quarterLabels returns the line below a strip, with the times of day at the quarters of the hour.
// from is the first cell of the strip.
func (h *HourLine) quarterLabels(lk *style.Look, w, from int) string {
	const label = 5
	available := w - from
	line := []rune(strings.Repeat(" ", w))
	span := time.Duration(len(h.States)) * h.Step
	for quarter := range 4 {
		at := h.End.Add(-span + time.Duration(quarter)*span/4)
		copy(line[from+quarter*available/4:], []rune(textformat.Clock(at, lk.Zone())))
	}
	if now := []rune(lk.Translate(words.PlotNow())); available/4 > label+len(now) {
		copy(line[w-len(now):], now)
	}
	return dimLine(lk, string(line), w)
}

// drawTotals returns a line with the duration of each state during the hour, the longest first. If
// some states are unknown, a second line says from when on states are known and whether gaps are
// omitted.
func (h *HourLine) drawTotals(lk *style.Look, w int) []string {
	l := style.NewLine(w, lk.Glyphs.Ellipsis)
	known, first := h.drawDurations(lk, l)
	out := []string{l.Finish(themes.Style{})}
	if known < len(h.States) {
		text := words.PlotNothingRecorded()
		if first >= 0 {
			at := words.ClockOf(h.End.Add(-time.Duration(len(h.States)-1-first)*h.Step), lk.Zone())
			text = words.PlotRecordedSince(at)
			switch hasGaps := known < len(h.States)-first; {
			case hasGaps && first == 0:
				text = words.PlotGaps()
			case hasGaps:
				text = words.PlotRecordedSinceGaps(at)
			}
		}
		out = append(out, dimLine(lk, lk.Translate(text), w))
	}
	return out
}

// drawDurations adds the duration of each state to the line l, the longest first. It returns the
// number of steps of the hour with a known state. first is the index of the first such step, or -1.
func (h *HourLine) drawDurations(lk *style.Look, l *style.Line) (known, first int) {
	steps := make(map[model.UserStatus]int)
	first = -1
	for i, s := range h.States {
		if s == "" {
			continue
		}
		if steps[s]++; first < 0 {
			first = i
		}
		known++
	}
	for len(steps) > 0 {
		var longestState model.UserStatus
		for _, s := range model.States() {
			if steps[s] > steps[longestState] {
				longestState = s
			}
		}
		state := render.StateOf(longestState, h.Channel)
		text := state.Glyph(lk.ASCII) + " " + state.Word.In(lk.Format.Words)
		lasted := " " + lk.FormatDuration(time.Duration(steps[longestState])*h.Step)
		if style.Width(text+lasted) > l.RemainingWidth() {
			break
		}
		l.Add(lk.Style(state.Token), text).Add(lk.Style(themes.Text), lasted).Space(themes.Style{}, 3)
		delete(steps, longestState)
	}
	return known, first
}

// dimLine returns a line of text in the dim style.
func dimLine(lk *style.Look, text string, w int) string {
	return style.NewLine(w, lk.Glyphs.Ellipsis).Add(lk.Style(themes.Dim), text).Finish(themes.Style{})
}
