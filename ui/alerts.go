package ui

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/themes"
	"wallboard/ui/floorview"
	"wallboard/ui/pages"
	"wallboard/ui/panes"
)

// openSubject opens the subject of the alert with the key k, on the channel of the alert: the
// detail page of a record, the page Feed for an alert about the feed, or else the page Overview.
func (f *floorState) openSubject(k alert.Key) {
	f.invalidate()
	switch kind, code, ok := floorview.SubjectOf(k); {
	case ok:
		f.openDetail(panes.OpenMsg{Kind: kind, Key: code, Channel: k.Channel})
	case k.Scope == alert.Feed:
		f.pages.JumpTo(pages.Feed, "")
		if p := f.pages.CurrentPage().Focused(); p != nil {
			p.Table.Select(k.Code)
		}
	default:
		f.pages.JumpTo(pages.Overview, k.Channel)
	}
}

// evaluate evaluates the alerts of the newest snapshot. It announces changed situations in the
// footer (not on a kiosk), with the bell, and on the viewer's desktop. A replay announces nothing.
func (f *floorState) evaluate() tea.Cmd {
	sc, m := f.scene, f.board
	if cmd, ok := f.replay.HandleGap(sc.floor.IsUnrecorded()); ok {
		return cmd
	}
	if !f.replay.Evaluates() {
		return nil
	}
	shown := sc.floor.Newest
	news := sc.alerts.Evaluate(sc.look)
	if sc.floor.Newest != shown { // another board had evaluated a newer snapshot
		f.actions.UpdateMarks()
	}
	if news.ScreenChanged {
		f.markDirty()
	}
	if sc.floor.Replay {
		return nil // a replay announces nothing
	}
	var cmds []tea.Cmd
	if news.Text != "" && sc.kiosk == nil {
		token := themes.Critical
		if news.IsRecovery {
			token = themes.OK
		}
		cmds = append(cmds, f.showColoredMessage(token, news.Text))
	}
	if news.BecameCritical && sc.kiosk == nil && f.isShown() && m.pageHasKeyboard() {
		f.alertHandler.focusMostUrgent()
	}
	if news.RingsBell || news.RingsForRecovery && sc.Alarm.RecoveryBell && sc.kiosk == nil {
		cmds = append(cmds, tea.Raw("\a"))
	}
	return tea.Batch(append(cmds, f.alertHandler.notifyDesktop(&news))...)
}
