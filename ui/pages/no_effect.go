package pages

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
)

// NoEffectReason returns the reason why a key that nothing has handled has no effect on the current
// page, for example a key for tables on a page without tables. It returns "" if the key has no
// effect anywhere.
func (p *Set) NoEffectReason(k *KeyMap, msg tea.KeyPressMsg) string {
	is := func(bindings ...key.Binding) bool { // reports whether msg is one of the keys, even a disabled one
		return slices.ContainsFunc(bindings, func(b key.Binding) bool { return slices.Contains(b.Keys(), msg.String()) })
	}
	var reason words.Text
	page := p.CurrentPage()
	switch r := &k.Rows; {
	case is(k.Filter, r.Sort, r.Reverse, r.Columns, r.Pin, r.OnlyAlerts, r.Group, r.Fold, r.FoldAll) && page.Focused() == nil:
		reason = words.BoardNoTable()
		if page.FocusableCount() > 1 {
			reason = words.BoardNoFocus(k.Pane.Next.Help().Key)
		}
	case is(k.Pane.Next, k.Pane.Prev) && page.FocusableCount() < 2:
		reason = words.BoardOnePane()
	case is(k.Alert.TakeOver, k.Alert.Snooze):
		reason = words.ControlReadOnlyNow()
	case is(k.NextPlatform):
		reason = words.BoardOnePlatform()
	case is(k.Rewind.All()...):
		reason = words.BoardIsLive(k.Rewind.Open.Help().Key)
	}
	return reason.In(p.floor.Words)
}
