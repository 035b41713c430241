package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/ui/dialog"
	"wallboard/ui/dialogs"
)

// attention handles the keys for the alerts and figures of the selection: explain, take
// over, snooze, chart.
type attention struct {
	scene   *scene
	keys    *KeyMap
	pages   *pages
	dialogs *dialog.Stack
	say     func(text string) tea.Cmd
}

// press handles the keys for alerts.
func (a *attention) press(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	switch k := a.keys; {
	case key.Matches(msg, k.Why):
		a.dialogs.Mute(msg.String())
		return a.askWhy(), true
	case key.Matches(msg, k.Alert.TakeOver):
		a.dialogs.Mute(msg.String())
		return a.takeOver(), true
	case key.Matches(msg, k.Alert.Snooze):
		a.dialogs.Mute(msg.String())
		return a.snooze(), true
	case key.Matches(msg, k.Trend):
		return a.openChart(), true
	}
	return nil, false
}

// selectedAlerts returns the alerts about the selection.
func (a *attention) selectedAlerts() []alert.Alert {
	return a.pages.alerts(a.scene.panes(), a.scene.alerts)
}

// takeOver asks for a note and takes over an alert about the selection.
func (a *attention) takeOver() tea.Cmd {
	return a.withLiveAlerts(func(selected []alert.Alert, marked bool) tea.Cmd {
		if marked {
			return a.scene.alerts.TakeOverAll(a.dialogs, selected, a.scene.User, a.scene.Location)
		}
		return a.scene.alerts.TakeOver(a.dialogs, selected, a.scene.User, a.scene.Location)
	})
}

// snooze asks how long to snooze the alerts about the selection.
func (a *attention) snooze() tea.Cmd {
	return a.withLiveAlerts(func(selected []alert.Alert, _ bool) tea.Cmd {
		return a.scene.alerts.Snooze(a.dialogs, selected, a.scene.User)
	})
}

// withLiveAlerts calls handle with the alerts about the marked rows, or else about the
// selection. It refuses on a replay.
func (a *attention) withLiveAlerts(handle func(list []alert.Alert, marked bool) tea.Cmd) tea.Cmd {
	if a.scene.floor.Replay {
		return a.say("This is the past: nothing can be done here.")
	}
	marks := a.pages.marks()
	if marks.Len() == 0 {
		return a.withAlerts(func(selected []alert.Alert) tea.Cmd { return handle(selected, false) })
	}
	list := a.pages.markedAlerts(a.scene.panes(), a.scene.alerts)
	if len(list) == 0 {
		return a.say("No marked row has an alert; esc clears the marks.")
	}
	marks.Clear()
	return handle(list, true)
}

// withAlerts calls do with the alerts about the selection, or says why there are none.
func (a *attention) withAlerts(handle func(selected []alert.Alert) tea.Cmd) tea.Cmd {
	if selected := a.selectedAlerts(); len(selected) > 0 {
		return handle(selected)
	}
	return a.say(a.pages.noAlertReason(a.scene.panes(), a.scene.alerts))
}

// askWhy explains the alerts about the selection.
func (a *attention) askWhy() tea.Cmd {
	sit := a.pages.situation(a.scene.panes())
	return a.withAlerts(func(selected []alert.Alert) tea.Cmd {
		subject := dialogs.Subject{Situation: sit, Alerts: selected}
		if !a.scene.floor.Replay {
			subject.TakeOver = func() tea.Cmd {
				return a.scene.alerts.TakeOver(a.dialogs, selected, a.scene.User, a.scene.Location)
			}
		}
		return dialogs.OpenWhy(a.dialogs, explainBoard{a.scene}, subject)
	})
}

// openChart opens the chart of the selection's figures.
func (a *attention) openChart() tea.Cmd {
	return dialogs.OpenChart(a.dialogs, explainBoard{a.scene}, a.pages.chartSubject(a.scene.panes()))
}
