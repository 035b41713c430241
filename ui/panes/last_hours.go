package panes

import (
	"slices"
	"strings"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/render"
	"wallboard/ui/style"
	"wallboard/ui/widgets"
)

// lastHours caches the lines that show the last hours of the agents in a table.
type lastHours struct {
	key   hoursKey
	lines []string
	frame style.FrameCache
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

// sharedHoursKey is the key of the last hours of several agents in [style.DrawingCache.CachedLines].
type sharedHoursKey struct {
	hoursKey
	usernames string // one name per line
}

// drawHours draws the last hours of the agents in the visible rows of the table t, in the order of
// the rows. It returns nil if there is not enough room or no data. Boards with the same view share
// the drawn lines.
func (l *lastHours) drawHours(sc *Scene, t *RecordTable, w, h int) []string {
	if h < minHoursHeight || sc.Alarms.LastHour == nil || sc.Floor.Shown == nil || sc.Floor.IsBlanked(model.OpUserStats) {
		return nil
	}
	inner := sc.InnerArea(0, 0, w, h)
	if key := sc.hoursKey(inner.W, inner.H); l.key != key {
		stats := l.visibleStats(sc, t, widgets.MaxAgentHours(inner.H))
		draw := func() []string {
			lines := widgets.DrawAgentHours(sc.Look, l.agentHours(sc, stats), inner.W-2, inner.H)
			style.Inset(lines)
			return lines
		}
		l.key, l.lines = key, nil
		if sc.renderView("", "").CacheKey != nil {
			names := make([]string, len(stats))
			for i, u := range stats {
				names[i] = u.Key().Username
			}
			l.lines = sc.Look.Cache.CachedLines(key.second, sharedHoursKey{key, strings.Join(names, "\n")}, draw)
		} else {
			l.lines = draw()
		}
	}
	if len(l.lines) == 0 {
		return nil
	}
	lines := slices.Clone(l.lines)
	sc.Floor.FadeStale(sc.Look, lines, model.OpUserStats)
	_, around := sc.frameMargins()
	return drawPart(sc, &l.frame, w, len(lines)+around, sc.translate(words.PaneLastHour()), style.HeadingStatus{}, false, lines)
}

// visibleStats returns the figures, on the channel of the board, of the agents in the visible rows
// of the table t: the first n agents who have such figures.
func (l *lastHours) visibleStats(sc *Scene, t *RecordTable, n int) []*model.UserStat {
	out := make([]*model.UserStat, 0, n)
	for _, row := range t.VisibleRows() {
		if len(out) == n {
			break
		}
		username, _ := t.recordKey(row)
		u := sc.Floor.Shown.UserStats.Get(model.UserStatKey{Username: username, Channel: sc.Floor.Channel})
		if u != nil && !slices.Contains(out, u) { // an agent may be in several groups
			out = append(out, u)
		}
	}
	return out
}

// agentHours returns the last hours of agents with the given figures.
func (l *lastHours) agentHours(sc *Scene, stats []*model.UserStat) []widgets.AgentHour {
	out := make([]widgets.AgentHour, len(stats))
	for i, u := range stats {
		k := u.Key()
		out[i] = widgets.AgentHour{Name: sc.Floor.AgentName(k.Username), HourLine: widgets.HourLine{Channel: k.Channel, AgentHour: sc.Alarms.LastHour(k)}}
	}
	return out
}
