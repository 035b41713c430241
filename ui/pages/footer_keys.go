package pages

import (
	"charm.land/bubbles/v2/key"

	"wallboard/internal/words"
	"wallboard/ui/alerts"
	"wallboard/ui/panes"
	"wallboard/ui/style"
)

// clearBindings returns the binding of the key that clears the marks of a table or, if no row is
// marked, its filter. It returns nil if there is nothing to clear.
func clearBindings(k *KeyMap, t *panes.RecordTable, l *words.Language) []key.Binding {
	if n := t.Table.Marks.Len(); n > 0 {
		return []key.Binding{style.WithHelp(k.Back, words.KeysClearMarks(n).In(l))}
	}
	if t.Filter != "" {
		return []key.Binding{style.WithHelp(k.Back, words.KeysClearFilter().In(l))}
	}
	return nil
}

// tableBindings returns the bindings of the keys that act on the rows of a table. A table without
// rows and without a filter has none.
func tableBindings(k *KeyMap, table *panes.RecordTable, l *words.Language) (out []key.Binding) {
	if table.Rows.Len() == 0 && table.Filter == "" {
		return nil
	}
	if table.Target != nil || table.OpenRow != nil {
		out = append(out, k.Open)
	}
	return append(out, k.Filter, style.WithHelp(k.Rows.Sort, words.KeysSort().In(l)))
}

// FooterKeys returns the key bindings that the footer shows on the current page.
func (p *Set) FooterKeys(sc *panes.Scene, watch *alerts.BoardAlerts, k *KeyMap) []key.Binding {
	page, selection := p.CurrentPage(), p.Selection()
	l, out := sc.Look.Format.Words, make([]key.Binding, 0, 8)
	if h, ok := page.(keyHelper); ok {
		return append(h.Help(), style.WithHelp(k.Palette, words.KeysCommands().In(l)))
	}
	switch {
	case p.TopDetail() != nil:
		out = append(out, k.Back)
	case p.previousChannel != "" && !p.jumpOrigin.isSet:
		out = append(out, style.WithHelp(k.Back, words.KeysBackTo(words.ChannelName(p.previousChannel)).In(l)))
	}
	table := page.Focused()
	if table != nil {
		if clears := clearBindings(k, table, l); clears != nil {
			out = clears
		}
		out = append(out, tableBindings(k, table, l)...)
	} else if _, _, _, ok := page.RecordUnderCursor(); ok || selection.Situation(sc) != nil {
		out = append(out, k.Open)
	}
	if len(selection.Alerts(sc, watch)) > 0 {
		out = append(out, style.WithHelp(k.Why, words.KeysWhy().In(l)))
		if _, hasSituation := selection.SituationRow(); !sc.Floor.Replay && k.Alert.TakeOver.Enabled() && (hasSituation || table != nil && table.ListsAlerts) {
			out = append(out, style.WithHelp(k.Alert.TakeOver, words.KeysTakeOver().In(l)), style.WithHelp(k.Alert.Snooze, words.KeysSnooze().In(l)))
		}
	}
	if selection.Target(sc.Floor).IsSet() && k.Actions.Actions.Enabled() {
		out = append(out, k.Actions.Actions)
	}
	if page.FocusableCount() > 1 {
		out = append(out, k.Pane.Next)
	}
	freeze := words.KeysFreeze()
	if !sc.Floor.FrozenAt.IsZero() {
		freeze = words.KeysResume()
	}
	return append(out, style.WithHelp(k.NextChannel, words.KeysChannel().In(l)), style.WithHelp(k.Freeze, freeze.In(l)), style.WithHelp(k.Palette, words.KeysCommands().In(l)))
}
