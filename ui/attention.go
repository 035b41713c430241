package ui

import (
	"cmp"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/words"
	"wallboard/ui/alerts"
	"wallboard/ui/boarddialogs"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/pages"
	"wallboard/ui/panes"
	"wallboard/ui/term"
)

// alertHandler handles the keys that explain, take over, snooze, copy and chart the alerts and
// figures of the selected record. It also gives critical situations the keyboard focus and
// announces them on the desktop.
type alertHandler struct {
	scene       *scene
	keys        *pages.KeyMap
	pages       *pages.Set
	dialogs     *dialog.Stack
	showMessage func(text string) tea.Cmd

	terminalEnv    []string // environment variables of the terminal
	viewerActivity *viewerActivity
}

// viewerActivity records when the viewer last used the board, and when the board last notified the
// viewer. It is shared by all platforms. The times are on the local clock.
type viewerActivity struct {
	lastInput    time.Time // last key or click
	lastNotified time.Time // last notification on the desktop
}

// notifyDelay is the time after a key or a click during which a new critical situation does not get
// the keyboard focus. Otherwise it would disturb the viewer's work.
const notifyDelay = 10 * time.Second

// minNotifyInterval is the minimum time between two desktop notifications, so that the viewer does not
// get many at once.
const minNotifyInterval = 30 * time.Second

// notifyDesktop returns a command that shows a notification about a new critical situation on the
// viewer's desktop. It returns nil if notifications are not configured, not supported by the
// terminal, or not due. The terminal decides whether the notification appears.
func (a *alertHandler) notifyDesktop(news *alerts.Announcements) tea.Cmd {
	now := a.scene.Now()
	if !news.BecameCritical || news.Text == "" || !a.scene.Alarm.Desktop || a.scene.kiosk != nil || now.Before(a.viewerActivity.lastNotified.Add(minNotifyInterval)) {
		return nil
	}
	output := term.NotificationSequence(a.terminalEnv, cmp.Or(a.scene.Title, "wallboard"), a.scene.maskNames(news.Text))
	if output == "" {
		return nil
	}
	a.viewerActivity.lastNotified = now
	return tea.Raw(output)
}

// focusMostUrgent gives the most urgent situation on the page the keyboard focus. It does nothing if the
// viewer has pressed a key or clicked within notifyDelay.
func (a *alertHandler) focusMostUrgent() {
	p, ok := a.pages.CurrentPage().(*panes.PanePage)
	if ok && !a.scene.Now().Before(a.viewerActivity.lastInput.Add(notifyDelay)) {
		p.FocusSituations(a.scene.paneScene())
	}
}

// noPage stands for the page of another platform in calls of focusAfterEnter.
const noPage pages.ID = -1

// focusAfterEnter gives the most urgent situation the keyboard focus after the viewer has changed the
// page or the platform, if a situation is critical. from is the previous page. On a kiosk, focusAfterEnter
// does nothing.
func (a *alertHandler) focusAfterEnter(from pages.ID) {
	p, ok := a.pages.CurrentPage().(*panes.PanePage)
	if critical, _ := a.scene.alerts.Alarms().Situations.Counts(); ok && critical > 0 && a.pages.Current != from && a.scene.kiosk == nil {
		p.FocusSituations(a.scene.paneScene())
	}
}

// press handles the keys for alerts. The bool result is false for all other keys.
func (a *alertHandler) press(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	switch k := a.keys; {
	case key.Matches(msg, k.Rows.Copy):
		return a.copySelected(), true
	case key.Matches(msg, k.Why):
		a.dialogs.MuteKey(msg.String())
		return a.explainSelected(), true
	case key.Matches(msg, k.Alert.TakeOver):
		a.dialogs.MuteKey(msg.String())
		return a.takeOver(), true
	case key.Matches(msg, k.Alert.Snooze):
		a.dialogs.MuteKey(msg.String())
		return a.snooze(), true
	case key.Matches(msg, k.Chart):
		return a.openChart(), true
	}
	return nil, false
}

// selectedAlerts returns the active alerts about the selected record.
func (a *alertHandler) selectedAlerts() []alert.Alert {
	return a.pages.Selection().Alerts(a.scene.paneScene(), a.scene.alerts)
}

// hasPickedRow reports whether the viewer has selected a row or opened a detail page. It returns
// false if the board itself has selected the row.
func (a *alertHandler) hasPickedRow() bool {
	if _, ok := a.pages.Selection().SituationRow(); ok || a.pages.TopDetail() != nil {
		return true
	}
	t := a.pages.CurrentPage().Focused()
	return t != nil && (t.ListsAlerts || a.scene.paneScene().IsRowChosen(t))
}

// takeOver asks for a note and takes over an alert about the selected record, or the alerts about
// the marked rows. If there are several situations, and the viewer has neither marked nor selected
// a row, takeOver first asks which situation to take over.
func (a *alertHandler) takeOver() tea.Cmd {
	switch open := a.liveSituations(); {
	case a.scene.floor.Replay || a.hasPickedRow() || a.pages.Selection().Marks().Len() > 0:
	case len(open) > 1:
		return boarddialogs.ChooseSituation(a.dialogs, a.scene.translate(words.BoardTakeOver()), open, a.pages.Selection().Situation(a.scene.paneScene()), func(s *situation.Situation) tea.Cmd { return a.takeOverAlerts(s.Alerts) })
	case len(open) == 1 && len(a.selectedAlerts()) == 0:
		return a.takeOverAlerts(open[0].Alerts)
	}
	return a.handleMarkedAlerts(func(selected []alert.Alert, marked bool) tea.Cmd {
		if marked {
			return a.scene.alerts.TakeOverAll(a.dialogs, selected, a.scene.Actions.User, a.scene.Display.Location)
		}
		return a.takeOverAlerts(selected)
	})
}

// takeOverAlerts asks for a note and takes over the most urgent alert of the list.
func (a *alertHandler) takeOverAlerts(list []alert.Alert) tea.Cmd {
	return a.scene.alerts.TakeOver(a.dialogs, list, a.scene.Actions.User, a.scene.Display.Location)
}

// liveSituations returns the situations that have not ended, the most urgent first.
func (a *alertHandler) liveSituations() []situation.Situation {
	if v := a.scene.alerts.Alarms().Situations; v != nil {
		return v.Live
	}
	return nil
}

// snooze asks how long to snooze the alerts about the marked rows. Without marked rows, it snoozes
// the alerts about the selected record.
func (a *alertHandler) snooze() tea.Cmd {
	return a.handleMarkedAlerts(func(selected []alert.Alert, _ bool) tea.Cmd {
		return a.scene.alerts.Snooze(a.dialogs, selected, a.scene.Actions.User)
	})
}

// handleMarkedAlerts calls handle with the alerts about the marked rows. Without marked rows, the
// alerts are those about the selected record, and marked is false. During a replay, or if there are
// no alerts, handleMarkedAlerts only shows a message.
func (a *alertHandler) handleMarkedAlerts(handle func(list []alert.Alert, marked bool) tea.Cmd) tea.Cmd {
	if a.scene.floor.Replay {
		return a.showMessage(a.scene.translate(words.BoardPast()))
	}
	marks := a.pages.Selection().Marks()
	if marks.Len() == 0 {
		return a.handleSelectedAlerts(func(selected []alert.Alert) tea.Cmd { return handle(selected, false) })
	}
	list := a.pages.Selection().MarkedAlerts(a.scene.paneScene(), a.scene.alerts)
	if len(list) == 0 {
		return a.showMessage(a.scene.translate(words.BoardNoMarkedAlert()))
	}
	marks.Clear()
	return handle(list, true)
}

// handleSelectedAlerts calls handle with the alerts about the selected record. If there are no alerts, it
// shows the reason in the footer.
func (a *alertHandler) handleSelectedAlerts(handle func(selected []alert.Alert) tea.Cmd) tea.Cmd {
	if selected := a.selectedAlerts(); len(selected) > 0 {
		return handle(selected)
	}
	return a.showMessage(a.pages.Selection().NoAlertReason(a.scene.paneScene(), a.scene.alerts))
}

// explainSelected opens the dialog that explains the alerts about the selected record. If there are no
// alerts and the viewer has not selected a row, the dialog explains the most urgent situation.
func (a *alertHandler) explainSelected() tea.Cmd {
	sit, selected := a.pages.Selection().Situation(a.scene.paneScene()), a.selectedAlerts()
	if open := a.liveSituations(); len(selected) == 0 && len(open) > 0 && !a.hasPickedRow() {
		sit, selected = &open[0], open[0].Alerts
	}
	if len(selected) == 0 {
		return a.showMessage(a.pages.Selection().NoAlertReason(a.scene.paneScene(), a.scene.alerts))
	}
	return a.openExplanation(sit, selected)
}

// openExplanation opens the dialog that explains alerts. sit is the situation to which they belong, or nil.
func (a *alertHandler) openExplanation(sit *situation.Situation, selected []alert.Alert) tea.Cmd {
	subject := boarddialogs.ExplanationSubject{Situation: sit, Alerts: selected, Checklist: a.scene.checklist()}
	if sit != nil {
		subject.NumberedSituations = a.liveSituations()
	}
	if !a.scene.floor.Replay && a.keys.Alert.TakeOver.Enabled() {
		subject.TakeOver = a.takeOverAlerts
	}
	return boarddialogs.OpenExplanation(a.dialogs, dialogBoard{a.scene, a.terminalEnv}, subject)
}

// openMissedTargets opens the list of the day's figures that miss their targets.
func (a *alertHandler) openMissedTargets() tea.Cmd {
	return boarddialogs.OpenMissedTargets(a.dialogs, dialogBoard{a.scene, a.terminalEnv})
}

// openChart opens the dialog with the charts of the selected record.
func (a *alertHandler) openChart() tea.Cmd {
	return boarddialogs.OpenChart(a.dialogs, dialogBoard{a.scene, a.terminalEnv}, a.pages.Selection().ChartSubject(a.scene.paneScene()))
}

// toggleMark marks the selected row or removes its mark, and selects the next row. target is the
// record of the row, or zero if actions cannot apply to the row. canAct is false on a read-only
// board, where only rows with alerts can be marked.
func (a *alertHandler) toggleMark(target floorview.Target, canAct bool) tea.Cmd {
	t := a.pages.CurrentPage().Focused()
	if t == nil {
		return a.showMessage(a.scene.translate(words.BoardNoRows()))
	}
	if len(a.selectedAlerts()) == 0 {
		switch {
		case !target.IsSet():
			return a.showMessage(a.scene.translate(words.BoardNotMarkable()))
		case !canAct:
			return a.showMessage(words.ActReadOnly().In(a.scene.look.Format.Words))
		}
	}
	row, _ := t.Table.Selected()
	t.Table.Marks.Toggle(row, target.Name)
	t.Table.Update(tea.KeyPressMsg{Code: tea.KeyDown})
	return nil
}

// clipboard returns the terminal's clipboard, which shows its messages in the footer.
func (a *alertHandler) clipboard() pages.Clipboard {
	return a.scene.clipboard(a.terminalEnv, a.showMessage)
}

// copySelected copies the description of the selected situation or, if none is selected, the
// selected row.
func (a *alertHandler) copySelected() tea.Cmd {
	clipboard := a.clipboard()
	if p := a.pages.CurrentPage().Focused(); p != nil {
		if row, ok := a.pages.Selection().SituationRow(); !ok || row == nil {
			return clipboard.CopyRow(p)
		}
	}
	if s := a.pages.Selection().Situation(a.scene.paneScene()); s != nil {
		return clipboard.CopySituation(s)
	}
	return a.showMessage(a.scene.translate(words.BoardNothingToCopy()))
}
