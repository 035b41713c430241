package ui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/dialog"
)

// This file updates the board without input: snapshots, the clock, and the end of
// highlights and messages.

// retryDelay is the pause before the source is tried again after an error.
const retryDelay = time.Second

// showSnapshot shows a new snapshot unless the board is frozen, and waits for the next.
func (m *Model) showSnapshot(s *model.Snapshot) tea.Cmd {
	sc := m.scene
	if sc.kiosk != nil {
		sc.kiosk.SnapshotArrived(sc.Now())
	}
	if s == nil || sc.floor.Newest != nil && s.Seq <= sc.floor.Newest.Seq {
		return sc.awaitSnapshot()
	}
	sc.floor.Ours = sc.Now()
	m.dirty = m.dirty || sc.floor.Newest == nil || isNews(sc.floor.Newest, s)
	sc.floor.SetNewest(s)
	m.dirty = m.actions.UpdateMarks() || m.dirty
	if m.replay.DrawsBeforeEvaluating() {
		return tea.Batch(func() tea.Msg { return evaluateMsg{} }, sc.awaitSnapshot())
	}
	return tea.Batch(m.evaluate(), sc.awaitSnapshot())
}

// isNews reports whether a snapshot changes more than ages and feed counters. Those wait for
// the next clock second, so that an idle board is drawn once a second, not twice.
func isNews(old, s *model.Snapshot) bool {
	return !slices.Equal(old.Tables(), s.Tables()) || isHealthNews(&old.Health, &s.Health)
}

func isHealthNews(old, h *model.Health) bool {
	link := h.Link
	link.LastFrame = old.Link.LastFrame
	step := (h.ClockOffset - old.ClockOffset).Abs() // smaller steps are noise of the estimate
	if link != old.Link || h.Version != old.Version || h.Server != old.Server ||
		h.Notice != old.Notice || step >= time.Second {
		return true
	}
	return !slices.EqualFunc(old.Subscriptions, h.Subscriptions, func(a, b model.Subscription) bool {
		return a.Name == b.Name && a.State == b.State && a.Since.Equal(b.Since) && a.Reason == b.Reason
	})
}

// tickSecond advances the clock and all durations.
func (m *Model) tickSecond() tea.Cmd {
	m.touch()
	m.actions.UpdateMarks()
	m.control = controlOf(m.scene.Controller)
	cmd := m.evaluate()
	if w := m.scene.kiosk; w != nil {
		w.Tick(m.scene.alerts.Alarms().Present, m.scene.look.Zone())
	}
	if word := m.scene.Tables.Message(); word != "" {
		cmd = tea.Batch(cmd, m.say(word))
	}
	return tea.Batch(cmd, m.scene.baseline.Update(m.scene.Context), nextSecond(m.scene))
}

// freeze freezes or releases the snapshot on the screen.
func (m *Model) freeze() tea.Cmd {
	sc := m.scene
	if sc.floor.Shown == nil {
		return m.say("There is no picture to freeze yet.")
	}
	if !sc.floor.Frozen.IsZero() {
		sc.floor.Unfreeze()
		sc.alerts.Unfreeze()
		return nil
	}
	sc.floor.Freeze()
	sc.alerts.Freeze()
	return nil
}

// retry makes the feed reconnect at once.
func (sc *scene) retry(say func(string) tea.Cmd) tea.Cmd {
	switch {
	case sc.Retry == nil:
		return nil
	case sc.floor.Health().Link.State == model.LinkUp && sc.floor.Health().Link.PollEvery == 0:
		return say("The connection is up.")
	}
	now := dialog.Guard(func() tea.Msg {
		sc.Retry()
		return nil
	})
	return tea.Batch(now, say("Trying to connect."))
}

// say shows a message in the footer for a while.
func (m *Model) say(text string) tea.Cmd { return m.sayColored(themes.Accent, text) }

// sayColored is say with a color.
func (m *Model) sayColored(token themes.Token, text string) tea.Cmd {
	m.touch()
	return m.notice.Say(m.scene.Context, token, text)
}
