package ui

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/ui/actions"
	"wallboard/ui/alerts"
	"wallboard/ui/panes"
	"wallboard/ui/render"
	"wallboard/ui/snapshot"
	"wallboard/ui/table"
)

// toggleMark marks the selected row or removes its mark, and selects the next row. target is the
// record of the row, or zero if no action applies to the row. canAct is false on a read-only board,
// where only rows with alerts can be marked.
func (a *alertHandler) toggleMark(target snapshot.Target, canAct bool) tea.Cmd {
	t := a.pages.currentPage().Focused()
	if t == nil {
		return a.say("There are no rows to mark here.")
	}
	if len(a.selectedAlerts()) == 0 {
		switch {
		case !target.IsSet():
			return a.say("This row cannot be marked: no action is about it, and it has no alert.")
		case !canAct:
			return a.say(actions.ReadOnlyReason)
		}
	}
	row, _ := t.Table.Selected()
	t.Table.Marks.Toggle(row, target.Name)
	t.Table.Update(tea.KeyPressMsg{Code: tea.KeyDown})
	return nil
}

// marks returns the marks of the focused table. If no table is focused, it returns an empty set of
// marks.
func (p *pages) marks() *table.Marks {
	if t := p.currentPage().Focused(); t != nil {
		return &t.Table.Marks
	}
	return &table.Marks{}
}

// markedTargets returns the marked agents or campaigns of the focused table. For a list of alerts or
// situations it returns no targets, because the rows are about records of several kinds.
func (p *pages) markedTargets() actions.MarkedRecords {
	t, marks := p.currentPage().Focused(), p.marks()
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

// markedAlerts returns the active alerts about the marked rows.
func (p *pages) markedAlerts(sc *panes.Scene, watch *alerts.Watch) (out []alert.Alert) {
	t := p.currentPage().Focused()
	for _, mark := range p.marks().All() {
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
