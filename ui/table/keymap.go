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
	bind := func(keys ...string) key.Binding { return key.NewBinding(key.WithKeys(keys...)) }
	return KeyMap{
		LineUp:      bind("up", "k"),
		LineDown:    bind("down", "j"),
		PageUp:      bind("pgup", "ctrl+b"),
		PageDown:    bind("pgdown", "ctrl+f"),
		GotoTop:     bind("home", "g"),
		GotoBottom:  bind("end", "G"),
		SortPrev:    bind("<"),
		SortNext:    bind(">"),
		SortReverse: bind("~"),
		Activate:    bind("enter"),
	}
}

// MovingKeyMap returns the default key bindings that move the cursor, without those for sorting and
// opening rows. It is for tables whose owner has other keys for these.
func MovingKeyMap() KeyMap {
	keys := DefaultKeyMap()
	for _, b := range []*key.Binding{
		&keys.SortPrev, &keys.SortNext, &keys.SortReverse, &keys.Activate,
	} {
		b.Unbind()
	}
	return keys
}
