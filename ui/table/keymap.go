package table

import "charm.land/bubbles/v2/key"

// KeyMap holds the key bindings of a table.
type KeyMap struct {
	LineUp      key.Binding
	LineDown    key.Binding
	PageUp      key.Binding
	PageDown    key.Binding
	GotoTop     key.Binding
	GotoBottom  key.Binding
	SortPrev    key.Binding // sort by the column to the left
	SortNext    key.Binding // sort by the column to the right
	SortReverse key.Binding
	Activate    key.Binding // handled by the owner of the table, not by [Model.Update]
}

// DefaultKeyMap returns the default key bindings.
func DefaultKeyMap() KeyMap {
	bind := func(keys []string, name, desc string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(name, desc))
	}
	return KeyMap{
		LineUp:      bind([]string{"up", "k"}, "↑/k", "up"),
		LineDown:    bind([]string{"down", "j"}, "↓/j", "down"),
		PageUp:      bind([]string{"pgup", "ctrl+b"}, "pgup", "page up"),
		PageDown:    bind([]string{"pgdown", "ctrl+f"}, "pgdn", "page down"),
		GotoTop:     bind([]string{"home", "g"}, "g", "first"),
		GotoBottom:  bind([]string{"end", "G"}, "G", "last"),
		SortPrev:    bind([]string{"<"}, "<", "sort by column to the left"),
		SortNext:    bind([]string{">"}, ">", "sort by column to the right"),
		SortReverse: bind([]string{"~"}, "~", "reverse sort"),
		Activate:    bind([]string{"enter"}, "enter", "open"),
	}
}

// MovingKeyMap returns the default key bindings that move the cursor, without those for columns,
// sorting and opening rows. It is for tables whose owner has other keys for these.
func MovingKeyMap() KeyMap {
	keys := DefaultKeyMap()
	for _, b := range []*key.Binding{
		&keys.SortPrev, &keys.SortNext, &keys.SortReverse, &keys.Activate,
	} {
		b.Unbind()
	}
	return keys
}

// FullHelp returns all keys, in columns.
func (k KeyMap) FullHelp() [][]key.Binding {
	return [][]key.Binding{
		{k.LineUp, k.LineDown, k.PageUp, k.PageDown, k.GotoTop, k.GotoBottom},
		{k.SortPrev, k.SortNext, k.SortReverse, k.Activate},
	}
}
