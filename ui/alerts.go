package ui

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/ui/floor"
	"wallboard/ui/look"
	"wallboard/ui/render"
)

// incidentsPane is what is wrong, who has taken it over, and what was wrong, with
// what is to be said of the selected one. Like the feed's it goes on while the
// picture is frozen.
type incidentsPane struct{ *tablePane }

func newIncidentsPane(sc *scene, spec PaneSpec) incidentsPane {
	return incidentsPane{newTablePane(sc, "Alerts", alertsTable(sc, spec), spec)}
}

func alertsTable(sc *scene, spec PaneSpec) *recordTable {
	return newRecordTable(sc, spec.on(recordTable{
		noun: "alerts", rows: render.NewIncidents(), live: true, alerts: true,
		total:  func(*model.Snapshot) int { return len(sc.latest.Active()) },
		absent: nothingWrong,
		target: func(id string) (floor.Kind, string, bool) {
			if e := sc.latest.Entry(id); e != nil {
				return kindOf(e.Key)
			}
			return 0, "", false
		},
		jump: func(id string) tea.Cmd {
			e := sc.latest.Entry(id)
			if e == nil {
				return nil
			}
			return func() tea.Msg { return causeMsg{e.Key} }
		},
	}), "state", true)
}

// nothingWrong says so where there is no alert, as far as anybody knows.
func nothingWrong(sc *scene) string {
	switch {
	case sc.latest == nil || len(sc.latest.Entries) > 0:
		return ""
	case !sc.floor.Health().Live():
		return "No alert is known, but the feed is not live: see its page."
	}
	return "Nothing is wrong."
}

// status is where in the alerts the viewer is.
func (a incidentsPane) status(sc *scene) standing {
	s := a.tablePane.status(sc)
	if !sc.floor.Frozen.IsZero() && s.text != "" {
		s.text = "not frozen " + sc.look.Glyphs.Dot + " " + s.text
	}
	return s
}

// only implements filler: there is more to the pane than its rows.
func (incidentsPane) only() *recordTable { return nil }

// charted returns what the selected alert is about.
func (a incidentsPane) charted(sc *scene) (alert.Key, bool) {
	id, _ := a.table.Selected()
	if e := sc.latest.Entry(id); e != nil {
		return e.Key, true
	}
	return alert.Key{}, false
}

// liveView is what is drawn with where a frozen picture does not hold.
func (sc *scene) liveView() render.View {
	v := sc.view("", "")
	v.Now, v.Alerts, v.Figures = sc.floor.Server(sc.floor.Ours), sc.latest, sc.Alerts
	return v
}

// View draws the alerts, and what is to be said of the selected one.
func (a incidentsPane) View(sc *scene, x, y, w, h int) []string {
	const leastRows = 6
	var about []string
	if id, ok := a.table.Selected(); ok && h > leastRows+2 {
		if e := sc.latest.Entry(id); e != nil {
			v := sc.liveView()
			about = render.IncidentDetail(e, &v, w-2)
			about = append([]string{look.Blanks(w - 2)}, about[:min(len(about), h-leastRows-1)]...)
			inset(about)
		}
	}
	return append(a.view(sc, x, y, w, h-len(about)), about...)
}

// kindOf returns what an alert is about, as far as it can be opened.
func kindOf(k alert.Key) (floor.Kind, string, bool) {
	switch k.Scope {
	case alert.Service:
		return floor.Service, k.Code, true
	case alert.Group:
		return floor.Group, k.Code, true
	case alert.User:
		return floor.Agent, k.Code, true
	case alert.Campaign:
		return floor.Campaign, k.Code, true
	case alert.Floor, alert.Feed:
	}
	return 0, "", false
}

// causeMsg asks for what an alert is about.
type causeMsg struct{ about alert.Key }

// jump shows what an alert is about, on its channel.
func (m *Model) jump(k alert.Key) {
	m.touch()
	if k.Channel != "" {
		m.scene.floor.Choose(k.Channel)
	}
	switch kind, key, ok := kindOf(k); {
	case ok:
		m.open(openMsg{kind: kind, key: key})
	case k.Scope == alert.Feed:
		m.showStandard(pageFeed)
		if p := m.page().focused(); p != nil {
			p.table.Select(k.Code)
		}
	default:
		m.showStandard(pageOverview)
	}
}

// alertsHere returns the active alerts about what the viewer points at: the
// selected alert, or all of the selected row or the page he has opened, the
// most urgent first.
func (m *Model) alertsHere() []alert.Alert {
	sc := m.scene
	if p := m.page().focused(); p != nil && p.alerts {
		id, _ := p.table.Selected()
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
	if d := m.detail(); d != nil {
		return sc.Alerts.Of(sc.keyOf(d.kind, d.key))
	}
	return nil
}

// selectedKey names the selected row as alerts do.
func (m *Model) selectedKey() (alert.Key, bool) {
	of, code, on, ok := m.page().pointed()
	if !ok {
		return alert.Key{}, false
	}
	about := m.scene.keyOf(of, code)
	if on != "" && about.Channel != "" {
		about.Channel = on
	}
	return about, true
}

// keyOf names something on the present channel as alerts do.
func (sc *scene) keyOf(of floor.Kind, code string) alert.Key {
	k := alert.Key{Code: code, Channel: sc.floor.Channel}
	switch of {
	case floor.Service:
		k.Scope = alert.Service
	case floor.Group:
		k.Scope = alert.Group
	case floor.Agent:
		k.Scope = alert.User
	case floor.Campaign:
		k.Scope, k.Channel = alert.Campaign, ""
	case floor.Subscription:
		k.Scope, k.Channel = alert.Feed, ""
	}
	return k
}
