package ui

import (
	"charm.land/bubbles/v2/key"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/phrases"
	"wallboard/ui/actions"
	"wallboard/ui/alerts"
	"wallboard/ui/keymap"
	"wallboard/ui/panes"
	"wallboard/ui/render"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
)

// This file finds the record that keys apply to: the record of the selected row or of the open
// detail page.

// selectedTarget returns the record that actions apply to: that of the selected row or of the open
// detail page. It returns the zero Target if there is none.
func (p *pages) selectedTarget(view *snapshot.View) snapshot.Target {
	kind, code, _, ok := p.currentPage().PointedRecord()
	if d := p.topDetail(); d != nil && d.FiguresFocused {
		kind, code, ok = d.Kind, d.Key, true
	}
	if !ok {
		return snapshot.Target{}
	}
	t, ok := view.TargetOf(kind, code)
	if !ok {
		return snapshot.Target{}
	}
	return t
}

// launcher returns the launcher of the configured commands for the selected record.
func (p *pages) launcher(sc *scene) actions.Launcher {
	kind, code, channel, ok := p.currentPage().PointedRecord()
	if d := p.topDetail(); d != nil && d.FiguresFocused {
		kind, code, channel, ok = d.Kind, d.Key, "", true
	}
	if !ok {
		return sc.launcher(nil)
	}
	return sc.launcher(actions.CommandRecord(&sc.floor, kind, code, channel))
}

// holdSelection keeps the selection on the row that was selected when the viewer last saw the
// table, even if another row has moved there since.
func (p *pages) holdSelection() {
	if t := p.currentPage().Focused(); t != nil {
		if _, chosen := t.Table.Chosen(); !chosen {
			t.Table.ChooseSeen(p.floor.LocalNow)
			t.HeldRow, _ = t.Table.Chosen()
		}
	}
}

// selectedKey returns the alert key of the record of the selected row. The bool result is false if
// no such row is selected.
func (p *pages) selectedKey(sc *panes.Scene) (alert.Key, bool) {
	kind, code, channel, ok := p.currentPage().PointedRecord()
	if !ok {
		return alert.Key{}, false
	}
	subject := sc.KeyOf(kind, code)
	if channel != "" && subject.Channel != "" {
		subject.Channel = channel
	}
	return subject, true
}

// chartSubject returns the record whose figures the chart shows: the one that the page determines,
// or else the selected record, or else the floor.
func (p *pages) chartSubject(sc *panes.Scene) alert.Key {
	k, ok, known := p.currentPage().ChartSubject(sc)
	if !known {
		k, ok = p.selectedKey(sc)
	}
	if !ok || k.Scope == alert.Feed {
		return alert.Key{Scope: alert.Floor, Channel: sc.Floor.Channel}
	}
	return k
}

// selectedAlert returns the ID of the selected row in a table of alerts. selected is false if the
// table has no selected row. ok is false if no table of alerts is focused.
func (p *pages) selectedAlert() (id string, selected, ok bool) {
	t := p.currentPage().Focused()
	if t == nil || !t.ListsAlerts {
		return "", false, false
	}
	id, selected = t.Table.Selected()
	return id, selected, true
}

// selectedSituation returns the selected row in a list of situations, or nil if no row is selected.
// ok is false if no list of situations is focused.
func (p *pages) selectedSituation() (row *render.SituationRow, ok bool) {
	if lister, isLister := p.currentPage().(interface {
		SelectedSituation() (*render.SituationRow, bool)
	}); isLister {
		return lister.SelectedSituation()
	}
	return nil, false
}

// situation returns the selected situation, or else the situation about the selected record or the
// record of the detail page. It returns nil if there is none.
func (p *pages) situation(sc *panes.Scene) *situation.Situation {
	if row, ok := p.selectedSituation(); ok {
		if row == nil {
			return nil
		}
		return row.Situation(sc.Alarms.PresentSituations)
	}
	if on, ok := p.currentPage().(interface {
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
	if d := p.topDetail(); d != nil {
		return sc.SituationOf(sc.KeyOf(d.Kind, d.Key))
	}
	return nil
}

// selectedAlerts returns the active alerts about the selection, most urgent first. These are the
// selected alert, or the alerts of the selected situation, the selected record or the record of the
// detail page.
func (p *pages) selectedAlerts(sc *panes.Scene, watch *alerts.Watch) []alert.Alert {
	if id, _, ok := p.selectedAlert(); ok {
		if e := watch.LatestAlerts().Entry(id); e != nil && e.Ended.IsZero() {
			return []alert.Alert{e.Alert}
		}
		return nil
	}
	if s := p.situation(sc); s != nil {
		return s.Alerts
	}
	if row, ok := p.selectedSituation(); ok {
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
	if d := p.topDetail(); d != nil {
		return watch.AlertsOf(sc.KeyOf(d.Kind, d.Key))
	}
	return nil
}

// noAlertReason returns a sentence that says why there are no alerts about the selection.
func (p *pages) noAlertReason(sc *panes.Scene, watch *alerts.Watch) string {
	if _, selected, ok := p.selectedAlert(); ok && selected {
		return "This alert has ended."
	}
	if row, ok := p.selectedSituation(); ok && row != nil && row.IsOver() {
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

// clearBindings returns the key that clears the marks of a table or, if no row is marked, its
// filter. It returns nil if the table has neither marks nor a filter.
func clearBindings(k *keymap.Map, t *panes.RecordTable) []key.Binding {
	if n := t.Table.Marks.Len(); n > 0 {
		return []key.Binding{style.WithHelp(k.Back, "clear "+phrases.Count(n, "mark", "marks"))}
	}
	if t.Filter != "" {
		return []key.Binding{style.WithHelp(k.Back, "clear filter")}
	}
	return nil
}

// footerKeys returns the keys for the footer of the current page.
func (p *pages) footerKeys(sc *panes.Scene, watch *alerts.Watch, k *keymap.Map) []key.Binding {
	page := p.currentPage()
	out := make([]key.Binding, 0, 8)
	if h, ok := page.(keyHelper); ok {
		return append(h.Help(), style.WithHelp(k.Palette, "commands"))
	}
	switch {
	case p.topDetail() != nil:
		out = append(out, k.Back)
	case p.previousChannel != "" && !p.jumpedFrom.isSet:
		out = append(out, style.WithHelp(k.Back, "back to "+phrases.ChannelName(p.previousChannel)))
	}
	table := page.Focused()
	if table != nil {
		if clears := clearBindings(k, table); clears != nil {
			out = clears
		}
		if table.Target != nil || table.Jump != nil {
			out = append(out, k.Open)
		}
		out = append(out, k.Filter, style.WithHelp(k.Rows.Sort, "sort"))
	} else if _, _, _, ok := page.PointedRecord(); ok || p.situation(sc) != nil {
		out = append(out, k.Open)
	}
	if len(p.selectedAlerts(sc, watch)) > 0 {
		out = append(out, style.WithHelp(k.Why, "why"))
		if _, hasSituation := p.selectedSituation(); !sc.Floor.Replay && (hasSituation || table != nil && table.ListsAlerts) {
			out = append(out, style.WithHelp(k.Alert.TakeOver, "take over"), style.WithHelp(k.Alert.Snooze, "snooze"))
		}
	}
	if p.selectedTarget(sc.Floor).IsSet() && k.Act.Actions.Enabled() {
		out = append(out, k.Act.Actions)
	}
	if page.Tables() > 1 {
		out = append(out, k.Pane.Next)
	}
	freeze := "freeze"
	if !sc.Floor.FrozenAt.IsZero() {
		freeze = "resume"
	}
	return append(out, style.WithHelp(k.NextChannel, "channel"), style.WithHelp(k.Freeze, freeze), style.WithHelp(k.Palette, "commands"))
}
