package frame

import (
	"slices"

	"charm.land/bubbles/v2/key"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/style"
)

// Lines caches the lines around a page, most of which do not change between frames.
type Lines struct {
	status cachedLine[Badge]
	tabs   cachedLine[int]
	title  cachedLine[Place]
	hints  cachedLine[key.Help]
	alarms alarmMark
}

// Status returns the first line: the site, the channel and the state of the data.
func (l *Lines) Status(m *Frame) string {
	badges := m.badges(l.alarms.markFor(m))
	channel := Badge{Text: m.Floor.ChannelName()}
	if m.Wall && m.Floor.Channel == model.Call { // calls are the default
		channel.Text = ""
	}
	draw := func() string { return m.statusLine(channel.Text, badges) }
	return l.status.line(m.Look, m.Width, draw, append(badges, channel)...)
}

// Name returns the site, and the channel unless it is calls.
func (l *Lines) Name(m *Frame) string {
	if m.Floor.Channel == model.Call {
		return m.Site()
	}
	return m.Site() + " " + m.Look.Glyphs.Dot + " " + m.Floor.ChannelName()
}

// States returns the badges of the status line without the time of day.
func (l *Lines) States(m *Frame) []Badge {
	return slices.DeleteFunc(m.badges(l.alarms.markFor(m)), func(b Badge) bool { return b.rank == clockRank })
}

// Tabs returns the line of tabs.
func (l *Lines) Tabs(m *Frame, t Tabs) string {
	return l.tabs.line(m.Look, m.Width, func() string { return t.draw(m) }, t.Current)
}

// Place is the viewer's position: the path from the page to the open details, and the
// position in the rows.
type Place struct {
	Path     string
	Position style.Position
	Only     bool // the page has no other part that can have the keyboard
}

// Title returns the line with the viewer's position.
func (l *Lines) Title(m *Frame, p Place) string {
	draw := func() string {
		return m.Look.HeadingOf(m.Width, style.Part{Title: p.Path, Position: p.Position, Only: p.Only && !m.Wall})
	}
	return l.title.line(m.Look, m.Width, draw, p)
}

// Hints returns the last line: the keys that matter now, as many as fit, and those that
// are always shown.
func (l *Lines) Hints(m *Frame, bindings []key.Binding, always ...key.Binding) string {
	helps := make([]key.Help, 0, 16)
	for _, b := range bindings {
		helps = append(helps, b.Help())
	}
	return l.hints.line(m.Look, m.Width, func() string { return drawHints(m, helps, always) }, helps...)
}

func drawHints(m *Frame, helps []key.Help, always []key.Binding) string {
	lk := m.Look
	bar := lk.Style(themes.StatusBar)
	add := func(l *style.Line, h key.Help) {
		l.Add(lk.OnBar(themes.Key), h.Key).Add(lk.OnBar(themes.KeyText), " "+h.Desc).Space(bar, 2)
	}
	l, end := style.NewLine(m.Width, lk.Glyphs.Ellipsis), style.NewLine(m.Width, lk.Glyphs.Ellipsis)
	for _, b := range always {
		add(end, b.Help())
	}
	l.Space(bar, 1)
	for _, h := range helps {
		if style.Width(h.Key)+style.Width(h.Desc)+3 > l.Room()-end.Used() {
			break
		}
		add(l, h)
	}
	l.Space(bar, l.Room()-end.Used())
	return l.AddRaw(end.String(), end.Used()).End(bar)
}
