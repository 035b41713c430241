package pages

import (
	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/actions"
	"wallboard/ui/alerts"
	"wallboard/ui/floorview"
	"wallboard/ui/panes"
	"wallboard/ui/render"
	"wallboard/ui/table"
)

// Selection is what keys apply to: the record of the selected row or of the open detail page, or
// the marked rows. It is valid until the board changes.
type Selection struct {
	page   panes.Page
	detail *panes.Detail // nil if no detail page is open
}

// Record returns the record of the selected row or of the open detail page, and its channel; the
// channel "" means the current channel. ok is false if there is no such record.
func (s Selection) Record() (kind floorview.RecordKind, code string, channel model.Channel, ok bool) {
	if d := s.detail; d != nil && d.FiguresFocused {
		return d.Kind, d.Key, "", true
	}
	return s.page.RecordUnderCursor()
}

// Target returns the record that actions apply to: that of the selected row or of the open detail
// page. It returns the zero Target if there is none.
func (s Selection) Target(view *floorview.View) floorview.Target {
	kind, code, _, ok := s.Record()
	if !ok {
		return floorview.Target{}
	}
	t, ok := view.TargetOf(kind, code)
	if !ok {
		return floorview.Target{}
	}
	return t
}

// key returns the alert key of the record in the selected row. The bool result is false if there is
// no such record.
func (s Selection) key(sc *panes.Scene) (alert.Key, bool) {
	kind, code, channel, ok := s.page.RecordUnderCursor()
	if !ok {
		return alert.Key{}, false
	}
	subject := sc.KeyOf(kind, code)
	if channel != "" && subject.Channel != "" {
		subject.Channel = channel
	}
	return subject, true
}

// ChartSubject returns the record whose figures the chart shows. If the page defines none, this is
// the selected record. Without such a record, and for the feed, it is the floor.
func (s Selection) ChartSubject(sc *panes.Scene) alert.Key {
	k, ok, known := s.page.ChartSubject(sc)
	if !known {
		k, ok = s.key(sc)
	}
	if !ok || k.Scope == alert.Feed {
		return alert.Key{Scope: alert.Floor, Channel: sc.Floor.Channel}
	}
	return k
}

// alertID returns the ID of the selected row in the focused table of alerts. selected is false if
// no row is selected. ok is false if no table of alerts is focused.
func (s Selection) alertID() (id string, selected, ok bool) {
	t := s.page.Focused()
	if t == nil || !t.ListsAlerts {
		return "", false, false
	}
	id, selected = t.Table.Selected()
	return id, selected, true
}

// SituationRow returns the selected row in the focused list of situations, or nil if no row is
// selected. ok is false if no list of situations is focused.
func (s Selection) SituationRow() (row *render.SituationRow, ok bool) {
	if lister, isLister := s.page.(interface {
		SelectedSituation() (*render.SituationRow, bool)
	}); isLister {
		return lister.SelectedSituation()
	}
	return nil, false
}

// Situation returns the selected situation if a list of situations is focused, or else the situation about
// the page, the selected record or the record of the detail page. It returns nil if there is none.
func (s Selection) Situation(sc *panes.Scene) *situation.Situation {
	if row, ok := s.SituationRow(); ok {
		if row == nil {
			return nil
		}
		return row.Situation(sc.Alarms.PresentSituations)
	}
	if on, ok := s.page.(interface {
		Situation(sc *panes.Scene) *situation.Situation
	}); ok {
		if found := on.Situation(sc); found != nil {
			return found
		}
	}
	if k, ok := s.key(sc); ok {
		if found := sc.SituationOf(k); found != nil {
			return found
		}
	}
	if d := s.detail; d != nil {
		return sc.SituationOf(sc.KeyOf(d.Kind, d.Key))
	}
	return nil
}

// Alerts returns the active alerts about the selection, most urgent first. These are the selected
// alert, or the alerts about the selected situation, the selected record or the record of the
// detail page.
func (s Selection) Alerts(sc *panes.Scene, watch *alerts.BoardAlerts) []alert.Alert {
	if id, _, ok := s.alertID(); ok {
		if e := watch.LatestAlerts().Entry(id); e != nil && e.Ended.IsZero() {
			return []alert.Alert{e.Alert}
		}
		return nil
	}
	if found := s.Situation(sc); found != nil {
		return found.Alerts
	}
	if row, ok := s.SituationRow(); ok {
		if row == nil || row.IsOver() {
			return nil
		}
		if e := watch.LatestAlerts().Entry(row.ID); e != nil {
			return []alert.Alert{e.Alert}
		}
		return nil
	}
	if k, ok := s.key(sc); ok {
		if list := watch.AlertsOf(k); len(list) > 0 {
			return list
		}
	}
	if d := s.detail; d != nil {
		return watch.AlertsOf(sc.KeyOf(d.Kind, d.Key))
	}
	return nil
}

// NoAlertReason returns a sentence that says why there are no alerts about the selection.
func (s Selection) NoAlertReason(sc *panes.Scene, watch *alerts.BoardAlerts) string {
	l := sc.Look.Format.Words
	if _, selected, ok := s.alertID(); ok && selected {
		return words.PageAlertResolved().In(l)
	}
	if row, ok := s.SituationRow(); ok && row != nil && row.IsOver() {
		return words.PageSituationResolved().In(l)
	}
	if !sc.Floor.Health().Live() {
		return words.PageAlertsUnknown().In(l)
	}
	if k, ok := s.key(sc); ok {
		return watch.NoAlertReason(k, sc.Charts().TitleOf(k), sc.Look)
	}
	return words.PageNothingSelected().In(l)
}

// Marks returns the marks of the focused table. If no table is focused, it returns an empty set.
func (s Selection) Marks() *table.Marks {
	if t := s.page.Focused(); t != nil {
		return &t.Table.Marks
	}
	return &table.Marks{}
}

// MarkedTargets returns the marked agents or campaigns of the focused table. For a list of alerts
// or situations it returns no targets, because their rows are about records of several kinds.
func (s Selection) MarkedTargets() actions.MarkedRecords {
	t, marks := s.page.Focused(), s.Marks()
	out := actions.MarkedRecords{MissingNames: marks.Vanished(), Clear: func() { marks.Clear() }}
	if t == nil || t.Target == nil || t.ListsAlerts || isSituations(t) {
		return out
	}
	for _, mark := range marks.All() {
		if kind, key, ok := t.Target(mark.Key); ok && (kind == floorview.Agent || kind == floorview.Campaign) {
			out.Targets = append(out.Targets, floorview.Target{Kind: kind, Key: key, Name: mark.Label})
		}
	}
	return out
}

func isSituations(t *panes.RecordTable) bool {
	_, ok := t.Rows.(*render.Situations)
	return ok
}

// MarkedAlerts returns the active alerts about the marked rows.
func (s Selection) MarkedAlerts(sc *panes.Scene, watch *alerts.BoardAlerts) (out []alert.Alert) {
	t := s.page.Focused()
	for _, mark := range s.Marks().All() {
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
