package frame

import (
	"cmp"
	"slices"

	"wallboard/internal/alert"
	"wallboard/internal/phrases"
	"wallboard/model"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// alarmMark caches the mark for alarms on other channels with its inputs.
type alarmMark struct {
	alerts    *render.Alerts
	channel   model.Channel
	look      *render.Options
	withWords bool
	mark      string
}

// markFor returns the channels, other than the current one, that have a critical service now,
// even while the snapshot is frozen: "▲ Chat critical", "" for none.
func (e *alarmMark) markFor(m *Frame) string {
	wide := m.Width >= minWordWidth
	if e.alerts != m.Alerts || e.channel != m.Floor.Channel || e.look != m.Look.Render || e.withWords != wide {
		*e = alarmMark{m.Alerts, m.Floor.Channel, m.Look.Render, wide, m.channelMark(m.alarmedChannels())}
	}
	return e.mark
}

// alarmedChannels returns these channels in the order of document 2, others by name.
func (m *Frame) alarmedChannels() []model.Channel {
	var out []model.Channel
	for _, e := range m.Alerts.Active() {
		ch := e.Key.Channel
		if e.Key.Scope == alert.Service && e.Level == alert.Critical && e.Open() && ch != m.Floor.Channel && !slices.Contains(out, ch) {
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

// minWordWidth is the minimum width of the screen for a word in the mark.
const minWordWidth = 100

// channelMark names the first of the channels and counts the others, so that the mark
// fits the header.
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
