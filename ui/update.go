package ui

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/dialog"
	"wallboard/ui/frame"
	"wallboard/ui/pages"
	"wallboard/ui/panes"
	"wallboard/ui/replay"
	"wallboard/ui/table"
	"wallboard/ui/term"
	"wallboard/ui/widgets"
)

// Update implements [tea.Model]. If Update panics, the board quits and [Run] returns the error. If
// a replay panics, only the replay ends.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if m.failure != nil {
		return m, tea.Quit
	}
	messages, ok := msg.(term.Messages)
	if !ok {
		messages = term.Messages{msg}
	}
	var cmds []tea.Cmd
	for _, msg := range messages {
		cmds = append(cmds, m.guard(m.floorOf(msg), func() tea.Cmd { return m.deliver(msg) }))
	}
	ticked := slices.ContainsFunc(messages, isClockMsg)
	for m.dirty && m.failure == nil { // twice if the replay cannot be drawn
		cmds = append(cmds, m.guard(m.shownFloor, func() tea.Cmd { return m.draw(ticked) }))
	}
	return m, tea.Batch(append(cmds, m.viewSaver.saveIfDue())...)
}

// guard calls handle, which handles a message for the floor f, and returns the command of handle.
// The results of that command go to f. If handle panics, guard calls [Model.fail].
func (m *Model) guard(f *floorState, handle func() tea.Cmd) (cmd tea.Cmd) {
	defer func() {
		if r := recover(); r != nil {
			cmd = m.fail(f, dialog.PanicError(r))
		}
	}()
	return f.routeResult(handle())
}

// fail handles a panic with the error err. If f is the floor of the replay, it ends the replay and
// shows the reason. Otherwise it ends the board.
func (m *Model) fail(f *floorState, err error) tea.Cmd {
	if m.isReplaying() && f == m.shownFloor {
		m.rewinder.end()
		return m.rewinder.showReplayError(err)
	}
	m.failure = err
	return tea.Quit
}

// deliver handles a message, and then the messages that parts of the board have sent meanwhile.
// Finally it shows the platform or the instant that one of them has requested.
func (m *Model) deliver(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for ; msg != nil; msg = m.shownFloor.scene.requests.Next() {
		f := m.floorOf(msg)
		cmds = append(cmds, f.routeResult(m.dispatch(msg)))
	}
	if m.shownFloor.dialogs.Len() > 0 {
		m.filter.End()
	}
	cmds = append(cmds, m.handleRequest())
	m.shownFloor.dialogs.CloseEmptyQuestions() // closes the question of askQuit when no work is left
	m.shownFloor.scene.actionMarks = m.shownFloor.actions.PendingMarks()
	return tea.Batch(cmds...)
}

// draw draws the floor on the screen. ticked reports whether a second has passed since the last
// call.
func (m *Model) draw(ticked bool) tea.Cmd {
	sc := m.shownFloor.scene
	cmds := []tea.Cmd{m.shownFloor.pages.UpdateRequests(), sc.otherViewers.ReportPage()}
	m.dirty = false
	m.painter.paint()
	if m.painter.drawn.SetPage(int(m.shownFloor.pages.Current)) && sc.kiosk != nil {
		cmds = append(cmds, requestRepaint) // removes foreign output before the next page
	}
	cmds = append(cmds, sc.readShifts())
	if ticked && sc.kiosk != nil && sc.Process.Heartbeat != nil && sc.kiosk.FeedIsAlive() {
		sc.Process.Heartbeat()
	}
	// A board that draws once a second needs no timer for the end of highlights: its clock tick
	// draws it.
	live := m.liveFloor.scene
	if wait := m.redrawTimer.Schedule(m.Page(), live.Now()); wait > 0 && !live.Display.frameDriven && (wait < table.DefaultFlash || sc.Display.Refresh < time.Second) {
		cmds = append(cmds, dialog.DelayMsg(live.Context, wait, animateMsg{}))
	}
	return tea.Batch(cmds...)
}

// floorOf returns the floor that a message is about: the floor that the message names, otherwise
// the floor on the screen.
func (m *Model) floorOf(msg tea.Msg) *floorState {
	if about, ok := msg.(floorMsg); ok && about.targetFloor() != nil {
		return about.targetFloor()
	}
	return m.shownFloor
}

// dispatch passes a message to the part of the board that handles it. It sets m.dirty if the message may
// change the screen.
func (m *Model) dispatch(msg tea.Msg) tea.Cmd {
	if m.shownFloor.scene.kiosk.IgnoresMessage(msg) {
		return nil
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.shownFloor.pages.Restyle(m.shownFloor.scene.paneScene())
		m.shownFloor.invalidate()
	case tea.KeyPressMsg:
		m.shownFloor.invalidate()
		m.viewerActivity.lastInput = m.liveFloor.scene.Now()
		if cmd, handled := m.rewinder.cancelPending(msg); handled {
			return cmd
		}
		return m.press(msg)
	case tea.PasteMsg:
		m.shownFloor.invalidate()
		return m.handleText(msg)
	case tea.MouseClickMsg:
		m.shownFloor.invalidate()
		m.viewerActivity.lastInput = m.liveFloor.scene.Now()
		return m.click(msg)
	case tea.MouseWheelMsg:
		m.shownFloor.invalidate()
		return m.wheel(msg)
	case tea.EnvMsg:
		for _, f := range m.floors() {
			f.alertHandler.terminalEnv = msg
		}
	case tea.BackgroundColorMsg, tea.ColorProfileMsg, tea.ModeReportMsg:
		if o, changed := m.themeSelector.HandleReport(msg, m.shownFloor.scene.look.Options); changed {
			m.setLook(o)
		}
	case floorMsg:
		return m.floorOf(msg).receive(msg)
	case ClockMsg:
		return m.tickSecond()
	case term.FrameMsg:
		return m.tickFrame()
	case animateMsg:
		m.redrawTimer.NextFrame = time.Time{}
		m.shownFloor.invalidate()
	default:
		return m.dispatchInternal(msg)
	}
	return nil
}

// dispatchInternal handles messages sent by the parts of the board and by their commands.
func (m *Model) dispatchInternal(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case panes.OpenMsg:
		return m.shownFloor.openDetail(msg)
	case panes.OpenSubjectMsg:
		m.shownFloor.openSubject(msg.Subject)
	case panes.ShowChartMsg:
		return m.shownFloor.alertHandler.openChart()
	case panes.ShowStateMsg:
		m.shownFloor.pages.JumpTo(pages.Agents, "") // the key esc returns to the previous page
		if t := m.Page().Focused(); t != nil {
			t.SetFilter(strings.ToLower(msg.State))
		}
	case widgets.MissedTargetsMsg:
		return m.shownFloor.alertHandler.openMissedTargets()
	case frame.NoticeExpiredMsg:
		if m.notice.Expire(msg) {
			m.shownFloor.invalidate()
		}
	case dialog.AnswerMsg, dialog.NoticeMsg, resultMsg: // not addressed to a floor
		return m.shownFloor.handleResult(msg)
	case replay.RewindMsg, retryRewindMsg, nextPlatformMsg, pages.OpenPlatformMsg:
		m.request = msg
	case dialog.PanicMsg:
		m.failure = msg.Err
		return tea.Quit
	}
	return nil
}

// handleRequest shows the platform or the instant that the viewer has requested. Without a request,
// it shows the platform selected by the rotation of a kiosk.
func (m *Model) handleRequest() tea.Cmd {
	request := m.request
	m.request = nil
	switch to := request.(type) {
	case pages.OpenPlatformMsg:
		m.platforms.switchTo(to)
	case nextPlatformMsg:
		m.platforms.switchToNext()
	case replay.RewindMsg:
		if !m.isReplaying() {
			return m.rewinder.start(to.To)
		}
		m.rewinder.end()
	case retryRewindMsg:
		return m.rewinder.retry(to.rewindRequest)
	default:
		m.platforms.followRotation()
	}
	return nil
}
