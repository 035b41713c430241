package explain

import (
	"strings"
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation/track"
	"wallboard/themes"
	"wallboard/ui/look"
	"wallboard/ui/panes"
	"wallboard/ui/render"
)

// hourLabel is the room of a channel's name beside the strip of states.
const hourLabel = 11

// hour draws what an agent did in the last hour, a strip of states for each of their
// channels, and for how long each state lasted on the first. What the board has not seen it
// takes from the shift, where that is known.
func hour(sc *panes.Scene, of alert.Key, known *shift, w int) []string {
	stats := channelsOf(sc, of)
	room := w - hourLabel
	if len(stats) == 0 || room < 10 {
		return []string{sc.Look.Style(themes.Dim).Render(look.Fit("Nothing is known of this agent.", w, sc.Look.Glyphs.Ellipsis))}
	}
	var out []string
	for _, u := range stats {
		l := look.NewLine(w, sc.Look.Glyphs.Ellipsis).Add(sc.Look.Style(themes.Text), look.Fit(render.ChannelName(u.Channel), hourLabel, sc.Look.Glyphs.Ellipsis))
		strip(sc, l, known.fill(sc.Alarms.Hour(u.Key()), u.Channel), u.Channel, room)
		out = append(out, l.End(themes.Style{}))
	}
	first := known.fill(sc.Alarms.Hour(stats[0].Key()), stats[0].Channel)
	out = append(out, hourTicks(sc, &first, w, room), "")
	return append(out, hourSums(sc, &first, stats[0].Channel, w)...)
}

// channelsOf are the records of an agent, that of the channel in question first.
func channelsOf(sc *panes.Scene, of alert.Key) []*model.UserStat {
	ch := of.Channel
	if ch == "" {
		ch = sc.Floor.Channel
	}
	var out []*model.UserStat
	for _, one := range model.Channels() {
		u := sc.Floor.Shown.UserStats.Get(model.UserStatKey{Username: of.Code, Channel: one})
		switch {
		case u == nil:
		case one == ch:
			out = append([]*model.UserStat{u}, out...)
		default:
			out = append(out, u)
		}
	}
	return out
}

// strip adds a cell for each part of the hour.
func strip(sc *panes.Scene, l *look.Line, h track.Hour, ch model.Channel, room int) {
	full := "█"
	if sc.Look.ASCII {
		full = "#"
	}
	for x := range room {
		s := h.States[x*len(h.States)/room]
		if s == "" {
			l.Add(sc.Look.Style(themes.Dim), sc.Look.Glyphs.Dot)
			continue
		}
		state := render.StateOf(s, ch)
		glyph := full
		if sign := sc.Look.Render.Bar(state); sign != "" {
			glyph = sign
		}
		l.Add(sc.Look.Style(state.Token), glyph)
	}
}

// hourTicks names the quarters of the hour.
func hourTicks(sc *panes.Scene, h *track.Hour, w, room int) string {
	const label = 5
	line := []rune(strings.Repeat(" ", w))
	span := time.Duration(len(h.States)) * h.Step
	for quarter := range 4 {
		at := h.End.Add(-span + time.Duration(quarter)*span/4)
		copy(line[hourLabel+quarter*room/4:], []rune(at.In(sc.Look.Zone()).Format("15:04")))
	}
	if room/4 > label+len("now") {
		copy(line[w-len("now"):], []rune("now"))
	}
	return sc.Look.Style(themes.Dim).Render(string(line))
}

// hourSums says for how long each state lasted in the hour, the longest first, and
// since when anybody has looked.
func hourSums(sc *panes.Scene, h *track.Hour, ch model.Channel, w int) []string {
	steps := make(map[model.UserStatus]int)
	known, first := 0, -1
	for i, s := range h.States {
		if s == "" {
			continue
		}
		if steps[s]++; first < 0 {
			first = i
		}
		known++
	}
	l := look.NewLine(w, sc.Look.Glyphs.Ellipsis)
	for len(steps) > 0 {
		var most model.UserStatus
		for _, s := range model.UserStatuses() {
			if steps[s] > steps[most] {
				most = s
			}
		}
		state := render.StateOf(most, ch)
		text := state.Glyph(sc.Look.ASCII) + " " + state.Word
		lasted := " " + sc.Look.Duration(time.Duration(steps[most])*h.Step)
		if look.Width(text+lasted) > l.Room() {
			break
		}
		l.Add(sc.Look.Style(state.Token), text).Add(sc.Look.Style(themes.Text), lasted).Space(themes.Style{}, 3)
		delete(steps, most)
	}
	out := []string{l.End(themes.Style{})}
	if known < len(h.States) {
		text := "The board has seen nothing of it yet."
		if first >= 0 {
			at := h.End.Add(-time.Duration(len(h.States)-1-first) * h.Step)
			text = "The board has watched since " + at.In(sc.Look.Zone()).Format("15:04") + "; what nobody saw is left out."
		}
		out = append(out, sc.Look.Style(themes.Dim).Render(look.Fit(text, w, sc.Look.Glyphs.Ellipsis)))
	}
	return out
}
