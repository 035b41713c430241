package panes

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation"
	"wallboard/ui/floor"
	"wallboard/ui/look"
	"wallboard/ui/render"
	"wallboard/ui/situations"
)

// situationsPane is what needs a person, what the day says, what is well again, and the
// alerts that ended, with all there is to say of the selected one. Like the feed's page
// it goes on while the picture is frozen.
type situationsPane struct {
	*tablePane
	rows *render.Situations
}

func newSituationsPane(sc *Scene, spec PaneSpec) situationsPane {
	rows := render.NewSituations()
	t := newRecordTable(sc, spec.on(RecordTable{
		Noun: "situations", Rows: rows, live: true,
		total:  func(*model.Snapshot) int { return rows.Len() },
		absent: nothingWrong,
		Target: func(id string) (floor.Kind, string, bool) {
			if t := rows.Told(id); t != nil {
				return KindOf(t.Key)
			}
			return 0, "", false
		},
		Jump: func(id string) tea.Cmd {
			if t := rows.Told(id); t != nil {
				return func() tea.Msg { return CauseMsg{t.Key} }
			}
			return nil
		},
	}), "state", true)
	return situationsPane{newTablePane(sc, "Situations", t, spec), rows}
}

// status is how much needs a person, and where in the list the viewer is.
func (p situationsPane) status(sc *Scene) look.Position {
	s := p.tablePane.status(sc)
	if note := sc.present().Note(); note != "" {
		s.Text = note
	}
	if !sc.Floor.Frozen.IsZero() {
		if s.Text != "" {
			s.Text = " " + sc.Look.Glyphs.Dot + " " + s.Text
		}
		s.Text = "not frozen" + s.Text
	}
	return s
}

// present is what is to be said of now, frozen picture or not.
func (sc *Scene) present() situations.Shown {
	v := sc.Alarms.Present
	if v == nil {
		v = &situation.View{}
	}
	return situations.Shown{Look: sc.Look, View: v, Wall: sc.Wall != nil}
}

// Only implements filler: there is more to the pane than its rows.
func (situationsPane) Only() *RecordTable { return nil }

// told is the selected row.
func (p situationsPane) told() *render.Told {
	id, _ := p.Table.Selected()
	return p.rows.Told(id)
}

// charted returns what the selected row is about.
func (p situationsPane) charted(*Scene) (alert.Key, bool) {
	if t := p.told(); t != nil {
		return t.Key, true
	}
	return alert.Key{}, false
}

// View draws the list, and all there is to say of the selected row.
func (p situationsPane) View(sc *Scene, x, y, w, h int) []string {
	const leastRows = 6
	var about []string
	if t := p.told(); t != nil && h > leastRows+2 {
		about = p.about(sc, t, w-2)
		if room := h - min(p.rows.Len()+1, max(h/2, leastRows)) - 1; len(about) > room {
			about = about[:max(room, 0)]
		}
		about = append([]string{look.Blanks(w - 2)}, about...)
		look.Inset(about)
	}
	return append(p.view(sc, x, y, w, h-len(about)), about...)
}

// about are the lines about a row.
func (p situationsPane) about(sc *Scene, t *render.Told, w int) []string {
	if s := t.Situation(sc.Alarms.Present); s != nil {
		return situations.Detail(sc.Look, s, w)
	}
	v := sc.LiveView()
	if e := sc.Alarms.Latest.Entry(t.ID); e != nil {
		return render.IncidentDetail(e, &v, w)
	}
	return situations.Over(sc.Look, t.What, w)
}

// Told returns the row about situations that the viewer points at; ok is false where
// no list of them has the keyboard.
func (m *PanePage) Told() (row *render.Told, ok bool) {
	if c := m.Holder(); c != nil {
		if p, is := c.Pane.(situationsPane); is {
			return p.told(), true
		}
	}
	return nil, false
}
