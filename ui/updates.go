package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/snapshot"
	"wallboard/ui/term"
)

// This file updates the board after new snapshots and clock ticks.

// retryDelay is how long the board waits after an error of the source before it tries again.
const retryDelay = time.Second

// showSnapshot takes a snapshot if it is newer than the last one, and evaluates its alerts. A
// frozen board evaluates the snapshot but does not show it. The returned command waits for the next
// snapshot.
func (m *Model) showSnapshot(s *model.Snapshot) tea.Cmd {
	sc := m.scene
	if sc.kiosk != nil {
		sc.kiosk.SnapshotArrived(sc.Now())
	}
	if s == nil || sc.floor.Newest != nil && s.Seq <= sc.floor.Newest.Seq {
		return sc.awaitSnapshot()
	}
	sc.floor.LocalNow = sc.Now()
	m.dirty = m.dirty || sc.floor.Newest == nil || snapshot.IsNews(sc.floor.Newest, s)
	sc.floor.SetNewest(s)
	m.dirty = m.actions.UpdateMarks() || m.dirty
	if m.replay.DrawsBeforeEvaluating() {
		return tea.Batch(func() tea.Msg { return evaluateMsg{} }, sc.awaitSnapshot())
	}
	return tea.Batch(m.evaluate(), sc.awaitSnapshot())
}

// dispatchTick handles the messages of timers and frame ticks.
func (m *Model) dispatchTick(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case ClockMsg:
		return m.tickSecond()
	case term.FrameMsg:
		return m.tickFrame()
	case evaluateMsg:
		return m.evaluate()
	case flashEndMsg, animateMsg:
		m.ticks.clearTimer(msg)
		m.invalidate()
	}
	return nil
}

// tickFrame handles a frame tick of a paced board: it takes a newer snapshot and, once a second,
// advances the clock.
func (m *Model) tickFrame() (cmd tea.Cmd) {
	sc := m.scene
	if newest := sc.floor.Newest; newest != nil {
		if s := sc.Source.Latest(); s != nil && s.Seq > newest.Seq {
			cmd = m.showSnapshot(s)
		}
	}
	now := sc.Now()
	if m.ticks.secondPassed(sc.floor.ToServerTime(now)) {
		return tea.Batch(cmd, m.tickSecond())
	}
	if m.ticks.frameIsDue(now) {
		m.invalidate()
	}
	return cmd
}

// tickSecond handles a clock tick: it advances the clock, evaluates the alerts and starts requests
// that are due. The returned command waits for the next clock tick.
func (m *Model) tickSecond() tea.Cmd {
	m.invalidate()
	m.actions.UpdateMarks()
	m.control = controlOf(m.scene.Actions.Controller)
	cmd := m.evaluate()
	if w := m.scene.kiosk; w != nil {
		w.Tick(m.scene.alerts.Alarms().PresentSituations, m.scene.look.Zone())
	}
	if word := m.scene.Navigation.Tables.TakeMessage(); word != "" {
		cmd = tea.Batch(cmd, m.say(word))
	}
	return tea.Batch(cmd, m.scene.baseline.Update(m.scene.Context), m.scene.waitSecond())
}

// freeze freezes the snapshot on the screen. If a snapshot is already frozen, freeze shows the
// newest snapshot again. say shows a message in the footer.
func (sc *scene) freeze(say func(string) tea.Cmd) tea.Cmd {
	if sc.floor.Shown == nil {
		return say("There is no picture to freeze yet.")
	}
	if !sc.floor.FrozenAt.IsZero() {
		sc.floor.Unfreeze()
		sc.alerts.Unfreeze()
		return nil
	}
	sc.floor.Freeze()
	sc.alerts.Freeze()
	return nil
}

// reconnect returns the command that makes the feed reconnect at once. It returns nil if the feed
// cannot be made to reconnect. say shows a message in the footer.
func (sc *scene) reconnect(say func(string) tea.Cmd) tea.Cmd {
	switch {
	case sc.Actions.Reconnect == nil:
		return nil
	case sc.floor.Health().Link.State == model.LinkUp && sc.floor.Health().Link.PollEvery == 0:
		return say("The connection is up.")
	}
	now := dialog.Guard(func() tea.Msg {
		sc.Actions.Reconnect()
		return nil
	})
	return tea.Batch(now, say("Trying to connect."))
}

// say shows a message in the footer for a while.
func (m *Model) say(text string) tea.Cmd { return m.sayColored(themes.Accent, text) }

// sayColored shows a message in the footer for a while, in the color of a theme token.
func (m *Model) sayColored(token themes.Token, text string) tea.Cmd {
	m.invalidate()
	return m.notice.Say(m.scene.Context, token, text)
}
