package panes

import (
	"slices"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/plots"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// lastHours caches the lines that show the last hours of the agents in a table.
type lastHours struct {
	key   hoursKey
	lines []string
}

// hoursKey is the cache key of lines that show last hours. These lines change every second.
type hoursKey struct {
	w, h    int
	second  int64 // Unix seconds
	options *render.Options
	channel model.Channel
}

func (sc *Scene) hoursKey(w, h int) hoursKey {
	return hoursKey{w, h, sc.Floor.Now().Unix(), sc.Look.Render, sc.Floor.Channel}
}

// minHoursHeight is the minimum height, in lines, of the part with the agents' last hours.
const minHoursHeight = 6

// drawHours draws the last hours of the agents in the visible rows of the table t, in the order of
// the rows. It returns nil if there is not enough room or no data.
func (l *lastHours) drawHours(sc *Scene, t *RecordTable, w, h int) []string {
	if h < minHoursHeight || sc.Alarms.LastHour == nil || sc.Floor.Shown == nil || sc.Floor.IsBlanked(model.OpUserStats) {
		return nil
	}
	inner := sc.InnerArea(0, 0, w, h)
	if key := sc.hoursKey(inner.W, inner.H); l.key != key {
		l.key, l.lines = key, plots.DrawAgentHours(sc.Look, l.visibleAgents(sc, t), inner.W-2, inner.H)
		style.Inset(l.lines)
	}
	if len(l.lines) == 0 {
		return nil
	}
	lines := slices.Clone(l.lines)
	sc.Floor.FadeStale(sc.Look, lines, model.OpUserStats)
	_, around := sc.frameMargins()
	return sc.DrawPart(w, len(lines)+around, sc.told(words.PaneLastHour()), style.HeadingStatus{}, false, lines)
}

func (l *lastHours) visibleAgents(sc *Scene, t *RecordTable) []plots.AgentHour {
	var out []plots.AgentHour
	var usernames []string // agents so far, because an agent may be in several groups
	for _, row := range t.VisibleRows() {
		username, ok := t.recordKey(row)
		if !ok || slices.Contains(usernames, username) {
			continue
		}
		usernames = append(usernames, username)
		lines := plots.HourLines(sc.Floor.Shown, username, sc.Floor.Channel, sc.Alarms.LastHour)
		if len(lines) > 0 && lines[0].Channel == sc.Floor.Channel {
			out = append(out, plots.AgentHour{Name: sc.Floor.AgentName(username), HourLine: lines[0]})
		}
	}
	return out
}
