package panes

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

func newIncidentsPane(sc *Scene, spec PaneSpec) incidentsPane {
	return incidentsPane{newTablePane(sc, "Alerts", alertsTable(sc, spec), spec)}
}

func alertsTable(sc *Scene, spec PaneSpec) *RecordTable {
	var t *RecordTable
	t = newRecordTable(sc, spec.on(RecordTable{
		Noun: "alerts", Rows: render.NewIncidents(), live: true, Alerts: true,
		total:  func(*model.Snapshot) int { return len(t.latest.Active()) },
		absent: nothingWrong,
		Target: func(id string) (floor.Kind, string, bool) {
			if e := t.latest.Entry(id); e != nil {
				return KindOf(e.Key)
			}
			return 0, "", false
		},
		Jump: func(id string) tea.Cmd {
			e := t.latest.Entry(id)
			if e == nil {
				return nil
			}
			return func() tea.Msg { return CauseMsg{e.Key} }
		},
	}), "state", true)
	return t
}

// nothingWrong says so where there is no alert, as far as anybody knows.
func nothingWrong(sc *Scene) string {
	switch {
	case sc.Alarms.Latest == nil || len(sc.Alarms.Latest.Entries) > 0:
		return ""
	case !sc.Floor.Health().Live():
		return "No alert is known, but the feed is not live: see its page."
	}
	return "Nothing is wrong."
}

// status is where in the alerts the viewer is.
func (a incidentsPane) status(sc *Scene) look.Position {
	s := a.tablePane.status(sc)
	if !sc.Floor.Frozen.IsZero() && s.Text != "" {
		s.Text = "not frozen " + sc.Look.Glyphs.Dot + " " + s.Text
	}
	return s
}

// Only implements filler: there is more to the pane than its rows.
func (incidentsPane) Only() *RecordTable { return nil }

// charted returns what the selected alert is about.
func (a incidentsPane) charted(sc *Scene) (alert.Key, bool) {
	id, _ := a.Table.Selected()
	if e := sc.Alarms.Latest.Entry(id); e != nil {
		return e.Key, true
	}
	return alert.Key{}, false
}

// View draws the alerts, and what is to be said of the selected one.
func (a incidentsPane) View(sc *Scene, x, y, w, h int) []string {
	const leastRows = 6
	var about []string
	if id, ok := a.Table.Selected(); ok && h > leastRows+2 {
		if e := sc.Alarms.Latest.Entry(id); e != nil {
			v := sc.LiveView()
			about = render.IncidentDetail(e, &v, w-2)
			about = append([]string{look.Blanks(w - 2)}, about[:min(len(about), h-leastRows-1)]...)
			look.Inset(about)
		}
	}
	return append(a.view(sc, x, y, w, h-len(about)), about...)
}

// KindOf returns what an alert is about, as far as it can be opened.
func KindOf(k alert.Key) (floor.Kind, string, bool) {
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

// CauseMsg asks for what an alert is about.
type CauseMsg struct{ About alert.Key }

// KeyOf names something on the present channel as alerts do.
func (sc *Scene) KeyOf(of floor.Kind, code string) alert.Key {
	k := alert.Key{Code: code, Channel: sc.Floor.Channel}
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
