package frame

import (
	"slices"

	"charm.land/bubbles/v2/key"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/style"
)

// Lines caches the drawn lines around a page, because most of them do not change between frames.
type Lines struct {
	status           cachedLine[Badge]
	tabs             cachedLine[int]
	title            cachedLine[BreadcrumbPath]
	hints            cachedLine[key.Help]
	statusClickAreas style.ClickAreas // areas of the status line that can be clicked
	hintClickAreas   style.ClickAreas // areas of the key hints on the last line
	alarmMark        alarmMarkCache
}

// Status returns the first line of the screen: the name of the site, the channel and the badges.
func (l *Lines) Status(m *Frame) string {
	badges := m.badges(l.alarmMark.markFor(m))
	channel := Badge{Text: m.Floor.ChannelName()}
	if m.IsWall && m.Floor.Channel == model.Call { // a wall does not name calls, the default channel
		channel.Text = ""
	}
	draw := func() (text string) {
		text, l.statusClickAreas = m.statusLine(channel.Text, badges)
		return text
	}
	return l.status.draw(m.Look, m.Width, draw, append(badges, channel)...)
}

// BadgeAt returns the effect of a click in column x of the first line: one of the Click constants,
// or "".
func (l *Lines) BadgeAt(x int) string { return l.statusClickAreas.At(x, 0) }

// SiteAndChannel returns the name of the site, followed by the channel unless it is that of calls.
func (l *Lines) SiteAndChannel(m *Frame) string {
	if m.Floor.Channel == model.Call {
		return m.Site()
	}
	return m.Site() + " " + m.Look.Glyphs.Dot + " " + m.Floor.ChannelName()
}

// BadgesWithoutClock returns the badges of the status line except the time of day.
func (l *Lines) BadgesWithoutClock(m *Frame) []Badge {
	return slices.DeleteFunc(m.badges(l.alarmMark.markFor(m)), func(b Badge) bool { return b.dropRank == clockRank })
}

// Tabs returns the line of tabs.
func (l *Lines) Tabs(m *Frame, t Tabs) string {
	return l.tabs.draw(m.Look, m.Width, func() string { return t.draw(m) }, t.Current)
}

// BreadcrumbPath is the viewer's position: the path from the page to the open detail page, and the position
// in the rows of a table.
type BreadcrumbPath struct {
	Key        string // key of the page; "": none
	Path       string
	Status     style.HeadingStatus
	IsOnlyPane bool // no other pane of the page can get the keyboard focus
}

// Title returns the line above the page, which shows the viewer's position.
func (l *Lines) Title(m *Frame, p BreadcrumbPath) string {
	draw := func() string {
		return m.Look.PartHeading(m.Width, style.PartFrame{Key: p.Key, Title: p.Path, Status: p.Status, OnlyPart: p.IsOnlyPane && !m.IsWall})
	}
	return l.title.draw(m.Look, m.Width, draw, p)
}

// Hints returns the last line of the screen: as many of the bindings as fit, the notice, and the
// bindings in always.
func (l *Lines) Hints(m *Frame, bindings []key.Binding, always ...key.Binding) string {
	helps := make([]key.Help, 0, 16)
	for _, b := range bindings {
		helps = append(helps, b.Help())
	}
	draw := func() (text string) {
		text, l.hintClickAreas = drawHints(m, bindings, always)
		return text
	}
	return l.hints.draw(m.Look, m.Width, draw, append(slices.Clip(helps), key.Help{Desc: m.Notice})...)
}

// HintAt returns the name of the key in column x of the last line, or "" if there is none.
func (l *Lines) HintAt(x int) string { return l.hintClickAreas.At(x, 0) }

func drawHints(m *Frame, bindings, always []key.Binding) (text string, spots style.ClickAreas) {
	lk := m.Look
	bar := lk.Style(themes.StatusBar)
	add := func(l *style.Line, b key.Binding) (spot style.ClickArea) {
		h := b.Help()
		spot = style.ClickArea{From: l.UsedWidth(), To: l.UsedWidth() + style.Width(h.Key+" "+h.Desc), Name: h.Key}
		if names := b.Keys(); len(names) > 0 {
			spot.Name = names[0]
		}
		l.Add(lk.BarTextStyle(themes.Key), h.Key).Add(lk.BarTextStyle(themes.KeyText), " "+h.Desc).Space(bar, 2)
		return spot
	}
	l, end := style.NewLine(m.Width, lk.Glyphs.Ellipsis), style.NewLine(m.Width, lk.Glyphs.Ellipsis)
	if m.Notice != "" {
		end.Add(lk.BarTextStyle(themes.Accent), m.Notice).Space(bar, 3)
	}
	for _, b := range always {
		spots = append(spots, add(end, b))
	}
	spots = spots.Offset(m.Width-end.UsedWidth(), 0)
	l.Space(bar, 1)
	for _, b := range bindings {
		h := b.Help()
		if style.Width(h.Key)+style.Width(h.Desc)+3 > l.RemainingWidth()-end.UsedWidth() {
			break
		}
		spots = append(spots, add(l, b))
	}
	l.Space(bar, l.RemainingWidth()-end.UsedWidth())
	return l.AddRaw(end.String(), end.UsedWidth()).Finish(bar), spots
}
