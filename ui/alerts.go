package ui

import (
	"wallboard/alert"
	"wallboard/ui/panes"
)

// jump shows what an alert is about, on its channel.
func (m *Model) jump(k alert.Key) {
	m.touch()
	if k.Channel != "" {
		m.scene.floor.Choose(k.Channel)
	}
	switch kind, key, ok := panes.KindOf(k); {
	case ok:
		m.open(panes.OpenMsg{Kind: kind, Key: key})
	case k.Scope == alert.Feed:
		m.pages.showStandard(pageFeed)
		if p := m.pages.page().Focused(); p != nil {
			p.Table.Select(k.Code)
		}
	default:
		m.pages.showStandard(pageOverview)
	}
}

// alertsHere returns the active alerts about what the viewer points at: the
// selected alert, or all of the selected row or the page he has opened, the
// most urgent first.
func (m *Model) alertsHere() []alert.Alert {
	sc := m.scene
	if p := m.pages.page().Focused(); p != nil && p.Alerts {
		id, _ := p.Table.Selected()
		if e := sc.latest.Entry(id); e != nil && e.Ended.IsZero() {
			return []alert.Alert{e.Alert}
		}
		return nil
	}
	if k, ok := m.selectedKey(); ok {
		if list := sc.Alerts.Of(k); len(list) > 0 {
			return list
		}
	}
	if d := m.pages.detail(); d != nil {
		return sc.Alerts.Of(sc.panes().KeyOf(d.Kind, d.Key))
	}
	return nil
}

// selectedKey names the selected row as alerts do.
func (m *Model) selectedKey() (alert.Key, bool) {
	of, code, on, ok := m.pages.page().Pointed()
	if !ok {
		return alert.Key{}, false
	}
	about := m.scene.panes().KeyOf(of, code)
	if on != "" && about.Channel != "" {
		about.Channel = on
	}
	return about, true
}
