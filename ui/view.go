package ui

import (
	"image/color"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/actions"
	"wallboard/ui/frame"
	"wallboard/ui/pages"
	"wallboard/ui/panes"
	"wallboard/ui/style"
)

// Frame implements [term.Model]. It returns the frame that Update has drawn. The result is valid until the
// next Update.
func (m *Model) Frame() []byte { return m.painter.drawn.Bytes() }

// View implements [term.Model].
func (m *Model) View() tea.View {
	sc := m.shownFloor.scene
	v := tea.View{AltScreen: true, WindowTitle: sc.Title}
	if sc.Alarm.Title {
		v.WindowTitle = frame.WindowTitle(sc.look, sc.Title, sc.alerts.Alarms().PresentSituations, sc.maskNames)
	}
	v.KeyboardEnhancements.ReportAlternateKeys = true // identifies keys on every keyboard layout
	if sc.Display.Mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	if !sc.look.Mono && !m.themeSelector.AwaitsBackground() {
		v.BackgroundColor = sc.look.Theme.Background()
		v.ForegroundColor = sc.look.Theme.Foreground()
	}
	if sc.kiosk.IsDark() {
		v.BackgroundColor, v.ForegroundColor = color.Black, nil
	}
	v.Cursor = m.painter.cursor()
	return v
}

// minFramedWidth is the minimum width of a screen on which the panes of a page have frames. On a
// kiosk and on the page Wall, minFramedWallWidth applies instead, because their digits are large.
const (
	minFramedWidth     = 120
	minFramedWallWidth = 140
)

// minReservedHeight is the minimum height of a screen on which a line below the tabs is reserved
// for a banner, a message, a replay or a comparison, so that none of these moves the page.
const minReservedHeight = 40

// pageLines returns the lines of the frame. Their number is the screen's height, and none is wider
// than the screen.
func (s *painter) pageLines() []string {
	m := s.board
	w, h := m.width, m.height
	sc := m.shownFloor.scene
	if !frame.Fits(w, h) {
		return frame.TooSmall(w, h, sc.look.Format.Words)
	}
	if sc.kiosk.ReplacesPage() {
		return sc.kiosk.ReplacementScreen(s.newFrameData(), &s.lines)
	}
	p, paneScene := m.shownFloor.pages.CurrentPage(), sc.paneScene()
	framed := minFramedWidth
	if wall, ok := m.shownFloor.pages.StandardIndex(pages.Wall); sc.kiosk != nil || ok && m.shownFloor.pages.Current == wall {
		framed = minFramedWallWidth
	}
	paneScene.HasFrames, paneScene.LargeFigures = w >= framed, sc.kiosk.HasLargeFigures(w, h)
	p.Refresh(paneScene)
	frameData := s.newFrameData()
	side := sc.kiosk.FrameSideText(frameData)
	sideWidth := style.Width(side)
	w -= 2 * sideWidth
	frameData.Width = w
	out := s.header(frameData)
	title := len(out)
	own, ok := p.(panes.HeadedPage)
	titled := ok && own.HasHeading(paneScene)
	if !titled {
		out = append(out, "")
	}
	out = append(out, p.View(paneScene, sideWidth, len(out), w, h-len(out)-1)...)
	if !titled {
		out[title] = s.lines.Title(frameData, m.shownFloor.pages.BreadcrumbPath(paneScene))
	}
	out = style.FillLines(out, w, h-1)
	if m.isCovered() {
		sc.look.Fade(out[title:]) // the header stays bright
	}
	switch m.mode {
	case modeHelp:
		m.help.Overlay(sc.look, out, w, m.helpKeys())
	case modePalette:
		m.palette.Overlay(sc.look, out, w)
	case modeBoard:
	}
	m.shownFloor.dialogs.Overlay(out, m.width)
	out = append(out, s.footer(frameData))
	for i := range out {
		out[i] = side + out[i] + side
	}
	return out
}

// header returns the lines above the title of the page.
func (s *painter) header(frameData *frame.Frame) []string {
	m := s.board
	if m.shownFloor.scene.kiosk != nil {
		return m.shownFloor.scene.kiosk.Header(frameData, &s.lines)
	}
	const tabs = 2 // lines above the notices
	out := append(make([]string, 0, m.height), s.lines.Status(frameData), s.lines.Tabs(frameData, m.shownFloor.pages.Tabs()))
	out = append(out, m.shownFloor.replay.HeaderLine(&m.shownFloor.keys.Rewind, m.shownFloor.scene.look, m.width)...)
	out = append(out, m.shownFloor.scene.comparison.HeaderLine(&m.shownFloor.keys.Rewind, m.shownFloor.scene.archive(m.shownFloor.replay), m.width)...)
	out = append(out, frameData.Banners()...)
	if len(out) == tabs && m.height >= minReservedHeight {
		out = append(out, style.Blanks(m.width))
	}
	return out
}

// newFrameData returns the data for the lines around the page, such as the header and the footer.
func (s *painter) newFrameData() *frame.Frame {
	m := s.board
	sc := m.shownFloor.scene
	frameData := &frame.Frame{
		Look: sc.look, Floor: &sc.floor, Situations: sc.alerts.Alarms().PresentSituations, Silences: sc.alerts.Silences(), Subscriptions: m.shownFloor.pages.CurrentPage().Subscriptions(),
		Width: m.width, Height: m.height, Title: sc.Title, Zone: sc.Archive.Zone, IsWall: sc.kiosk != nil,
		Insecure: sc.Process.ShowInsecureBadge, Control: m.shownFloor.controlStatus, ConfigProblem: sc.maskNames(sc.translate(m.shownFloor.configProblem)),
		Platforms: sc.otherPlatforms(), Messages: sc.viewerMessages.Messages(), Notes: sc.noteLines(m.shownFloor.replay), OtherViewers: sc.viewerMessages.OtherViewersText(), Notice: m.notice.Text, Keys: frame.Keys{Reconnect: m.shownFloor.keys.Reconnect, Freeze: m.shownFloor.keys.Freeze, LastKnown: m.shownFloor.keys.LastKnown},
	}
	if sc.kiosk != nil {
		frameData.Notice = sc.maskNames(frameData.Notice)
	}
	frameData.OpenSituations.Critical, frameData.OpenSituations.Warning = sc.alerts.Alarms().PresentSituations.Counts()
	if sc.Process.ProblemText != nil {
		frameData.NotifyProblem = sc.maskNames(sc.Process.ProblemText())
	}
	return frameData
}

// controlOf describes the connection through which c acts on the platform. If c is nil, the board
// is read-only, and controlOf returns the zero Control. lk has the language of the text.
func controlOf(c *actions.Controller, lk *style.Look) frame.Control {
	if c == nil {
		return frame.Control{}
	}
	text, ok := c.Availability.State()
	return frame.Control{Configured: true, CanAct: ok, Text: text.In(lk.Format.Words), Insecure: c.Availability.Insecure()}
}
