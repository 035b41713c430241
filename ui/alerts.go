package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/themes"
	"wallboard/ui/panes"
	"wallboard/ui/situations"
	"wallboard/ui/snapshot"
)

// jump opens the subject of an alert on the alert's channel.
func (m *Model) jump(k alert.Key) {
	m.touch()
	switch kind, code, ok := snapshot.SubjectOf(k); {
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
	if cmd, ok := m.replay.Gap(sc.floor.Unrecorded()); ok {
		return cmd
	}
	if !m.replay.Evaluates() {
		return nil
	}
	shown := sc.floor.Newest
	news := sc.alerts.Evaluate(sc.look)
	if sc.floor.Newest != shown { // another board had evaluated a newer one
		m.actions.UpdateMarks()
	}
	sc.outlook.Observe(sc.floor.Newest, sc.floor.Server(sc.floor.Ours), sc.Alerts.Goal)
	m.dirty = m.dirty || news.Changed
	for _, e := range news.Marks {
		sc.recordEvent(e)
	}
	var cmds []tea.Cmd
	if news.Text != "" && sc.kiosk == nil && !sc.floor.Replay {
		cmds = append(cmds, m.sayColored(themes.Critical, news.Text))
	}
	if sc.floor.Replay {
		return tea.Batch(cmds...) // nothing is announced on a replay
	}
	if news.Critical && sc.kiosk == nil && m.mode == modeBoard && !m.filter.focused && m.dialogs.Top() == nil {
		m.attention.focusNow()
	}
	if news.Ring || news.RecoveryBell && sc.RecoveryBell && sc.kiosk == nil {
		cmds = append(cmds, tea.Raw("\a"))
	}
	if news.Critical && news.Text != "" {
		cmds = append(cmds, m.attention.notifyDesktop(news.Text))
	}
	return tea.Batch(cmds...)
}

// situationKeys returns the key hints for a situation and the page that lists all situations. A
// replay offers no take-over.
func situationKeys(k *KeyMap, p *pages, replaying bool) situations.Keys {
	out := []string{k.Open.Help().Key + " open", k.Why.Help().Key + " why"}
	if !replaying {
		out = append(out, k.Alert.TakeOver.Help().Key+" take over")
	}
	return situations.Keys{Actions: strings.Join(out, "  "), AllSituations: p.nameForViewer(pageSituations)}
}
