package pages

import (
	"charm.land/bubbles/v2/key"

	"wallboard/internal/phrases"
	"wallboard/ui/alerts"
	"wallboard/ui/panes"
	"wallboard/ui/style"
)

// clearBindings returns the binding of the key that clears the marks of a table or, if no row is
// marked, its filter. It returns nil if there is nothing to clear.
func clearBindings(k *KeyMap, t *panes.RecordTable) []key.Binding {
	if n := t.Table.Marks.Len(); n > 0 {
		return []key.Binding{style.WithHelp(k.Back, "clear "+phrases.Count(n, "mark", "marks"))}
	}
	if t.Filter != "" {
		return []key.Binding{style.WithHelp(k.Back, "clear filter")}
	}
	return nil
}

// FooterKeys returns the key bindings that the footer shows on the current page.
func (p *Set) FooterKeys(sc *panes.Scene, watch *alerts.BoardAlerts, k *KeyMap) []key.Binding {
	page, selection := p.CurrentPage(), p.Selection()
	out := make([]key.Binding, 0, 8)
	if h, ok := page.(keyHelper); ok {
		return append(h.Help(), style.WithHelp(k.Palette, "commands"))
	}
	switch {
	case p.TopDetail() != nil:
		out = append(out, k.Back)
	case p.previousChannel != "" && !p.jumpedFrom.isSet:
		out = append(out, style.WithHelp(k.Back, "back to "+phrases.ChannelName(p.previousChannel)))
	}
	table := page.Focused()
	if table != nil {
		if clears := clearBindings(k, table); clears != nil {
			out = clears
		}
		if table.Target != nil || table.OpenRow != nil {
			out = append(out, k.Open)
		}
		out = append(out, k.Filter, style.WithHelp(k.Rows.Sort, "sort"))
	} else if _, _, _, ok := page.PointedRecord(); ok || selection.Situation(sc) != nil {
		out = append(out, k.Open)
	}
	if len(selection.Alerts(sc, watch)) > 0 {
		out = append(out, style.WithHelp(k.Why, "why"))
		if _, hasSituation := selection.SituationRow(); !sc.Floor.Replay && (hasSituation || table != nil && table.ListsAlerts) {
			out = append(out, style.WithHelp(k.Alert.TakeOver, "take over"), style.WithHelp(k.Alert.Snooze, "snooze"))
		}
	}
	if selection.Target(sc.Floor).IsSet() && k.Act.Actions.Enabled() {
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
