package replay

import (
	"charm.land/bubbles/v2/key"

	"wallboard/internal/words"
)

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

// DefaultKeys returns the default key bindings of the replay, with descriptions in the language l.
func DefaultKeys(l *words.Language) Keys {
	bind := func(label string, description words.Text, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(label, description.In(l)))
	}
	return Keys{
		Open:    bind("Z", words.ReplayKeyOpen(), "Z"),
		Save:    bind("ctrl+e", words.ReplayKeySave(), "ctrl+e"),
		Compare: bind("y", words.ReplayKeyCompare(), "y"),
		Earlier: bind(",", words.ReplayKeySecondsBack(10), ","), Later: bind(".", words.ReplayKeySecondsOn(10), "."),
		EarlierMin: bind("<", words.ReplayKeyMinutesBack(1), "<"), LaterMin: bind(">", words.ReplayKeyMinutesOn(1), ">"),
		Earlier5Min: bind("{", words.ReplayKeyMinutesBack(5), "{"), Later5Min: bind("}", words.ReplayKeyMinutesOn(5), "}"),
		PrevMark: bind("(", words.ReplayKeyPreviousMark(), "("), NextMark: bind(")", words.ReplayKeyNextMark(), ")"),
		Play: bind("space", words.ReplayKeyPlay(), "space"), Faster: bind("+", words.ReplayKeyFaster(), "+", "="), Slower: bind("-", words.ReplayKeySlower(), "-"),
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
