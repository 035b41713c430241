package pages

import (
	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/model"
	"wallboard/ui/actions"
	"wallboard/ui/alerts"
	"wallboard/ui/panes"
	"wallboard/ui/render"
	"wallboard/ui/snapshot"
	"wallboard/ui/table"
)

// This file determines to which record or rows the keys of the board apply: to the record of the
// selected row or of the open detail page, or to the marked rows.

// SelectedRecord returns the record of the selected row or of the open detail page, and its
// channel. The empty channel means the current channel. ok is false if there is no such record.
func (p *Set) SelectedRecord() (kind snapshot.RecordKind, code string, channel model.Channel, ok bool) {
	if d := p.TopDetail(); d != nil && d.FiguresFocused {
		return d.Kind, d.Key, "", true
	}
	return p.CurrentPage().PointedRecord()
}

// SelectedTarget returns the record to which actions apply: that of the selected row or of the open
// detail page. It returns the zero Target if there is no such record.
func (p *Set) SelectedTarget(view *snapshot.View) snapshot.Target {
	kind, code, _, ok := p.SelectedRecord()
	if !ok {
		return snapshot.Target{}
	}
	t, ok := view.TargetOf(kind, code)
	if !ok {
		return snapshot.Target{}
	}
	return t
}

// HoldSelection keeps the row selected that was selected when the viewer last looked at the table,
// even if another row has moved to its place.
func (p *Set) HoldSelection() {
	if t := p.CurrentPage().Focused(); t != nil {
		if _, chosen := t.Table.Chosen(); !chosen {
			t.Table.ChooseSeen(p.floor.LocalNow)
			t.HeldRow, _ = t.Table.Chosen()
		}
	}
}

// selectedKey returns the alert key of the record in the selected row. The bool result is false if
// no row with a record is selected.
func (p *Set) selectedKey(sc *panes.Scene) (alert.Key, bool) {
	kind, code, channel, ok := p.CurrentPage().PointedRecord()
	if !ok {
		return alert.Key{}, false
	}
	subject := sc.KeyOf(kind, code)
	if channel != "" && subject.Channel != "" {
		subject.Channel = channel
	}
	return subject, true
}

// ChartSubject returns the record whose figures the chart shows. It is the record that the page
// determines, or else the selected record, or else the floor.
func (p *Set) ChartSubject(sc *panes.Scene) alert.Key {
	k, ok, known := p.CurrentPage().ChartSubject(sc)
	if !known {
		k, ok = p.selectedKey(sc)
	}
	if !ok || k.Scope == alert.Feed {
		return alert.Key{Scope: alert.Floor, Channel: sc.Floor.Channel}
	}
	return k
}

// selectedAlert returns the ID of the alert in the selected row. selected is false if no row is
// selected. ok is false if the focused table does not list alerts.
func (p *Set) selectedAlert() (id string, selected, ok bool) {
	t := p.CurrentPage().Focused()
	if t == nil || !t.ListsAlerts {
		return "", false, false
	}
	id, selected = t.Table.Selected()
	return id, selected, true
}

// SelectedSituation returns the selected row of the focused list of situations. row is nil if no
// row is selected. ok is false if no list of situations is focused.
func (p *Set) SelectedSituation() (row *render.SituationRow, ok bool) {
	if lister, isLister := p.CurrentPage().(interface {
		SelectedSituation() (*render.SituationRow, bool)
	}); isLister {
		return lister.SelectedSituation()
	}
	return nil, false
}

// Situation returns the selected situation. If no situation is selected, it returns the situation
// of the selected record or of the record of the detail page. It returns nil if there is none.
func (p *Set) Situation(sc *panes.Scene) *situation.Situation {
	if row, ok := p.SelectedSituation(); ok {
		if row == nil {
			return nil
		}
		return row.Situation(sc.Alarms.PresentSituations)
	}
	if on, ok := p.CurrentPage().(interface {
		Situation(sc *panes.Scene) *situation.Situation
	}); ok {
		if s := on.Situation(sc); s != nil {
			return s
		}
	}
	if k, ok := p.selectedKey(sc); ok {
		if s := sc.SituationOf(k); s != nil {
			return s
		}
	}
	if d := p.TopDetail(); d != nil {
		return sc.SituationOf(sc.KeyOf(d.Kind, d.Key))
	}
	return nil
}

// SelectedAlerts returns the active alerts to which keys apply, the most urgent first. They are the
// selected alert, or the alerts about the selected situation, the selected record or the record of
// the detail page.
func (p *Set) SelectedAlerts(sc *panes.Scene, watch *alerts.Watch) []alert.Alert {
	if id, _, ok := p.selectedAlert(); ok {
		if e := watch.LatestAlerts().Entry(id); e != nil && e.Ended.IsZero() {
			return []alert.Alert{e.Alert}
		}
		return nil
	}
	if s := p.Situation(sc); s != nil {
		return s.Alerts
	}
	if row, ok := p.SelectedSituation(); ok {
		if row == nil || row.IsOver() {
			return nil
		}
		if e := watch.LatestAlerts().Entry(row.ID); e != nil {
			return []alert.Alert{e.Alert}
		}
		return nil
	}
	if k, ok := p.selectedKey(sc); ok {
		if list := watch.AlertsOf(k); len(list) > 0 {
			return list
		}
	}
	if d := p.TopDetail(); d != nil {
		return watch.AlertsOf(sc.KeyOf(d.Kind, d.Key))
	}
	return nil
}

// NoAlertReason returns a sentence that says why [Set.SelectedAlerts] returns no alerts.
func (p *Set) NoAlertReason(sc *panes.Scene, watch *alerts.Watch) string {
	if _, selected, ok := p.selectedAlert(); ok && selected {
		return "This alert has ended."
	}
	if row, ok := p.SelectedSituation(); ok && row != nil && row.IsOver() {
		return "It is over."
	}
	if !sc.Floor.Health().Live() {
		return "No alert is known, but the feed is not live."
	}
	if k, ok := p.selectedKey(sc); ok {
		return watch.NoAlertReason(k, sc.Look)
	}
	return "Nothing is selected."
}

// Marks returns the marks of the focused table. If no table is focused, it returns empty marks.
func (p *Set) Marks() *table.Marks {
	if t := p.CurrentPage().Focused(); t != nil {
		return &t.Table.Marks
	}
	return &table.Marks{}
}

// MarkedTargets returns the marked agents or campaigns of the focused table. For a list of alerts
// or situations, it returns no targets, because the rows belong to records of several kinds.
func (p *Set) MarkedTargets() actions.MarkedRecords {
	t, marks := p.CurrentPage().Focused(), p.Marks()
	out := actions.MarkedRecords{Vanished: marks.Vanished(), Clear: func() { marks.Clear() }}
	if t == nil || t.Target == nil || t.ListsAlerts || isSituations(t) {
		return out
	}
	for _, mark := range marks.All() {
		if kind, key, ok := t.Target(mark.Key); ok && (kind == snapshot.Agent || kind == snapshot.Campaign) {
			out.Targets = append(out.Targets, snapshot.Target{Kind: kind, Key: key, Name: mark.Label})
		}
	}
	return out
}

// isSituations reports whether a table lists situations.
func isSituations(t *panes.RecordTable) bool {
	_, ok := t.Rows.(*render.Situations)
	return ok
}

// MarkedAlerts returns the active alerts about the records in the marked rows.
func (p *Set) MarkedAlerts(sc *panes.Scene, watch *alerts.Watch) (out []alert.Alert) {
	t := p.CurrentPage().Focused()
	for _, mark := range p.Marks().All() {
		if rows, ok := t.Rows.(*render.Situations); ok {
			if row := rows.RowByID(mark.Key); row != nil && row.Situation(sc.Alarms.PresentSituations) != nil {
				out = append(out, row.Situation(sc.Alarms.PresentSituations).Alerts...)
				continue
			}
		}
		if e := watch.LatestAlerts().Entry(mark.Key); e != nil {
			if e.Ended.IsZero() {
				out = append(out, e.Alert)
			}
		} else if !t.ListsAlerts && !isSituations(t) && t.Target != nil {
			if kind, key, ok := t.Target(mark.Key); ok {
				out = append(out, watch.AlertsOf(sc.KeyOf(kind, key))...)
			}
		}
	}
	return out
}

// OnSites reports whether the current page is Sites, which does not belong to a single platform.
func (p *Set) OnSites() bool { return IsSites(p.specs[p.Current]) && p.TopDetail() == nil }
