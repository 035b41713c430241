package panes

import (
	"slices"

	"wallboard/model"
	"wallboard/ui/plots"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// lastHours caches the last hour of the agents in a table.
type lastHours struct {
	of    hoursKey
	lines []string
}

// hoursKey is the cache key of drawn hours, which change every second.
type hoursKey struct {
	w, h    int
	at      int64 // Unix seconds
	look    *render.Options
	channel model.Channel
}

func (sc *Scene) hoursKey(w, h int) hoursKey {
	return hoursKey{w, h, sc.Floor.Now().Unix(), sc.Look.Render, sc.Floor.Channel}
}

// leastHours is the least height of the agents' last hour.
const leastHours = 6

// view draws the hours of the agents in view, in their order, or nil if there is no
// room or no data.
func (l *lastHours) view(sc *Scene, t *RecordTable, w, h int) []string {
	if h < leastHours || sc.Alarms.Hour == nil || sc.Floor.Shown == nil || sc.Floor.Blanked(model.OpUserStats) {
		return nil
	}
	in := sc.within(0, 0, w, h)
	if now := sc.hoursKey(in.W, in.H); l.of != now {
		l.of, l.lines = now, plots.DrawShifts(sc.Look, l.agents(sc, t), in.W-2, in.H)
		style.Inset(l.lines)
	}
	if len(l.lines) == 0 {
		return nil
	}
	lines := slices.Clone(l.lines)
	sc.Floor.FadeOld(sc.Look, lines, model.OpUserStats)
	_, around := sc.around()
	return sc.part(w, len(lines)+around, "The last hour", style.Position{}, false, lines)
}

func (l *lastHours) agents(sc *Scene, t *RecordTable) []plots.ShiftAgent {
	var out []plots.ShiftAgent
	var seen []string // an agent may be in several groups
	for _, row := range t.Visible() {
		username, ok := t.record(row)
		if !ok || slices.Contains(seen, username) {
			continue
		}
		seen = append(seen, username)
		one := plots.HourLines(sc.Floor.Shown, username, sc.Floor.Channel, sc.Alarms.Hour)
		if len(one) > 0 && one[0].Channel == sc.Floor.Channel {
			out = append(out, plots.ShiftAgent{Name: sc.Floor.AgentName(username), HourLine: one[0]})
		}
	}
	return out
}
