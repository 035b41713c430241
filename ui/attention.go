package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/ui/dialog"
	"wallboard/ui/explain"
)

// attention is what can be done about the alerts and figures that the viewer points at:
// ask why, take over, snooze, draw.
type attention struct {
	scene   *scene
	keys    *KeyMap
	pages   *pages
	dialogs *dialog.Stack
	say     func(text string) tea.Cmd
}

// press obeys the keys about alerts.
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

// here returns the alerts about what the viewer points at.
func (a *attention) here() []alert.Alert { return a.pages.alerts(a.scene.panes(), a.scene.alerts) }

// takeOver asks for a note on an alert about what the viewer points at.
func (a *attention) takeOver() tea.Cmd {
	return a.treat(func(here []alert.Alert) tea.Cmd {
		return a.scene.alerts.TakeOver(a.dialogs, here, a.scene.User, a.scene.Location)
	})
}

// snooze asks for how long the alerts about what the viewer points at are to be quiet.
func (a *attention) snooze() tea.Cmd {
	return a.treat(func(here []alert.Alert) tea.Cmd {
		return a.scene.alerts.Snooze(a.dialogs, here, a.scene.User)
	})
}

// treat does something to the alerts about what the viewer points at, which is not
// possible to those of the past.
func (a *attention) treat(do func(here []alert.Alert) tea.Cmd) tea.Cmd {
	if a.scene.floor.Replay {
		return a.say("This is the past: nothing can be done here.")
	}
	return a.withAlerts(do)
}

// withAlerts calls do with the alerts about what the viewer points at, or says why there
// are none.
func (a *attention) withAlerts(do func(here []alert.Alert) tea.Cmd) tea.Cmd {
	if here := a.here(); len(here) > 0 {
		return do(here)
	}
	return a.say(a.pages.noAlert(a.scene.panes(), a.scene.alerts))
}

// askWhy explains what is wrong with what the viewer points at.
func (a *attention) askWhy() tea.Cmd {
	of := a.pages.situation(a.scene.panes())
	return a.withAlerts(func(here []alert.Alert) tea.Cmd {
		subject := explain.Subject{Situation: of, Alerts: here}
		if !a.scene.floor.Replay {
			subject.TakeOver = func() tea.Cmd {
				return a.scene.alerts.TakeOver(a.dialogs, here, a.scene.User, a.scene.Location)
			}
		}
		return explain.OpenWhy(a.dialogs, explained{a.scene}, subject)
	})
}

// openChart shows how the figures of what is selected have been.
func (a *attention) openChart() tea.Cmd {
	return explain.OpenChart(a.dialogs, explained{a.scene}, a.pages.charted(a.scene.panes()))
}
