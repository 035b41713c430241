package ui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/themes"
	"wallboard/ui/floor"
	"wallboard/ui/panes"
	"wallboard/ui/situations"
)

// jump opens the subject of an alert on the alert's channel.
func (m *Model) jump(k alert.Key) {
	m.touch()
	switch kind, code, ok := floor.About(k); {
	case ok:
		m.open(panes.OpenMsg{Kind: kind, Key: code, Channel: k.Channel})
	case k.Scope == alert.Feed:
		m.pages.jump(pageFeed, "")
		if p := m.pages.page().Focused(); p != nil {
			p.Table.Select(k.Code)
		}
	default:
		m.pages.jump(pageOverview, k.Channel)
	}
}

// evaluate runs the alert engine on the newest snapshot. New critical alerts go to the
// footer (not on a kiosk) and to the bell.
func (m *Model) evaluate() tea.Cmd {
	sc := m.scene
	if cmd, is := m.reel.Gap(sc.floor.Unrecorded()); is {
		return cmd
	}
	if !m.reel.Looks() {
		return nil
	}
	news := sc.alerts.Evaluate(sc.look)
	sc.outlook.Look(sc.floor.Newest, sc.floor.Server(sc.floor.Ours), sc.Alerts.Goal)
	m.dirty = m.dirty || news.Changed
	for _, e := range news.Marks {
		sc.mark(e)
	}
	var cmds []tea.Cmd
	if news.Text != "" && sc.wall == nil && !sc.floor.Past {
		cmds = append(cmds, tell(m, themes.Critical, news.Text))
	}
	if sc.floor.Past {
		return tea.Batch(cmds...) // nothing is announced on a replay
	}
	if news.Ring || news.Relief && sc.RecoveryBell && sc.wall == nil {
		cmds = append(cmds, tea.Raw("\a"))
	}
	return tea.Batch(cmds...)
}

// pressAlert handles the keys for alerts.
func (m *Model) pressAlert(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	switch k := m.keys; {
	case key.Matches(msg, k.Why):
		m.dialogs.Mute(msg.String())
		return m.askWhy(), true
	case key.Matches(msg, k.Alert.TakeOver):
		m.dialogs.Mute(msg.String())
		return m.takeOver(), true
	case key.Matches(msg, k.Alert.Snooze):
		m.dialogs.Mute(msg.String())
		return m.snooze(), true
	case key.Matches(msg, k.Trend):
		return m.openChart(), true
	}
	return nil, false
}

// takeOver asks for a note and takes over an alert about the selection.
func (m *Model) takeOver() tea.Cmd {
	return actOnAlerts(m, func(here []alert.Alert) tea.Cmd {
		return m.scene.alerts.TakeOver(m.dialogs, here, m.scene.User, m.scene.Location)
	})
}

// snooze asks how long to snooze the alerts about the selection.
func (m *Model) snooze() tea.Cmd {
	return actOnAlerts(m, func(here []alert.Alert) tea.Cmd {
		return m.scene.alerts.Snooze(m.dialogs, here, m.scene.User)
	})
}

// actOnAlerts calls do with the alerts about the selection. It refuses on a replay.
func actOnAlerts(m *Model, do func(here []alert.Alert) tea.Cmd) tea.Cmd {
	if m.scene.floor.Past {
		return m.say("This is the past: nothing can be done here.")
	}
	return m.withAlerts(do)
}

// withAlerts calls do with the alerts about the selection, or says why there are none.
func (m *Model) withAlerts(do func(here []alert.Alert) tea.Cmd) tea.Cmd {
	sc, watch := m.scene.panes(), m.scene.alerts
	if here := m.pages.alerts(sc, watch); len(here) > 0 {
		return do(here)
	}
	return m.say(m.pages.noAlert(sc, watch))
}

// situationKeys returns the key hints for a situation and the page that lists all situations. A
// replay (was) offers no take-over.
func situationKeys(k *KeyMap, p *pages, was bool) situations.Keys {
	out := []string{k.Open.Help().Key + " open", k.Why.Help().Key + " why"}
	if !was {
		out = append(out, k.Alert.TakeOver.Help().Key+" take over")
	}
	return situations.Keys{Acts: strings.Join(out, "  "), All: p.nameForViewer(pageSituations)}
}
