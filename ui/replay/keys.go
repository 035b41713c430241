package replay

import "charm.land/bubbles/v2/key"

// Keys holds the key bindings of the replay. Open, Save and Compare also work on a live board.
type Keys struct {
	Open                   key.Binding // rewinds the board, or returns to the live floor
	Save                   key.Binding // saves the incident to a file
	Compare                key.Binding // starts or ends a comparison
	Earlier, Later         key.Binding
	EarlierMin, LaterMin   key.Binding
	Earlier5Min, Later5Min key.Binding
	PrevMark, NextMark     key.Binding
	Play, Faster, Slower   key.Binding
}

// DefaultKeys returns the default key bindings of the replay.
func DefaultKeys() Keys {
	bind := func(label, description string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(label, description))
	}
	return Keys{
		Open:    bind("Z", "rewind, or back to now", "Z"),
		Save:    bind("ctrl+e", "save the incident", "ctrl+e"),
		Compare: bind("y", "compare two times", "y"),
		Earlier: bind(",", "10 s back", ","), Later: bind(".", "10 s on", "."),
		EarlierMin: bind("<", "1 min back", "<"), LaterMin: bind(">", "1 min on", ">"),
		Earlier5Min: bind("{", "5 min back", "{"), Later5Min: bind("}", "5 min on", "}"),
		PrevMark: bind("(", "to the mark before", "("), NextMark: bind(")", "to the next mark", ")"),
		Play: bind("space", "play, pause", "space"), Faster: bind("+", "faster", "+", "="), Slower: bind("-", "slower", "-"),
	}
}

// All returns the key bindings that move through a recording, in the order in which the help lists
// them.
func (k *Keys) All() []key.Binding {
	return []key.Binding{
		k.Earlier, k.Later, k.EarlierMin, k.LaterMin, k.Earlier5Min, k.Later5Min,
		k.PrevMark, k.NextMark, k.Play, k.Faster, k.Slower,
	}
}
