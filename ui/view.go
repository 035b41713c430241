package ui

import (
	"image/color"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/actions"
	"wallboard/ui/frame"
	"wallboard/ui/panes"
	"wallboard/ui/style"
)

// This file draws the board.

// Frame implements [paint.Model]. It is called after every message, so it returns what
// Update has drawn.
func (m *Model) Frame() []byte { return m.frame.text }

// View implements [paint.Model].
func (m *Model) View() tea.View {
	v := tea.View{AltScreen: true, WindowTitle: m.scene.Title}
	v.KeyboardEnhancements.ReportAlternateKeys = true // identifies keys on every layout
	if m.scene.Mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	if !m.scene.look.Mono && !m.themer.asking {
		v.BackgroundColor = m.scene.look.Theme.Background()
		v.ForegroundColor = m.scene.look.Theme.Foreground()
	}
	if m.scene.wall.Dark() {
		v.BackgroundColor, v.ForegroundColor = color.Black, nil
	}
	v.Cursor = m.cursor()
	return v
}

// minWidth and minHeight are the smallest usable screen size.
const (
	minWidth  = 40
	minHeight = 12
)

// framedFrom is the screen width from which the panes of a page have frames.
const framedFrom = 140

// paint draws the frame.
func (m *Model) paint() {
	if m.width <= 0 || m.height <= 0 {
		return
	}
	m.frame.begin()
	if p := m.onlyTable(); p != nil {
		m.putTable(p)
	} else {
		m.frame.put(m.scene.look, m.lines()...)
	}
	m.frame.trimNewline()
}

// lines returns the lines of the frame: exactly the screen's height, none wider than the
// screen.
func (m *Model) lines() []string {
	w, h := m.width, m.height
	sc := m.scene
	if w < minWidth || h < minHeight {
		return tooSmall(w, h)
	}
	if sc.wall.Covers() {
		return sc.wall.Cover(m.moment(), &m.around)
	}
	p, on := m.pages.page(), sc.panes()
	on.Framed, on.FarView = w >= framedFrom, sc.wall.LargeOnly(w, h)
	p.Refresh(on)
	now := m.moment()
	side := sc.wall.Side(now)
	beside := style.Width(side)
	w -= 2 * beside
	now.Width = w
	out := m.header(now)
	title := len(out)
	several, ok := p.(*panes.PanePage)
	titled := ok && several.Titled(on)
	if !titled {
		out = append(out, "")
	}
	out = append(out, p.View(on, beside, len(out), w, h-len(out)-1)...)
	if !titled {
		out[title] = m.around.Title(now, m.pages.place(on))
	}
	out = style.FillLines(out, w, h-1)
	if m.covered() {
		sc.look.Fade(out[title:]) // the header stays bright
	}
	switch m.mode {
	case modeHelp:
		m.help.overlay(sc.look, out, w, m.pages.listed(m.scene, m.keys))
	case modePalette:
		m.palette.Overlay(sc.look, out, w)
	case modeBoard:
	}
	m.dialogs.Overlay(out, m.width)
	out = append(out, m.footer(now))
	for i := range out {
		out[i] = side + out[i] + side
	}
	return out
}

// covered reports whether a dialog, the help or the palette covers the page.
func (m *Model) covered() bool {
	return m.dialogs.Top() != nil || m.mode == modeHelp || m.mode == modePalette
}

// header returns the lines above the title. It is drawn after the body, because it reports
// what the body had no room for.
func (m *Model) header(now *frame.Frame) []string {
	if m.scene.wall != nil {
		return m.scene.wall.Header(now, &m.around)
	}
	out := append(make([]string, 0, m.height), m.around.Status(now), m.around.Tabs(now, m.pages.tabs()))
	out = append(out, m.reel.Bar(&m.keys.Rewind.Keys, m.scene.look, m.width)...)
	out = append(out, m.scene.compare.bar(&m.keys.Rewind, m.scene, m.width)...)
	return append(out, now.Banners()...)
}

// moment returns the data for the lines around the page.
func (m *Model) moment() *frame.Frame {
	sc := m.scene
	now := &frame.Frame{
		Look: sc.look, Floor: &sc.floor, Alerts: sc.alerts.Latest(), Situations: sc.alerts.Alarms().Present, Silences: sc.alerts.Silences(), Subs: m.pages.page().Subs(),
		Width: m.width, Height: m.height, Title: sc.Title, Zone: sc.Memory.Zone, Wall: sc.wall != nil,
		Insecure: sc.MarkInsecure, Control: m.control, ConfigProblem: sc.public(m.problem),
		Platforms: sc.others(m), Messages: sc.messages.Lines(), OtherViewers: sc.messages.Others(), Notice: m.notice.text, Keys: frame.Keys{Retry: m.keys.Retry, Freeze: m.keys.Freeze, Last: m.keys.Last},
	}
	if sc.wall != nil {
		now.Notice = sc.public(now.Notice)
	}
	now.Needs.Critical, now.Needs.Warning = sc.alerts.Alarms().Present.Counts()
	if sc.ProblemText != nil {
		now.NotifyProblem = sc.public(sc.ProblemText())
	}
	return now
}

// controlOf returns the state of the connection for actions.
func controlOf(c *actions.Controller) frame.Control {
	if c == nil {
		return frame.Control{}
	}
	text, ok := c.Standing.State()
	return frame.Control{Configured: true, OK: ok, Text: text, Insecure: c.Standing.Insecure()}
}

// tooSmall draws a message that fits into any size without being cut.
func tooSmall(w, h int) []string {
	size := itoa(w) + "x" + itoa(h)
	for _, text := range [][]string{
		{"Too small", "40x12 at least;", "this is " + size},
		{"Too small", "min 40x12", "now " + size},
		{"Small", "40x12"},
	} {
		fits := true
		for _, l := range text {
			fits = fits && len(l) <= w
		}
		if fits {
			return style.FitLines(text, w, h, "")
		}
	}
	return style.FitLines([]string{"!"}, w, h, "")
}
