package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/lib/powersave"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/pages"
)

// retryDelay is how long the board waits after an error of the source before it tries again.
const retryDelay = time.Second

// showSnapshot takes a snapshot if it is newer than the last one, and evaluates its alerts. A
// frozen board evaluates the snapshot but does not show it. The returned command waits for the next
// snapshot.
func (f *floorState) showSnapshot(s *model.Snapshot) tea.Cmd {
	sc := f.scene
	if sc.kiosk != nil {
		sc.kiosk.SnapshotArrived(sc.Now())
	}
	if s == nil || sc.floor.Newest != nil && s.Seq <= sc.floor.Newest.Seq {
		return f.awaitSnapshot()
	}
	sc.floor.LocalNow = sc.Now()
	news := sc.floor.Newest == nil || floorview.HasChanges(sc.floor.Newest, s)
	sc.floor.SetNewest(s)
	if f.actions.UpdateMarks() || news {
		f.markDirty()
	}
	if f.replay.DrawsBeforeEvaluating() {
		return tea.Batch(func() tea.Msg { return evaluateMsg{floorTarget{f}} }, f.awaitSnapshot())
	}
	return tea.Batch(f.evaluate(), f.awaitSnapshot())
}

// tickFrame handles a frame tick of a paced board: it takes newer snapshots of the live floors and,
// once a second, advances the clock.
func (m *Model) tickFrame() tea.Cmd {
	var cmds []tea.Cmd
	for _, f := range m.floors() {
		cmds = append(cmds, m.guard(f, f.takeNewest))
	}
	live := m.liveFloor.scene
	now := live.Now()
	if m.redrawTimer.SecondPassed(live.floor.ToServerTime(now)) {
		return tea.Batch(append(cmds, m.tickSecond())...)
	}
	if m.redrawTimer.FrameIsDue(now) {
		m.shownFloor.invalidate()
	}
	return tea.Batch(cmds...)
}

// takeNewest takes the newest snapshot of the source if it is newer than that of the floor. Before
// the first snapshot and for a replay it does nothing, because the command of awaitSnapshot then
// waits for snapshots.
func (f *floorState) takeNewest() tea.Cmd {
	sc := f.scene
	if !sc.Display.frameDriven || sc.floor.Newest == nil {
		return nil
	}
	if s := sc.Source.Latest(); s != nil && s.Seq > sc.floor.Newest.Seq {
		return f.showSnapshot(s)
	}
	return nil
}

// tickSecond handles a clock tick for all floors. The returned command waits for the next clock
// tick.
func (m *Model) tickSecond() tea.Cmd {
	var cmds []tea.Cmd
	for _, f := range m.floors() {
		cmds = append(cmds, m.guard(f, f.tick))
	}
	if text := pages.LayoutMessages(m.shownFloor.scene.Navigation.Tables.TakeMessages()); !text.IsZero() {
		cmds = append(cmds, m.shownFloor.showMessage(text.In(m.shownFloor.scene.look.Format.Words)))
	}
	return tea.Batch(append(cmds, m.waitForNextSecond())...)
}

// tick handles a clock tick: it advances the clock of the floor, evaluates the alerts and starts
// requests that are due.
func (f *floorState) tick() tea.Cmd {
	f.invalidate()
	f.actions.UpdateMarks()
	f.controlStatus = controlOf(f.scene.Actions.Controller, f.scene.look)
	cmd := f.evaluate()
	if w := f.scene.kiosk; w != nil {
		w.Tick(f.scene.alerts.Alarms().PresentSituations, f.scene.look.Zone())
	}
	return tea.Batch(cmd, f.scene.baseline.Update(f.scene.Context))
}

// waitForNextSecond returns a command that sends a ClockMsg at the next full second of the live
// floor's clock. On a board that shows only a recording, the command waits for a second, because
// the clock of a recording may stand still. For a paced board, whose clock advances with its
// frames, waitForNextSecond returns nil.
func (m *Model) waitForNextSecond() tea.Cmd {
	live := m.liveFloor.scene
	if live.Display.frameDriven {
		return nil
	}
	wait := time.Second
	if !live.floor.Replay {
		wait = powersave.UntilDue(live.floor.ToServerTime(live.Now()), time.Second, 0)
	}
	return dialog.DelayMsg(live.Context, wait, ClockMsg{})
}

// freeze freezes the snapshot on the screen. If a snapshot is already frozen, freeze shows the
// newest snapshot again. say shows a message in the footer.
func (sc *scene) freeze(say func(string) tea.Cmd) tea.Cmd {
	if sc.floor.Shown == nil {
		return say(sc.translate(words.BoardNothingToFreeze()))
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

// reconnect returns a command that makes the feed reconnect immediately. It returns nil if the feed
// cannot be made to reconnect. If the connection is up, it only shows a message. say shows a
// message in the footer.
func (sc *scene) reconnect(say func(string) tea.Cmd) tea.Cmd {
	switch {
	case sc.Actions.Reconnect == nil:
		return nil
	case sc.floor.Health().Link.State == model.LinkUp && sc.floor.Health().Link.PollEvery == 0:
		return say(sc.translate(words.BoardConnected()))
	}
	now := dialog.RecoverPanic(func() tea.Msg {
		sc.Actions.Reconnect()
		return nil
	})
	return tea.Batch(now, say(sc.translate(words.BoardConnecting())))
}
