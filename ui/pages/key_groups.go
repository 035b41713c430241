package pages

import (
	"slices"

	"charm.land/bubbles/v2/key"

	"wallboard/internal/words"
	"wallboard/ui/table"
)

// Groups returns all key bindings of the board and its tables, in the groups of the help and the
// manual. The help of the bindings that k does not contain is in the language l.
func (k KeyMap) Groups(l *words.Language) []KeyGroup {
	full := k.FullHelp()
	redraw, suspend := TerminalKeys(l)
	along := bindingFactory(l)("← →", words.KeysAlong(), "left", "right")
	return []KeyGroup{
		{Title: words.KeysGo(), Keys: full[0]},
		{Title: words.KeysInspect(), Keys: full[1]},
		{Title: words.KeysAct(), needsActions: true, Keys: full[3]},
		{Title: words.KeysMove(), Keys: append(MovingKeys(l), along)},
		{Title: words.KeysHistory(), Keys: k.History.All()},
		{Title: words.KeysBreaks(), Keys: ReleaseKeys(l)},
		{Title: words.KeysReplay(), isReplay: true, Keys: k.Rewind.All()},
		{Title: words.KeysBoard(), Keys: append(full[2], redraw, suspend)},
	}
}

// HelpGroups returns the groups of key bindings that the help lists. The first group consists of
// pageKeys, the keys of the page, if there are any. The group Act is included only if acts is true,
// and the keys of a replay only if rewound is true. See [KeyMap.Groups] for l.
func (k *KeyMap) HelpGroups(pageKeys []key.Binding, acts, rewound bool, l *words.Language) []KeyGroup {
	groups := slices.DeleteFunc(k.Groups(l), func(g KeyGroup) bool {
		return g.needsActions && !acts || g.isReplay && !rewound
	})
	if len(pageKeys) == 0 {
		return groups
	}
	return append([]KeyGroup{{Title: words.KeysThisPage(), Keys: pageKeys}}, groups...)
}

// MovingKeys returns the bindings that move the cursor of a table, with their help in the language l.
func MovingKeys(l *words.Language) []key.Binding {
	t := table.DefaultKeyMap()
	out := []key.Binding{t.LineUp, t.LineDown, t.PageUp, t.PageDown, t.GotoTop, t.GotoBottom}
	for i, help := range []words.Text{words.KeysUp(), words.KeysDown(), words.KeysPageUp(), words.KeysPageDown(), words.KeysFirst(), words.KeysLast()} {
		out[i].SetHelp(out[i].Keys()[0], help.In(l))
	}
	return out
}

// ReleaseKeys returns the bindings of the two keys that increase and decrease the number of agents
// on a break in the release planner, with their help in the language l.
func ReleaseKeys(l *words.Language) []key.Binding {
	bind := bindingFactory(l)
	return []key.Binding{bind("+", words.KeysMoreOut(), "+"), bind("-", words.KeysFewerOut(), "-")}
}
