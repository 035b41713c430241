package frame

import (
	"cmp"
	"slices"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/phrases"
	"wallboard/model"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// alarmMarkCache caches the mark for alarms on other channels, together with the inputs that it was
// made from.
type alarmMarkCache struct {
	view      *situation.View
	channel   model.Channel
	look      *render.Options
	withWords bool
	mark      string
}

// markFor returns the mark for other channels on which a critical situation needs action: "▲ Chat
// critical", or "" for none. The mark is current even while the snapshot is frozen. The pane Now
// shows the situations themselves.
func (e *alarmMarkCache) markFor(m *Frame) string {
	wide := m.Width >= minWordWidth
	if e.view != m.Situations || e.channel != m.Floor.Channel || e.look != m.Look.Render || e.withWords != wide {
		*e = alarmMarkCache{m.Situations, m.Floor.Channel, m.Look.Render, wide, m.channelMark(m.alarmedChannels())}
	}
	return e.mark
}

// alarmedChannels returns the channels, except the current one, on which a critical situation of a
// service needs action. They are in the order of document 2. Channels that are not in it come last,
// by name.
func (m *Frame) alarmedChannels() []model.Channel {
	var out []model.Channel
	if m.Situations == nil {
		return nil
	}
	for i := range m.Situations.Live {
		sit := &m.Situations.Live[i]
		ch := sit.Place.Key.Channel
		if sit.Place.Key.Scope == alert.Service && sit.Level == alert.Critical && sit.NeedsAction() && ch != m.Floor.Channel && !slices.Contains(out, ch) {
			out = append(out, ch)
		}
	}
	known := model.Channels()
	place := func(c model.Channel) int {
		if index := slices.Index(known[:], c); index >= 0 {
			return index
		}
		return len(known)
	}
	slices.SortFunc(out, func(a, b model.Channel) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a, b))
	})
	return out
}

// minWordWidth is the minimum width of the screen for the word "critical" in the mark.
const minWordWidth = 100

// channelMark returns the mark for channels with a critical situation. It names the first channel
// and counts the others, so that the mark fits the header.
func (m *Frame) channelMark(channels []model.Channel) string {
	if len(channels) == 0 {
		return ""
	}
	const longest = 14
	mark := render.Critical.Glyph(m.Look.ASCII) + " " + style.Cut(phrases.ChannelName(channels[0]), longest, m.Look.Glyphs.Ellipsis)
	if more := len(channels) - 1; more > 0 {
		mark += " +" + m.Look.Count(more)
	}
	if m.Width >= minWordWidth {
		mark += " critical"
	}
	return mark
}
