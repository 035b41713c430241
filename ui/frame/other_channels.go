package frame

import (
	"cmp"
	"slices"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// alarmMarkCache caches the mark for critical situations on other channels, and the values on which
// it depends.
type alarmMarkCache struct {
	view      *situation.View
	channel   model.Channel
	look      *render.Options
	withWords bool
	mark      string
}

// markFor returns a mark for the other channels on which a critical situation needs action, such as
// "▲ Chat critical", or "" if there are none. It describes the newest snapshot, even while the
// screen is frozen. The pane Now shows the situations themselves.
func (e *alarmMarkCache) markFor(m *Frame) string {
	wide := m.Width >= minWordWidth
	if e.view != m.Situations || e.channel != m.Floor.Channel || e.look != m.Look.Render || e.withWords != wide {
		*e = alarmMarkCache{m.Situations, m.Floor.Channel, m.Look.Render, wide, m.channelMark(m.alarmedChannels())}
	}
	return e.mark
}

// alarmedChannels returns the channels, except the current one, on which a critical situation of a
// service needs action. They are in the order of document 2. Channels that are not in document 2
// come last, sorted by name.
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

// minWordWidth is the minimum width of the screen, in cells, for the word "critical" in the mark.
const minWordWidth = 100

// channelMark returns the mark for channels with a critical situation. It names the first channel
// and gives only the number of the others, so that it fits into the header.
func (m *Frame) channelMark(channels []model.Channel) string {
	if len(channels) == 0 {
		return ""
	}
	const longest = 14
	names := style.Truncate(m.translate(words.ChannelName(channels[0])), longest, m.Look.Glyphs.Ellipsis)
	if more := len(channels) - 1; more > 0 {
		names += " +" + m.Look.FormatCount(more)
	}
	if m.Width >= minWordWidth {
		names = m.translate(words.BadgeCritical(names))
	}
	return render.Critical.Glyph(m.Look.ASCII) + " " + names
}
