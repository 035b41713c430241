// Package hours draws what an agent did in the last hour, as a strip of states. It draws
// from values.
package hours

import (
	"strings"
	"time"

	"wallboard/model"
	"wallboard/situation/track"
	"wallboard/themes"
	"wallboard/ui/look"
	"wallboard/ui/render"
)

// Label is the room of a channel's name beside the strip of states.
const Label = 11

// least is the width below which a strip says nothing.
const least = 10

// Line is what an agent did on a channel.
type Line struct {
	Channel model.Channel
	track.Hour
}

// Of are the hours of an agent, that of a channel first. hour has that of one of their
// records.
func Of(s *model.Snapshot, username string, first model.Channel, hour func(model.UserStatKey) track.Hour) []Line {
	var out []Line
	for _, one := range model.Channels() {
		u := s.UserStats.Get(model.UserStatKey{Username: username, Channel: one})
		switch {
		case u == nil:
		case one == first:
			out = append([]Line{{one, hour(u.Key())}}, out...)
		default:
			out = append(out, Line{one, hour(u.Key())})
		}
	}
	return out
}

// Draw draws a strip of states for each channel in w cells, and for how long each state
// lasted on the first.
func Draw(lk *look.Look, of []Line, w int) []string {
	room := w - Label
	if len(of) == 0 || room < least {
		return []string{dim(lk, "Nothing is known of this agent.", w)}
	}
	var out []string
	for _, one := range of {
		l := look.NewLine(w, lk.Glyphs.Ellipsis).Add(lk.Style(themes.Text), look.Fit(render.ChannelName(one.Channel), Label, lk.Glyphs.Ellipsis))
		one.draw(lk, l, room)
		out = append(out, l.End(themes.Style{}))
	}
	out = append(out, of[0].ticks(lk, w, room), look.Blanks(w))
	return append(out, of[0].sums(lk, w)...)
}

// draw adds a cell for each part of the hour.
func (h *Line) draw(lk *look.Look, l *look.Line, room int) {
	full := "█"
	if lk.ASCII {
		full = "#"
	}
	for x := range room {
		s := h.States[x*len(h.States)/room]
		if s == "" {
			l.Add(lk.Style(themes.Dim), lk.Glyphs.Dot)
			continue
		}
		state := render.StateOf(s, h.Channel)
		glyph := full
		if sign := lk.Render.Bar(state); sign != "" {
			glyph = sign
		}
		l.Add(lk.Style(state.Token), glyph)
	}
}

// ticks names the quarters of the hour.
func (h *Line) ticks(lk *look.Look, w, room int) string {
	const label = 5
	line := []rune(strings.Repeat(" ", w))
	span := time.Duration(len(h.States)) * h.Step
	for quarter := range 4 {
		at := h.End.Add(-span + time.Duration(quarter)*span/4)
		copy(line[Label+quarter*room/4:], []rune(at.In(lk.Zone()).Format("15:04")))
	}
	if room/4 > label+len("now") {
		copy(line[w-len("now"):], []rune("now"))
	}
	return dim(lk, string(line), w)
}

// sums says for how long each state lasted in the hour, the longest first, and
// since when anybody has looked.
func (h *Line) sums(lk *look.Look, w int) []string {
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
	l := look.NewLine(w, lk.Glyphs.Ellipsis)
	for len(steps) > 0 {
		var most model.UserStatus
		for _, s := range model.UserStatuses() {
			if steps[s] > steps[most] {
				most = s
			}
		}
		state := render.StateOf(most, h.Channel)
		text := state.Glyph(lk.ASCII) + " " + state.Word
		lasted := " " + lk.Duration(time.Duration(steps[most])*h.Step)
		if look.Width(text+lasted) > l.Room() {
			break
		}
		l.Add(lk.Style(state.Token), text).Add(lk.Style(themes.Text), lasted).Space(themes.Style{}, 3)
		delete(steps, most)
	}
	out := []string{l.End(themes.Style{})}
	if known < len(h.States) {
		text := "The board has seen nothing of it yet."
		if first >= 0 {
			at := h.End.Add(-time.Duration(len(h.States)-1-first) * h.Step)
			text = "The board has watched since " + at.In(lk.Zone()).Format("15:04") + "; what nobody saw is left out."
		}
		out = append(out, dim(lk, text, w))
	}
	return out
}

// dim is a line that steps back.
func dim(lk *look.Look, text string, w int) string {
	return look.NewLine(w, lk.Glyphs.Ellipsis).Add(lk.Style(themes.Dim), text).End(themes.Style{})
}
